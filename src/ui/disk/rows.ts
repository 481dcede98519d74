/** What is known of every item, held in memory and written to the index now and then. Small: no body, no text. */
import type { ItemSummary } from '../item/model.ts';
import { type Folder, readText, replaceFile, replaceLoosely } from './folder.ts';
import { type Row, readIndex, writtenIndex } from './record.ts';

/** Milliseconds that the index may lag behind. It is only a memory of what the other files say. */
const INDEX_LAG = 1_000;

/** The items of an open library. */
export interface Rows {
  get(id: string): Row | undefined;
  all(): Row[];
  /** Summaries of the items that are there: not removed, and their originals lie in the folder. */
  listed(): ItemSummary[];
  isListed(id: string): boolean;
  at(path: string): Row | undefined;
  set(row: Row): void;
  delete(id: string): void;
  /** An item whose original is not in the folder now. It comes back with it. */
  isMissing(id: string): boolean;
  setMissing(id: string, missing: boolean): void;
  /** Files that are no items, with the mark they were looked at. */
  readonly others: Map<string, string>;
  /** When items were removed, in milliseconds since 1970. */
  removed(): [id: string, when: number][];
  remove(ids: readonly string[], now: number): Promise<void>;
  unremove(ids: readonly string[]): Promise<void>;
  /** Records that could not be read: nobody knows what they need. */
  unread(): number;
  setUnread(count: number): void;
  /** The index is to be written. */
  touch(): void;
  /** Writes the index now. */
  close(): void;
}

/** Reads what was known when the library was closed. */
export function openRows(folder: Folder): Rows {
  const index = readIndex(readText(folder.index) ?? '');
  const rows = new Map(index.rows.map((row) => [row.summary.id, row]));
  const paths = new Map(index.rows.map((row) => [row.path, row.summary.id]));
  const others = new Map(index.others);
  const removed = readRemoved(readText(folder.removed));
  const missing = new Set<string>();
  let unread = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const save = (): void => {
    clearTimeout(timer);
    timer = undefined;
    replaceLoosely(folder.index, writtenIndex({ rows: [...rows.values()], others }));
  };
  const touch = () => {
    timer ??= setTimeout(save, INDEX_LAG);
    timer.unref();
  };
  const saveRemoved = () =>
    replaceFile(folder.removed, new TextEncoder().encode(`${JSON.stringify(Object.fromEntries(removed))}\n`));
  const isListed = (id: string) => !removed.has(id) && !missing.has(id);

  return {
    get: (id) => rows.get(id),
    all: () => [...rows.values()],
    listed: () => [...rows.values()].map(({ summary }) => summary).filter(({ id }) => isListed(id)),
    isListed: (id) => rows.has(id) && isListed(id),
    at: (path) => rows.get(paths.get(path) ?? ''),
    set(row) {
      const { id } = row.summary;
      const old = rows.get(id);
      if (old && paths.get(old.path) === id) paths.delete(old.path);
      rows.set(id, row);
      paths.set(row.path, id);
      others.delete(row.path);
      touch();
    },
    delete(id) {
      const old = rows.get(id);
      if (old && paths.get(old.path) === id) paths.delete(old.path);
      rows.delete(id);
      missing.delete(id);
      touch();
    },
    isMissing: (id) => missing.has(id),
    setMissing: (id, gone) => void (gone ? missing.add(id) : missing.delete(id)),
    others,
    removed: () => [...removed],
    async remove(ids, now) {
      const fresh = ids.filter((id) => !removed.has(id));
      for (const id of fresh) removed.set(id, now);
      await saveRemoved().catch((error) => {
        for (const id of fresh) removed.delete(id);
        throw error;
      });
    },
    async unremove(ids) {
      const had = ids.filter((id) => removed.delete(id));
      if (had.length > 0) await saveRemoved();
    },
    unread: () => unread,
    setUnread(count) {
      unread = count;
    },
    touch,
    close: save,
  };
}

function readRemoved(text: string | undefined): Map<string, number> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    if (typeof value !== 'object' || value === null) return new Map();
    return new Map(Object.entries(value).filter((entry): entry is [string, number] => typeof entry[1] === 'number'));
  } catch {
    return new Map();
  }
}
