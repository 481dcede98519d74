import { placed } from './codec.ts';
import { isRecord, type Keys, saysNothing, valueAt, type Wire } from './draft.ts';
import type { Home } from './field.ts';
import { assignIds } from './ids.ts';
import { type At, create, type Lens, type Path, placeAt, put } from './lens.ts';
import { rowTable } from './shapes.ts';

/** How the rows of a list of records are read and written. */
export interface Rows<E> {
  readonly lenses: readonly Lens<E>[];
  /** `either`: a list or a keyed object is read; a fresh one is a list. */
  readonly shape: 'list' | 'map' | 'either';
  /** An entry with nothing but its id. */
  blank(id: string): E;
  id(entry: E): string;
  /** The id a source row carries, or undefined when it has none. */
  idOf(row: Wire): string | undefined;
  /** The wire object that a row without a twin starts from, at its place; `id` is free among the rows of the file. */
  fresh(id: string, entry: E, index: number): Wire;
  /**
   * The id or key of a row without a twin, where the entry says one that is not taken; the default is the next whole
   * number after `top`, the greatest so far.
   */
  mint?(entry: E, taken: ReadonlySet<string>, top: number): string | undefined;
}

/** The constructor of such lists for one canonical body; apart from `lensesFor`, as a character has none. */
export const rowsFor =
  <B extends object>() =>
  <P extends Path<B>, E extends At<B, P> extends readonly (infer R extends object)[] ? R : never>(
    path: P,
    home: Home,
    spec: Rows<E>,
  ): Lens<B, E[]> =>
    rowsLens<B, E>(path, home.keys[0]!, home.names, spec);

/**
 * A list of records with lenses of their own, as a list or as a keyed object on the wire. Rows meet their twin by id, never by position, so reordering or editing
 * one row leaves every other row's wire object as it was.
 */
export function rowsLens<B extends object, E extends object>(
  path: string,
  from: Keys,
  names: readonly string[],
  spec: Rows<E>,
): Lens<B, E[]> {
  const keys = path.split('.');
  const table = rowTable(spec.lenses);
  const readable = (raw: unknown): readonly (readonly [key: string, row: unknown])[] | undefined => {
    if (Array.isArray(raw))
      return spec.shape === 'map' ? undefined : raw.map((row, index) => [String(index), row] as const);
    return isRecord(raw) && spec.shape !== 'list' ? Object.entries(raw) : undefined;
  };
  const rowsOf = (wire: Wire) => {
    const all = readable(valueAt(wire, from));
    if (!all) return undefined;
    const good = all.filter((pair): pair is readonly [string, Wire] => isRecord(pair[1]));
    const ids = assignIds(good.map(([key, row]) => spec.idOf(row) ?? key));
    return good.map(([key, row], index) => ({ key, row, id: ids[index]! }));
  };
  return {
    canonical: [path],
    wire: names,
    shape: spec.shape === 'map' ? 'keyed records' : 'list of records',
    lossy: spec.lenses.some((lens) => lens.lossy),
    rows: spec.lenses as readonly Lens<never>[],
    read: (wire) => rowsOf(wire)?.map(({ id, row }) => table.get(row, spec.blank(id))),
    write(draft, now) {
      if (now === undefined) return draft.delete(from);
      const twins = new Map((rowsOf(draft.twin) ?? []).map((row) => [row.id, row]));
      const raw = valueAt(draft.twin, from);
      const asMap = spec.shape === 'map' || (spec.shape === 'either' && isRecord(raw));
      const keysOfRaw = asMap && isRecord(raw) ? Object.keys(raw) : [];
      const taken = new Set([...[...twins.values()].map(({ row }) => spec.idOf(row) ?? ''), ...keysOfRaw]);
      let top = greatestWholeNumber(taken);
      const used = new Set<string>();
      const written = now.map((entry, index) => {
        const id = spec.id(entry);
        const twin = used.has(id) ? undefined : twins.get(id);
        used.add(id);
        if (twin) return [twin.key, put(spec.lenses, twin.row, entry)] as const;
        const fresh = spec.mint?.(entry, taken, top) ?? String(++top);
        taken.add(fresh);
        top = Math.max(top, greatestWholeNumber([fresh]));
        return [fresh, create(spec.lenses, spec.fresh(fresh, entry, index), entry)] as const;
      });
      const old = Array.isArray(raw) ? raw : [];
      const rows = written.map(([, row]) => row);
      const next = asMap ? keyed(raw, written) : placed(old, rows, (row) => !isRecord(row));
      if (!sameRows(raw, next)) draft.set(from, next);
    },
    pick: (body) => valueAt(body, keys) as E[] | undefined,
    place: (body, value) => placeAt(body, keys, value),
    part: (value) => value,
    claims: () => [
      {
        keys: from,
        inside(value, at, out) {
          const odd: string[] = [];
          for (const [key, row] of readable(value) ?? []) {
            if (!isRecord(row)) odd.push(key);
            const place = `${at}[${key}]`;
            if (isRecord(row)) table.account(row, place, out);
            else out.unread(place, row);
          }
          if (odd.length > 0) out.repaired(at, `no records, kept and not read: row ${shortList(odd)}`);
          if (!readable(value) && !saysNothing(value)) out.unread(at, value);
        },
      },
    ],
  };
}

/** Rows back at their keys: keys of the twin keep their order, rows that are no objects stay, new ones follow. */
function keyed(raw: unknown, written: readonly (readonly [string, Wire])[]): Wire {
  const next = new Map(written);
  const out: [string, unknown][] = [];
  for (const [key, row] of isRecord(raw) ? Object.entries(raw) : []) {
    const now = next.get(key);
    if (now) out.push([key, now]);
    else if (!isRecord(row)) out.push([key, row]);
    next.delete(key);
  }
  return Object.fromEntries([...out, ...next]);
}

/** Whether the very same rows stand under the same keys in the same order. */
function sameRows(raw: unknown, next: object): boolean {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw) !== Array.isArray(next)) return false;
  const [before, after] = [Object.entries(raw), Object.entries(next)];
  return (
    before.length === after.length && before.every(([key, row], i) => key === after[i]?.[0] && row === after[i]?.[1])
  );
}

const shortList = (keys: readonly string[]): string =>
  keys.length > 10 ? `${keys.slice(0, 10).join(', ')} and ${keys.length - 10} more` : keys.join(', ');

/** The greatest whole number among ids written as text; -1 when there is none. */
function greatestWholeNumber(ids: Iterable<string>): number {
  let top = -1;
  for (const id of ids) if (/^\d{1,15}$/.test(id)) top = Math.max(top, Number(id));
  return top;
}
