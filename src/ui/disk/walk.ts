/** Looks at what lies in the folder, without reading any file. */
import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { markOf } from './names.ts';

/** Files of the folder that are looked at; what comes after them is not shown. */
export const MAX_LIBRARY_FILES = 20_000;
/** Folders inside each other that are looked into. */
export const MAX_LIBRARY_DEPTH = 8;

/** What lies in a folder. */
export interface Walk {
  /** The mark of every plain file, by its path inside the folder with `/` between names. */
  readonly files: ReadonlyMap<string, string>;
  /** Folders, the top one first. */
  readonly folders: readonly string[];
  /** Folders that could not be looked into, or not to their end: nothing is known of what is in them. */
  readonly blind: readonly string[];
}

/** Links are not followed; names that start with a dot, and packages of programs, are nobody's cards. */
const isHidden = (name: string): boolean => name.startsWith('.') || name === 'node_modules';

/** Walks a folder. Throws when the top folder itself cannot be read. */
export async function walk(root: string): Promise<Walk> {
  const files = new Map<string, string>();
  const folders: string[] = [];
  const blind: string[] = [];

  const enter = async (path: string, depth: number): Promise<void> => {
    let rows: Dirent[];
    try {
      rows = await readdir(join(root, path), { withFileTypes: true });
    } catch (error) {
      if (path === '') throw error;
      blind.push(path);
      return;
    }
    folders.push(path);
    const inside = (name: string) => (path === '' ? name : `${path}/${name}`);
    const plain = rows.filter((row) => row.isFile() && !isHidden(row.name)).sort((a, b) => (a.name < b.name ? -1 : 1));
    const room = MAX_LIBRARY_FILES - files.size;
    if (plain.length > room) blind.push(path);
    await Promise.all(
      plain.slice(0, room).map(async ({ name }) => {
        const stat = await lstat(join(root, inside(name))).catch(() => undefined);
        if (stat?.isFile()) files.set(inside(name), markOf(stat));
      }),
    );
    for (const row of rows) {
      if (!row.isDirectory() || isHidden(row.name)) continue;
      if (depth >= MAX_LIBRARY_DEPTH || files.size >= MAX_LIBRARY_FILES) blind.push(inside(row.name));
      else await enter(inside(row.name), depth + 1);
    }
  };

  await enter('', 1);
  return { files, folders, blind };
}

/** Whether nothing is known of a path. */
export const isBlind = ({ blind }: Walk, path: string): boolean =>
  blind.some((folder) => folder === '' || path.startsWith(`${folder}/`));
