import type { Claim } from '../../core/account.ts';
import { existsAt, isRecord, type Keys, keysOf, same, valueAt, type Wire } from '../../core/draft.ts';
import { type Lens, varied } from '../../core/lens.ts';

/** A lens that carries nothing: it only says which keys have nothing to say. */
const silent = (wire: readonly string[], claims: (wire: Wire) => readonly Claim[]): Lens<never> => ({
  canonical: [],
  wire,
  shape: 'marks of the app',
  lossy: false,
  read: () => undefined,
  write: () => undefined,
  pick: () => undefined,
  place: () => undefined,
  part: () => undefined,
  claims,
});

/** Ids that tell rows apart and point at their owner. */
export const idMarks = <B>(...names: readonly string[]): Lens<B> =>
  silent(names, () => names.map((name) => ({ keys: keysOf(name) }))) as unknown as Lens<B>;

/** Keys that stay in escrow, and are not worth a line while they hold what the app writes by itself. */
export function restingKeys<B>(values: Readonly<Record<string, unknown>>): Lens<B> {
  const keys = Object.entries(values).map(([name, value]) => [keysOf(name), value] as const);
  const claims = (wire: Wire) =>
    keys.flatMap(([home, value]) => (existsAt(wire, home) && same(valueAt(wire, home), value) ? [{ keys: home }] : []));
  return silent(Object.keys(values), claims) as unknown as Lens<B>;
}

/** A list of rows whose new rows say whom they belong to. */
export function owned<B, V>(rows: Lens<B, V>, home: string, owner: string, key: string): Lens<B, V> {
  const keys = keysOf(home);
  return varied(rows, {
    write(draft, now, before) {
      rows.write(draft, now, before);
      const id = valueAt(draft.wire, keysOf(owner));
      const next = valueAt(draft.wire, keys);
      if (typeof id !== 'string' || !Array.isArray(next)) return;
      const known = idsAt(draft.twin, keys);
      const isNew = (row: unknown): row is Wire =>
        isRecord(row) && typeof row.id === 'string' && !known.has(row.id) && !existsAt(row, [key]);
      if (next.some(isNew))
        draft.set(
          keys,
          next.map((row) => (isNew(row) ? withOwner(row, key, id) : row)),
        );
    },
  });
}

const idsAt = (wire: Wire, keys: Keys): ReadonlySet<unknown> => {
  const rows = valueAt(wire, keys);
  return new Set(Array.isArray(rows) ? rows.map((row) => valueAt(row, ['id'])) : []);
};

/** The owner stands right behind the id, as the app writes it. */
function withOwner({ id, ...rest }: Wire, key: string, owner: string): Wire {
  return { id, [key]: owner, ...rest };
}
