/** What an item says now against its original file, line by line, each with the way back. */
import { diffArrays } from 'diff';
import { same } from '../../core/draft.ts';
import { isMediaToken, type PlainEntity } from './model.ts';
import type { Patch, Path } from './patch.ts';

/** One line. Paths and patches start at the list of entities and are right for the state they were made of. */
export interface ItemChange {
  /** Number of the entity now; of one that was taken out, where it would stand. */
  readonly entity: number;
  /** Below the body; empty for a whole entity. */
  readonly path: Path;
  readonly kind: 'changed' | 'added' | 'removed' | 'order';
  readonly was?: unknown;
  readonly now?: unknown;
  readonly back: Patch;
}

type Row = Readonly<Record<string, unknown>>;
const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isMediaToken(value);
const isRows = (value: unknown): value is readonly Row[] =>
  Array.isArray(value) && value.length > 0 && value.every(isRow);

/** Rows of a list without ids that are paired by content; longer lists are paired in order. */
const MAX_PAIRED = 2_000;

export function changesOf(base: readonly PlainEntity[], now: readonly PlainEntity[]): ItemChange[] {
  const changes: ItemChange[] = [];
  now.forEach((entity, index) => {
    const origin = entity.from === undefined ? undefined : base[entity.from];
    if (origin) walk(changes, index, origin.body, entity.body, []);
    else
      changes.push({
        entity: index,
        path: [],
        kind: 'added',
        now: entity.body,
        back: { path: [index], value: undefined },
      });
  });
  base.forEach((origin, from) => {
    if (now.some((entity) => entity.from === from)) return;
    const at = Math.min(from, now.length);
    const whole = now.toSpliced(at, 0, { ...origin, from });
    changes.push({ entity: at, path: [], kind: 'removed', was: origin.body, back: { path: [], value: whole } });
  });
  return changes;
}

function walk(changes: ItemChange[], entity: number, was: unknown, now: unknown, path: Path): void {
  if (same(was, now)) return;
  const full: Path = [entity, 'body', ...path];
  if (isRow(was) && isRow(now)) {
    for (const key of new Set([...Object.keys(was), ...Object.keys(now)]))
      walk(changes, entity, was[key], now[key], [...path, key]);
    return;
  }
  if (isRows(was) && isRows(now)) return rows(changes, entity, was, now, path);
  const kind = was === undefined ? 'added' : now === undefined ? 'removed' : 'changed';
  changes.push({ entity, path, kind, was, now, back: { path: full, value: was } });
}

function rows(changes: ItemChange[], entity: number, was: readonly Row[], now: readonly Row[], path: Path): void {
  const full: Path = [entity, 'body', ...path];
  const pairs = pairsOf(was, now);
  const met = new Set(pairs);
  was.forEach((row, index) => {
    const mate = pairs[index] ?? -1;
    if (mate >= 0) return walk(changes, entity, row, now[mate], [...path, mate]);
    // Behind the nearest row before it that is still there.
    const before = pairs.slice(0, index).findLast((one) => one >= 0) ?? -1;
    const value = now.toSpliced(before + 1, 0, row);
    changes.push({ entity, path: [...path, before + 1], kind: 'removed', was: row, back: { path: full, value } });
  });
  now.forEach((row, index) => {
    if (met.has(index)) return;
    const value = now.length === 1 ? was.slice(0, 0) : undefined;
    const back = value ? { path: full, value } : { path: [...full, index], value: undefined };
    changes.push({ entity, path: [...path, index], kind: 'added', now: row, back });
  });
  const partners = pairs.filter((one) => one >= 0);
  if (!partners.some((one, index) => index > 0 && one < (partners[index - 1] ?? 0))) return;
  const ordered = [...partners.map((one) => now[one]), ...now.filter((_, index) => !met.has(index))];
  changes.push({ entity, path, kind: 'order', back: { path: full, value: ordered } });
}

/** The index in `now` of each row of `was`, or -1: by id where all have one, else by content. */
function pairsOf(was: readonly Row[], now: readonly Row[]): number[] {
  const ids = idsOf(now);
  if (ids && idsOf(was)) return was.map(({ id }) => ids.get(id) ?? -1);
  if (was.length + now.length > MAX_PAIRED) return was.map((_, index) => (index < now.length ? index : -1));
  const pairs: number[] = [];
  let next = 0;
  let gone: number[] = [];
  for (const { added, removed, value } of diffArrays([...was], [...now], { comparator: same })) {
    if (removed) gone = value.map(() => pairs.push(-1) - 1);
    else if (added) {
      // What was taken out here is what came instead, in order.
      for (const _ of value) {
        const index = gone.shift();
        if (index !== undefined) pairs[index] = next;
        next++;
      }
    } else {
      gone = [];
      for (const _ of value) pairs.push(next++);
    }
  }
  return pairs;
}

function idsOf(list: readonly Row[]): Map<unknown, number> | undefined {
  const ids = new Map(list.map(({ id }, index) => [id, index]));
  return ids.size === list.length && [...ids.keys()].every((id) => typeof id === 'string') ? ids : undefined;
}
