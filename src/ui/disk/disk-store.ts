/**
 * The library as a folder: originals as they came, and `.bunzai` beside them with one JSON file for each item that was
 * imported or changed. Everything else in there can be found out again from those.
 */
import { existsSync, readdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { BunzaiError } from '../../core/errors.ts';
import { blobsOf } from '../item/edits.ts';
import type { Edits, ItemSummary, StoredItem } from '../item/model.ts';
import { hasWords } from '../item/summary.ts';
import { type Change, LibraryConflict, type LibraryStore, libraryError, type Put } from '../library/store.ts';
import { attempt, deleteFile, makeFile, openFolder, readText, replaceFile, replaceLoosely } from './folder.ts';
import { fileInside, freeName, isPlainName, markAt, type PlainFile, plainName, readPlain, refused } from './names.ts';
import { type Draft, type ItemRecord, type Row, readDraft, readItem, writtenDraft, writtenItem } from './record.ts';
import { openRows } from './rows.ts';
import { scanner } from './scan.ts';

/** New content by hash, as a page has it or as it came over the wire. */
export type Contents = Readonly<Record<string, Blob | Uint8Array>>;

/** A library on the disk, with what the local server needs beside the contract. */
export interface DiskStore extends LibraryStore {
  put(put: Omit<Put, 'blobs'> & { readonly blobs?: Contents }): Promise<ItemSummary>;
  putDraft(id: string, draft: Edits | undefined, blobs?: Contents): Promise<void>;
  /** Where a blob lies on the disk; undefined where there is none. */
  blobFile(hash: string): PlainFile | undefined;
  /** The folder, links resolved. */
  readonly root: string;
  /** Looks at the folder now; resolves when every file in it is known. */
  scan(): Promise<void>;
  /** Items that a cover may be drawn of and that have none. */
  coverless(): Promise<string[]>;
  /** Keeps a cover, which changes no revision; absent: none can be drawn. */
  putCover(id: string, hash: string | undefined, cover: Uint8Array): Promise<void>;
  /** Writes down what is known and lets the folder go. */
  close(): Promise<void>;
}

/** Milliseconds after which the folder is looked at even though nothing said that it changed. */
const LOOK_AGAIN = 20_000;

/** Opens a folder as a library, and makes it where it is missing. Throws `library.folder`, `library.in-use`. */
export async function openDiskStore(path: string): Promise<DiskStore> {
  const folder = await openFolder(path);
  const { root } = folder;
  const rows = openRows(folder);
  const feed = changeFeed();

  let queue: Promise<unknown> = Promise.resolve();
  /** One change after the other: what is checked before a write still holds at its end. */
  const alone = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = queue.then(work);
    queue = mine.catch(() => undefined);
    return mine;
  };
  const scan = scanner({ folder, rows, alone, tell: feed.tell });

  const recordPath = (id: string) => join(folder.items, `${plainName(id)}.json`);
  const draftPath = (id: string) => join(folder.drafts, `${plainName(id)}.json`);
  const textPath = (id: string) => join(folder.texts, `${plainName(id)}.txt`);
  const blobPath = (hash: string) => join(folder.blobs, plainName(hash));
  const kept = (id: string): ItemRecord | undefined => readItem(readText(recordPath(id)) ?? '');

  /** Stores the record of an item, the one write that makes everything before it count. */
  const commit = async (record: ItemRecord): Promise<Row> => {
    const place = recordPath(record.summary.id);
    await replaceFile(place, writtenItem(record));
    const { edits: _, ...row } = record;
    const mark = markAt(place);
    return { ...row, ...(mark === undefined ? {} : { record: mark }) };
  };

  /** Keeps new content. Returns what takes it back. */
  const keepBlobs = async (blobs: ReadonlyMap<string, Uint8Array>): Promise<() => void> => {
    const made: string[] = [];
    const undo = () => made.forEach(deleteFile);
    try {
      for (const [hash, bytes] of blobs) {
        if (existsSync(blobPath(hash))) continue;
        await makeFile(blobPath(hash), bytes);
        made.push(blobPath(hash));
      }
      return undo;
    } catch (error) {
      undo();
      throw error;
    }
  };

  /** The draft of an item; undefined where a save ended it. */
  const draftOf = (id: string): Draft | undefined => {
    const row = rows.get(id);
    const draft = row && isPlainName(id) ? readDraft(readText(draftPath(id)) ?? '') : undefined;
    return draft?.saves === row?.saves ? draft : undefined;
  };

  const originalOf = (hash: string): PlainFile | undefined => {
    const mine = rows.all().filter(({ summary }) => summary.source === hash);
    for (const { path, mark } of mine) {
      const found = markAt(join(root, path)) === mark ? fileInside(root, path) : undefined;
      if (found) return found;
    }
    if (mine.length > 0) scan.soon();
    return undefined;
  };
  const blobFile = (hash: string): PlainFile | undefined =>
    isPlainName(hash) ? (originalOf(hash) ?? fileInside(root, `.bunzai/blobs/${hash}`)) : undefined;

  const put = async (
    { item, text, over }: Omit<Put, 'blobs'>,
    contents: Map<string, Uint8Array>,
  ): Promise<ItemSummary> => {
    const { id, source, file } = item.summary;
    const old = rows.get(id);
    if (old?.summary.revision !== over) throw libraryError(LibraryConflict, `${id} was changed elsewhere`);
    if (old && markAt(join(root, old.path)) !== old.mark) {
      scan.soon();
      throw libraryError(LibraryConflict, `${old.path} was changed or deleted by another program`);
    }
    if (old && old.summary.source !== source) throw refused('an item keeps its original file');
    const original = old ? undefined : (contents.get(source) ?? readPlain(originalOf(source)));
    if (!old && !original) throw refused('the original file of the item is missing');
    contents.delete(source);
    const summary = { ...item.summary, revision: (over ?? 0) + 1 };
    const undo = [await keepBlobs(contents)];
    try {
      const path = old?.path ?? freeName(root, file, (name) => rows.at(name) !== undefined);
      const full = join(root, path);
      if (original) {
        await makeFile(full, original);
        undo.push(() => deleteFile(full));
      }
      const saves = (old?.saves ?? 0) + 1;
      const mark = markAt(full) ?? '';
      const record = { path, mark, imported: old?.imported ?? true, saves, summary };
      rows.set(await commit({ ...record, ...(item.edits ? { edits: item.edits } : {}) }));
    } catch (error) {
      for (const back of undo) back();
      throw error;
    }
    // The item is stored. What follows can be found out again.
    if (text !== undefined) replaceLoosely(textPath(id), Buffer.from(text));
    deleteFile(draftPath(id));
    feed.tell({ put: [summary], removed: [] });
    return summary;
  };

  /** Deletes what is left of an item; its original only where the studio wrote it and nobody changed it since. */
  const forget = (row: Row): void => {
    const { id } = row.summary;
    const full = join(root, row.path);
    if (row.imported && markAt(full) === row.mark) attempt(() => unlinkSync(full));
    for (const path of [recordPath(id), draftPath(id), textPath(id)]) deleteFile(path);
    rows.delete(id);
  };

  const sweep = async (before: number): Promise<void> => {
    for (const [id, when] of rows.removed()) {
      const row = rows.get(id);
      if (when > before) continue;
      // A file that a person put there is only hidden, as long as it lies there.
      if (row && !row.imported && !rows.isMissing(id)) continue;
      if (row) forget(row);
      await rows.unremove([id]);
    }
    for (const row of rows.all()) {
      const { id, edited } = row.summary;
      if (rows.isMissing(id) && !edited && !draftOf(id) && before > row.summary.changedAt) forget(row);
    }
    if (rows.unread() > 0) return;
    const needed = new Set(rows.all().flatMap(({ summary }) => [...summary.blobs, summary.thumbnail ?? '']));
    for (const id of draftIds()) {
      const draft = readDraft(readText(draftPath(id)) ?? '');
      if (!draft) return;
      for (const hash of blobsOf(draft.edits)) needed.add(hash);
    }
    for (const name of readdirSync(folder.blobs)) {
      if (isPlainName(name) && !needed.has(name)) deleteFile(blobPath(name));
    }
  };

  const draftIds = (): string[] =>
    readdirSync(folder.drafts).flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -'.json'.length)] : []));

  await scan.first();
  const again = setInterval(scan.soon, LOOK_AGAIN);
  again.unref();

  return {
    root,
    scan: scan.now,
    list: async () => rows.listed(),
    async get(id): Promise<StoredItem | undefined> {
      const row = rows.get(id);
      if (!row) return undefined;
      if (row.record === undefined) return { summary: row.summary };
      const record = kept(id);
      if (!record) throw unreadable(recordPath(id));
      return { summary: row.summary, ...(record.edits ? { edits: record.edits } : {}) };
    },
    async put(given) {
      plainName(given.item.summary.id);
      const contents = await read(given.blobs);
      return alone(() => put(given, contents));
    },
    remove: (ids) =>
      alone(async () => {
        const known = ids.filter((id) => rows.get(id));
        await rows.remove(known, Date.now());
        feed.tell({ put: [], removed: known });
      }),
    restore: (ids) =>
      alone(async () => {
        await rows.unremove(ids);
        const back = ids.flatMap((id) => (rows.isMissing(id) ? [] : (rows.get(id)?.summary ?? [])));
        feed.tell({ put: back, removed: [] });
      }),
    async search(words) {
      const found: string[] = [];
      for (const [index, { id }] of rows.listed().entries()) {
        if (index % 200 === 199) await new Promise((done) => setImmediate(done));
        if (hasWords(readText(textPath(id)) ?? '', words)) found.push(id);
      }
      return found;
    },
    async blob(hash) {
      const bytes = readPlain(blobFile(hash));
      return bytes && new Blob([bytes as Uint8Array<ArrayBuffer>]);
    },
    blobFile,
    draft: async (id) => draftOf(id)?.edits,
    async putDraft(id: string, draft: Edits | undefined, blobs?: Contents) {
      plainName(id);
      const contents = await read(blobs);
      await alone(async () => {
        if (!draft) return deleteFile(draftPath(id));
        const row = rows.get(id);
        // From now on something hangs on this item: its id has to outlive a lost index and a renamed file.
        if (row && row.record === undefined) rows.set(await commit(row));
        const undo = await keepBlobs(contents);
        await replaceFile(draftPath(id), writtenDraft({ saves: row?.saves ?? 0, edits: draft })).catch((error) => {
          undo();
          throw error;
        });
      });
    },
    drafts: async () => draftIds().filter((id) => draftOf(id)),
    watch: feed.watch,
    sweep: (before) => alone(() => sweep(before)),
    coverless: async () =>
      rows
        .all()
        .filter(
          ({ summary, coverless }) => !summary.thumbnail && !coverless && drawn(summary) && rows.isListed(summary.id),
        )
        .map(({ summary }) => summary.id),
    putCover: (id, hash, cover) =>
      alone(async () => {
        const row = rows.get(id);
        if (!row || row.summary.thumbnail) return;
        if (hash === undefined) return rows.set({ ...row, coverless: true });
        await keepBlobs(new Map([[hash, cover]]));
        const summary = { ...row.summary, thumbnail: hash, blobs: [...new Set([...row.summary.blobs, hash])] };
        rows.set({ ...row, summary });
        feed.tell({ put: [summary], removed: [] });
      }),
    async close() {
      clearInterval(again);
      await scan.end();
      await queue;
      rows.close();
      folder.release();
    },
  };
}

/** Without its edits an item is not shown: the next save would write over them. */
const unreadable = (file: string) =>
  new BunzaiError('input.unreadable', {
    file,
    detail: 'what was saved of the item is damaged',
    hint: 'put it back from a copy, or delete it to start again from the original',
  });

const drawn = ({ kind }: ItemSummary): boolean => kind === 'character' || kind === 'persona';

async function read(blobs: Contents = {}): Promise<Map<string, Uint8Array>> {
  const contents = new Map<string, Uint8Array>();
  for (const [hash, blob] of Object.entries(blobs)) {
    contents.set(plainName(hash), blob instanceof Uint8Array ? blob : new Uint8Array(await blob.arrayBuffer()));
  }
  return contents;
}

function changeFeed() {
  const listeners = new Set<(change: Change) => void>();
  return {
    tell(change: Change) {
      if (change.put.length + change.removed.length === 0) return;
      for (const listener of listeners) listener(change);
    },
    watch(listener: (change: Change) => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
