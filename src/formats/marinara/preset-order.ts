import { placed } from '../../core/codec.ts';
import { type Draft, isRecord, keysOf, same, valueAt, type Wire } from '../../core/draft.ts';
import { type Lens, varied } from '../../core/lens.ts';
import type { PresetBody } from '../../entities/preset/schema.ts';

interface Row {
  readonly id: string;
}

/**
 * Rows whose order stands beside them as a list of ids. Rows that the list leaves out follow in file order. Rows stay
 * where they are in the file: another order, or a row more or less, is said in the list.
 */
export function orderedRows<R extends Row>(
  rows: Lens<PresetBody, R[]>,
  home: string,
  orderHome: string,
): Lens<PresetBody, R[]> {
  const [keys, orderKeys] = [keysOf(home), keysOf(orderHome)];
  /** The wire id of each readable row, in step with the rows as they are read. */
  const idsIn = (wire: Wire): readonly unknown[] => {
    const held = valueAt(wire, keys);
    return Array.isArray(held) ? held.filter(isRecord).map(({ id }) => id) : [];
  };
  /** The list, where every row has an id of its own that it can name. */
  const orderIn = (wire: Wire): readonly unknown[] | undefined => {
    const order = valueAt(wire, orderKeys);
    const ids = idsIn(wire);
    const named = ids.every((id) => typeof id === 'string') && new Set(ids).size === ids.length;
    return Array.isArray(order) && named ? order : undefined;
  };
  const sorted = (wire: Wire, read: readonly R[]): R[] => {
    const place = new Map(orderIn(wire)?.map((id, index) => [id, index]));
    const ids = idsIn(wire);
    const at = (index: number) => place.get(ids[index]) ?? Number.POSITIVE_INFINITY;
    return read
      .map((row, index) => ({ row, index }))
      .sort((a, b) => Math.sign(at(a.index) - at(b.index)) || a.index - b.index)
      .map(({ row }) => row);
  };

  /** Rows as they stand in the file, new ones behind. */
  const inFileOrder = (wire: Wire, now: readonly R[]): R[] => {
    const place = new Map((rows.read(wire) ?? []).map(({ id }, index) => [id, index]));
    const at = ({ id }: R) => place.get(id) ?? Number.POSITIVE_INFINITY;
    return now
      .map((row, index) => ({ row, index }))
      .sort((a, b) => Math.sign(at(a.row) - at(b.row)) || a.index - b.index)
      .map(({ row }) => row);
  };

  /** The list says the new order, and keeps ids that are of no row where they stood. */
  const writeOrder = (draft: Draft, now: readonly R[]): void => {
    const old = orderIn(draft.twin) ?? [];
    const ids = idsIn(draft.wire);
    const idOf = new Map(inFileOrder(draft.twin, now).map((row, index) => [row, ids[index]]));
    const next = now.map((row) => idOf.get(row));
    const wireIds = new Map((rows.read(draft.twin) ?? []).map((row, index) => [row, idsIn(draft.twin)[index]]));
    const before = sorted(draft.twin, [...wireIds.keys()]).map((row) => wireIds.get(row));
    if (same(next, before)) return;
    const known = new Set<unknown>([...idsIn(draft.twin), ...ids]);
    draft.set(
      orderKeys,
      placed(old, next, (id) => !known.has(id)),
    );
  };

  return varied(rows, {
    wire: [...rows.wire, orderHome],
    read: (wire) => {
      const read = rows.read(wire);
      return read && (orderIn(wire) ? sorted(wire, read) : read);
    },
    write(draft, now, before) {
      if (now === undefined || !orderIn(draft.twin)) return rows.write(draft, now, before);
      rows.write(draft, inFileOrder(draft.twin, now), before);
      writeOrder(draft, now);
    },
  });
}
