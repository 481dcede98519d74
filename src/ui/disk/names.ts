/** Names on the disk: nothing that a page, a record or an index says becomes a path before it went through here. */
import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, realpathSync, type Stats } from 'node:fs';
import { basename, extname, join, sep } from 'node:path';
import { safeFileName } from '../../file-name.ts';

/** An id or a hash, as it may become a file name: small letters, so that no two of them are one file. */
const PLAIN = /^[0-9a-z][0-9a-z-]{0,99}$/;

/** Whether an id or a hash is fit for a file name on every system. */
export const isPlainName = (name: string): boolean => PLAIN.test(name) && safeFileName(name) === name;

/** Asked for something that no page of ours asks for; `name` of the error. */
export const LibraryRefused = 'library.refused';

export function refused(message: string): Error {
  const error = new Error(message);
  error.name = LibraryRefused;
  return error;
}

/** The id or hash itself. Throws for one that no studio made. */
export function plainName(name: string): string {
  if (!isPlainName(name)) throw refused(`not an id: ${JSON.stringify(name.slice(0, 40))}`);
  return name;
}

/** A free name in a folder for a file that was called `given`, with a number where the name is taken. */
export function freeName(folder: string, given: string, isTaken: (name: string) => boolean): string {
  const name = safeFileName(basename(given.replaceAll('\\', '/')));
  const extension = extname(name);
  const stem = name.slice(0, name.length - extension.length);
  for (let count = 1; ; count++) {
    const tried = count === 1 ? name : safeFileName(`${stem} (${count})${extension}`);
    if (!isTaken(tried) && !lstatSync(join(folder, tried), { throwIfNoEntry: false })) return tried;
  }
}

/** What tells two states of a file apart without reading it. */
export const markOf = ({ size, mtimeMs, ctimeMs }: Stats): string => `${size}:${mtimeMs}:${ctimeMs}`;

/** The mark of a plain file; undefined where there is none. Links are not followed. */
export function markAt(path: string): string | undefined {
  try {
    const stat = lstatSync(path);
    return stat.isFile() ? markOf(stat) : undefined;
  } catch {
    return undefined;
  }
}

/** A plain file, by its absolute path. */
export interface PlainFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

/** A plain file inside `root`; undefined where it is gone, a link, or behind a link that leads out. */
export function fileInside(root: string, name: string): PlainFile | undefined {
  const path = join(root, name);
  try {
    const stat = lstatSync(path);
    return stat.isFile() && realpathSync(path).startsWith(root + sep) ? { path, size: stat.size } : undefined;
  } catch {
    return undefined;
  }
}

/** Its bytes; undefined where it went away. */
export function readPlain(file: PlainFile | undefined): Buffer | undefined {
  try {
    return file && readFileSync(file.path);
  } catch {
    return undefined;
  }
}

export const readInside = (root: string, name: string): Buffer | undefined => readPlain(fileInside(root, name));

export const sha256 = (content: Uint8Array | string): string => createHash('sha256').update(content).digest('hex');
