/** The library: items, their drafts and blobs, wherever they are kept. */
import type { Edits, ItemSummary, StoredItem } from '../item/model.ts';

/** New content by hash; what is stored already need not be given again. */
export type NewBlobs = Readonly<Record<string, Blob>>;

/** What to store. All of it is stored, or nothing. */
export interface Put {
  readonly item: StoredItem;
  /** All texts of the item, for `search`; see `searchText`. Absent: as it was. */
  readonly text?: string;
  readonly blobs?: NewBlobs;
  /**
   * The revision the change was made on; the stored item gets the next one. Absent: a new item.
   * Another tab was faster: `LibraryConflict`, and nothing is stored.
   */
  readonly over?: number;
}

/** What happened in the library, also in another tab. */
export interface Change {
  readonly put: readonly ItemSummary[];
  readonly removed: readonly string[];
}

/**
 * Where items are kept. One contract for every backend: `testing.ts`.
 * Summaries are separate from bodies and blobs, so that thousands are listed without reading them.
 */
export interface LibraryStore {
  list(): Promise<ItemSummary[]>;
  get(id: string): Promise<StoredItem | undefined>;
  /** Atomic. Returns the summary as stored. Throws `LibraryConflict`, `LibraryFull`. Ends the draft of the item. */
  put(put: Put): Promise<ItemSummary>;
  /** Takes items off the list. They can come back until the next `sweep`. */
  remove(ids: readonly string[]): Promise<void>;
  restore(ids: readonly string[]): Promise<void>;
  /** Ids of the items whose texts hold every word. */
  search(words: readonly string[]): Promise<string[]>;
  blob(hash: string): Promise<Blob | undefined>;
  /** Changes that are not saved yet; they survive a reload and a crash. */
  draft(id: string): Promise<Edits | undefined>;
  /** Keeps a draft, or ends it. */
  putDraft(id: string, draft: Edits | undefined, blobs?: NewBlobs): Promise<void>;
  /** Ids of the items that have a draft. */
  drafts(): Promise<string[]>;
  /** Calls back after every change, of this tab and of others. Returns what ends it. */
  watch(listener: (change: Change) => void): () => void;
  /** Frees what was removed before `before` (milliseconds since 1970), and blobs that nothing needs. */
  sweep(before: number): Promise<void>;
}

/** The item was changed elsewhere since it was opened. */
export const LibraryConflict = 'library.conflict';
/** There is no room left; nothing was stored. */
export const LibraryFull = 'library.full';

/** A refusal of the library; `name` is one of the two codes above. */
export function libraryError(name: typeof LibraryConflict | typeof LibraryFull, message: string): Error {
  const error = new Error(message);
  error.name = name;
  return error;
}
