import type { AccountResult } from './account.ts';
import type { Entity, Kind } from './canonical.ts';
import type { CoverageRow } from './coverage.ts';
import type { Warning } from './errors.ts';
import type { Source } from './source.ts';

/** A file shape that an adapter writes: JSON text, a picture, an archive. */
export interface Container {
  /** Name for `--container`: `json`, `png`, `charx` … */
  readonly name: string;
  /** Without the dot. */
  readonly extension: string;
  readonly mime: string;
}

/** What a write may take into account beside the entities. */
export interface EmitContext<L = object> {
  /** Linked books, resolved: absent = keep the twin's own book, empty = remove it, else these replace it. */
  readonly lorebooks?: readonly Entity<L>[];
  /** Container by name; absent: the one the source came in, else the adapter's choice. */
  readonly container?: string;
  /** A version of the format, where it has several: `v2`, `v3`. Fresh files only. */
  readonly variant?: string;
}

/** The written file. `convert` measures losses on these bytes; adapters report none. */
export interface Sealed {
  readonly bytes: Uint8Array;
  readonly container: Container;
  /** Merged, relabelled or stand-in parts that a person should know of. */
  readonly warnings: readonly Warning[];
}

/** What a format folder exports, one for each kind it has. `L` is the body of a lorebook. */
export interface Adapter<K extends Kind = Kind, B extends object = object, L extends object = object> {
  readonly id: string;
  /** What people say for `--to`; all adapters of one app share it. */
  readonly family: string;
  readonly label: string;
  readonly kind: K;
  /** The first is the default. */
  readonly containers: readonly [Container, ...Container[]];
  readonly coverage: readonly CoverageRow[];
  /** Keys of `original` that this adapter owns; the first holds the twin. */
  readonly escrowIds: readonly [string, ...string[]];
  /** Our own storage format: never offered as a publish target. */
  readonly native?: boolean;
  /** The plain reader of a family of formats. */
  readonly generic?: boolean;
  /** 0 = not mine, 1 = certain. Never throws. */
  detect(source: Source): number;
  /** The entities of this kind in the file, the main one first. Throws when the file is not of this format. */
  toCanonical(source: Source): readonly Entity<B, K>[];
  /** Entities that go into one file; those read from the same file share their twin. */
  fromCanonical(entities: readonly [Entity<B, K>, ...Entity<B, K>[]], context: EmitContext<L>): Sealed;
  /** Loads code that this work needs and a start should not pay for; the engine awaits it before. */
  prepare?(work: 'read' | 'write'): Promise<void>;
  /** What the reader left in escrow and what it repaired, from the twin of an entity. */
  account(entity: Entity<B, K>): AccountResult;
  /** What the reader left in escrow of a book that came out of a card of this format. */
  accountLorebook?(book: Entity<L, 'lorebook'>): AccountResult;
  /** The embedded book. An adapter without this has no place for one. */
  extractLorebook?(entity: Entity<B, K>): Entity<L, 'lorebook'> | undefined;
}
