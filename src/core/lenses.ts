import type { Account, Claim } from './account.ts';
import type { Codec } from './codec.ts';
import { type Draft, existsAt, type Keys, keysOf, reachable, same, saysNothing, valueAt, type Wire } from './draft.ts';
import { type At, type Lens, type Path, placeAt, type Reading } from './lens.ts';
import { type Rows, rowsLens } from './rows.ts';

/** A wire home: the first spelling is the one we write, the others are spellings we also read. */
export interface Home {
  readonly names: readonly string[];
  readonly keys: readonly Keys[];
}

/** A home, e.g. `at('char_name', 'name')` or `at('extensions.depth_prompt.prompt')`; dots descend. */
export const at = (...names: readonly [string, ...string[]]): Home => ({
  names,
  keys: names.map((name) => keysOf(name)),
});

/** How a field treats its home beyond reading and writing. */
export interface FieldOptions<V> {
  /** What a missing wire value means. It is compared, never written by itself. */
  readonly absent?: V;
  readonly note?: string;
  /** Further places that hold the same value: never read, written on every edit where they exist. */
  readonly copies?: readonly string[];
  /** The spellings are copies, not alternatives: an edit goes to every one that exists, whatever it said. */
  readonly together?: boolean;
}

/** The lens constructors for one canonical body. */
export function lensesFor<B extends object>() {
  type Values<P extends readonly Path<B>[]> = { [K in P[number]]?: At<B, K> | undefined };

  /** One canonical value at one wire home. */
  function field<P extends Path<B>>(
    path: P,
    home: Home,
    codec: Codec<At<B, P>>,
    options: FieldOptions<At<B, P>> = {},
  ): Lens<B, At<B, P>> {
    const { absent, note, together = false } = options;
    const keys = path.split('.');
    const copies = (options.copies ?? []).map((copy) => keysOf(copy));
    type Value = At<B, P> | undefined;
    const held = (wire: Wire, i: number) => codec.read(valueAt(wire, home.keys[i]!));
    /** The spelling that wins: the first non-empty one, else the first readable one, else none. */
    const winner = (wire: Wire, spellings = home.keys): { readonly i: number; readonly value: Value } => {
      let found = { i: -1, value: absent };
      for (let i = 0; i < spellings.length; i++) {
        const value = codec.read(valueAt(wire, spellings[i]!));
        if (value === undefined) continue;
        if (found.i < 0 || !saysNothing(value)) found = { i, value };
        if (!saysNothing(value)) break;
      }
      return found;
    };
    const read: Reading<At<B, P>> =
      home.keys.length === 1 ? (wire) => held(wire, 0) ?? absent : (wire) => winner(wire).value;
    read.narrowed = (there) => {
      const spellings = home.keys.filter(there);
      const [first] = spellings;
      if (first === undefined) return absent === undefined ? undefined : () => absent;
      if (spellings.length > 1) return (wire) => winner(wire, spellings).value;
      const [key] = first;
      if (first.length > 1 || key === undefined) return (wire) => codec.read(valueAt(wire, first)) ?? absent;
      return (wire) => codec.read(wire[key]) ?? absent;
    };
    const inside = codec.account && ((raw: unknown, at: string, out: Account) => codec.account?.(raw, at, out));
    const onCopies: readonly Claim[] = copies.map((copy) => ({ keys: copy }));
    const onSpelling: readonly Claim[] = home.keys.map((keys) => (inside ? { keys, inside } : { keys }));
    const claimsAmong = (wire: Wire, spellings: readonly Keys[], claims: readonly Claim[]): readonly Claim[] => {
      const { value } = winner(wire, spellings);
      const taken = claims.filter((_, i) => {
        const old = codec.read(valueAt(wire, spellings[i]!));
        return old !== undefined && (together || same(old, value));
      });
      return onCopies.length === 0 ? taken : [...onCopies, ...taken];
    };
    const claims: Lens<B>['claims'] = (wire) => claimsAmong(wire, home.keys, onSpelling);
    claims.narrowed = (there) => {
      const spellings = home.keys.filter(there);
      const held = onSpelling.filter(({ keys }) => there(keys));
      const [keys] = spellings;
      if (keys === undefined) return () => onCopies;
      if (spellings.length > 1) return (wire) => claimsAmong(wire, spellings, held);
      const all = [...onCopies, ...held];
      return (wire) => (codec.read(valueAt(wire, keys)) === undefined ? onCopies : all);
    };
    const [only = ''] = keys;
    const place: Lens<B, At<B, P>>['place'] =
      keys.length > 1
        ? (body, value) => placeAt(body, keys, value)
        : (body, value) => {
            (body as Record<string, unknown>)[only] = value;
          };
    const writeAt = (draft: Draft, spelling: Keys, now: At<B, P> | undefined): void => {
      if (now !== undefined) {
        const raw = codec.write(now, valueAt(draft.twin, spelling));
        if (raw !== undefined) draft.set(spelling, raw);
      } else if (codec.blank === undefined) draft.delete(spelling);
      else if (existsAt(draft.twin, spelling)) draft.set(spelling, codec.blank);
    };
    return {
      canonical: [path],
      wire: home.names,
      shape: codec.shape,
      lossy: codec.lossy ?? false,
      ...(note === undefined ? {} : { note }),
      read,
      write(draft, now, before) {
        const found = winner(draft.twin).i;
        // Without a spelling that is there, the first one that can be written.
        const free = home.keys.findIndex((spelling) => reachable(draft.wire, spelling));
        const main = found >= 0 ? found : Math.max(free, 0);
        home.keys.forEach((spelling, i) => {
          const old = held(draft.twin, i);
          const follows = together
            ? existsAt(draft.twin, spelling)
            : old !== undefined && (saysNothing(now) || same(old, before));
          if (i === main || follows) writeAt(draft, spelling, now);
        });
        for (const copy of copies) if (existsAt(draft.twin, copy)) writeAt(draft, copy, now);
      },
      pick: (body) => (valueAt(body, keys) ?? absent) as At<B, P> | undefined,
      place,
      part: (value) => value,
      claims,
    };
  }

  /** Several canonical values that share wire keys and so must be decided together. */
  function joint<const P extends readonly Path<B>[]>(
    paths: P,
    spec: {
      readonly wire: readonly string[];
      readonly shape: string;
      readonly lossy?: boolean;
      readonly note?: string;
      read(wire: Wire): Values<P>;
      write(draft: Draft, now: Values<P>, before: Values<P>): void;
      /** Homes really taken; the default is every home whose value is there. */
      claims?(wire: Wire): readonly Claim[];
    },
  ): Lens<B, Values<P>> {
    const compiled = paths.map((path) => [path, path.split('.')] as const);
    const homes = spec.wire.map((name): Claim => ({ keys: keysOf(name) }));
    const tidy = (values: object): Values<P> | undefined => {
      let tidied: Record<string, unknown> | undefined;
      for (const path of paths) {
        const value = (values as Readonly<Record<string, unknown>>)[path];
        if (saysNothing(value)) continue;
        tidied ??= {};
        tidied[path] = value;
      }
      return tidied as Values<P> | undefined;
    };
    return {
      canonical: paths,
      wire: spec.wire,
      shape: spec.shape,
      lossy: spec.lossy ?? false,
      ...(spec.note === undefined ? {} : { note: spec.note }),
      read: (wire) => tidy(spec.read(wire)),
      write: (draft, now, before) => spec.write(draft, now ?? {}, before ?? {}),
      pick: (body) => tidy(Object.fromEntries(compiled.map(([path, keys]) => [path, valueAt(body, keys)]))),
      place(body, values) {
        for (const [path, keys] of compiled) {
          const value = values[path as P[number]];
          if (value !== undefined) placeAt(body, keys, value);
        }
      },
      part: (values, path) => values?.[path as P[number]],
      claims: spec.claims ?? (() => homes),
    };
  }

  /** A list of records with lenses of their own, as a list or as a keyed object on the wire. */
  const rows = <P extends Path<B>, E extends At<B, P> extends readonly (infer R extends object)[] ? R : never>(
    path: P,
    home: Home,
    spec: Rows<E>,
  ): Lens<B, E[]> => rowsLens<B, E>(path, home.keys[0]!, home.names, spec);

  return { field, joint, rows };
}
