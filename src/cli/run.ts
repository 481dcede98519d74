/** Runs a command over its inputs: one bad one does not stop the others. One file is a run of one. */

import { statSync } from 'node:fs';
import type { BunzaiError } from '../core/errors.ts';
import { usage } from './fault.ts';
import { type Inputs, type Item, inShard, shardOf } from './inputs.ts';
import type { Journal } from './journal.ts';
import { BRIEF, type Caps, FULL } from './report-lines.ts';
import { openShow } from './show.ts';
import { readStandard, STANDARD } from './standard.ts';
import type { Side, Terminal } from './terminal.ts';
import { type Answer, inThread, type Part, type Runner, type Task, thrown, type UnitName } from './work.ts';

/** A command as a run needs it: what it does with one input, and how the result is told. */
export interface Command<D> {
  readonly unit: UnitName;
  /** What the unit is told, the same for each input. */
  readonly options: object;
  /** For `--json`. */
  readonly fields: (data: D) => Readonly<Record<string, unknown>>;
  /** For a person who looks at a few files. */
  readonly lines: (side: Side, path: string, data: D, caps: Caps) => readonly string[];
  /** For a person who looks at many: what goes behind the name of the file, in a few words. */
  readonly brief: (data: D) => string;
  /** The command worked, and what it found is a failure: lossy under `--strict`, invalid. */
  readonly failure?: (data: D) => BunzaiError | undefined;
  readonly losses?: (data: D) => number;
  /** What happens to a result in this thread, one after the other in the order of the inputs: it is written. */
  readonly settle?: (item: Item, data: D, at: number | undefined) => Promise<{ data: D; files: readonly string[] }>;
  /** The result itself went to standard output: what is told goes to the other side. */
  readonly aside?: boolean;
  /** What was done before, and what is done now. */
  readonly journal?: Journal | undefined;
  /** The word for what was done to a file. */
  readonly done: string;
  /** Nothing is told of a file that went well. */
  readonly quiet?: boolean;
  /** Tells what all files together came to. */
  readonly finish?: (terminal: Terminal) => void;
}

/** The options that every command over many files has. */
export interface RunFlags {
  readonly json?: boolean;
  readonly jobs?: string;
  readonly timeout?: string;
  readonly shard?: string;
}

/** Seconds for one file in a worker. */
const TIMEOUT_SECONDS = 60;
/** Bytes of inputs that are on their way at once; one larger than that goes alone. */
const MAX_BYTES_AHEAD = 256 * 1024 * 1024;
const MAX_JOBS = 256;
/** As a shell counts a process that was interrupted. */
const INTERRUPTED = 130;

/** Works through the inputs. Results are told and written in the order of the inputs, however many work on them. */
export async function run<D>(
  terminal: Terminal,
  inputs: Inputs,
  flags: RunFlags,
  command: Command<D>,
): Promise<number> {
  const many = isMany(inputs, flags);
  const shard = flags.shard === undefined ? undefined : shardOf(flags.shard);
  const items = function* (): Generator<Item> {
    for (const item of inputs.items()) if (shard === undefined || inShard(item, shard)) yield item;
  };
  const runner = many ? await poolFor(flags) : inThread;
  const alone = inputs.files.length < 2 && !many;
  const show = await openShow(terminal, command, {
    many,
    alone,
    json: flags.json ?? false,
    caps: alone ? FULL : BRIEF,
    items,
  });
  const interrupt = many ? onInterrupt(() => void runner.close()) : undefined;
  try {
    await inOrder(items(), runner, command, async (item, answer) => {
      if (!interrupt?.happened) await settle(item, answer);
      return !interrupt?.happened;
    });
  } finally {
    interrupt?.forget();
    command.journal?.close();
    await runner.close();
  }
  show.end(interrupt?.happened ?? false, () => command.finish?.(terminal));
  return interrupt?.happened ? INTERRUPTED : show.code();

  async function settle(item: Item, answer: Answer): Promise<void> {
    if (answer.unchanged) {
      for (const fault of command.journal?.skipped(item) ?? []) show.failed(fault.file, thrown(fault));
      return show.skipped(item.path);
    }
    const written: string[] = [];
    const faults: (Part['fault'] & { file: string })[] = [];
    for (const { at, data, fault } of answer.parts) {
      const path = at === undefined ? item.path : `${item.path}[${at}]`;
      try {
        if (fault) throw thrown(fault);
        const made = await command.settle?.(item, data as D, at);
        written.push(...(made?.files ?? []));
        show.done(path, made?.data ?? (data as D), at);
      } catch (error) {
        show.failed(path, error);
        if (fault && at !== undefined) faults.push({ ...fault, file: path });
      }
    }
    if (answer.sha256 !== undefined && written.length > 0) command.journal?.done(item, answer.sha256, written, faults);
  }
}

/** Whether a run is worth workers, a line a file and a journal. */
export const isMany = (inputs: Inputs, { jobs, timeout, shard }: RunFlags): boolean =>
  inputs.many || jobs !== undefined || timeout !== undefined || shard !== undefined;

async function poolFor(flags: RunFlags): Promise<Runner> {
  const jobs = numberOf('jobs', flags.jobs);
  const timeout = numberOf('timeout', flags.timeout) ?? TIMEOUT_SECONDS;
  if (jobs !== undefined && (!Number.isInteger(jobs) || jobs > MAX_JOBS))
    throw usage(`--jobs ${flags.jobs}`, `give a number from 1 to ${MAX_JOBS}`);
  return (await import('./pool.ts')).openPool({ timeout, ...(jobs === undefined ? {} : { jobs }) });
}

function numberOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!(value > 0) || value > 1e6) throw usage(`--${name} ${text}`, 'give a number above 0');
  return value;
}

/** Starts inputs as far ahead as the runner is wide, and gives their answers back one after the other, in order. */
async function inOrder<D>(
  items: Iterable<Item>,
  runner: Runner,
  { unit, options, journal }: Command<D>,
  settle: (item: Item, answer: Answer) => Promise<boolean>,
): Promise<void> {
  const queue: { readonly item: Item; readonly size: number; readonly answer: Promise<Answer> }[] = [];
  let ahead = 0;
  const next = async (): Promise<boolean> => {
    const first = queue.shift();
    if (!first) return true;
    ahead -= first.size;
    return settle(first.item, await first.answer);
  };
  for (const item of items) {
    const size = sizeOf(item.path);
    while (queue.length > 0 && (queue.length >= runner.width || ahead + size > MAX_BYTES_AHEAD))
      if (!(await next())) return;
    const known = journal?.known(item);
    const task: Task = {
      unit,
      path: item.path,
      options,
      ...(item.path === STANDARD ? { bytes: await readStandard() } : {}),
      ...(journal ? { hashed: true } : {}),
      ...(known === undefined ? {} : { known }),
    };
    ahead += size;
    queue.push({ item, size, answer: runner.run(task) });
  }
  while (queue.length > 0) if (!(await next())) return;
}

/** Lets a run end in order when it is interrupted; the second time the process ends as it would. */
function onInterrupt(stop: () => void): { readonly happened: boolean; forget(): void } {
  let happened = false;
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const listen = () => {
    happened = true;
    forget();
    stop();
  };
  const forget = () => {
    for (const signal of signals) process.off(signal, listen);
  };
  for (const signal of signals) process.on(signal, listen);
  return {
    get happened() {
      return happened;
    },
    forget,
  };
}

/** Bytes of a file, 0 where reading it will say what is wrong. */
function sizeOf(path: string): number {
  try {
    return path === STANDARD ? 0 : statSync(path).size;
  } catch {
    return 0;
  }
}
