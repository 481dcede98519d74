/**
 * What a run has done, one JSON line a file, in the folder it writes to. A later run with `--resume` skips inputs whose
 * bytes and options are still the same and whose files are still there. A line is written after its files.
 */
import { appendFileSync, closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { derivedUuid } from '../core/derived-id.ts';
import { isRecord } from '../core/draft.ts';
import { type Item, placeIn, type Shard } from './inputs.ts';
import type { SentFault } from './work.ts';

/** A failure of one card in a list whose others were written. */
export type PartFault = SentFault & { readonly file: string };

export interface Journal {
  /** It knows what earlier runs have done. */
  readonly resumes: boolean;
  /** The SHA-256 that an input had when it was done, where its files are still as they were written. */
  known(item: Item): string | undefined;
  /** Told that a known input was skipped; gives what failed in it. */
  skipped(item: Item): readonly PartFault[];
  done(item: Item, sha256: string, files: readonly string[], faults: readonly PartFault[]): void;
  /** Whether an earlier run made this file out of another input. */
  ownedByOther(item: Item, file: string): boolean;
  close(): void;
}

interface Line {
  readonly input: string;
  readonly sha256: string;
  readonly options: string;
  /** Paths below the folder, with their sizes in bytes. */
  readonly files: readonly { readonly path: string; readonly size: number }[];
  readonly faults?: readonly PartFault[];
}

const NAME = /^\.bunzai-journal(\.\d+-of-\d+)?\.jsonl$/;
/** Longest line that is read. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;

/**
 * Opens the journal of a folder. `options` are everything beside the bytes that decides what is written; with another
 * version of bunzai all is done again. `resume` false: nothing is known, what is done is noted all the same.
 */
export function openJournal(folder: string, options: object, resume: boolean, shard: Shard | undefined): Journal {
  const mark = derivedUuid(JSON.stringify([packageJson.version, options]));
  const name = shard ? `.bunzai-journal.${shard.index}-of-${shard.of}.jsonl` : '.bunzai-journal.jsonl';
  const there = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const old = resume && there ? readdirSync(folder).filter((one) => NAME.test(one)) : [];
  const handles = old.map((one) => openSync(join(folder, one), 'r'));
  /** Where the last line of an input stands; the lines themselves stay on the disk. */
  const places = new Map<string, { readonly handle: number; readonly at: number; readonly size: number }>();
  const owners = new Map<string, string>();
  for (const handle of handles) {
    for (const { at, size, line } of linesOf(handle)) {
      for (const { path } of line.files) owners.set(path, line.input);
      if (line.options === mark) places.set(line.input, { handle, at, size });
    }
  }
  let started = false;

  const lineOf = (item: Item): Line | undefined => {
    const place = places.get(placeIn(item));
    return place && parsed(pieceOf(place.handle, place.at, place.size));
  };
  const isThere = ({ path, size }: Line['files'][number]): boolean =>
    !path.startsWith('..') && statSync(join(folder, path), { throwIfNoEntry: false })?.size === size;
  return {
    resumes: resume,
    known(item) {
      const line = lineOf(item);
      return line?.files.every(isThere) ? line.sha256 : undefined;
    },
    skipped: (item) => lineOf(item)?.faults ?? [],
    done(item, sha256, files, faults) {
      const written = files.map((file) => ({ path: relative(folder, file), size: statSync(file).size }));
      const line: Line = {
        input: placeIn(item),
        sha256,
        options: mark,
        files: written,
        ...(faults.length > 0 ? { faults } : {}),
      };
      // A run that was killed may have left half a line.
      const start = started || !endsInside(join(folder, name)) ? '' : '\n';
      started = true;
      appendFileSync(join(folder, name), `${start}${JSON.stringify(line)}\n`);
    },
    ownedByOther(item, file) {
      const owner = owners.get(relative(folder, file));
      return owner !== undefined && owner !== placeIn(item);
    },
    close() {
      for (const handle of handles.splice(0)) closeSync(handle);
    },
  };
}

/** Whether a file ends in the middle of a line. */
function endsInside(path: string): boolean {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return false;
  const handle = openSync(path, 'r');
  try {
    return pieceOf(handle, size - 1, 1) !== '\n';
  } finally {
    closeSync(handle);
  }
}

function pieceOf(handle: number, at: number, size: number): string {
  const bytes = Buffer.alloc(size);
  readSync(handle, bytes, 0, size, at);
  return bytes.toString('utf8');
}

/** The whole lines of a journal, with their places. What is no line of ours is passed over. */
function* linesOf(handle: number): Generator<{ at: number; size: number; line: Line }> {
  const end = fstatSync(handle).size;
  const block = Buffer.alloc(64 * 1024);
  let rest = Buffer.alloc(0);
  let start = 0;
  for (let at = 0; at < end; ) {
    const got = readSync(handle, block, 0, block.length, at);
    if (got === 0) return;
    at += got;
    rest = Buffer.concat([rest, block.subarray(0, got)]);
    for (let cut = rest.indexOf(10); cut >= 0; cut = rest.indexOf(10)) {
      const line = parsed(rest.subarray(0, cut).toString('utf8'));
      if (line) yield { at: start, size: cut, line };
      start += cut + 1;
      rest = rest.subarray(cut + 1);
    }
    if (rest.length > MAX_LINE_BYTES) return;
  }
}

function parsed(text: string): Line | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isLine(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isLine = (value: unknown): value is Line =>
  isRecord(value) &&
  ['input', 'sha256', 'options'].every((key) => typeof value[key] === 'string') &&
  Array.isArray(value.files) &&
  value.files.length > 0 &&
  value.files.every((file) => isRecord(file) && typeof file.path === 'string' && typeof file.size === 'number') &&
  (value.faults === undefined || Array.isArray(value.faults));
