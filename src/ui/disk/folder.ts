/** The folder of a library: where its parts lie, who has it open, and writing that survives a kill and a full disk. */
import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { BunzaiError } from '../../core/errors.ts';
import { writeFiles } from '../../node.ts';
import { LibraryFull, libraryError } from '../library/store.ts';

/** Everything of ours lies in here, beside the originals. */
const OURS = '.bunzai';
const PARTS = ['items', 'drafts', 'texts', 'blobs'] as const;

/** The parts of an open library, as absolute paths. */
export interface Folder {
  /** The library itself, links resolved. */
  readonly root: string;
  readonly items: string;
  readonly drafts: string;
  readonly texts: string;
  readonly blobs: string;
  readonly index: string;
  readonly removed: string;
  /** Lets the next one open it. */
  release(): void;
}

/** Milliseconds between two signs of life of a library that is open, and after which it counts as left behind. */
const BEAT = 10_000;
const LEFT_BEHIND = 60_000;

/** Libraries of this process. */
const opened = new Set<string>();

/** Makes the folder where it is missing, and takes it for this process. Throws `library.folder`, `library.in-use`. */
export async function openFolder(path: string): Promise<Folder> {
  const root = prepared(path);
  const ours = join(root, OURS);
  const release = await take(root, join(ours, 'lock'));
  sweepUnfinished([root, ours, ...PARTS.map((part) => join(ours, part))]);
  return {
    root,
    items: join(ours, 'items'),
    drafts: join(ours, 'drafts'),
    texts: join(ours, 'texts'),
    blobs: join(ours, 'blobs'),
    index: join(ours, 'index.jsonl'),
    removed: join(ours, 'removed.json'),
    release,
  };
}

function prepared(path: string): string {
  try {
    mkdirSync(path, { recursive: true });
    const root = realpathSync(path);
    for (const part of ['', ...PARTS]) {
      const folder = join(root, OURS, part);
      mkdirSync(folder, { recursive: true });
      if (!lstatSync(folder).isDirectory()) {
        const hint = `put a real folder in its place: ${folder}`;
        throw new BunzaiError('library.folder', { file: path, detail: 'a part of it is a link to elsewhere', hint });
      }
    }
    return root;
  } catch (error) {
    if (error instanceof BunzaiError) throw error;
    const { code = String(error) } = error as NodeJS.ErrnoException;
    const detail = FAULTS[code] ?? code;
    throw new BunzaiError('library.folder', { file: path, detail, hint: 'name another folder', cause: error });
  }
}

const FAULTS: Readonly<Record<string, string>> = {
  EACCES: 'writing there is not permitted',
  EPERM: 'writing there is not permitted',
  EROFS: 'the disk is read-only',
  EEXIST: 'there is a file of that name',
  ENOTDIR: 'a part of its path is a file, not a folder',
  ENOSPC: 'the disk is full',
};

/** Takes the lock. One that nobody touched for a minute, or whose process is gone, was left behind by a crash. */
async function take(root: string, lock: string): Promise<() => void> {
  const holder = opened.has(root) ? process.pid : holderOf(lock);
  if (holder !== undefined) {
    const hint = `use the page of that one, or end it (process ${holder}); should none run, try again in a minute`;
    throw new BunzaiError('library.in-use', { file: root, hint });
  }
  await replaceFile(lock, new TextEncoder().encode(`${process.pid}\n`));
  opened.add(root);
  const beat = setInterval(() => attempt(() => utimesSync(lock, new Date(), new Date())), BEAT);
  beat.unref();
  return () => {
    clearInterval(beat);
    opened.delete(root);
    attempt(() => unlinkSync(lock));
  };
}

function holderOf(lock: string): number | undefined {
  const pid = attempt(() => Number.parseInt(readFileSync(lock, 'utf8'), 10));
  const touched = attempt(() => statSync(lock).mtimeMs) ?? 0;
  if (!pid || pid === process.pid || Date.now() - touched > LEFT_BEHIND) return undefined;
  try {
    process.kill(pid, 0);
    return pid;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? pid : undefined;
  }
}

/** Files that a write left unfinished when it was killed. Young ones may belong to another program of ours. */
function sweepUnfinished(folders: readonly string[]): void {
  const young = Date.now() - 60 * 60 * 1000;
  for (const folder of folders) {
    for (const name of attempt(() => readdirSync(folder)) ?? []) {
      const path = join(folder, name);
      if (!/^\.bunzai-\d+-\d+\.tmp$/.test(name)) continue;
      attempt(() => lstatSync(path).mtimeMs < young && unlinkSync(path));
    }
  }
}

/** Replaces a file, or makes it: whole and on the disk, or as it was. Throws `LibraryFull`. */
export const replaceFile = (path: string, bytes: Uint8Array): Promise<void> => write(path, bytes, true);

/** Makes a file that is not there yet. Throws `LibraryFull`, `output.exists`. */
export const makeFile = (path: string, bytes: Uint8Array): Promise<void> => write(path, bytes, false);

async function write(path: string, bytes: Uint8Array, overwrite: boolean): Promise<void> {
  try {
    await writeFiles(path, [{ name: '', bytes }], { overwrite });
  } catch (error) {
    const { code = '' } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
    if (code === 'ENOSPC' || code === 'EDQUOT') throw libraryError(LibraryFull, 'the disk is full');
    throw error;
  }
  // A replaced record is what makes a save count: with its folder everything that was written before is on the disk.
  if (overwrite) settle(dirname(path));
}

/**
 * Replaces a file that can be made again from others: whole or as it was, without waiting for the disk, and a full disk
 * is no fault. Waiting costs more than everything else when thousands of files are met at once.
 */
export function replaceLoosely(path: string, bytes: Uint8Array): void {
  const temporary = `${path}.tmp`;
  try {
    writeFileSync(temporary, bytes);
    renameSync(temporary, path);
  } catch {
    deleteFile(temporary);
  }
}

/** Names are on the disk when their folder is; not every system can do that. */
function settle(folder: string): void {
  attempt(() => {
    const handle = openSync(folder, 'r');
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  });
}

/** Deletes a file; one that is gone already is no fault. */
export const deleteFile = (path: string): void => void attempt(() => unlinkSync(path));

export const readText = (path: string): string | undefined => attempt(() => readFileSync(path, 'utf8'));

export function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
