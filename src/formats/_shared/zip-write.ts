/** Writes a ZIP: reproducible, and what came out of another ZIP untouched goes in as it was compressed. */
import { type Bytes, isBytes, keepForm, roomFor } from '../../core/bytes.ts';
import { BunzaiError } from '../../core/errors.ts';
import { encodeText } from '../../core/text.ts';
import { crc32 } from './crc32.ts';
import { deflateRaw } from './inflate.ts';
import { MAX_ZIP_INFLATED, MAX_ZIP_MEMBERS, type Stamp } from './zip-directory.ts';
import { isSafeName, isTextName } from './zip-names.ts';
import { DEFLATED, type Member, memberOf, STORED } from './zip-read.ts';

/** One file of an archive to be written. */
export interface ZipEntry {
  /** Path in the archive; one that ends in a slash is a directory. */
  readonly name: string;
  /** A member, or the content a member gave, is passed through as compressed; other bytes are new content. */
  readonly content: Bytes | Member;
  /** True: new content is never deflated. Else its name decides: text is (see `TEXT_SHARE`), media and archives are not. */
  readonly store?: boolean;
  /** True: a member that stays in its archive, with its date and the attributes of its file system. */
  readonly stays?: boolean;
}

/** What surrounds the members. */
export interface ZipOptions {
  /** Written before the archive. Offsets still count from the archive's first byte, as RisuAI has it. */
  readonly prefix?: Bytes | undefined;
  /** The archive's comment. */
  readonly comment?: string | undefined;
}

/** A member as it is written: compressed bytes in pieces, and what the headers say of them. */
interface Part {
  readonly name: Uint8Array;
  readonly flags: number;
  readonly stamp: Stamp;
  readonly method: number;
  readonly crc: number;
  readonly size: number;
  readonly packed: readonly Uint8Array[];
  readonly packedSize: number;
}

const LOCAL_SIZE = 30;
const CENTRAL_SIZE = 46;
const END_SIZE = 22;
const MAX_OUTPUT = 0xffffffff;
const MAX_COMMENT = 0xffff;
/** Version 2.0: directories and deflate. */
const VERSION = 20;
/** New text that is a smaller part of an archive is stored: deflating it would hardly make the file smaller. */
const TEXT_SHARE = 1 / 64;
const UTF8_NAME = 0x0800;
/** 1980-01-01 00:00, the first moment a ZIP can name: no clock in the output. */
const DOS_MOMENT = 0x00210000;
const DOS_DIRECTORY = 0x10;

/**
 * The archive as one array, the entries in this order; equal names are written as they come (see `safeMemberName`).
 * New text needs `await loadDeflate()` at some time before. Throws `zip.unsafe-name`, `zip.too-many`, `zip.too-large`,
 * under the limits that hold for opening.
 */
export function writeZip(entries: readonly ZipEntry[], options: ZipOptions = {}): Uint8Array {
  if (entries.length > MAX_ZIP_MEMBERS) {
    const detail = `${entries.length} members, the limit is MAX_ZIP_MEMBERS (${MAX_ZIP_MEMBERS})`;
    throw new BunzaiError('zip.too-many', { detail, hint: 'write fewer files' });
  }
  const names = encodedNames(entries);
  const deflating = isTextWorthDeflating(entries);
  const parts = entries.map((entry, index) => partOf(entry, names[index]!, deflating));
  const prefix = options.prefix?.segments() ?? [];
  const comment = encodeText(options.comment ?? '').subarray(0, MAX_COMMENT);
  const start = sum(prefix.map((piece) => piece.length));
  let body = 0;
  let list = 0;
  let inflated = 0;
  for (const { name, packedSize, size } of parts) {
    body += LOCAL_SIZE + name.length + packedSize;
    list += CENTRAL_SIZE + name.length;
    inflated += size;
  }
  const whole = start + body + list + END_SIZE + comment.length;
  if (inflated > MAX_ZIP_INFLATED || whole > MAX_OUTPUT) {
    const detail = `${inflated} bytes of content, the limit is MAX_ZIP_INFLATED (${MAX_ZIP_INFLATED})`;
    throw new BunzaiError('zip.too-large', { detail, hint: 'write fewer or smaller files' });
  }

  const out = roomFor(whole);
  const view = new DataView(out.buffer, out.byteOffset, whole);
  let at = laid(out, 0, prefix);
  let listAt = start + body;
  for (const part of parts) {
    const offset = at - start;
    out.fill(0, at, at + LOCAL_SIZE);
    view.setUint32(at, 0x04034b50, true);
    writeShared(view, at + 4, part);
    out.set(part.name, at + LOCAL_SIZE);
    at = laid(out, at + LOCAL_SIZE + part.name.length, part.packed);

    out.fill(0, listAt, listAt + CENTRAL_SIZE);
    view.setUint32(listAt, 0x02014b50, true);
    view.setUint16(listAt + 4, part.stamp.madeBy, true);
    writeShared(view, listAt + 6, part);
    view.setUint32(listAt + 38, part.stamp.attributes, true);
    view.setUint32(listAt + 42, offset, true);
    out.set(part.name, listAt + CENTRAL_SIZE);
    listAt += CENTRAL_SIZE + part.name.length;
  }
  out.fill(0, listAt, listAt + END_SIZE);
  view.setUint32(listAt, 0x06054b50, true);
  view.setUint16(listAt + 8, parts.length, true);
  view.setUint16(listAt + 10, parts.length, true);
  view.setUint32(listAt + 12, list, true);
  view.setUint32(listAt + 16, body, true);
  view.setUint16(listAt + 20, comment.length, true);
  out.set(comment, listAt + END_SIZE);
  return out;
}

