/**
 * The unit of work: one command over the bytes of one input, as plain data. It depends on nothing else, so it runs
 * here, in a worker thread, or wherever someone sends it.
 */
import { BunzaiError, type ErrorPlace } from '../core/errors.ts';
import { type FileInput, readInput } from '../node.ts';
import { engine } from './engine.ts';
import { STANDARD } from './standard.ts';

/** One input and what to do with it. Everything in it can be sent to a thread. */
export interface Task {
  readonly unit: UnitName;
  readonly path: string;
  /** The bytes of standard input; absent: they are read from `path`. */
  readonly bytes?: Uint8Array;
  readonly options: object;
  /** Say the SHA-256 of the input. */
  readonly hashed?: boolean;
  /** Its SHA-256 when it was done before: there is nothing to do when it is still that. */
  readonly known?: string;
}

/** A refusal that can be sent between threads. */
export interface SentFault extends Omit<ErrorPlace, 'cause'> {
  /** Absent: no refusal of ours, and so a bug. */
  readonly code?: BunzaiError['code'];
  readonly message: string;
}

/** What became of one input: one part, or more where it is a list of cards. */
export interface Answer {
  readonly parts: readonly Part[];
  /** 64 hexadecimal digits. */
  readonly sha256?: string;
  /** The input is what it was when it was done. */
  readonly unchanged?: boolean;
}
export interface Part {
  /** Its number in a list, from 0. */
  readonly at?: number;
  readonly data?: unknown;
  readonly fault?: SentFault;
}

/** A command over one input. Its result is plain data. */
export type Unit = (input: { bytes: Uint8Array; filename?: string }, options: never) => Promise<unknown>;

const UNITS = {
  convert: async () => (await import('./convert-unit.ts')).convertUnit,
  inspect: async () => (await import('./inspect.ts')).inspectUnit,
  label: async () => (await import('./label.ts')).labelUnit,
  targets: async () => (await import('./targets.ts')).targetsUnit,
  validate: async () => (await import('./validate.ts')).validateUnit,
  dedupe: async () => (await import('./dedupe-unit.ts')).dedupeUnit,
} satisfies Record<string, () => Promise<Unit>>;
export type UnitName = keyof typeof UNITS;

/** Does the work. Never throws: a refusal is an answer. */
export async function answer(task: Task): Promise<Answer> {
  try {
    const input: FileInput | { bytes: Uint8Array } =
      task.path === STANDARD ? { bytes: task.bytes ?? new Uint8Array() } : await readInput(task.path);
    const digest = task.hashed ? await (await import('../core/sha256.ts')).sha256(input.bytes) : undefined;
    const sha256 = digest === undefined ? {} : { sha256: digest };
    if (digest !== undefined && digest === task.known) return { parts: [], unchanged: true, ...sha256 };
    const unit = (await UNITS[task.unit]()) as Unit;
    return { parts: await partsOf(task, unit, input), ...sha256 };
  } catch (error) {
    return { parts: [{ fault: sendable(error) }] };
  }
}

async function partsOf(
  { options }: Task,
  unit: Unit,
  input: { bytes: Uint8Array; filename?: string },
): Promise<Part[]> {
  try {
    return [{ data: await unit(input, options as never) }];
  } catch (error) {
    const { splits = false } = options as { splits?: boolean };
    const cards = splits && isUnknown(error) ? await engine.split(input) : [];
    if (cards.length === 0) throw error;
    const parts: Part[] = [];
    for (const [at, bytes] of cards.entries()) {
      const part = await unit({ bytes }, options as never).then(
        (data) => ({ at, data }),
        (fault) => ({ at, fault: sendable(fault) }),
      );
      parts.push(part);
    }
    return parts;
  }
}

const isUnknown = (error: unknown): boolean => error instanceof BunzaiError && error.code === 'input.unknown';

export function sendable(error: unknown): SentFault {
  if (!(error instanceof BunzaiError)) return { message: String(error) };
  const { code, message, file, format, path, detail, hint } = error;
  return { code, message, file, format, path, detail, hint };
}

/** The refusal as it was thrown. */
export const thrown = ({ code, message, ...place }: SentFault): unknown =>
  code === undefined ? message : new BunzaiError(code, place);

/** Where the work is done: in this thread or in others. */
export interface Runner {
  /** Does the work. Never throws: what kills a worker is an answer too. */
  run(task: Task): Promise<Answer>;
  /** Stops what is still running. */
  close(): Promise<void>;
  /** How many inputs may be on their way at once. */
  readonly width: number;
}

/** One after the other, in this thread. Nothing is loaded or started for it. */
export const inThread: Runner = { run: answer, close: async () => {}, width: 1 };

/** Whether this process has left its work to others: its compiled code is not worth keeping then. */
export const pooled = { yes: false };
