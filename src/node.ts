/** Files of a Node program: reading with coded errors, and writing that never harms what is there. */
import {
  closeSync,
  createReadStream,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { BunzaiError } from './core/errors.ts';
import { MAX_INPUT_BYTES } from './core/source.ts';
import { safeFileName } from './file-name.ts';

export { MAX_FILE_NAME_BYTES, safeFileName } from './file-name.ts';

/** A file as the library takes it. */
export interface FileInput {
  readonly bytes: Uint8Array;
  /** The path as the caller gave it. */
  readonly filename: string;
}

/** One file to write; a written `OutputFile` is one. */
export interface NewFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface WriteFilesOptions {
  /** Replace what is there. Never replaces a kept file. */
  readonly overwrite?: boolean;
  /** Files that must stay as they are, such as the input. */
  readonly keep?: FileGuard;
  /** False: do not wait until the disk has each file, which takes longer than a conversion. Default: true. */
  readonly sync?: boolean;
}

/** Knows files by what they are, not by how their path is spelled. */
export interface FileGuard {
  add(path: string): void;
  holds(path: string): boolean;
}

/** Reads a file. Throws `input.unreadable` with a hint, `input.too-large`. */
export async function readInput(path: string): Promise<FileInput> {
  try {
    const stat = statSync(path);
    if (stat.isDirectory()) throw unreadable(path, 'it is a folder', 'name the files in it');
    if (stat.size > MAX_INPUT_BYTES) throw tooLarge(path, stat.size);
    const bytes = stat.isFile() ? readFileSync(path) : await readAll(createReadStream(path), path);
    return { bytes, filename: path };
  } catch (error) {
    if (error instanceof BunzaiError) throw error;
    const code = (error as NodeJS.ErrnoException).code ?? '';
    throw unreadable(path, READ_FAULTS[code]?.[0] ?? (code || String(error)), READ_FAULTS[code]?.[1], error);
  }
}

/** Everything a stream says, up to the limit for inputs. `file` names it in the refusal. */
export async function readAll(stream: AsyncIterable<Uint8Array>, file: string): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of stream) {
    size += piece.byteLength;
    if (size > MAX_INPUT_BYTES) throw tooLarge(file, size);
    pieces.push(piece);
  }
  return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces, size);
}

const READ_FAULTS: Readonly<Record<string, readonly [detail: string, hint: string]>> = {
  ENOENT: ['there is no such file', 'check the spelling of the path'],
  ENOTDIR: ['a part of its path is a file, not a folder', 'check the spelling of the path'],
  EACCES: ['reading it is not permitted', 'check the permissions of the file and its folder'],
  EPERM: ['reading it is not permitted', 'check the permissions of the file and its folder'],
  ELOOP: ['its links lead in a circle', 'name the file itself'],
  EMFILE: ['too many files are open', 'give fewer files at once'],
};

const unreadable = (file: string, detail: string, hint?: string, cause?: unknown) =>
  new BunzaiError('input.unreadable', { file, detail, hint, cause });

const tooLarge = (file: string, size: number) =>
  new BunzaiError('input.too-large', {
    file,
    detail: `${size} bytes or more, the limit is MAX_INPUT_BYTES (${MAX_INPUT_BYTES})`,
    hint: 'split it, or take the largest files out of it',
  });

/** A guard over these files. Two spellings of one file are one, and so are names that differ in case alone. */
export function fileGuard(paths: readonly string[] = []): FileGuard {
  const known = new Set<string>();
  const guard: FileGuard = {
    add: (path) => {
      for (const mark of marksOf(path)) known.add(mark);
    },
    holds: (path) => marksOf(path).some((mark) => known.has(mark)),
  };
  for (const path of paths) guard.add(path);
  return guard;
}

