/** Runs a pattern where it can be ended. */
import { trusted } from '../../engine.ts';
import type { Trial, Tried } from './tryout.ts';
import workerUrl from './tryout.worker.ts?worker&url';

/** Milliseconds a pattern may take. */
export const DEADLINE = 250;

export type Outcome = Tried | { readonly state: 'run-away' };

/** A place to try rules; one trial at a time, a new one ends the last. */
export function tryoutPlace() {
  let worker: Worker | undefined;
  let ready: Promise<Worker> | undefined;
  let dropLast: (() => void) | undefined;

  const start = (): Promise<Worker> => {
    const fresh = new Worker(trusted(workerUrl), { type: 'module' });
    worker = fresh;
    return new Promise((done, fail) => {
      fresh.onmessage = () => done(fresh);
      fresh.onerror = (event) => fail(new Error(event.message || 'the worker did not start'));
    });
  };
  const end = () => {
    worker?.terminate();
    worker = undefined;
    ready = undefined;
  };

  return {
    /** `undefined`: another trial came meanwhile. The time counts from when the worker stands ready. */
    async run(trial: Trial): Promise<Outcome | undefined> {
      if (dropLast) {
        dropLast();
        end();
      }
      ready ??= start();
      let dropped = false;
      dropLast = () => {
        dropped = true;
      };
      const own = await ready;
      if (dropped) return undefined;
      return new Promise((done) => {
        const finish = (outcome: Outcome | undefined) => {
          clearTimeout(timer);
          dropLast = undefined;
          done(outcome);
        };
        const timer = setTimeout(() => {
          end();
          finish({ state: 'run-away' });
        }, DEADLINE);
        dropLast = () => finish(undefined);
        own.onmessage = ({ data }: MessageEvent<Tried>) => finish(data);
        own.postMessage(trial);
      });
    },
    end,
  };
}
