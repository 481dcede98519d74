/** The part of TIFF that leads to one tag: the EXIF UserComment. Offsets count from the start of the TIFF header. */

/** Entries of one IFD; a longer one is refused. Cameras write a few dozen. */
export const MAX_IFD_ENTRIES = 1000;
const USER_COMMENT = 0x9286;
const EXIF_IFD = 0x8769;
export const HEADER_BYTES = 8;
export const ENTRY_BYTES = 12;
/** Values up to this size stand in the entry itself. */
export const INLINE_BYTES = 4;
/** Bytes of one value, by TIFF type. */
const TYPE_BYTES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4];
/** BYTE, ASCII, UNDEFINED: one byte a value. */
const BYTE_TYPES = new Set([1, 2, 7]);

/** Where a UserComment stands in its TIFF block. */
export interface CommentPlace {
  /** Byte order: `II` when true, else `MM`. */
  readonly little: boolean;
  /** Offset of the IFD entry. */
  readonly entry: number;
  /** Offset and size of the value, character code included. Always inside the block. */
  readonly start: number;
  readonly length: number;
}

/** One IFD: where it stands and where its entries do. */
interface Directory {
  readonly start: number;
  readonly entries: readonly number[];
}

/**
 * The first UserComment that has a value: in IFD0, else in the Exif IFD that IFD0 points to. No other IFD and no chain
 * is followed, so cycles end. Undefined for anything that is no TIFF block. Never throws.
 */
export function findComment(block: Uint8Array): CommentPlace | undefined {
  const little = byteOrder(block);
  if (little === undefined) return undefined;
  const view = new DataView(block.buffer, block.byteOffset, block.byteLength);
  for (const { entries } of directories(view, little)) {
    for (const entry of entries) {
      if (view.getUint16(entry, little) !== USER_COMMENT || !BYTE_TYPES.has(view.getUint16(entry + 2, little)))
        continue;
      const [start, end] = valueSpan(view, entry, little);
      if (end > start && end <= block.length) return { little, entry, start, length: end - start };
    }
  }
  return undefined;
}

/** True for `II*\0`, false for `MM\0*`, undefined for anything else. */
function byteOrder(block: Uint8Array): boolean | undefined {
  if (block.length < HEADER_BYTES) return undefined;
  const [a, b, c, d] = block;
  if (a === 0x49 && b === 0x49 && c === 42 && d === 0) return true;
  if (a === 0x4d && b === 0x4d && c === 0 && d === 42) return false;
  return undefined;
}

/** IFD0 and its Exif IFD, as far as they are there. */
export function directories(view: DataView, little: boolean): Directory[] {
  const start = view.getUint32(4, little);
  const first: Directory = { start, entries: entriesAt(view, start, little) };
  const pointer = first.entries.find((entry) => view.getUint16(entry, little) === EXIF_IFD);
  const exif = pointer === undefined ? start : view.getUint32(pointer + 8, little);
  return exif === start ? [first] : [first, { start: exif, entries: entriesAt(view, exif, little) }];
}

/** Offsets of the entries that lie inside the block; none for an IFD that is out of bounds or too long. */
function entriesAt(view: DataView, start: number, little: boolean): number[] {
  const entries: number[] = [];
  if (start < HEADER_BYTES || start + 2 > view.byteLength) return entries;
  const count = view.getUint16(start, little);
  if (count > MAX_IFD_ENTRIES) return entries;
  for (let at = start + 2; entries.length < count && at + ENTRY_BYTES <= view.byteLength; at += ENTRY_BYTES) {
    entries.push(at);
  }
  return entries;
}

/** From and to of the value of an entry, unchecked. */
export function valueSpan(view: DataView, entry: number, little: boolean): [number, number] {
  const size = view.getUint32(entry + 4, little) * (TYPE_BYTES[view.getUint16(entry + 2, little)] ?? 0);
  const start = size <= INLINE_BYTES ? entry + 8 : view.getUint32(entry + 8, little);
  return [start, start + size];
}