/** What a file is known by: its place on the disk, and its folder with its name. */
function marksOf(path: string): string[] {
  const folder = attempt(() => realpathSync(dirname(resolve(path)))) ?? dirname(resolve(path));
  const plain = (one: string) => one.normalize('NFC').toLowerCase();
  const stat = attempt(() => statSync(path, { bigint: true }));
  const real = stat && attempt(() => realpathSync(path));
  const named = join(folder, basename(resolve(path)));
  return [
    plain(named),
    ...(real === undefined ? [] : [plain(real)]),
    ...(stat && stat.ino !== 0n ? [`${stat.dev}:${stat.ino}`] : []),
  ];
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/**
 * Writes files so that each is there whole or not at all and, unless it may overwrite, all of them or none.
 * Returns their paths.
 * `where` is a folder that exists, or ends in a separator and is made: names are made safe. Else it is the path of the
 * first file, and the others go beside it.
 * Throws `output.exists`, `output.in-place` for a kept file, `output.failed`; before anything is written where it can.
 */
export async function writeFiles(
  where: string,
  files: readonly NewFile[],
  options: WriteFilesOptions = {},
): Promise<string[]> {
  const paths = placesFor(where, files);
  for (const path of paths) {
    if (options.keep?.holds(path)) {
      const hint = 'choose another name with -o: an input is never written over';
      throw new BunzaiError('output.in-place', { file: path, hint });
    }
    if (!options.overwrite && attempt(() => lstatSync(path))) throw exists(path);
  }
  const staged: string[] = [];
  const created: string[] = [];
  try {
    if (endsInSeparator(where)) mkdirSync(where, { recursive: true });
    const sync = options.sync ?? true;
    paths.forEach((path, index) => stage(path, files[index]?.bytes ?? new Uint8Array(), staged, sync));
    paths.forEach((path, index) => {
      commit(staged[index] ?? '', path, options.overwrite ?? false);
      if (!options.overwrite) created.push(path);
    });
    return paths;
  } catch (error) {
    for (const path of created) attempt(() => unlinkSync(path));
    throw error instanceof BunzaiError ? error : failed(where, error);
  } finally {
    for (const path of staged) attempt(() => unlinkSync(path));
  }
}

const endsInSeparator = (path: string): boolean => path.endsWith('/') || path.endsWith(sep);

function placesFor(where: string, files: readonly NewFile[]): string[] {
  const isFolder = endsInSeparator(where) || attempt(() => statSync(where))?.isDirectory();
  if (isFolder) return files.map(({ name }) => join(where, safeFileName(name)));
  return files.map(({ name }, index) => (index === 0 ? where : join(dirname(where), safeFileName(name))));
}

/** The bytes in a new file of the same folder, noted in `staged` before anything can fail. */
function stage(path: string, bytes: Uint8Array, staged: string[], sync: boolean): void {
  const { temporary, handle } = openTemporary(dirname(path));
  staged.push(temporary);
  try {
    for (let at = 0; at < bytes.byteLength; ) at += writeSync(handle, bytes, at);
    if (sync) fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

let serial = 0;

/** `wx` follows no link and replaces nothing. The name says whose it is, should a kill leave one behind. */
function openTemporary(folder: string): { temporary: string; handle: number } {
  for (;;) {
    const temporary = join(folder, `.bunzai-${process.pid}-${++serial}.tmp`);
    try {
      return { temporary, handle: openSync(temporary, 'wx', 0o666) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** Gives the staged file its name. Without `overwrite` a name that was taken meanwhile is refused, not replaced. */
function commit(temporary: string, path: string, overwrite: boolean): void {
  if (overwrite) return renameSync(temporary, path);
  try {
    linkSync(temporary, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw exists(path);
    // A file system without links: take the name with an empty file of ours, then replace that.
    closeSync(openSync(path, 'wx', 0o666));
    try {
      renameSync(temporary, path);
    } catch (cause) {
      attempt(() => unlinkSync(path));
      throw cause;
    }
  }
}

const exists = (file: string) =>
  new BunzaiError('output.exists', { file, hint: 'choose another name with -o, or replace it with --yes' });

const WRITE_FAULTS: Readonly<Record<string, readonly [detail: string, hint: string]>> = {
  ENOENT: ['its folder does not exist', 'make the folder first, or end the path in / to have it made'],
  ENOTDIR: ['a part of its path is a file, not a folder', 'choose another folder with -o'],
  EEXIST: ['a part of its path is a file, not a folder', 'choose another folder with -o'],
  EISDIR: ['there is a folder of that name', 'choose another name with -o'],
  EACCES: ['writing there is not permitted', 'choose another folder with -o'],
  EPERM: ['writing there is not permitted', 'choose another folder with -o'],
  EROFS: ['the disk is read-only', 'choose another folder with -o'],
  ENOSPC: ['the disk is full', 'make room, or choose another folder with -o'],
  EDQUOT: ['the quota of the disk is used up', 'make room, or choose another folder with -o'],
  EFBIG: ['the file is larger than the system allows here', 'choose another folder with -o'],
  ENAMETOOLONG: ['the name is too long', 'choose a shorter name with -o'],
};

function failed(file: string, cause: unknown): BunzaiError {
  const { code = '' } = cause as NodeJS.ErrnoException;
  const [detail, hint]: readonly [string, string?] = WRITE_FAULTS[code] ?? [code || String(cause)];
  return new BunzaiError('output.failed', { file, detail, hint, cause });
}
