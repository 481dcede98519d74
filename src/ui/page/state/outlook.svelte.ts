/** What every target would keep of the open item, measured again after each change. */
import { asFault, callback, engine } from '../engine.ts';
import type { Fault, Outlook } from '../worker/api.ts';
import type { ItemDocument } from './document.svelte.ts';

/** Milliseconds after the last change until the targets are measured again. */
const PAUSE = 300;

export interface Outlooks {
  /** Best first; our own format last. */
  readonly list: readonly Outlook[];
  readonly busy: boolean;
  readonly fault: Fault | undefined;
}

/** Follows a document. To be called while a component is set up. */
export function outlooksOf(doc: () => ItemDocument): Outlooks {
  let known = $state.raw<ReadonlyMap<string, Outlook>>(new Map());
  let busy = $state(true);
  let fault = $state.raw<Fault | undefined>();

  const measure = async (id: string, current: () => boolean) => {
    const fresh = new Map<string, Outlook>();
    let drawn = 0;
    try {
      const complete = await engine.outlook(
        id,
        callback((outlook: Outlook) => {
          if (!current()) return;
          fresh.set(outlook.format, outlook);
          // A first list grows as it is measured; a later one replaces the old at its end, so that nothing jumps.
          if (known.size < fresh.size || performance.now() - drawn > PAUSE) {
            drawn = performance.now();
            known = new Map([...known, ...fresh]);
          }
        }),
      );
      if (!current() || !complete) return;
      known = fresh;
      fault = undefined;
      busy = false;
    } catch (error) {
      if (!current()) return;
      fault = asFault(error);
      busy = false;
    }
  };

  let shownId = '';
  $effect(() => {
    const { id, version } = doc();
    let live = true;
    busy = true;
    if (shownId !== id) known = new Map();
    const first = shownId !== id || version === 0;
    shownId = id;
    const timer = setTimeout(() => measure(id, () => live), first ? 0 : PAUSE);
    return () => {
      live = false;
      clearTimeout(timer);
    };
  });

  const list = $derived([...known.values()].sort(byKeeping));
  return {
    get list() {
      return list;
    },
    get busy() {
      return busy;
    },
    get fault() {
      return fault;
    },
  };
}

/** The share of what crosses decides, then the number of losses, then the name. */
function byKeeping(a: Outlook, b: Outlook): number {
  const last = (one: Outlook) => (one.native ? 1 : 0) + (one.fault ? 2 : 0);
  return last(a) - last(b) || b.carried - a.carried || a.lostCount - b.lostCount || a.label.localeCompare(b.label);
}
