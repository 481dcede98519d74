/** The central directory of a ZIP: found from the tail of the file, read, and held against the file's bytes. */
import { BunzaiError, type ErrorCode } from '../../core/errors.ts';
import { decodeName, unicodePath } from './zip-names.ts';

/** Most members an archive may list. */
export const MAX_ZIP_MEMBERS = 10_000;
/** Most bytes all members may declare together. */
export const MAX_ZIP_INFLATED = 1024 * 1024 * 1024;

/** What a directory says of a member beside its content: who made it, when, and the attributes of its file system. */
export interface Stamp {
  readonly madeBy: number;
  /** In the two words of DOS, time and date. */
  readonly moment: number;
  readonly attributes: number;
}

/** One member as the directory lists it, with the place of its compressed bytes in the file. */
export interface Row {
  readonly name: string;
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly stamp: Stamp;
  readonly dataAt: number;
}

/** The whole directory. `prefix`: bytes that stand before the archive. */
export interface Directory {
  readonly prefix: number;
  readonly rows: readonly Row[];
  readonly comment: string;
}

interface Listed extends Omit<Row, 'dataAt'> {
  readonly offset: number;
}

/** Where the directory lies. `offset` is what the end record says; `start` is where it stands. */
interface Place {
  readonly start: number;
  readonly size: number;
  readonly offset: number;
  readonly count: number;
  readonly comment: Uint8Array;
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const SIGNED = 0x05054b50;
const END = 0x06054b50;
const END64 = 0x06064b50;
const LOCATOR64 = 0x07064b50;
const END_SIZE = 22;
const END64_SIZE = 56;
const LOCATOR64_SIZE = 20;
const CENTRAL_SIZE = 46;
const LOCAL_SIZE = 30;
/** The comment has a 16-bit length; the end record cannot stand further from the tail. */
const MAX_COMMENT = 0xffff;
/** Most files are pictures without an archive: the search behind them is short, or it costs more than reading the card. */
const MAX_COMMENT_BEHIND_PNG = 1024;
const PNG = 0x89504e47;

/** The directory of `bytes`; undefined when this is no archive. Throws `zip.*` when it is a broken or a refused one. */
export function readDirectory(bytes: Uint8Array): Directory | undefined {
  if (bytes.length < END_SIZE) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const place = findPlace(bytes, view);
  if (place === undefined) return undefined;
  const comment = decodeName(place.comment);
  if (place.count === 0) return { prefix: 0, rows: [], comment };
  if (place.count > MAX_ZIP_MEMBERS) throw tooMany(place.count);
  const listed = readListed(bytes, view, place);
  const base = baseOf(view, place, listed[0]!);
  const rows = placeRows(view, place, listed, base);
  const first = base + listed.reduce((least, row) => Math.min(least, row.offset), Number.POSITIVE_INFINITY);
  if (view.getUint32(0, true) !== LOCAL) return { prefix: first, rows, comment };
  if (base === 0) return { prefix: 0, rows, comment };
  // The file starts as an archive, and what was found is another one stored inside it.
  throw damaged({ detail: 'its own end record is missing', hint: 'the file looks cut short; fetch it again' });
}

function findPlace(bytes: Uint8Array, view: DataView): Place | undefined {
  let claimed = false;
  const comment = view.getUint32(0) === PNG ? MAX_COMMENT_BEHIND_PNG : MAX_COMMENT;
  const lowest = Math.max(0, bytes.length - END_SIZE - comment);
  const tail = bytes.subarray(lowest, bytes.length - END_SIZE + 1);
  for (let found = tail.lastIndexOf(0x50); found >= 0; found = found === 0 ? -1 : tail.lastIndexOf(0x50, found - 1)) {
    const at = lowest + found;
    if (view.getUint32(at, true) !== END) continue;
    const commentEnd = at + END_SIZE + view.getUint16(at + 20, true);
    if (commentEnd > bytes.length) continue;
    const place = placeAt(view, at, bytes.subarray(at + END_SIZE, commentEnd));
    if (place !== undefined) return place;
    // Chance bytes in a picture are not a claim: a real end record closes the file and its numbers fit each other.
    const count = view.getUint16(at + 10, true);
    const fits =
      count > 0 && view.getUint16(at + 8, true) <= count && view.getUint32(at + 12, true) >= count * CENTRAL_SIZE;
    claimed ||= commentEnd === bytes.length && view.getUint16(at + 4, true) === view.getUint16(at + 6, true) && fits;
  }
  if (!claimed) return undefined;
  throw damaged({
    detail: 'the member list is not where the end record says',
    hint: 'the file was cut, or it is one part of a split archive; fetch it again',
  });
}

/** The directory that the end record at `at` speaks of, when its first signature stands there. */
function placeAt(view: DataView, at: number, comment: Uint8Array): Place | undefined {
  const wide = end64Before(view, at);
  const stop = wide ?? at;
  const count = wide === undefined ? view.getUint16(at + 10, true) : wideNumber(view, wide + 32);
  const size = wide === undefined ? view.getUint32(at + 12, true) : wideNumber(view, wide + 40);
  const offset = wide === undefined ? view.getUint32(at + 16, true) : wideNumber(view, wide + 48);
  // An empty archive is the end record and nothing else; behind other bytes it would prove nothing.
  if (count === 0)
    return size === 0 && offset === 0 && stop === 0 ? { start: 0, size, offset, count, comment } : undefined;
  for (const start of [stop - size, offset]) {
    if (start < 0 || size < CENTRAL_SIZE || start + size > stop) continue;
    if (view.getUint32(start, true) === CENTRAL) return { start, size, offset, count, comment };
  }
  return undefined;
}

/** Place of the Zip64 end record that belongs to the end record at `at`. */
function end64Before(view: DataView, at: number): number | undefined {
  const locator = at - LOCATOR64_SIZE;
  if (locator < END64_SIZE || view.getUint32(locator, true) !== LOCATOR64) return undefined;
  const limit = locator - END64_SIZE;
  for (const place of [limit, wideNumber(view, locator + 8)]) {
    if (place <= limit && view.getUint32(place, true) === END64) return place;
  }
  return undefined;
}

function readListed(bytes: Uint8Array, view: DataView, place: Place): Listed[] {
  const listed: Listed[] = [];
  const end = place.start + place.size;
  let at = place.start;
  let total = 0;
  while (at + 4 <= end && view.getUint32(at, true) !== SIGNED) {
    if (at + CENTRAL_SIZE > end || view.getUint32(at, true) !== CENTRAL) {
      throw damaged({ detail: `entry ${listed.length + 1} of the member list is not readable` });
    }
    const nameAt = at + CENTRAL_SIZE;
    const extraAt = nameAt + view.getUint16(at + 28, true);
    const commentAt = extraAt + view.getUint16(at + 30, true);
    const next = commentAt + view.getUint16(at + 32, true);
    if (next > end) throw damaged({ detail: `entry ${listed.length + 1} of the member list is cut` });
    const row = readRow(bytes, view, at, bytes.subarray(nameAt, extraAt), commentAt);
    total += row.size;
    if (total > MAX_ZIP_INFLATED) {
      const detail = `at least ${total} bytes, the limit is MAX_ZIP_INFLATED (${MAX_ZIP_INFLATED})`;
      throw refused('zip.too-large', { path: row.name, detail, hint: 'split the archive' });
    }
    listed.push(row);
    if (listed.length > MAX_ZIP_MEMBERS) throw tooMany(listed.length);
    at = next;
  }
  if (listed.length === place.count) return listed;
  throw damaged({ detail: `it lists ${listed.length} members, its end record counts ${place.count}` });
}

function readRow(bytes: Uint8Array, view: DataView, at: number, plain: Uint8Array, extraEnd: number): Listed {
  const flags = view.getUint16(at + 8, true);
  const method = view.getUint16(at + 10, true);
  let name = decodeName(plain);
  let packed = view.getUint32(at + 20, true);
  let size = view.getUint32(at + 24, true);
  let offset = view.getUint32(at + 42, true);
  for (let field = at + CENTRAL_SIZE + plain.length; field + 4 <= extraEnd; ) {
    const id = view.getUint16(field, true);
    const stop = Math.min(extraEnd, field + 4 + view.getUint16(field + 2, true));
    let wide = field + 4;
    // Zip64: only the numbers that do not fit are here, in this order.
    const widened = (narrow: number) => {
      if (narrow !== 0xffffffff || wide + 8 > stop) return narrow;
      wide += 8;
      return wideNumber(view, wide - 8);
    };
    if (id === 1) {
      size = widened(size);
      packed = widened(packed);
      offset = widened(offset);
    } else if (id === 0x7075) {
      name = unicodePath(bytes.subarray(field + 4, stop), plain) ?? name;
    }
    field = stop;
  }
  // Bit 0: password, bit 6: strong encryption, bit 13: masked header; method 99: AES.
  if (flags & 0x2041 || method === 99) {
    throw refused('zip.encrypted', { path: name, hint: 'unpack it with its password and pack it again without one' });
  }
  const stamp: Stamp = {
    madeBy: view.getUint16(at + 4, true),
    moment: view.getUint32(at + 12, true),
    attributes: view.getUint32(at + 38, true),
  };
  return { name, method, crc: view.getUint32(at + 16, true), packed, size, stamp, offset };
}

/** What offsets count from: the archive's first byte, or the file's where its writer adjusted them to a prefix. */
function baseOf(view: DataView, place: Place, first: Listed): number {
  for (const base of [place.start - place.offset, 0]) {
    if (isLocal(view, base + first.offset, place.start)) return base;
  }
  throw damaged({ path: first.name, detail: 'the member is not where the list says' });
}

const isLocal = (view: DataView, at: number, limit: number) =>
  at >= 0 && at + LOCAL_SIZE <= limit && view.getUint32(at, true) === LOCAL;

/** Finds the data of every member, and refuses any that overlaps another or reaches into the directory. */
function placeRows(view: DataView, place: Place, listed: readonly Listed[], base: number): Row[] {
  const rows = listed.map((row) => {
    const at = base + row.offset;
    if (!isLocal(view, at, place.start)) {
      throw damaged({ path: row.name, detail: 'the member is not where the list says' });
    }
    const dataAt = at + LOCAL_SIZE + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
    if (dataAt + row.packed > place.start) {
      throw damaged({ path: row.name, detail: 'the member reaches beyond the end of the archive' });
    }
    const { name, method, crc, packed, size, stamp } = row;
    return { name, method, crc, packed, size, stamp, dataAt, at };
  });
  const ordered = rows.every((row, i) => i === 0 || rows[i - 1]!.at <= row.at);
  let free = 0;
  for (const row of ordered ? rows : [...rows].sort((a, b) => a.at - b.at)) {
    if (row.at < free) throw damaged({ path: row.name, detail: 'the member overlaps another one' });
    free = row.dataAt + row.packed;
  }
  return rows;
}

/** A 64-bit number as a double: what does not fit is far outside every bound it is held against. */
const wideNumber = (view: DataView, at: number) => view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32;

interface Why {
  readonly path?: string;
  readonly detail?: string;
  readonly hint?: string;
}

const refused = (code: ErrorCode, why: Why) => new BunzaiError(code, why);

const damaged = (why: Why) =>
  refused('zip.damaged', { hint: 'fetch the file again, or repair it with a zip tool', ...why });

const tooMany = (count: number) =>
  refused('zip.too-many', {
    detail: `${count} members, the limit is MAX_ZIP_MEMBERS (${MAX_ZIP_MEMBERS})`,
    hint: 'split the archive',
  });
