/** What the page shows now: the open item, the step on a phone, the tab. */
import { asFault, engine } from '../engine.ts';
import type { Fault } from '../worker/api.ts';
import { type ItemDocument, openDocument } from './document.svelte.ts';
import { library } from './library.svelte.ts';

/** On a phone one of the three panes fills the screen. */
export type Step = 'library' | 'item' | 'convert';

function createStudio() {
  let doc = $state.raw<ItemDocument | undefined>();
  let opening = $state<string | undefined>();
  let fault = $state.raw<Fault | undefined>();
  let step = $state<Step>('library');
  let tab = $state('overview');

  return {
    get doc() {
      return doc;
    },
    get opening() {
      return opening;
    },
    get fault() {
      return fault;
    },
    get step() {
      return step;
    },
    set step(next: Step) {
      step = next;
    },
    get tab() {
      return tab;
    },
    set tab(next: string) {
      tab = next;
    },
    /** Opens an item in the middle pane. */
    async open(id: string) {
      if (doc?.id === id) {
        step = 'item';
        return;
      }
      opening = id;
      fault = undefined;
      try {
        const next = await openDocument(id);
        if (opening !== id) return void next.close();
        const last = doc;
        doc = next;
        step = 'item';
        if (last) library.leave(last.id, last.dirty);
        await last?.close();
      } catch (error) {
        if (opening === id) fault = { ...asFault(error), file: asFault(error).file ?? library.item(id)?.file };
      } finally {
        if (opening === id) opening = undefined;
      }
    },
    /** Opens an item as it was saved last, without the changes made here. */
    async reopen(id: string) {
      await engine.discard(id);
      await this.close();
      await this.open(id);
    },
    async close() {
      const last = doc;
      doc = undefined;
      fault = undefined;
      step = 'library';
      if (last) library.leave(last.id, last.dirty);
      await last?.close();
    },
  };
}

/** The studio of this page. */
export const studio = createStudio();
