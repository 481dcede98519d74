/** What a run counts, and the sentences at its end. */
import { fact } from './layout.ts';
import type { Side } from './terminal.ts';
import { clean, cutStart, pad, width } from './text.ts';

/** Failed files that the summary names; all of them are told when they happen. */
const MAX_NAMED = 20;

export interface Tally {
  files: number;
  done: number;
  /** As they were when an earlier run did them. */
  skipped: number;
  failed: number;
  losses: number;
  /** Files that lost something. */
  lossy: number;
  /** The first failures. */
  readonly named: { readonly file: string; readonly code: string }[];
}

export const emptyTally = (): Tally => ({ files: 0, done: 0, skipped: 0, failed: 0, losses: 0, lossy: 0, named: [] });

export function countFailure(tally: Tally, file: string, code: string): void {
  tally.files++;
  tally.failed++;
  if (tally.named.length < MAX_NAMED) tally.named.push({ file, code });
}

/** `1234567` as `1,234,567`. */
export const grouped = (count: number): string => count.toLocaleString('en-US');

/** `0.42 s`, `12 s`, `3 min 5 s`, `2 h 10 min`. */
export function lasting(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(seconds < 1 ? 2 : 1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** The end of a run of many, as lines. `done` is the word for what was done. */
export function summaryLines(side: Side, tally: Tally, seconds: number, done: string, interrupted: boolean): string[] {
  const { files, failed, skipped, losses, lossy, named } = tally;
  const { green, red, yellow, dim, bold } = side.paint;
  const head = `${grouped(files)} ${files === 1 ? 'file' : 'files'} in ${lasting(seconds)}`;
  const codes = Math.max(0, ...named.map(({ code }) => width(code)));
  const names = named.map(
    ({ file, code }) => `${pad(code, codes)}  ${cutStart(clean(file), side.columns - 13 - codes)}`,
  );
  const more = failed > named.length ? [`… and ${grouped(failed - named.length)} more`] : [];
  return [
    '',
    `${failed > 0 || interrupted ? red('✗') : losses > 0 ? yellow('●') : green('✓')} ${bold(head)}`,
    ...fact(side, 'done', `${grouped(tally.done)} ${done}`, green),
    ...(skipped > 0 ? fact(side, 'skipped', `${grouped(skipped)}, as they were when they were done`) : []),
    ...(losses > 0
      ? fact(
          side,
          'lost',
          `${grouped(losses)} ${losses === 1 ? 'fact' : 'facts'} in ${grouped(lossy)} ${lossy === 1 ? 'file' : 'files'}`,
          yellow,
        )
      : []),
    ...(failed > 0 ? fact(side, 'failed', grouped(failed), red) : []),
    ...[...names, ...more].map((line) => `           ${dim(line)}`),
    ...(interrupted ? fact(side, 'stopped', 'before the end; what is written is whole', red) : []),
  ];
}
