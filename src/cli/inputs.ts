/** The files that a command line names: files as they are, folders walked, patterns matched. */
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, relative, sep } from 'node:path';
import { hash32 } from '../core/derived-id.ts';
import { BunzaiError } from '../core/errors.ts';
import { usage } from './fault.ts';
import { STANDARD } from './standard.ts';

/** One input. */
export interface Item {
  /** As a person would name it. */
  readonly path: string;
  /** Its folder below the folder or pattern that was given, which the output repeats; empty for a file given by name. */
  readonly folder: string;
}

/** So many files given by name are shown one by one, in this thread. */
export const FEW = 12;

export interface Inputs {
  /** In order: the same on every machine. Folders are listed when their turn comes, so the list is never held. */
  items(): Generator<Item>;
  /** A folder, a pattern, or more than `FEW` files. */
  readonly many: boolean;
  /** The files given by name, and the folders that are walked. */
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

/**
 * Reads the arguments. What exists is taken as it is called, so that a name with brackets is no pattern. Hidden files,
 * links to folders and the folder `output` are not walked. Throws `usage.invalid` for a pattern without matches.
 */
export async function inputsOf(args: readonly string[], output?: string): Promise<Inputs> {
  if (args.filter((path) => path === STANDARD).length > 1) throw usage('standard input can be read once');
  const groups: { readonly folder?: string; readonly items?: readonly Item[] }[] = [];
  const files: string[] = [];
  let patterns = 0;
  for (const arg of args) {
    const kind = arg === STANDARD ? 'file' : kindOf(arg);
    if (kind === 'folder') groups.push({ folder: arg });
    else if (kind === 'file' || !/[*?[\]{}()!]/.test(arg)) {
      files.push(arg);
      groups.push({ items: [{ path: arg, folder: '' }] });
    } else {
      const items = await matches(arg);
      files.push(...items.map(({ path }) => path));
      groups.push({ items });
      patterns++;
    }
  }
  const folders = groups.flatMap(({ folder }) => folder ?? []);
  const skipped = output === undefined ? undefined : realOf(output);
  return {
    many: folders.length > 0 || patterns > 0 || files.length > FEW,
    files,
    folders,
    *items() {
      for (const { folder, items = [] } of groups) {
        if (folder === undefined) yield* items;
        else yield* walk(folder, '', skipped);
      }
    },
  };
}

function kindOf(path: string): 'file' | 'folder' | undefined {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'file';
  } catch {
    return undefined;
  }
}

async function matches(pattern: string): Promise<Item[]> {
  const { globSync } = await import('tinyglobby');
  const found = globSync(pattern.split(sep).join('/'), { expandDirectories: false, followSymbolicLinks: false }).sort();
  if (found.length === 0)
    throw usage(`no file matches "${pattern}"`, "check the folder, and quote a pattern: 'cards/**/*.png'");
  const base = /^(?:[^*?[\]{}()!]*\/)?/.exec(pattern)?.[0] ?? '';
  return found.map((path) => {
    const folder = dirname(relative(base || '.', path));
    return { path, folder: folder === '.' || folder.startsWith('..') ? '' : folder };
  });
}

function* walk(root: string, folder: string, skipped: string | undefined): Generator<Item> {
  const here = join(root, folder);
  if (skipped !== undefined && realOf(here) === skipped) return;
  for (const entry of listed(here)) {
    const path = join(here, entry.name);
    if (entry.isDirectory()) yield* walk(root, join(folder, entry.name), skipped);
    else if (entry.isFile() || (entry.isSymbolicLink() && isFile(path))) yield { path, folder };
  }
}

function listed(folder: string) {
  try {
    const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !name.startsWith('.'));
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new BunzaiError('input.unreadable', {
      file: folder,
      detail: `the folder cannot be listed: ${code}`,
      cause: error,
    });
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** One of so many parts of a batch, counted from 1. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/** Reads `3/8`. Throws `usage.invalid`. */
export function shardOf(text: string): Shard {
  const [, index, of] = /^(\d{1,6})\/(\d{1,6})$/.exec(text)?.map(Number) ?? [];
  if (index === undefined || of === undefined || index < 1 || index > of)
    throw usage(`--shard ${text}`, 'say which part of how many, from 1: --shard 3/8');
  return { index, of };
}

/** Where an input stands below what was given, with `/`: its name in the journal. */
export const placeIn = ({ path, folder }: Item): string => join(folder, basename(path)).split(sep).join('/');

/**
 * Whether an input belongs to a part. Decided by its place without the extension, nothing else, so every part comes
 * to the same answer, and files that lead to one output name are in one part.
 */
export function inShard(item: Item, { index, of }: Shard): boolean {
  const place = placeIn(item);
  const key = place
    .slice(0, place.length - extname(place).length)
    .normalize('NFC')
    .toLowerCase();
  return hash32(key) % of === index - 1;
}
