/** Worker threads that may be lost without losing the run. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { BunzaiError } from '../core/errors.ts';
import { type Answer, pooled, type Runner, sendable } from './work.ts';

export interface PoolOptions {
  /** Workers; absent: one for each core. */
  readonly jobs?: number;
  /** Seconds for one input. */
  readonly timeout: number;
  /** The script of a worker. */
  readonly script?: string;
}

/** Seconds more for the first input of a worker, which loads its code with it. */
const START_SECONDS = 15;
/** Inputs that are on their way or wait for their turn to be written, for each worker. */
const AHEAD = 4;

/** Worker threads. One that hangs past the limit, runs out of memory or ends is replaced, and its input has failed. */
export async function openPool({
  jobs = availableParallelism(),
  timeout,
  script = join(__dirname, 'worker.cjs'),
}: PoolOptions): Promise<Runner> {
  const { Piscina } = await import('piscina');
  pooled.yes = true;
  const pool = new Piscina({
    filename: script,
    minThreads: 1,
    maxThreads: jobs,
    idleTimeout: Infinity,
    recordTiming: false,
  });
  // Someone must listen; a worker that ends takes its task with it, which says so.
  pool.on('error', () => {});
  const waiting: (() => void)[] = [];
  let running = 0;
  /** Workers that are still to start. */
  let fresh = jobs;
  const slot = async (): Promise<void> => {
    if (running++ >= jobs) await new Promise<void>((ready) => void waiting.push(ready));
  };
  return {
    width: jobs * AHEAD,
    async run(task) {
      await slot();
      const limit = new AbortController();
      const seconds = fresh-- > 0 ? timeout + START_SECONDS : timeout;
      const timer = setTimeout(() => limit.abort(), seconds * 1000);
      try {
        return (await pool.run(task, { signal: limit.signal })) as Answer;
      } catch (error) {
        fresh = Math.max(fresh, 0) + 1;
        return { parts: [{ fault: sendable(lost(task.path, error, timeout)) }] };
      } finally {
        clearTimeout(timer);
        running--;
        waiting.shift()?.();
      }
    },
    close: () => pool.destroy(),
  };
}

/** Why a worker gave no answer. */
function lost(file: string, error: unknown, timeout: number): unknown {
  const { name, code, message } = error as { name?: string; code?: string; message?: string };
  if (name === 'AbortError')
    return new BunzaiError('work.too-long', {
      file,
      detail: `more than ${timeout} s`,
      hint: 'give it more with --timeout <seconds>',
    });
  if (code === 'ERR_WORKER_OUT_OF_MEMORY')
    return new BunzaiError('work.too-large', {
      file,
      hint: 'run it alone, with more memory: NODE_OPTIONS=--max-old-space-size=8192',
    });
  return new BunzaiError('work.ended', { file, detail: message, cause: error });
}
