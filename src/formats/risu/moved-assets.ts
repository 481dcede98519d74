/**
 * Asset rows that move between carriers: text chunks of a PNG under `__asset:`, members of an archive under `embeded://`.
 * Facts: RisuAI 166.3.3, sections 3.2 and 4.
 */
import { asBytes, type Bytes, isBytes } from '../../core/bytes.ts';
import { define, isRecord, openDraft, valueAt, type Wire } from '../../core/draft.ts';
import { isJpeg } from '../_shared/exif.ts';
import { isPng } from '../_shared/png.ts';
import { safeMemberName } from '../_shared/zip.ts';

const ROWS = ['data', 'assets'];
const MEMBER = /^embed(?:d)?ed:\/\//i;
const CHUNK = /^(?:__asset:|asset:|pngchunk:)/i;
const DEFAULT = 'ccdefault:';

const rowsOf = (card: unknown): readonly unknown[] => {
  const held = valueAt(card, ROWS);
  return Array.isArray(held) ? held : [];
};
const uriOf = (row: unknown): unknown => (isRecord(row) ? row.uri : undefined);
const isIcon = (row: unknown): row is Wire => isRecord(row) && row.type === 'icon';
const isMain = (row: unknown): row is Wire => isIcon(row) && String(row.name).toLowerCase() === 'main';

const withRows = (card: Wire, rows: readonly unknown[]): Wire => {
  const old = rowsOf(card);
  if (rows.length === old.length && rows.every((row, index) => row === old[index])) return card;
  const draft = openDraft(card);
  draft.set(ROWS, rows);
  return draft.wire;
};

/** Keys of the chunks that rows of a card point at. */
export const chunkKeys = (card: unknown): Set<string> =>
  new Set(
    rowsOf(card).flatMap((row) => {
      const uri = uriOf(row);
      return typeof uri === 'string' && CHUNK.test(uri) ? [uri.replace(CHUNK, '')] : [];
    }),
  );

/** The bytes of a row that is no chunk yet: inlined for the PNG, or a member of the archive it came from. */
function looseBytes(row: unknown, files: unknown): Bytes | undefined {
  const uri = uriOf(row);
  if (isBytes(uri)) return uri;
  if (typeof uri !== 'string' || !MEMBER.test(uri)) return undefined;
  return asBytes(valueAt(files, [uri.replace(MEMBER, '')]));
}

const begins = (bytes: Bytes, is: (bytes: Uint8Array) => boolean): boolean =>
  is(bytes.segments()[0] ?? new Uint8Array());

/** A card whose rows point at chunks. */
export interface Chunked {
  readonly card: Wire;
  /** New chunks by key. */
  readonly added: readonly (readonly [key: string, bytes: Bytes])[];
  /** The main icon that became the picture around the card. */
  readonly picture?: Bytes;
}

/** The card for a PNG. Numbers of new chunks are free among `taken`; a main icon becomes the picture where there is none. */
export function asChunks(card: Wire, files: unknown, taken: ReadonlySet<string>, pictured: boolean): Chunked {
  const used = new Set([...taken, ...chunkKeys(card)]);
  const added: (readonly [string, Bytes])[] = [];
  let picture: Bytes | undefined;
  let next = 1;
  const rows = rowsOf(card).map((row) => {
    const bytes = looseBytes(row, files);
    if (!bytes || !isRecord(row)) return row;
    if (!pictured && !picture && isMain(row) && begins(bytes, isPng)) {
      picture = bytes;
      return { ...row, uri: DEFAULT };
    }
    while (used.has(String(next))) next++;
    used.add(String(next));
    added.push([String(next), bytes]);
    return { ...row, uri: `__asset:${next}` };
  });
  return { card: withRows(card, rows), added, ...(picture ? { picture } : {}) };
}

/** The card and the files for an archive that a PNG becomes: chunks are members, and only one row is the main icon. */
export function asMembers(card: Wire, files: unknown): { readonly card: Wire; readonly files: Wire } {
  const out: Record<string, unknown> = {};
  const held = isRecord(files) ? files : {};
  const pointed = chunkKeys(card);
  for (const path of Object.keys(held)) if (!pointed.has(path)) define(out, path, held[path]);
  const mains = rowsOf(card).filter(isMain);
  const rows = rowsOf(card).flatMap((row): unknown[] => {
    const uri = uriOf(row);
    if (mains.length > 1 && isMain(row) && uri === DEFAULT) return [];
    const key = typeof uri === 'string' && CHUNK.test(uri) ? uri.replace(CHUNK, '') : undefined;
    const bytes = key === undefined ? undefined : held[key];
    if (!isRecord(row) || !isBytes(bytes)) return [row];
    const path = freePath(row, out);
    define(out, path, bytes);
    return [{ ...row, uri: `embeded://${path}` }];
  });
  return { card: withRows(card, rows), files: out };
}

const FOLDERS: ReadonlySet<unknown> = new Set(['emotion', 'background', 'user_icon', 'icon']);
const CLASSES: readonly (readonly [name: string, extensions: RegExp])[] = [
  ['image', /^(png|jpe?g|gif|webp|avif)$/],
  ['audio', /^(mp3|wav|ogg|flac)$/],
  ['video', /^(mp4|webm|mov|avi|mkv)$/],
];

/** `assets/<type>/<class>/<name>.<ext>`, under a name that is safe and free. */
function freePath({ type, name, ext }: Wire, taken: Wire): string {
  const extension = typeof ext === 'string' && /^[a-z0-9]{1,8}$/i.test(ext) ? ext.toLowerCase() : 'png';
  const kind = CLASSES.find(([, extensions]) => extensions.test(extension))?.[0] ?? 'other';
  const folder = `assets/${FOLDERS.has(type) ? String(type) : 'other'}/${kind}/`;
  const names = Object.keys(taken).filter((path) => path.startsWith(folder));
  const inFolder = new Set(
    names.flatMap((path) => [path.slice(folder.length), path.slice(folder.length).toLowerCase()]),
  );
  return folder + safeMemberName(typeof name === 'string' && name !== '' ? name : 'asset', extension, inFolder);
}

/** The main icon of a card in an archive, where it is a JPEG. */
export function jpegPortrait(card: unknown, files: unknown): Bytes | undefined {
  const icons = rowsOf(card).filter(isIcon);
  const bytes = looseBytes(icons.find(isMain) ?? icons[0], files);
  return bytes && begins(bytes, isJpeg) ? bytes : undefined;
}
