/** Where the files of one conversion go, and under which names. */
import { lstatSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, sep } from 'node:path';
import { BunzaiError } from '../core/errors.ts';
import type { OutputFile } from '../emit.ts';
import { type FileGuard, safeFileName, writeFiles } from '../node.ts';
import { usage } from './fault.ts';
import type { Inputs, Item } from './inputs.ts';
import type { Journal } from './journal.ts';
import { STANDARD } from './standard.ts';

/** What `-o` asks for. `file` is the one path for the main file; a folder gets derived names; absent, beside the input. */
export type Place =
  | { readonly to: 'standard' }
  | { readonly to: 'file'; readonly path: string; readonly stem: string; readonly extension: string }
  | { readonly to: 'folder'; readonly path: string }
  | { readonly to: 'beside' };

/** Reads `-o` for so many inputs. Throws `usage.invalid` where one place cannot hold them. */
export function placeOf(output: string | undefined, { files, folders, many }: Inputs): Place {
  const several = many || files.length + folders.length > 1;
  if (output === undefined) return { to: 'beside' };
  if (output === STANDARD) {
    if (several) throw usage('standard output can hold one file', 'give -o a folder');
    return { to: 'standard' };
  }
  const known = kindOf(output);
  if (known === 'folder' || output.endsWith('/') || output.endsWith(sep)) return { to: 'folder', path: output };
  if (several) {
    if (known === undefined) return { to: 'folder', path: `${output}/` };
    throw usage(`"${output}" is a file, and there are several inputs`, 'give -o a folder');
  }
  const extension = extname(output);
  return { to: 'file', path: output, stem: basename(output, extension), extension: extension.slice(1).toLowerCase() };
}

function kindOf(path: string): 'folder' | 'file' | undefined {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'file';
  } catch {
    return undefined;
  }
}

/** What a set of files is written with. */
export interface Writing {
  readonly item: Item;
  /** The files come from a list of cards: they get a folder called as the list. */
  readonly listed: boolean;
  readonly format: string;
  readonly overwrite: boolean;
  /** Inputs, and what this run has written. */
  readonly keep: FileGuard;
  /** What earlier runs have made, where this one goes on. */
  readonly journal: Journal | undefined;
  /** False: the disk may take its time. Where it is lost meanwhile, the sizes in the journal tell. */
  readonly sync: boolean;
}

/** The next number to try for a name, so that a thousand cards of one name need no million looks at the disk. */
export type Numbers = Map<string, number>;

/**
 * The files of one conversion under names that never meet what is there. Derived names are the same for the same
 * inputs in the same order. Nothing is written yet.
 */
export function named(
  place: Exclude<Place, { to: 'standard' }>,
  files: readonly OutputFile[],
  writing: Writing,
  numbers: Numbers,
): { readonly where: string; readonly files: readonly OutputFile[]; readonly again: boolean } {
  if (place.to === 'file') return { where: place.path, files, again: false };
  const { item, format, listed } = writing;
  const base =
    place.to === 'folder' ? join(place.path, item.folder) : item.path === STANDARD ? '.' : dirname(item.path);
  const folder = listed ? join(base, safeFileName(basename(item.path, extname(item.path)))) : base;
  const stem = stemOf(files, item.path);
  const key = JSON.stringify([folder, stem, files.map(({ name }) => name.slice(stem.length))]);
  for (const [number, candidate] of candidates(stem, place.to === 'beside' ? format : undefined, numbers.get(key))) {
    const own = files.map((file) => ({ ...file, name: safeFileName(renamed(file.name, stem, candidate)) }));
    const states = own.map((file) => stateOf(join(folder, file.name), file.bytes, writing));
    if (states.includes('taken')) continue;
    numbers.set(key, number + 1);
    return { where: withSeparator(folder), files: own, again: states.includes('same') };
  }
  throw new BunzaiError('output.exists', { file: join(folder, stem), hint: 'choose another folder with -o' });
}

/** Writes what `named` has named, and returns the paths, in step. */
export async function write(
  { where, files, again }: ReturnType<typeof named>,
  { overwrite, keep, sync }: Writing,
): Promise<string[]> {
  const paths = await writeFiles(where, files, { overwrite: overwrite || again, keep, sync });
  for (const path of paths) keep.add(path);
  return paths;
}

/** Numbers that are tried for a sibling before giving up. */
const MAX_SIBLINGS = 1_000_000;

const withSeparator = (folder: string): string => (folder.endsWith('/') ? folder : `${folder}/`);

/** What the names of all files start with. */
function stemOf(files: readonly OutputFile[], input: string): string {
  const own = input === STANDARD ? undefined : basename(input, extname(input));
  const name = files[0]?.name ?? '';
  return own !== undefined && own !== '' && name.startsWith(own)
    ? own
    : name.slice(0, name.length - extname(name).length);
}

/** The name with what the candidate has beyond the stem: behind the stem, or before the extension where it has another. */
function renamed(name: string, stem: string, candidate: string): string {
  if (name.startsWith(stem)) return candidate + name.slice(stem.length);
  const extension = extname(name);
  return name.slice(0, name.length - extension.length) + candidate.slice(stem.length) + extension;
}

/** `name`, then `name.format` beside the input, then numbers from `first`; files that belong together get the same one. */
function* candidates(stem: string, format: string | undefined, first = 0): Generator<[number: number, name: string]> {
  const base = format === undefined ? stem : `${stem}.${format}`;
  if (first <= 0) yield [0, stem];
  if (first <= 1 && base !== stem) yield [1, base];
  for (let number = Math.max(2, first); number < MAX_SIBLINGS; number++) yield [number, `${base}-${number}`];
}

/** `same`: it is there already, made by a run that was killed before it could note it. */
function stateOf(
  path: string,
  bytes: Uint8Array,
  { item, overwrite, keep, journal }: Writing,
): 'free' | 'same' | 'taken' {
  if (keep.holds(path) || journal?.ownedByOther(item, path)) return 'taken';
  if (overwrite) return 'free';
  const stat = statOf(path);
  if (!stat) return 'free';
  const mayBeOurs = journal?.resumes && stat.isFile() && stat.size === bytes.byteLength;
  return mayBeOurs && readFileSync(path).equals(bytes) ? 'same' : 'taken';
}

/** What is at a path; nothing where its folder is no folder, which the write will say. */
function statOf(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
