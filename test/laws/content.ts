/** What slots say, for the laws that compare bodies. None of it shares code with the engine's own comparison. */
import type { RowModel } from './model.ts';
import { dig, equal, isTree, silent } from './tree.ts';

/** Slots that formats mint or derive: no law asks for them. */
const MINTED = new Set(['id', 'origin', 'mime', 'primary']);

/** What a slot says, without what formats mint. */
export function content(value: unknown, path: string, rows: RowModel | undefined): unknown {
  if (Array.isArray(value)) {
    return value.map((row) => {
      if (!isTree(row)) return row;
      const said = Object.entries(row).filter(([, held]) => held !== undefined);
      const told = path === 'entries' && rows ? { ...rows.defaults, ...Object.fromEntries(said) } : row;
      return Object.fromEntries(Object.entries(told).filter(([key, held]) => !MINTED.has(key) && !silent(held)));
    });
  }
  if (path === 'media.portrait' && isTree(value)) return { ref: value.ref };
  return pruned(value);
}

/** An object without the parts that say nothing; undefined when none is left. */
function pruned(value: unknown): unknown {
  if (!isTree(value)) return value;
  const parts = Object.entries(value).flatMap(([key, held]) => {
    const told = pruned(held);
    return silent(told) ? [] : [[key, told] as const];
  });
  return parts.length === 0 ? undefined : Object.fromEntries(parts);
}

/** Whether something that `want` says is not what `got` says, its order too; what only `got` says is no loss. */
export function lost(want: unknown, got: unknown): boolean {
  if (isTree(want)) return Object.keys(want).some((key) => lost(want[key], dig(got, [key])));
  const rows = Array.isArray(want) && want.length > 0 && want.every(isTree);
  if (!rows) return !silent(want) && !equal(want, got);
  if (!Array.isArray(got)) return true;
  const free = new Set(got.keys());
  let last = -1;
  return want.some((row, index) => {
    const covers = (at: number) => !Object.keys(row).some((key) => lost(row[key], dig(got[at], [key])));
    const partner = [index, ...free].find((at) => free.has(at) && covers(at));
    if (partner !== undefined) free.delete(partner);
    const inOrder = partner !== undefined && partner > last;
    last = partner ?? last;
    return !inOrder;
  });
}

/** Nothing but nothings, at any depth. */
export const hollow = (value: unknown): boolean =>
  silent(value) || ((Array.isArray(value) || isTree(value)) && Object.values(value).every(hollow));
/** Whether a reported path is `home` or lies in it. */
export const under = (path: string, home: string): boolean =>
  path === home || path.startsWith(`${home}.`) || path.startsWith(`${home}[`);
/** A value in a message. */
export const show = (value: unknown): string => JSON.stringify(value) ?? 'nothing';

/** The keys in a reported wire path: `a.b[0]["c.d"]`. */
export function keysIn(path: string): string[] {
  const out: string[] = [];
  const part = /\["((?:[^"\\]|\\.)*)"\]|\[([^\]]*)\]|([^.[]+)/g;
  for (const [, quoted, index, plain] of path.matchAll(part)) {
    out.push(quoted === undefined ? ((index ?? plain) as string) : (JSON.parse(`"${quoted}"`) as string));
  }
  return out;
}