/** The names of all entries, encoded in one go: no safe name holds the NUL that stands between them. */
function encodedNames(entries: readonly ZipEntry[]): Uint8Array[] {
  for (const { name } of entries) {
    if (isSafeName(name)) continue;
    throw new BunzaiError('zip.unsafe-name', { path: name, hint: 'use a relative path without .. and \\' });
  }
  const all = encodeText(entries.map(({ name }) => name).join('\0'));
  let from = 0;
  return entries.map(() => {
    const found = all.indexOf(0, from);
    const name = all.subarray(from, found < 0 ? all.length : found);
    from += name.length + 1;
    return name;
  });
}

const originOf = ({ content }: ZipEntry): Member | undefined => (isBytes(content) ? memberOf(content) : content);

const isNewText = ({ name, store }: ZipEntry): boolean => store !== true && isTextName(name);

function isTextWorthDeflating(entries: readonly ZipEntry[]): boolean {
  let text = 0;
  let whole = 0;
  for (const entry of entries) {
    const origin = originOf(entry);
    whole += origin ? origin.packedSize : entry.content.size;
    if (!origin && isNewText(entry)) text += entry.content.size;
  }
  return text >= whole * TEXT_SHARE;
}

function partOf(entry: ZipEntry, name: Uint8Array, deflating: boolean): Part {
  const flags = name.length === entry.name.length ? 0 : UTF8_NAME;
  const origin = originOf(entry);
  if (!origin) return packedNew(entry.content as Bytes, deflating && isNewText(entry), name, flags);
  const { method, crc, size, packedSize } = origin;
  const stamp = entry.stays ? origin.stamp : freshStamp(name);
  return { name, flags, stamp, method, crc, size, packed: [origin.raw()], packedSize };
}

const FRESH: Stamp = { madeBy: VERSION, moment: DOS_MOMENT, attributes: 0 };
const FRESH_DIRECTORY: Stamp = { ...FRESH, attributes: DOS_DIRECTORY };
const SLASH = 47;

const freshStamp = (name: Uint8Array): Stamp => (name[name.length - 1] === SLASH ? FRESH_DIRECTORY : FRESH);

/** New content, which remembers how it was packed: comparing it with the written member then needs no unpacking. */
function packedNew(content: Bytes, deflating: boolean, name: Uint8Array, flags: number): Part {
  const pieces = content.segments();
  let crc = 0;
  let size = 0;
  for (const piece of pieces) {
    crc = crc32(piece, crc);
    size += piece.length;
  }
  const deflated = deflating && size > 0 ? deflateRaw(content.bytes()) : undefined;
  const smaller = deflated && deflated.length < size ? deflated : undefined;
  const method = smaller ? DEFLATED : STORED;
  const packed = smaller ? [smaller] : pieces;
  keepForm(content, { method, crc, segments: () => packed });
  const packedSize = smaller ? smaller.length : size;
  return { name, flags, stamp: freshStamp(name), method, crc, size, packed, packedSize };
}

/** The 26 bytes that the local and the central header have in common, from "version needed" to "extra length". */
function writeShared(view: DataView, at: number, part: Part): void {
  view.setUint16(at, VERSION, true);
  view.setUint16(at + 2, part.flags, true);
  view.setUint16(at + 4, part.method, true);
  view.setUint32(at + 6, part.stamp.moment, true);
  view.setUint32(at + 10, part.crc, true);
  view.setUint32(at + 14, part.packedSize, true);
  view.setUint32(at + 18, part.size, true);
  view.setUint16(at + 22, part.name.length, true);
}

/** Lays the pieces down one after another and returns where the last one ends. */
function laid(out: Uint8Array, at: number, pieces: readonly Uint8Array[]): number {
  let end = at;
  for (const piece of pieces) {
    out.set(piece, end);
    end += piece.length;
  }
  return end;
}

const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0);
