import { decodeBase64, latin1 } from '../../core/base64.ts';
import { type Bytes, bytesOf, lazyBytes } from '../../core/bytes.ts';
import { BunzaiError } from '../../core/errors.ts';
import type { Source } from '../../core/source.ts';
import { decodeText } from '../../core/text.ts';
import { type ExifBlock, exifBlocks, hostOf, type ImageHost, withoutBlocks } from './exif-host.ts';
import { pictureOf, pngOf } from './png.ts';
import { type CommentPlace, findComment } from './tiff.ts';

export { isJpeg, isWebp } from './exif-host.ts';

/** The EXIF UserComment of a picture, whatever it says: a card, a camera's remark, nothing readable. */
export interface ExifComment {
  readonly host: ImageHost;
  /** The comment after its character code, without trailing NULs. A view. */
  readonly payload: Uint8Array;
  /**
   * How the payload says its text, told by its content: the text itself, base64 of it, or its bytes as decimal numbers
   * between commas. `json` is also what anything else is called.
   */
  readonly encoding: 'json' | 'base64' | 'bytelist';
  /** The 8-byte character code before the payload (`ASCII` and three NULs, mostly); empty when there is none. */
  readonly code: Uint8Array;
  /** The text behind the encoding, without a byte order mark. Throws `card.payload` when the bytes are no text. */
  text(): string;
}

/** A comment, and all that is needed to write it anew. */
export interface FoundComment {
  readonly comment: ExifComment;
  readonly block: ExifBlock;
  readonly place: CommentPlace;
}

/** `ASCII`, `UNICODE`, `JIS` and undefined, each filled up to 8 bytes with NULs. */
const CHARACTER_CODES = ['ASCII\0\0\0', 'UNICODE\0', 'JIS\0\0\0\0\0', '\0\0\0\0\0\0\0\0'];
const CODE_BYTES = 8;

/**
 * The first EXIF UserComment of a PNG (`eXIf`), WebP (`EXIF`) or JPEG (APP1), found once. Undefined when there is none
 * or the file is none of these. Never throws; offsets that point outside their block are not followed.
 */
export function commentOf(source: Source): ExifComment | undefined {
  return source.once(findIn)?.comment;
}

export function findIn(source: Source): FoundComment | undefined {
  const host = hostOf(source.bytes);
  if (host === undefined) return undefined;
  for (const block of exifBlocks(source, host)) {
    const tiff = tiffOf(source, block);
    const place = findComment(tiff);
    if (place === undefined) continue;
    const value = tiff.subarray(place.start, place.start + place.length);
    return { comment: commentFrom(host, value), block, place };
  }
  return undefined;
}

export const tiffOf = (source: Source, block: ExifBlock): Uint8Array => source.bytes.subarray(block.tiff, block.end);

function commentFrom(host: ImageHost, value: Uint8Array): ExifComment {
  const codeEnd = CHARACTER_CODES.includes(latin1(value.subarray(0, CODE_BYTES))) ? CODE_BYTES : 0;
  let end = value.length;
  while (end > codeEnd && value[end - 1] === 0) end--;
  const wide = utf16Of(value.subarray(codeEnd));
  // The last zero of UTF-16 text is half a character.
  if (wide !== undefined && (end - codeEnd) % 2 === 1 && end < value.length) end++;
  const payload = value.subarray(codeEnd, end);
  const encoding = wide === undefined ? encodingOf(payload) : 'json';
  let known: string | undefined;
  return {
    host,
    payload,
    encoding,
    code: value.subarray(0, codeEnd),
    text() {
      known ??= decode(payload, encoding);
      return known;
    },
  };
}

/** UTF-16 as `decodeText` tells it: by its mark, or by a zero beside the first ASCII character. */
export function utf16Of([a, b]: Uint8Array): 'le' | 'be' | undefined {
  if (a === undefined || b === undefined) return undefined;
  if ((a === 0xff && b === 0xfe) || (a !== 0 && b === 0)) return 'le';
  if ((a === 0xfe && b === 0xff) || (a === 0 && b !== 0)) return 'be';
  return undefined;
}

const isSpace = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
/** `+ / - _ =` */
const BASE64_MARKS = new Set([0x2b, 0x2f, 0x2d, 0x5f, 0x3d]);
const isBase64 = (byte: number): boolean =>
  isDigit(byte) || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a) || BASE64_MARKS.has(byte);

function encodingOf(payload: Uint8Array): ExifComment['encoding'] {
  if (payload.includes(0x2c) && payload.every((byte) => byte === 0x2c || isDigit(byte) || isSpace(byte))) {
    return 'bytelist';
  }
  return payload.length > 0 && payload.every((byte) => isBase64(byte) || isSpace(byte)) ? 'base64' : 'json';
}

function decode(payload: Uint8Array, encoding: ExifComment['encoding']): string {
  const text = decodeText(packed(payload, encoding));
  if (text === undefined) throw notText('its bytes are neither UTF-8 nor UTF-16');
  return text;
}

function packed(payload: Uint8Array, encoding: ExifComment['encoding']): Uint8Array {
  if (encoding === 'bytelist') return numbersIn(payload);
  if (encoding === 'json') return payload;
  const bytes = decodeBase64(latin1(payload));
  if (!(bytes instanceof Uint8Array)) throw notText(`no base64 at ${bytes.strangerAt}`);
  return bytes;
}

/** The bytes of `123,34,110`. */
function numbersIn(payload: Uint8Array): Uint8Array {
  const bytes = new Uint8Array((payload.length + 1) >> 1);
  let count = 0;
  let held = -1;
  for (let i = 0; i <= payload.length; i++) {
    const byte = payload[i] ?? 0x2c;
    if (isDigit(byte)) {
      held = Math.max(held, 0) * 10 + byte - 0x30;
      if (held > 0xff) throw notText(`a number above 255 at ${i}`);
    } else if (held >= 0) {
      bytes[count++] = held;
      held = -1;
    }
  }
  return bytes.subarray(0, count);
}

const notText = (detail: string): BunzaiError => new BunzaiError('card.payload', { path: 'exif.UserComment', detail });

/**
 * The picture without the card in its EXIF: no EXIF block at all, and in a PNG no card chunks either. The whole file
 * where there is no comment. Views of the file, no copy but of a few header bytes in WebP.
 */
export function pictureWithoutComment(source: Source): Bytes {
  const host = hostOf(source.bytes);
  if (host === undefined) return bytesOf(source.bytes);
  const isCard = source.once(findIn) !== undefined;
  const png = pngOf(source);
  if (png !== undefined) return pictureOf(png, { exifIsCard: isCard });
  if (!isCard) return bytesOf(source.bytes, `image/${host}`);
  const views = withoutBlocks(source, host);
  const size = views.reduce((sum, view) => sum + view.length, 0);
  return lazyBytes(size, `image/${host}`, () => views);
}
