import type { Claim } from './account.ts';
import type { Bytes } from './bytes.ts';
import { agree, type Draft, type Keys, openDraft, type Wire } from './draft.ts';

/** Dotted paths into a canonical body. Lists, bytes and open maps are leaves. */
export type Path<T> = {
  [K in keyof T & string]: NonNullable<T[K]> extends readonly unknown[] | Bytes
    ? K
    : NonNullable<T[K]> extends object
      ? string extends keyof NonNullable<T[K]>
        ? K
        : K | `${K}.${Path<NonNullable<T[K]>>}`
      : K;
}[keyof T & string];

/** The type at a canonical path. */
export type At<T, P extends string> = P extends `${infer K}.${infer Rest}`
  ? K extends keyof T
    ? At<NonNullable<T[K]>, Rest>
    : never
  : P extends keyof T
    ? NonNullable<T[P]>
    : never;

/**
 * A canonical home tied to a wire home. A lens says how to read and how to write; whether to write
 * is decided in `put`, once for all formats, so no format can get the three-state overlay wrong.
 */
export interface Lens<B, V = unknown> {
  readonly canonical: readonly string[];
  readonly wire: readonly string[];
  readonly shape: string;
  readonly lossy: boolean;
  /** Why something may not cross; the report quotes it. */
  readonly note?: string;
  /** Fields of the rows, for lists of records. */
  readonly rows?: readonly Lens<never>[];
  /** A pure function of the wire homes that the lens names. */
  read(wire: Wire): V | undefined;
  /** As `read`, for wires that have only the homes `there` tells of; undefined: nothing is read from those. */
  narrowRead?(there: (home: Keys) => boolean): ((wire: Wire) => V | undefined) | undefined;
  /** Called only when `now` differs from `before`; an undefined `now` clears. */
  write(draft: Draft, now: V | undefined, before: V | undefined): void;
  pick(body: B): V | undefined;
  place(body: B, value: V): void;
  /** What `value` says about one of the lens's canonical paths. */
  part(value: V | undefined, path: string): unknown;
  /** The wire homes that the lens takes from a wire. */
  claims(wire: Wire): readonly Claim[];
  /** As `claims`, for wires that have only the homes `there` tells of. */
  narrowClaims?(there: (home: Keys) => boolean): (wire: Wire) => readonly Claim[];
}

/** Decode: fills `body` and returns it. Values a lens cannot read stay where they are, in escrow. */
export function get<B>(lenses: readonly Lens<B>[], wire: Wire, body: B): B {
  for (const lens of lenses) {
    const value = lens.read(wire);
    if (value !== undefined) lens.place(body, value);
  }
  return body;
}

/**
 * Encode onto a twin, three-state: equal to the twin's own reading leaves the wire alone, changed
 * writes at its home, cleared removes it there. With no change the result is the twin itself.
 */
export function put<B>(lenses: readonly Lens<B>[], twin: Wire, body: B): Wire {
  const draft = openDraft(twin);
  for (const lens of lenses) overlay(lens, draft, body, lens.read(twin));
  return draft.wire;
}

/** Encode with no twin: writes what the body has over `base`, the format's empty file. */
export function create<B>(lenses: readonly Lens<B>[], base: Wire, body: B): Wire {
  const draft = openDraft(base);
  for (const lens of lenses) overlay(lens, draft, body, undefined);
  return draft.wire;
}

function overlay<B>(lens: Lens<B>, draft: Draft, body: B, before: unknown): void {
  const now = lens.pick(body);
  if (!agree(now, before)) lens.write(draft, now, before);
}

/** Every wire home that the table takes from `wire`. */
export const claimsOf = (lenses: readonly Lens<never>[] | readonly Lens<object>[], wire: Wire): Claim[] =>
  (lenses as readonly Lens<unknown>[]).flatMap((lens) => lens.claims(wire));

/** A lens that differs from another in some of its parts. */
export const varied = <B, V>(lens: Lens<B, V>, parts: Partial<Lens<B, V>>): Lens<B, V> => ({
  canonical: lens.canonical,
  wire: lens.wire,
  shape: lens.shape,
  lossy: lens.lossy,
  ...(lens.note === undefined ? {} : { note: lens.note }),
  ...(lens.rows === undefined ? {} : { rows: lens.rows }),
  read: (wire) => lens.read(wire),
  write: (draft, now, before) => lens.write(draft, now, before),
  pick: (body) => lens.pick(body),
  place: (body, value) => lens.place(body, value),
  part: (value, path) => lens.part(value, path),
  claims: (wire) => lens.claims(wire),
  ...parts,
});

/** Puts `value` at a canonical path, making the groups on the way. */
export function placeAt(body: object, keys: Keys, value: unknown): void {
  let node = body as Record<string, unknown>;
  const last = keys.length - 1;
  for (let i = 0; i < last; i++) {
    const key = keys[i] ?? '';
    node[key] ??= {};
    node = node[key] as Record<string, unknown>;
  }
  node[keys[last] ?? ''] = value;
}

/** Keys that say what a row or file is, not what is in it: read as nothing, written as nothing, never left behind. */
export const marks = <B>(keys: readonly string[], note = ''): Lens<B> => {
  const claims = keys.map((key): Claim => ({ keys: [key] }));
  return {
    canonical: [],
    wire: keys,
    shape: 'mark',
    lossy: false,
    ...(note === '' ? {} : { note }),
    read: () => undefined,
    write: () => undefined,
    pick: () => undefined,
    place: () => undefined,
    part: () => undefined,
    claims: () => claims,
  };
};
