import fc from 'fast-check';
import type { CompareRules, Comparison } from '../../src/core/compare.ts';
import type { Lens } from '../../src/core/lens.ts';
import type { ByteKit, SpellingOf, Tree } from './tree.ts';
import type { Values } from './values.ts';
import type { Hints, KeepSpelling } from './wires.ts';

/** The functions on trial: the engine's own, or those of a copy with a planted fault. */
export interface Engine extends ByteKit {
  get<B>(lenses: readonly Lens<B>[], wire: Tree, body: B): B;
  put<B>(lenses: readonly Lens<B>[], twin: Tree, body: B): Tree;
  create<B>(lenses: readonly Lens<B>[], base: Tree, body: B): Tree;
  compare(rules: CompareRules, before: unknown, after: unknown): Comparison;
  /** Wire paths that no lens reads. */
  unread(lenses: readonly Lens<never>[], wire: Tree): readonly { readonly path: string; readonly value: unknown }[];
  keepSpelling: KeepSpelling;
  spellingOf: SpellingOf;
}

/**
 * Whether a format can say a value, so that the laws ask it to; undefined: it can where its lens is exact. An undefined
 * value is a clear. `wire` is the object that is edited, absent for a fresh one.
 */
export type Says = (path: string, value: unknown, body: object, wire?: Tree) => boolean | undefined;

/** The rows of a list of records. */
export interface RowModel {
  readonly shape: 'list' | 'map' | 'either';
  readonly ids: readonly string[];
  readonly values: Values;
  empty(id: string): object;
  /** What absence of a slot means. */
  readonly defaults: Readonly<Record<string, unknown>>;
}

/** One field table and what the laws need to know of its kind. */
export interface Table {
  readonly label: string;
  readonly lenses: readonly Lens<never>[];
  readonly rules: CompareRules;
  readonly values: Values;
  empty(): object;
  /** The format's empty file, in some carrier. */
  readonly bases: readonly Tree[];
  readonly hints?: Hints;
  /** Laid over a generated wire: what its carrier really gives. */
  readonly carriers?: readonly Tree[];
  /** What the opened file always looks like, whatever was generated. */
  readonly settle?: (wire: Tree) => Tree;
  readonly says?: Says;
  /** Paths whose edit may add a wire key beside the one that was read: values that several keys share. */
  readonly spreads?: ReadonlySet<string>;
  /** Wire homes beyond its own that an edit of a path may touch: an archive moves its files along. */
  readonly moves?: Readonly<Record<string, readonly string[]>>;
  readonly rows?: RowModel;
  /** The adapter gives the account itself: its lenses claim nothing. */
  readonly accountsElsewhere?: boolean;
}

/** One law on one table. */
export interface Law {
  readonly name: string;
  readonly property: fc.IProperty<unknown[]>;
}

/** A law from the values it is about. */
export const law = <T extends [unknown, ...unknown[]]>(
  name: string,
  arbitraries: { [K in keyof T]: fc.Arbitrary<T[K]> },
  holds: (...args: T) => void,
): Law => ({
  name,
  property: fc.property(...(arbitraries as never as [fc.Arbitrary<unknown>]), holds as never) as never,
});
