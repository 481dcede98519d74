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

/** The rules at one place of a body. */
interface Rule {
  ignored?: boolean;
  fallback?: unknown;
  rows?: readonly RowKey[];
  /** By key; rows of a list under `[*]`. */
  readonly inner: Map<string, Rule>;
}

const NO_RULE: Rule = { inner: new Map() };
const ROW = '[*]';

const compiled = new Map<CompareRules, Rule>();

/** The rules as a tree, made once. */
function treeOf(rules: CompareRules): Rule {
  const known = compiled.get(rules);
  if (known) return known;
  const root: Rule = { inner: new Map() };
  const at = (path: string): Rule => {
    let rule = root;
    for (const key of path.replaceAll(ROW, `.${ROW}`).split('.')) {
      const next = rule.inner.get(key) ?? { inner: new Map() };
      rule.inner.set(key, next);
      rule = next;
    }
    return rule;
  };
  for (const path of rules.ignored) at(path).ignored = true;
  for (const [path, fallback] of Object.entries(rules.defaults)) at(path).fallback = fallback;
  for (const [path, rows] of Object.entries(rules.rows)) at(path).rows = rows;
  compiled.set(rules, root);
  return root;
}

/** Compares what went in with what reads back, in the order of the first body. */
export const compare = (rules: CompareRules, before: unknown, after: unknown): Comparison =>
  compareBy(treeOf(rules), before, after);

function compareBy(rule: Rule, before: unknown, after: unknown): Comparison {
  const differences: Difference[] = [];
  const added: Added[] = [];
  let populated = 0;
  let carried = 0;
  /** Keys and indexes on the way to the place at hand: it becomes a text only where there is something to say. */
  const way: (string | number)[] = [];

  const differ = (was: unknown, now: unknown, dropped: boolean, reason?: string): void => {
    differences.push({
      path: pathOf(way),
      kind: dropped ? 'dropped' : 'changed',
      value: preview(was),
      ...(dropped ? {} : { now: preview(now) }),
      ...(reason === undefined ? {} : { reason }),
    });
  };

  const walk = (was: unknown, now: unknown, rule: Rule): void => {
    if (rule.ignored) return;
    const { fallback } = rule;
    if (fallback !== undefined) return slot(was ?? fallback, now ?? fallback, fallback);
    if (isList(was) || isList(now)) return lists(was, now, rule);
    if (isRecord(was) && !isBytes(was)) return records(was, isRecord(now) ? now : {}, rule);
    if (isRecord(now) && !isBytes(now) && saysNothing(was)) return records({}, now, rule);
    if (saysNothing(was)) {
      if (!saysNothing(now)) added.push({ path: pathOf(way), value: now });
      return;
    }
    populated++;
    if (same(was, now)) carried++;
    else differ(was, now, saysNothing(now));
  };

  const slot = (was: unknown, now: unknown, fallback: unknown): void => {
    const changed = !same(was, now);
    if (changed || !same(was, fallback)) populated++;
    if (!changed && !same(was, fallback)) carried++;
    if (changed) differ(was, now, same(now, fallback));
  };

  const step = (key: string | number, was: unknown, now: unknown, rule: Rule): void => {
    way.push(key);
    walk(was, now, rule);
    way.pop();
  };

  const records = (was: Row, now: Row, rule: Rule): void => {
    for (const key of Object.keys(was)) step(key, was[key], now[key], rule.inner.get(key) ?? NO_RULE);
    for (const key of Object.keys(now))
      if (!Object.hasOwn(was, key)) step(key, undefined, now[key], rule.inner.get(key) ?? NO_RULE);
  };

  const lists = (was: unknown, now: unknown, rule: Rule): void => {
    const left = isList(was) ? was : [];
    const right = isList(now) ? now : [];
    if (!rule.rows) {
      if (left.length === 0 && right.length > 0) added.push({ path: pathOf(way), value: right });
      if (left.length === 0) return;
      populated++;
      if (same(left, right)) carried++;
      else differ(left, right, right.length === 0);
      return;
    }
    const below = rule.inner.get(ROW) ?? NO_RULE;
    if (left.length === right.length && left.every((row, index) => same(row, right[index]))) {
      const count = left.reduce<number>((sum, row) => sum + populatedIn(row, below), 0);
      populated += count;
      carried += count;
      return;
    }
    const pairs = pairRows(rule.rows, left, right);
    const partners = pairs.filter((partner) => partner >= 0);
    left.forEach((row, index) => {
      const partner = pairs[index] ?? -1;
      if (partner >= 0) return step(index, row, right[partner], below);
      // One line for the row, but every field of it is a field that did not cross.
      populated += Math.max(1, populatedIn(row, below));
      way.push(index);
      differ(mainText(row), undefined, true);
      way.pop();
    });
    if (partners.some((partner, i) => i > 0 && partner < (partners[i - 1] ?? 0))) {
      differ(`${left.length} rows`, 'the same rows in another order', false, 'the order is not the same');
    }
    const met = new Set(partners);
    right.forEach((row, index) => {
      if (!met.has(index)) added.push({ path: `${pathOf(way)}[+${index}]`, value: row });
    });
  };

  walk(before, after, rule);
  return { differences, added, populated, carried };
}

/** Populated paths of a value, as `compareBy` counts them where both sides say the same. */
function populatedIn(value: unknown, rule: Rule): number {
  if (rule.ignored) return 0;
  if (rule.fallback !== undefined) return same(value ?? rule.fallback, rule.fallback) ? 0 : 1;
  if (saysNothing(value)) return 0;
  if (isList(value) && !rule.rows) return 1;
  if (isList(value)) {
    const below = rule.inner.get(ROW) ?? NO_RULE;
    return value.reduce<number>((sum, row) => sum + populatedIn(row, below), 0);
  }
  if (!isRecord(value) || isBytes(value)) return 1;
  let count = 0;
  for (const key of Object.keys(value)) count += populatedIn(value[key], rule.inner.get(key) ?? NO_RULE);
  return count;
}

/** Keys and indexes as a path: `entries[3].title`. */
export const pathOf = (way: readonly (string | number)[]): string =>
  way.reduce<string>(
    (path, key) => (typeof key === 'number' ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`),
    '',
  );

/** What a row is about, in its own words: the first of its telling texts, else all of it. */
function mainText(row: unknown): unknown {
  const keys = ['text', 'content', 'title', 'keyword', 'find', 'phrase', 'label', 'name', 'hex'];
  const key = isRecord(row) ? keys.find((one) => typeof row[one] === 'string' && row[one] !== '') : undefined;
  return key === undefined ? row : (row as Row)[key];
}

type Row = Readonly<Record<string, unknown>>;
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/**
 * The partner of each left row, or -1. Equal rows at one place are partners; each key in turn pairs the rows still
 * alone, in order;
 * what is left at the end is paired in order when as many rows are left on both sides.
 */
function pairRows(keys: readonly RowKey[], left: readonly unknown[], right: readonly unknown[]): number[] {
  const pairs = left.map((row, index) => (index < right.length && same(row, right[index]) ? index : -1));
  const free = new Set(right.keys());
  for (const index of pairs) free.delete(index);
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
