/** The library in a folder: opened through the local server; covers are drawn for what others put there. */
import { openFile } from '../../item/entities.ts';
import { type FolderStore, openHttpStore } from '../../library/http-store.ts';
import type { LibraryStore } from '../../library/store.ts';
import { hashOf, portraitOf } from './storing.ts';
import { thumbnailOf } from './thumbnail.ts';

/** Opens the library at `endpoint`. Covers follow one by one while the page is used. */
export async function openFolder(endpoint: string): Promise<LibraryStore> {
  const store = await openHttpStore(endpoint);
  let drawing = false;
  let wanted = false;
  const draw = async () => {
    wanted = true;
    if (drawing) return;
    drawing = true;
    while (wanted) {
      wanted = false;
      await drawCovers(store);
    }
    drawing = false;
  };
  store.watch(({ put }) => {
    if (put.some(({ thumbnail }) => thumbnail === undefined)) void draw();
  });
  void draw();
  return store;
}

/** Draws what is missing. A cover that fails is left for the next start. */
async function drawCovers(store: FolderStore): Promise<void> {
  try {
    for (const id of await store.coverless()) await drawCover(store, id);
  } catch {
    // The server went away: the list says so, and covers can wait.
  }
}

async function drawCover(store: FolderStore, id: string): Promise<void> {
  const stored = await store.get(id);
  const blob = stored && (await store.blob(stored.summary.source));
  if (!blob) return;
  const file = await openFile(new Uint8Array(await blob.arrayBuffer()), stored.summary.file).catch(() => undefined);
  const portrait = file && portraitOf(file.read);
  const cover = portrait && (await thumbnailOf(portrait));
  const hash = cover && (await hashOf(new Uint8Array(await cover.arrayBuffer())));
  await store.putCover(id, cover && hash ? { hash, blob: cover } : undefined);
}
