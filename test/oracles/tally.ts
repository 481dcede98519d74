/** Counts of the run: what each judge took, and what it changed beyond the documented rewrites. */
import type { Fresh, Job } from './fresh.ts';
import type { Change, Judge, Verdict } from './judge.ts';
import { REFUSALS, REWRITES, type Refusal, type Rewrite } from './rewrites.ts';

/** A row of the table: files of one kind before one judge. */
export interface Cell {
  readonly job: Job;
  readonly judge: Judge;
  files: number;
  accepted: number;
  /** Read back equal but for documented rewrites; undefined: this judge gives nothing back. */
  equal: number | undefined;
}

export const cells: Cell[] = [];
/** Files in which each documented rewrite or refusal was seen: one that no longer happens has to go. */
export const seen = new Map<Rewrite | Refusal, number>();
const count = (one: Rewrite | Refusal): void => void seen.set(one, (seen.get(one) ?? 0) + 1);

const isAbout = ({ judge, targets, container, dialect }: Rewrite | Refusal, cell: Cell): boolean =>
  judge === cell.judge.name &&
  (targets?.includes(cell.job.target) ?? true) &&
  (container === undefined || container === cell.job.container) &&
  (dialect === undefined || dialect === cell.job.dialect);

const rewriteOf = (cell: Cell, change: Change): Rewrite | undefined =>
  REWRITES.find((one) => isAbout(one, cell) && one.path.test(change.path) && (one.when?.(change) ?? true));

/** Counts a verdict. Returns what is not documented, a line each. */
export function counted(cell: Cell, file: Fresh, verdict: Verdict): string[] {
  cell.files++;
  if (!verdict.accepted) {
    const known = REFUSALS.find((one) => isAbout(one, cell) && one.when(file, verdict.said ?? ''));
    if (known) count(known);
    return known ? [] : [`${file.source}: refused: ${verdict.said}`];
  }
  cell.accepted++;
  if (verdict.changes === undefined) return [];
  const known = new Set<Rewrite>();
  const open = verdict.changes.filter((change) => {
    const rewrite = rewriteOf(cell, change);
    if (rewrite) known.add(rewrite);
    return rewrite === undefined;
  });
  for (const rewrite of known) count(rewrite);
  cell.equal = (cell.equal ?? 0) + (open.length === 0 ? 1 : 0);
  return open.map(({ path, ours, theirs }) => `${file.source}: ${path}: ${short(ours)} became ${short(theirs)}`);
}

const short = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 100);
