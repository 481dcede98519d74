/** The library in the browser: IndexedDB, one transaction for every save. */
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { blobsOf } from '../item/edits.ts';
import type { Edits, ItemSummary, StoredItem } from '../item/model.ts';
import { hasWords } from '../item/summary.ts';
import { type Change, LibraryConflict, LibraryFull, type LibraryStore, libraryError, type Put } from './store.ts';

interface Shape extends DBSchema {
  summaries: { key: string; value: ItemSummary };
  items: { key: string; value: StoredItem };
  texts: { key: string; value: string };
  drafts: { key: string; value: Edits };
  blobs: { key: string; value: Blob };
  /** Removed items: when, in milliseconds since 1970. Their rows stay until the sweep. */
  removed: { key: string; value: number };
}

const STORES = ['summaries', 'items', 'texts', 'drafts', 'blobs', 'removed'] as const;

/** Opens the library of this origin. */
export async function openIdbStore(name = 'bunzai'): Promise<LibraryStore> {
  const db = await openDB<Shape>(name, 1, {
    upgrade(fresh) {
      for (const store of STORES) fresh.createObjectStore(store);
    },
  });
  const feed = changeFeed(name);

  const listed = async (): Promise<ItemSummary[]> => {
    const tx = db.transaction(['summaries', 'removed']);
    const [all, gone] = await Promise.all([
      tx.objectStore('summaries').getAll(),
      tx.objectStore('removed').getAllKeys(),
    ]);
    const hidden = new Set(gone);
    return all.filter(({ id }) => !hidden.has(id));
  };

  return {
    list: listed,
    get: (id) => db.get('items', id),
    async put({ item, text, blobs = {}, over }: Put) {
      const { id } = item.summary;
      const summary = { ...item.summary, revision: (over ?? 0) + 1 };
      await guarded(async () => {
        // A save is on the disk when it says so; what was just taken in can be taken in again, and thousands come at once.
        const durability = over === undefined ? 'relaxed' : 'strict';
        const tx = db.transaction(STORES, 'readwrite', { durability });
        const work = async () => {
          const stored = await tx.objectStore('summaries').get(id);
          if (stored?.revision !== over) throw libraryError(LibraryConflict, `${id} was changed elsewhere`);
          await Promise.all([
            ...Object.entries(blobs).map(([hash, blob]) => tx.objectStore('blobs').put(blob, hash)),
            tx.objectStore('summaries').put(summary, id),
            tx.objectStore('items').put({ ...item, summary }, id),
            ...(text === undefined ? [] : [tx.objectStore('texts').put(text, id)]),
            tx.objectStore('drafts').delete(id),
          ]);
        };
        await whole(tx, work);
      });
      feed.tell({ put: [summary], removed: [] });
      return summary;
    },
    async remove(ids) {
      const tx = db.transaction('removed', 'readwrite');
      await Promise.all([...ids.map((id) => tx.store.put(Date.now(), id)), tx.done]);
      feed.tell({ put: [], removed: [...ids] });
    },
    async restore(ids) {
      const tx = db.transaction(['removed', 'summaries'], 'readwrite');
      const put = await Promise.all(
        ids.map(async (id) => {
          await tx.objectStore('removed').delete(id);
          return tx.objectStore('summaries').get(id);
        }),
      );
      await tx.done;
      feed.tell({ put: put.filter((summary) => summary !== undefined), removed: [] });
    },
    async search(words) {
      const gone = new Set(await db.getAllKeys('removed'));
      const tx = db.transaction('texts');
      const [ids, texts] = await Promise.all([tx.store.getAllKeys(), tx.store.getAll()]);
      return ids.filter((id, index) => !gone.has(id) && hasWords(texts[index] ?? '', words));
    },
    blob: (hash) => db.get('blobs', hash),
    draft: (id) => db.get('drafts', id),
    async putDraft(id, draft, blobs = {}) {
      await guarded(async () => {
        const tx = db.transaction(['drafts', 'blobs'], 'readwrite');
        await whole(tx, async () => {
          const drafts = tx.objectStore('drafts');
          await Promise.all([
            ...Object.entries(blobs).map(([hash, blob]) => tx.objectStore('blobs').put(blob, hash)),
            draft === undefined ? drafts.delete(id) : drafts.put(draft, id),
          ]);
        });
      });
    },
    drafts: () => db.getAllKeys('drafts'),
    watch: feed.watch,
    sweep: (before) => sweep(db, before),
  };
}

/** Runs the work of a transaction; a fault undoes all of it. */
async function whole(tx: { abort(): void; readonly done: Promise<void> }, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    tx.done.catch(() => undefined);
    try {
      tx.abort();
    } catch {
      // It is over already: the fault itself ended it.
    }
    throw error;
  }
  await tx.done;
}

/** Says in our words that the disk is full. */
async function guarded(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if ((error as { name?: unknown }).name !== 'QuotaExceededError') throw error;
    throw libraryError(LibraryFull, 'the browser has no room left for this site');
  }
}

/** Frees removed items, and blobs that no item and no draft needs. */
async function sweep(db: IDBPDatabase<Shape>, before: number): Promise<void> {
  const tx = db.transaction(STORES, 'readwrite');
  for (let cursor = await tx.objectStore('removed').openCursor(); cursor; cursor = await cursor.continue()) {
    if (cursor.value > before) continue;
    const id = cursor.key;
    for (const store of ['summaries', 'items', 'texts', 'drafts'] as const) await tx.objectStore(store).delete(id);
    await cursor.delete();
  }
  const needed = new Set<string>();
  for (const { blobs } of await tx.objectStore('summaries').getAll()) for (const hash of blobs) needed.add(hash);
  for (const draft of await tx.objectStore('drafts').getAll()) for (const hash of blobsOf(draft)) needed.add(hash);
  for (const hash of await tx.objectStore('blobs').getAllKeys()) {
    if (!needed.has(hash)) await tx.objectStore('blobs').delete(hash);
  }
  await tx.done;
}

/** Tells this tab and every other one. */
function changeFeed(name: string) {
  const listeners = new Set<(change: Change) => void>();
  const hear = (change: Change) => {
    for (const listener of listeners) listener(change);
  };
  const channel = new BroadcastChannel(`${name}-library`);
  channel.onmessage = ({ data }: MessageEvent<Change>) => hear(data);
  (channel as { unref?: () => void }).unref?.();
  return {
    tell(change: Change) {
      channel.postMessage(change);
      hear(change);
    },
    watch(listener: (change: Change) => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
