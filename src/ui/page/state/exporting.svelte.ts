/** The chosen target, and downloads in it. */
import { asFault, callback, engine } from '../engine.ts';
import { download } from '../shared/download.ts';
import type { ExportChoice, Fault, Progress } from '../worker/api.ts';
import type { ItemDocument } from './document.svelte.ts';

function createExporting() {
  let format = $state<string | undefined>();
  let container = $state<string | undefined>();
  let share = $state(false);
  let busy = $state(false);
  let fault = $state.raw<Fault | undefined>();
  let progress = $state.raw<Progress | undefined>();

  const attempt = async (work: () => Promise<void>) => {
    busy = true;
    fault = undefined;
    try {
      await work();
    } catch (error) {
      fault = asFault(error);
    } finally {
      busy = false;
      progress = undefined;
    }
  };
  const choice = (id: string, as: string | undefined): ExportChoice => ({
    format: id,
    ...(as ? { container: as } : {}),
    ...(share ? { share } : {}),
  });

  return {
    choice,
    get format() {
      return format;
    },
    set format(next) {
      format = next;
      fault = undefined;
    },
    get container() {
      return container;
    },
    set container(next) {
      container = next;
    },
    get share() {
      return share;
    },
    set share(next) {
      share = next;
    },
    get busy() {
      return busy;
    },
    get fault() {
      return fault;
    },
    get progress() {
      return progress;
    },
    /** Downloads the open item in the chosen format; several files come as they are. */
    run: (doc: ItemDocument, chosen: ExportChoice) =>
      attempt(async () => {
        const { files } = await engine.convert(doc.id, chosen);
        for (const file of files) download(file);
      }),
    original: (id: string) => attempt(async () => download(await engine.original(id))),
    /** Downloads many items as one zip. */
    runMany: (ids: readonly string[], target: string) =>
      attempt(async () => {
        const zip = await engine.convertMany(
          ids,
          choice(target, undefined),
          callback((now: Progress) => {
            progress = now;
          }),
        );
        download(zip);
      }),
  };
}

export const exporting = createExporting();
