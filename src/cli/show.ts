/** Tells the results of a run, one after the other, and counts them. */
import type { BunzaiError } from '../core/errors.ts';
import { exitCodeOf, faultLine, showFault } from './fault.ts';
import type { Item } from './inputs.ts';
import { NO_PROGRESS, openProgress, type Progress } from './progress.ts';
import type { Caps } from './report-lines.ts';
import { countFailure, emptyTally, summaryLines } from './tally.ts';
import type { Side, Terminal } from './terminal.ts';
import { clean, cut, cutStart, width } from './text.ts';

/** What a result is told with: see `Command` in `run.ts`. */
export interface Telling<D> {
  readonly fields: (data: D) => Readonly<Record<string, unknown>>;
  readonly lines: (side: Side, path: string, data: D, caps: Caps) => readonly string[];
  readonly brief: (data: D) => string;
  readonly failure?: (data: D) => BunzaiError | undefined;
  readonly losses?: (data: D) => number;
  readonly aside?: boolean;
  readonly done: string;
  readonly quiet?: boolean;
}

export interface ShowOptions {
  /** A line a file, and a summary with the time. */
  readonly many: boolean;
  /** One file: no summary. */
  readonly alone: boolean;
  readonly json: boolean;
  readonly caps: Caps;
  /** The inputs, to be counted for the bar. */
  readonly items: () => Iterable<Item>;
}

export interface Show<D> {
  /** `at`: its number in a list of cards. */
  done(path: string, data: D, at?: number): void;
  failed(path: string, error: unknown): void;
  skipped(path: string): void;
  /** `finish` prints what comes before the summary. */
  end(interrupted: boolean, finish: () => void): void;
  /** The worst exit code so far. */
  code(): number;
}

export async function openShow<D>(terminal: Terminal, telling: Telling<D>, options: ShowOptions): Promise<Show<D>> {
  const { many, alone, json, caps } = options;
  const { out, err } = terminal;
  const start = Date.now();
  const tally = emptyTally();
  const bar: Progress = many && err.isTerminal ? await openProgress(err, countOf(options.items())) : NO_PROGRESS;
  let code = 0;
  let shown = false;
  const tell = (print: () => void) => {
    bar.above(print);
    bar.at(tally);
    shown = true;
  };
  const fault = (path: string, error: unknown): void => {
    code = Math.max(code, exitCodeOf(error));
    countFailure(tally, path, faultLine(error).code);
  };
  const gap = (): string => (shown && !many ? '\n' : '');

  return {
    done(path, data, at) {
      const failure = telling.failure?.(data);
      const losses = telling.losses?.(data) ?? 0;
      if (failure === undefined) {
        tally.files++;
        tally.done++;
      } else fault(path, failure);
      tally.losses += losses;
      if (losses > 0) tally.lossy++;
      if (telling.quiet) return bar.at(tally);
      const side = telling.aside ? err : out;
      if (json) {
        const head =
          failure === undefined ? { ok: true, file: path } : { ok: false, file: path, error: faultLine(failure) };
        const item = at === undefined ? {} : { item: at };
        return tell(() => side.line(JSON.stringify({ ...head, ...item, ...telling.fields(data) })));
      }
      if (!many) return tell(() => side.line(gap() + telling.lines(side, path, data, caps).join('\n')));
      const { red, yellow, green } = side.paint;
      const mark = failure ? red('✗') : losses > 0 ? yellow('●') : green('✓');
      tell(() => side.line(`${mark} ${row(side, path, telling.brief(data))}`));
    },
    failed(path, error) {
      fault(path, error);
      if (json) tell(() => out.line(JSON.stringify({ ok: false, file: path, error: faultLine(error) })));
      else tell(() => err.line(gap() + showFault(err, path, error)));
    },
    skipped(path) {
      tally.files++;
      tally.skipped++;
      if (json) tell(() => out.line(JSON.stringify({ ok: true, file: path, skipped: true })));
      else bar.at(tally);
    },
    end(interrupted, finish) {
      bar.stop();
      finish();
      const seconds = (Date.now() - start) / 1000;
      const { named: _named, ...counts } = tally;
      if (json && many) err.line(JSON.stringify({ summary: { ...counts, seconds, interrupted } }));
      else if (many) err.line(summaryLines(err, tally, seconds, telling.done, interrupted).join('\n'));
      else if (!json && !alone) {
        const failures = tally.failed === 0 ? '' : `, ${tally.failed} failed`;
        err.line(err.paint.dim(`\n${tally.files} files: ${tally.done} done${failures}`));
      }
    },
    code: () => code,
  };
}

/** The name of a file on the left, what became of it on the right. */
function row(side: Side, path: string, brief: string): string {
  const right = cut(clean(brief), Math.floor(side.columns * 0.6));
  const left = cutStart(clean(path), side.columns - width(right) - 4);
  return `${left}${' '.repeat(Math.max(2, side.columns - 2 - width(left) - width(right)))}${right}`;
}

function countOf(items: Iterable<Item>): number {
  let count = 0;
  for (const _ of items) count++;
  return count;
}
