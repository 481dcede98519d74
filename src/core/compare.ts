import { preview } from './account.ts';
import { isBytes } from './bytes.ts';
import { isRecord, same, saysNothing } from './draft.ts';

/** A key of a row's content; rows with equal keys are the same row. Undefined: this row has no such key. */
export type RowKey = (row: Readonly<Record<string, unknown>>) => string | undefined;

/** How bodies of one kind are compared. Paths are general: `entries[*].position`. */
export interface CompareRules {
  /** What absence means, per path. A slot that holds its default says nothing of its own. */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** Paths that formats mint or derive: they say nothing about content. */
  readonly ignored: ReadonlySet<string>;
  /** Lists of records, with the keys that pair their rows, the most telling first. */
  readonly rows: Readonly<Record<string, readonly RowKey[]>>;
}

/** One populated canonical path that does not read back equal. */
export interface Difference {
  readonly path: string;
  /** `dropped`: reads back absent or as the default. `changed`: reads back different. */
  readonly kind: 'dropped' | 'changed';
  /** Short preview, at most 80 characters. */
  readonly value: string;
  /** What it reads back as. */
  readonly now?: string;
  readonly reason?: string;
  /** Names of the files that hold it instead; the reason says them too. */
  readonly beside?: readonly string[];
}

/** A path that says something in the second body alone. */
export interface Added {
  readonly path: string;
  readonly value: unknown;
}

/** The outcome of a comparison. */
export interface Comparison {
  readonly differences: readonly Difference[];
  /** What stands there afterwards where nothing stood before. */
  readonly added: readonly Added[];
  /** Populated paths of the first body: the whole against which differences count. */
  readonly populated: number;
  /** How many of them read back equal. */
  readonly carried: number;
}

/** Compares what went in with what reads back, in the order of the first body. */
export function compare(rules: CompareRules, before: unknown, after: unknown): Comparison {
  const differences: Difference[] = [];
  const added: Added[] = [];
  let populated = 0;
  let carried = 0;

  const differ = (path: string, was: unknown, now: unknown, dropped: boolean, reason?: string): void => {
    differences.push({
      path,
      kind: dropped ? 'dropped' : 'changed',
      value: preview(was),
      ...(dropped ? {} : { now: preview(now) }),
      ...(reason === undefined ? {} : { reason }),
    });
  };

  const walk = (was: unknown, now: unknown, path: string, general: string): void => {
    if (rules.ignored.has(general)) return;
    const fallback = rules.defaults[general];
    if (fallback !== undefined) return slot(was ?? fallback, now ?? fallback, fallback, path);
    if (isList(was) || isList(now)) return lists(was, now, path, general);
    if (isRecord(was) && !isBytes(was)) return records(was, isRecord(now) ? now : {}, path, general);
    if (isRecord(now) && !isBytes(now) && saysNothing(was)) return records({}, now, path, general);
    if (saysNothing(was)) {
      if (!saysNothing(now)) added.push({ path, value: now });
      return;
    }
    populated++;
    if (same(was, now)) carried++;
    else differ(path, was, now, saysNothing(now));
  };

  const slot = (was: unknown, now: unknown, fallback: unknown, path: string): void => {
    const changed = !same(was, now);
    if (changed || !same(was, fallback)) populated++;
    if (!changed && !same(was, fallback)) carried++;
    if (changed) differ(path, was, now, same(now, fallback));
  };

  const records = (was: Row, now: Row, path: string, general: string): void => {
    const step = (key: string) => {
      const inner = path === '' ? key : `${path}.${key}`;
      walk(was[key], now[key], inner, general === '' ? key : `${general}.${key}`);
    };
    for (const key of Object.keys(was)) step(key);
    for (const key of Object.keys(now)) if (!Object.hasOwn(was, key)) step(key);
  };

  const lists = (was: unknown, now: unknown, path: string, general: string): void => {
    const left = isList(was) ? was : [];
    const right = isList(now) ? now : [];
    const keys = rules.rows[general];
    if (!keys) {
      if (left.length === 0 && right.length > 0) added.push({ path, value: right });
      if (left.length === 0) return;
      populated++;
      if (same(left, right)) carried++;
      else differ(path, left, right, right.length === 0);
      return;
    }
    const pairs = pairRows(keys, left, right);
    const partners = pairs.filter((partner) => partner >= 0);
    left.forEach((row, index) => {
      const place = `${path}[${index}]`;
      const partner = pairs[index] ?? -1;
      if (partner >= 0) return walk(row, right[partner], place, `${general}[*]`);
      // One line for the row, but every field of it is a field that did not cross.
      const held = compare(withoutRows(rules, `${general}[*].`), row, row).populated;
      populated += Math.max(1, held);
      differ(place, mainText(row), undefined, true);
    });
    if (partners.some((partner, i) => i > 0 && partner < (partners[i - 1] ?? 0))) {
      differ(path, `${left.length} rows`, 'the same rows in another order', false, 'the order is not the same');
    }
    const met = new Set(partners);
    right.forEach((row, index) => {
      if (!met.has(index)) added.push({ path: `${path}[+${index}]`, value: row });
    });
  };

  walk(before, after, '', '');
  return { differences, added, populated, carried };
}

/** The rules as they read below a list: `entries[*].position` becomes `position`. */
function withoutRows(rules: CompareRules, prefix: string): CompareRules {
  const below = <T>(table: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(
      Object.entries(table).flatMap(([path, value]) =>
        path.startsWith(prefix) ? [[path.slice(prefix.length), value]] : [],
      ),
    );
  const ignored = [...rules.ignored].flatMap((path) => (path.startsWith(prefix) ? [path.slice(prefix.length)] : []));
  return { defaults: below(rules.defaults), ignored: new Set(ignored), rows: below(rules.rows) };
}

/** What a row is about, in its own words: the first of its telling texts, else all of it. */
function mainText(row: unknown): unknown {
  const keys = ['text', 'content', 'title', 'keyword', 'find', 'phrase', 'label', 'name', 'hex'];
  const key = isRecord(row) ? keys.find((one) => typeof row[one] === 'string' && row[one] !== '') : undefined;
  return key === undefined ? row : (row as Row)[key];
}

type Row = Readonly<Record<string, unknown>>;
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/**
 * The partner of each left row, or -1. Each key in turn pairs the rows still alone, in order;
 * what is left at the end is paired in order when as many rows are left on both sides.
 */
function pairRows(keys: readonly RowKey[], left: readonly unknown[], right: readonly unknown[]): number[] {
  const pairs = left.map(() => -1);
  const free = new Set(right.keys());
  for (const keyOf of keys) {
    const waiting = new Map<string, number[]>();
    for (const index of free) {
      const row = right[index];
      const key = isRecord(row) ? keyOf(row) : undefined;
      if (key === undefined) continue;
      const queue = waiting.get(key);
      if (queue) queue.push(index);
      else waiting.set(key, [index]);
    }
    for (const queue of waiting.values()) queue.reverse();
    left.forEach((row, index) => {
      if (pairs[index] !== -1 || !isRecord(row)) return;
      const key = keyOf(row);
      const partner = key === undefined ? undefined : waiting.get(key)?.pop();
      if (partner === undefined) return;
      pairs[index] = partner;
      free.delete(partner);
    });
  }
  const alone = pairs.flatMap((partner, index) => (partner === -1 ? [index] : []));
  if (alone.length === free.size) {
    const rest = [...free];
    alone.forEach((index, i) => {
      pairs[index] = rest[i] ?? -1;
    });
  }
  return pairs;
}
