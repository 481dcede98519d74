/** Brings what is known in line with what lies in the folder: new, changed, moved and deleted files, foreign records. */
import { existsSync, type FSWatcher, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import type { ItemSummary } from '../item/model.ts';
import type { Change } from '../library/store.ts';
import { attempt, type Folder, readText, replaceFile, replaceLoosely } from './folder.ts';
import { lookAt, MAX_LOOKED_AT_BYTES } from './look.ts';
import { isPlainName, markAt, readInside, sha256 } from './names.ts';
import { type ItemRecord, type Row, readItem, writtenItem } from './record.ts';
import type { Rows } from './rows.ts';
import { isBlind, type Walk, walk } from './walk.ts';

export interface Scanning {
  readonly folder: Folder;
  readonly rows: Rows;
  /** Runs a step while nothing else changes the library. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
  readonly tell: (change: Change) => void;
}

export interface Scanner {
  /** The quick part: what is known already. New and changed files are looked at afterwards. */
  first(): Promise<void>;
  now(): Promise<void>;
  soon(): void;
  end(): Promise<void>;
}

/** Milliseconds to wait for further changes, and between two messages about what was found. */
const CALM = 300;
const MESSAGE_PAUSE = 150;
/** Folders that are watched; changes in further ones are seen at the next regular look. */
export const MAX_WATCHED = 200;

export function scanner({ folder, rows, alone, tell }: Scanning): Scanner {
  const { root } = folder;
  const watchers = new Map<string, FSWatcher>();
  let ended = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> = Promise.resolve();

  /** Records that were written since: by an earlier start without an index, by a program that keeps folders in step. */
  const meetRecords = (seen: Walk): ItemSummary[] => {
    let unread = 0;
    const met: ItemSummary[] = [];
    for (const name of readdirSync(folder.items)) {
      const id = name.endsWith('.json') ? name.slice(0, -'.json'.length) : '';
      if (!isPlainName(id)) continue;
      const place = join(folder.items, name);
      const mark = markAt(place);
      if (mark !== undefined && mark === rows.get(id)?.record) continue;
      const record = readItem(readText(place) ?? '');
      if (!record || record.summary.id !== id || mark === undefined) {
        unread++;
        continue;
      }
      const { edits: _, ...row } = record;
      rows.set({ ...row, record: mark });
      rows.setMissing(id, !seen.files.has(row.path));
      if (rows.isListed(id)) met.push(row.summary);
    }
    rows.setUnread(unread);
    return met;
  };

  const first = async (): Promise<void> => {
    const seen = await walk(root);
    const met = meetRecords(seen);
    for (const { path, summary } of rows.all())
      rows.setMissing(summary.id, !seen.files.has(path) && !isBlind(seen, path));
    tell({ put: met, removed: [] });
    follow(seen);
    soon();
  };

  const scan = async (): Promise<void> => {
    const seen = await walk(root);
    if (ended) return;
    const news = messages(tell);
    news.put(...(await alone(async () => meetRecords(seen))));
    const texts = new Set(readdirSync(folder.texts));
    const lost = rows.all().filter(({ path }) => !seen.files.has(path) && !isBlind(seen, path));
    for (const [path, mark] of seen.files) {
      if (ended) break;
      const row = rows.at(path);
      if (row ? isKnown(row, mark, texts) : rows.others.get(path) === mark) continue;
      if (Number.parseInt(mark, 10) > MAX_LOOKED_AT_BYTES && !row) continue;
      const found = await (row ? again(row) : meet(path, lost)).catch(() => undefined);
      if (found) news.put(found);
      await new Promise((done) => setImmediate(done));
    }
    for (const path of [...rows.others.keys()]) if (!seen.files.has(path)) rows.others.delete(path);
    if (!ended) news.removed(...(await alone(async () => miss(seen))));
    news.end();
    follow(seen);
  };

  /** A file that no item has: one that was moved, one that somebody put there, or none of ours. */
  const meet = async (path: string, lost: readonly Row[]): Promise<ItemSummary | undefined> => {
    const mark = markAt(join(root, path));
    const bytes = readInside(root, path);
    if (!bytes || mark === undefined) return undefined;
    const source = sha256(bytes);
    const moved = lost.find((row) => row.summary.source === source && rows.get(row.summary.id) === row);
    const look = moved ? undefined : await lookAt(bytes, path);
    return alone(async () => {
      // While it was read somebody else wrote it, or took it in.
      if (markAt(join(root, path)) !== mark) return void soon();
      if (rows.at(path)) return undefined;
      if (moved) return settle({ ...moved, path, mark }, edits(moved));
      if (!look) {
        rows.others.set(path, mark);
        rows.touch();
        return undefined;
      }
      const now = Date.now();
      const id = newId(path);
      const summary: ItemSummary = {
        ...look.facts,
        id,
        revision: 1,
        file: path,
        blobs: [look.facts.source],
        edited: false,
        addedAt: now,
        changedAt: now,
      };
      keepText(id, look.text);
      return settle({ path, mark, imported: false, saves: 0, summary });
    });
  };

  /** An original that is back, or that another program wrote. */
  const again = async (row: Row): Promise<ItemSummary | undefined> => {
    const { path, summary } = row;
    const mark = markAt(join(root, path));
    const bytes = readInside(root, path);
    if (!bytes || mark === undefined) return undefined;
    const same = sha256(bytes) === summary.source;
    const hasText = existsSync(textPath(summary.id));
    const look = same && hasText ? undefined : await lookAt(bytes, path, edits(row));
    return alone(async () => {
      if (rows.get(summary.id) !== row || markAt(join(root, path)) !== mark) return void soon();
      if (!hasText || look) keepText(summary.id, look?.text ?? '');
      if (!look || same) {
        const isBack = rows.isMissing(summary.id);
        if (mark === row.mark && !isBack) return undefined;
        const found = await settle({ ...row, mark }, edits(row));
        return isBack ? found : undefined;
      }
      const { thumbnail, ...rest } = summary;
      const stale = new Set([summary.source, thumbnail]);
      const next: ItemSummary = {
        ...rest,
        ...look.facts,
        revision: summary.revision + 1,
        blobs: [look.facts.source, ...summary.blobs.filter((hash) => !stale.has(hash))],
        changedAt: Date.now(),
      };
      const { coverless: _, ...known } = row;
      // Somebody who puts another file in the place of a hidden one wants to see it.
      if (!row.imported) await rows.unremove([summary.id]);
      return settle({ ...known, mark, summary: next }, look.edits);
    });
  };

  /** Keeps a row, and its record where it has one. Returns the summary to tell of. */
  const settle = async (row: Row, kept?: ItemRecord['edits']): Promise<ItemSummary | undefined> => {
    const { id } = row.summary;
    if (row.record === undefined) rows.set(row);
    else {
      const place = join(folder.items, `${id}.json`);
      await replaceFile(place, writtenItem({ ...row, ...(kept ? { edits: kept } : {}) }));
      rows.set({ ...row, record: markAt(place) ?? row.record });
    }
    rows.setMissing(id, false);
    return rows.isListed(id) ? row.summary : undefined;
  };

  const isKnown = ({ mark, summary: { id } }: Row, now: string, texts: ReadonlySet<string>): boolean =>
    mark === now && !rows.isMissing(id) && texts.has(`${id}.txt`);

  /** What was saved of an item. Throws where that cannot be read: a record is not replaced by one that knows less. */
  const edits = ({ record, summary }: Row): ItemRecord['edits'] => {
    if (record === undefined) return undefined;
    const read = readItem(readText(join(folder.items, `${summary.id}.json`)) ?? '');
    if (!read) throw new TypeError(`the record of ${summary.id} cannot be read`);
    return read.edits;
  };

  const textPath = (id: string) => join(folder.texts, `${id}.txt`);
  const keepText = (id: string, text: string) => replaceLoosely(textPath(id), Buffer.from(text));

  const newId = (path: string): string => {
    for (let count = 0; ; count++) {
      const id = `file-${sha256(`${path}${'/'.repeat(count)}`).slice(0, 32)}`;
      if (!rows.get(id)) return id;
    }
  };

  /** Items whose originals are gone. What hangs on them stays until they are swept. */
  const miss = (seen: Walk): string[] => {
    const gone: string[] = [];
    for (const { path, mark, summary } of rows.all()) {
      const { id } = summary;
      if (seen.files.has(path) || isBlind(seen, path) || rows.isMissing(id)) continue;
      // It was written after the folder was read.
      if (markAt(join(root, path)) === mark) continue;
      if (rows.isListed(id)) gone.push(id);
      rows.setMissing(id, true);
    }
    return gone;
  };

  /** Watches the folders that are there. Where that is not possible, the regular look has to do. */
  const follow = ({ folders }: Walk): void => {
    if (ended) return;
    const wanted = new Set(folders.slice(0, MAX_WATCHED));
    for (const [path, watcher] of watchers) {
      if (wanted.has(path)) continue;
      watcher.close();
      watchers.delete(path);
    }
    for (const path of wanted) {
      if (watchers.has(path)) continue;
      const watcher = attempt(() => watch(join(root, path), { persistent: false }, soon));
      watcher?.on('error', () => watcher.close());
      if (watcher) watchers.set(path, watcher);
    }
  };

  const now = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    // A folder that cannot be read now, such as one on a disk that was pulled, leaves everything as it was.
    const mine = running.then(scan);
    running = mine.catch(() => undefined);
    return mine;
  };
  const soon = (): void => {
    if (ended || timer) return;
    timer = setTimeout(() => void now().catch(() => undefined), CALM);
    timer.unref();
  };

  return {
    first,
    now,
    soon,
    async end() {
      ended = true;
      clearTimeout(timer);
      for (const watcher of watchers.values()) watcher.close();
      await running;
    },
  };
}

/** Collects what was found, so that thousands of files are not thousands of messages. */
function messages(tell: (change: Change) => void) {
  let put: ItemSummary[] = [];
  let removed: string[] = [];
  let last = Date.now();
  const flush = () => {
    tell({ put, removed });
    [put, removed, last] = [[], [], Date.now()];
  };
  const mayFlush = () => {
    if (Date.now() - last > MESSAGE_PAUSE) flush();
  };
  return {
    put(...found: ItemSummary[]) {
      put.push(...found);
      mayFlush();
    },
    removed(...gone: string[]) {
      removed.push(...gone);
    },
    end: flush,
  };
}
