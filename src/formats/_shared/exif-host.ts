import type { Source } from '../../core/source.ts';
import { isPng, pngOf, type Span, viewsWithout } from './png.ts';

/** A picture format that carries EXIF. The media type is `image/` before it. */
export type ImageHost = 'png' | 'webp' | 'jpeg';

/** EXIF blocks of one file that are looked at; a picture has one. */
export const MAX_EXIF_BLOCKS = 16;
/** Largest data of a JPEG segment: its length field has 16 bits and counts itself. */
export const MAX_SEGMENT_BYTES = 0xffff - 2;

/** One EXIF block of a picture. Offsets count from the start of the file. */
export interface ExifBlock {
  /** The whole chunk or segment with its header. */
  readonly span: Span;
  /** Where the data starts, which may be `Exif` and two NULs. */
  readonly data: number;
  /** Where the TIFF header starts. */
  readonly tiff: number;
  /** Where the data ends, before any padding or checksum. */
  readonly end: number;
}

const isAscii = (bytes: Uint8Array, at: number, text: string): boolean => {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false;
  return true;
};

/** Whether the bytes start as a WebP: RIFF, a size, WEBP. */
export const isWebp = (bytes: Uint8Array): boolean => isAscii(bytes, 0, 'RIFF') && isAscii(bytes, 8, 'WEBP');

/** Whether the bytes start as a JPEG: a start marker, then another marker. */
export const isJpeg = (bytes: Uint8Array): boolean => isAscii(bytes, 0, '\xff\xd8\xff');

/** Which picture the bytes start as; undefined for any other. */
export function hostOf(bytes: Uint8Array): ImageHost | undefined {
  if (isPng(bytes)) return 'png';
  if (isWebp(bytes)) return 'webp';
  return isJpeg(bytes) ? 'jpeg' : undefined;
}

/** The EXIF blocks of a picture in file order, at most MAX_EXIF_BLOCKS. Never throws. */
export function exifBlocks(source: Source, host: ImageHost): readonly ExifBlock[] {
  if (host === 'png') return pngBlocks(source);
  return host === 'webp' ? webpBlocks(source.bytes) : jpegBlocks(source.bytes);
}

const PREFIX = 'Exif\0\0';

function blockAt(bytes: Uint8Array, span: Span, data: number, end: number): ExifBlock {
  const hasPrefix = end - data >= PREFIX.length && isAscii(bytes, data, PREFIX);
  return { span, data, tiff: hasPrefix ? data + PREFIX.length : data, end };
}

function pngBlocks(source: Source): ExifBlock[] {
  const png = pngOf(source);
  const blocks: ExifBlock[] = [];
  for (const chunk of png?.chunks ?? []) {
    if (chunk.type !== 'eXIf' || blocks.length === MAX_EXIF_BLOCKS) continue;
    const data = chunk.start + 8;
    blocks.push(blockAt(source.bytes, [chunk.start, data + chunk.length + 4], data, data + chunk.length));
  }
  return blocks;
}

/** Chunks are walked to the end of the file: some writers append EXIF and forget the RIFF size. */
function webpBlocks(bytes: Uint8Array): ExifBlock[] {
  const blocks: ExifBlock[] = [];
  const view = viewOf(bytes);
  for (let at = 12; at + 8 <= bytes.length && blocks.length < MAX_EXIF_BLOCKS; ) {
    const data = at + 8;
    const end = data + view.getUint32(at + 4, true);
    if (end > bytes.length) break;
    const next = Math.min(end + (end & 1 ? 1 : 0), bytes.length);
    if (isAscii(bytes, at, 'EXIF')) blocks.push(blockAt(bytes, [at, next], data, end));
    at = next;
  }
  return blocks;
}

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;
export const APP1 = 0xe1;

function jpegBlocks(bytes: Uint8Array): ExifBlock[] {
  const blocks: ExifBlock[] = [];
  const view = viewOf(bytes);
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff && blocks.length < MAX_EXIF_BLOCKS; ) {
    const marker = bytes[at + 1]!;
    if (marker === START_OF_SCAN || marker === END_OF_IMAGE) break;
    // A marker may be filled up with 0xff in front.
    if (marker === 0xff) {
      at++;
      continue;
    }
    const end = at + 2 + view.getUint16(at + 2);
    if (end < at + 4 || end > bytes.length) break;
    if (marker === APP1 && isAscii(bytes, at + 4, PREFIX)) blocks.push(blockAt(bytes, [at, end], at + 4, end));
    at = end;
  }
  return blocks;
}

export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/**
 * Puts the RIFF size into `head` after what stood in `spans` changed by `added` bytes in all. Spans behind the end that
 * the file declares never counted; the padding of a last chunk may be missing in the declared size.
 */
export function resizeRiff(
  head: Uint8Array,
  bytes: Uint8Array,
  changes: readonly { to: number; added: number }[],
): void {
  const declared = viewOf(bytes).getUint32(4, true);
  let size = declared;
  for (const { to, added } of changes) {
    if (to - 8 > declared + 1) continue;
    size += added + Math.max(0, to - 8 - declared);
  }
  viewOf(head).setUint32(4, size, true);
}

/** VP8X, 10 bytes long, stands first where it is there; the byte after its header says which chunks follow. */
const VP8X = 'VP8X\n\0\0\0';
const FLAGS_AT = 20;
const EXIF_FLAG = 0x08;

/** The file without its EXIF blocks, as views; the head of a WebP is a copy that says so. */
export function withoutBlocks(source: Source, host: ImageHost): Uint8Array[] {
  const { bytes } = source;
  const spans = exifBlocks(source, host).map((block) => block.span);
  if (host !== 'webp') return viewsWithout(bytes, spans);
  const hasFlags = isAscii(bytes, 12, VP8X) && bytes.length > FLAGS_AT;
  const head = bytes.slice(0, hasFlags ? FLAGS_AT + 1 : 12);
  if (hasFlags) head[FLAGS_AT]! &= ~EXIF_FLAG;
  resizeRiff(
    head,
    bytes,
    spans.map(([from, to]) => ({ to, added: from - to })),
  );
  return [head, ...viewsWithout(bytes, [[0, head.length], ...spans])];
}
