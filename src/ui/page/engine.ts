/** The page's end of the engine worker. */
import { proxy, type Remote, wrap } from 'comlink';
import type { Fault, StudioApi } from './worker/api.ts';
import workerUrl from './worker/main.ts?worker&url';

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

const policy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('bunzai', {
  createScriptURL(given) {
    const { href, origin } = new URL(given, location.href);
    if (origin !== location.origin) throw new TypeError(`a script from elsewhere: ${given}`);
    return href;
  },
});

/** The one address a script may be loaded from: this site. */
export const trusted = (url: string): string => (policy ? policy.createScriptURL(url) : url);

const worker = new Worker(trusted(workerUrl), { type: 'module' });

/** Every call answers with a promise; refusals are `Fault`s. */
export const engine: Remote<StudioApi> = wrap<StudioApi>(worker);

/** Calls back when the worker did not start or ended: nothing it was asked is answered any more. */
export function onEngineEnd(listener: () => void): void {
  worker.addEventListener('error', listener, { once: true });
}

/** A callback that the worker may call. */
export const callback = <T extends (...given: never[]) => unknown>(work: T): T => proxy(work);

/** A refusal of the worker, or whatever else was thrown, in the shape of one. */
export const asFault = (error: unknown): Fault =>
  typeof error === 'object' && error !== null && 'code' in error && 'title' in error
    ? (error as Fault)
    : { code: 'unexpected', title: 'something went wrong', detail: String(error), hint: 'reload the page' };
