/** Where the files of one conversion go, and under which names. */
import { lstatSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, sep } from 'node:path';
import { BunzaiError } from '../core/errors.ts';
import type { OutputFile } from '../emit.ts';
import { type FileGuard, safeFileName, writeFiles } from '../node.ts';
import { STANDARD } from './each.ts';
import { usage } from './fault.ts';

/** What `-o` asks for. `file` is the one path for the main file; a folder gets derived names; absent, beside the input. */
export type Place =
  | { readonly to: 'standard' }
  | { readonly to: 'file'; readonly path: string; readonly stem: string; readonly extension: string }
  | { readonly to: 'folder'; readonly path: string }
  | { readonly to: 'beside' };

/** Reads `-o` for so many inputs. Throws `usage.invalid` where one place cannot hold them. */
export function placeOf(output: string | undefined, inputs: readonly string[]): Place {
  if (output === undefined) return { to: 'beside' };
  if (output === STANDARD) {
    if (inputs.length > 1) throw usage('standard output can hold one file', 'give -o a folder');
    return { to: 'standard' };
  }
  const known = kindOf(output);
  if (known === 'folder' || output.endsWith('/') || output.endsWith(sep)) return { to: 'folder', path: output };
  if (inputs.length > 1) {
    if (known === undefined) return { to: 'folder', path: `${output}/` };
    throw usage(`"${output}" is a file, and there are ${inputs.length} inputs`, 'give -o a folder');
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
  readonly input: string;
  readonly format: string;
  readonly overwrite: boolean;
  /** Inputs, and what this run has written. */
  readonly keep: FileGuard;
}

/** Numbers that are tried for a sibling before giving up. */
const MAX_SIBLINGS = 10_000;

/** Writes the files of one conversion and returns their paths, in step. Derived names never meet what is there. */
export async function writeTo(
  place: Exclude<Place, { to: 'standard' }>,
  files: readonly OutputFile[],
  { input, format, overwrite, keep }: Writing,
): Promise<string[]> {
  const options = { overwrite, keep };
  const paths = place.to === 'file' ? await writeFiles(place.path, files, options) : await derived();
  for (const path of paths) keep.add(path);
  return paths;

  async function derived(): Promise<string[]> {
    const folder = place.to === 'folder' ? place.path : input === STANDARD ? '.' : dirname(input);
    const stem = stemOf(files, input);
    for (const candidate of candidates(stem, place.to === 'beside' ? format : undefined)) {
      const named = files.map((file) => ({ ...file, name: safeFileName(renamed(file.name, stem, candidate)) }));
      const taken = named.some(({ name }) => !isFree(join(folder, name), overwrite, keep));
      if (taken) continue;
      try {
        return await writeFiles(withSeparator(folder), named, options);
      } catch (error) {
        if (!(error instanceof BunzaiError) || error.code !== 'output.exists') throw error;
      }
    }
    throw new BunzaiError('output.exists', { file: join(folder, stem), hint: 'choose another folder with -o' });
  }
}

const withSeparator = (folder: string): string => (folder.endsWith('/') ? folder : `${folder}/`);

/** What the names of all files start with. */
function stemOf(files: readonly OutputFile[], input: string): string {
  const own = input === STANDARD ? undefined : basename(input, extname(input));
  const name = files[0]?.name ?? '';
  return own !== undefined && own !== '' && name.startsWith(own)
    ? own
    : name.slice(0, name.length - extname(name).length);
}

const renamed = (name: string, stem: string, candidate: string): string =>
  name.startsWith(stem) ? candidate + name.slice(stem.length) : name;

/** `name`, then `name.format` beside the input, then numbers; files that belong together get the same one. */
function* candidates(stem: string, format: string | undefined): Generator<string> {
  yield stem;
  const base = format === undefined ? stem : `${stem}.${format}`;
  if (base !== stem) yield base;
  for (let number = 2; number < MAX_SIBLINGS; number++) yield `${base}-${number}`;
}

function isFree(path: string, overwrite: boolean, keep: FileGuard): boolean {
  if (keep.holds(path)) return false;
  if (overwrite) return true;
  try {
    lstatSync(path);
    return false;
  } catch {
    return true;
  }
}
