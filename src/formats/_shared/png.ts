import { latin1 } from '../../core/base64.ts';
import { type Bytes, lazyBytes } from '../../core/bytes.ts';
import { BunzaiError } from '../../core/errors.ts';
import { hidden } from '../../core/hidden.ts';
import type { Source } from '../../core/source.ts';
import { MAX_TEXT_BYTES, textTooLong } from '../../core/text.ts';
import { crc32 } from './crc32.ts';
import { InflateError, inflateZlib } from './inflate.ts';

/** Most text that the compressed text chunks of one picture inflate to, all together. */
export const MAX_TEXT_CHUNK_BYTES = 64 * 1024 * 1024;
/** Chunks that are listed; whatever follows is an opaque tail. A picture of 1 GiB in the usual 8 KiB pieces has 131,072. */
export const MAX_CHUNKS = 500_000;
/** How far the end of a keyword is looked for. PNG allows 79 bytes, asset chunks carry longer paths. */
export const MAX_KEYWORD_BYTES = 1024;
/** Length, type and checksum around the data of a chunk. */
const FRAME_BYTES = 12;
const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** One chunk by its place; `chunkData` gives its data. */
export interface Chunk {
  /** Four ASCII letters. */
  readonly type: string;
  /** Offset of the whole chunk, which is `length + 12` bytes long. */
  readonly start: number;
  /** Bytes of data. */
  readonly length: number;
}

/** The chunks of a PNG or APNG, in file order. Nothing is copied, decoded or checked. */
export interface Png {
  readonly bytes: Uint8Array;
  readonly chunks: readonly Chunk[];
  /** Everything after IEND, or from the place where the chunk lengths derail; absent when there is nothing. */
  readonly tail?: Uint8Array;
  /** The chunk lengths run wild before IEND: the tail is opaque. False for a file cut cleanly between two chunks. */
  readonly derailed: boolean;
}

/** A text chunk of any kind. */
export interface TextChunk {
  /** Place in `chunks`. */
  readonly index: number;
  readonly kind: 'tEXt' | 'zTXt' | 'iTXt';
  /** As written; compare it lower-cased. */
  readonly keyword: string;
  /** Whether the checksum fits, worked out on each call. Apps differ; a bad one is no reason to refuse. */
  crcOk(): boolean;
  /**
   * The text, inflated where needed. Throws `card.payload` when inflation fails or passes MAX_TEXT_CHUNK_BYTES,
   * `input.too-large` for a plain text beyond MAX_TEXT_BYTES.
   */
  text(): string;
}

/** Whether the bytes start with the PNG signature. */
export const isPng = (bytes: Uint8Array): boolean => SIGNATURE.every((byte, i) => bytes[i] === byte);

/** The chunks of a source, listed once; undefined unless it starts as a PNG. Never throws, however damaged. */
export function pngOf(source: Source): Png | undefined {
  return source.once(readPng);
}

function readPng({ bytes }: Source): Png | undefined {
  if (!isPng(bytes)) return undefined;
  const chunks: Chunk[] = [];
  let at = SIGNATURE.length;
  let code = -1;
  let type = '';
  let ended = false;
  while (!ended && at + FRAME_BYTES <= bytes.length && chunks.length < MAX_CHUNKS) {
    const length = uint32(bytes, at);
    const next = uint32(bytes, at + 4);
    if (length > bytes.length - at - FRAME_BYTES) break;
    if (next !== code) {
      if (!isType(bytes, at + 4)) break;
      code = next;
      type = latin1(bytes.subarray(at + 4, at + 8));
    }
    chunks.push({ type, start: at, length });
    at += length + FRAME_BYTES;
    ended = type === 'IEND';
  }
  const rest = at < bytes.length ? { tail: bytes.subarray(at) } : {};
  return { bytes, chunks, ...rest, derailed: !ended && at < bytes.length };
}

const uint32 = (bytes: Uint8Array, at: number): number =>
  ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;

function isType(bytes: Uint8Array, at: number): boolean {
  for (let i = at; i < at + 4; i++) {
    const lower = bytes[i]! | 0x20;
    if (lower < 0x61 || lower > 0x7a) return false;
  }
  return true;
}

/** A view of the data of a chunk. */
export const chunkData = (png: Png, chunk: Chunk): Uint8Array =>
  png.bytes.subarray(chunk.start + 8, chunk.start + 8 + chunk.length);

const listed = hidden<readonly TextChunk[]>('text chunks');

/** All text chunks of all three kinds, wherever they stand, in file order. Never throws; the list is made once. */
export function textChunks(png: Png): readonly TextChunk[] {
  let texts = listed.of(png);
  if (texts === undefined) {
    texts = listTexts(png);
    listed.keep(png, texts);
  }
  return texts;
}

function listTexts(png: Png): TextChunk[] {
  const texts: TextChunk[] = [];
  const room = { left: MAX_TEXT_CHUNK_BYTES };
  for (let index = 0; index < png.chunks.length; index++) {
    const chunk = png.chunks[index]!;
    const kind = chunk.type;
    if (kind !== 'tEXt' && kind !== 'zTXt' && kind !== 'iTXt') continue;
    const size = keywordSize(png, chunk);
    if (size !== undefined) texts.push(textChunk(png, chunk, index, kind, size, room));
  }
  return texts;
}

/** A chunk without a separator is all keyword; undefined when that would be longer than any keyword. */
function keywordSize({ bytes }: Png, { start, length }: Chunk): number | undefined {
  const most = Math.min(length, MAX_KEYWORD_BYTES);
  for (let i = 0; i < most; i++) if (bytes[start + 8 + i] === 0) return i;
  return length <= MAX_KEYWORD_BYTES ? length : undefined;
}

function textChunk(
  png: Png,
  chunk: Chunk,
  index: number,
  kind: TextChunk['kind'],
  keywordEnd: number,
  room: Room,
): TextChunk {
  const from = chunk.start + 8;
  const keyword = latin1(png.bytes.subarray(from, from + keywordEnd));
  let known: { readonly text: string } | { readonly refusal: unknown } | undefined;
  return {
    index,
    kind,
    keyword,
    crcOk: () => isChecked(png, chunk),
    text() {
      const rest = chunkData(png, chunk).subarray(keywordEnd + 1);
      if (rest.length > MAX_TEXT_BYTES) throw textTooLong(rest.length, `chunk ${keyword}`);
      if (kind === 'tEXt') return latin1(rest);
      known ??= outcomeOf(() =>
        kind === 'zTXt' ? latin1(inflate(rest.subarray(1), keyword, room)) : international(rest, keyword, room),
      );
      if ('refusal' in known) throw known.refusal;
      return known.text;
    },
  };
}

/** What inflating may still give in this picture. */
interface Room {
  left: number;
}

/** A refusal is kept as a text is: nothing is inflated twice. */
function outcomeOf(read: () => string): { readonly text: string } | { readonly refusal: unknown } {
  try {
    return { text: read() };
  } catch (refusal) {
    return { refusal };
  }
}

/** Whether the checksum of a chunk fits. */
export function isChecked({ bytes }: Png, { start, length }: Chunk): boolean {
  const end = start + 8 + length;
  return uint32(bytes, end) === crc32(bytes.subarray(start + 4, end)) >>> 0;
}

/** `rest` is compression flag, method, language, translated keyword, text: the two in the middle end with a NUL. */
function international(rest: Uint8Array, keyword: string, room: Room): string {
  const language = rest.indexOf(0, 2);
  const translated = language < 0 ? -1 : rest.indexOf(0, language + 1);
  if (translated < 0) {
    throw new BunzaiError('card.payload', { path: `chunk ${keyword}`, detail: 'the iTXt header is cut short' });
  }
  const text = rest.subarray(translated + 1);
  return new TextDecoder().decode(rest[0] === 0 ? text : inflate(text, keyword, room));
}

function inflate(packed: Uint8Array, keyword: string, room: Room): Uint8Array {
  try {
    const text = inflateZlib(packed, room.left);
    room.left -= text.length;
    return text;
  } catch (cause) {
    if (!(cause instanceof InflateError)) throw cause;
    // What was inflated in vain counts, else a thousand bombs would each be inflated as far as one may be.
    if (cause.reason !== 'damaged') room.left = 0;
    throw new BunzaiError('card.payload', {
      path: `chunk ${keyword}`,
      detail: DETAIL[cause.reason] ?? cause.message,
      hint: 'ask for the original file',
      cause,
    });
  }
}

const DETAIL: Readonly<Partial<Record<InflateError['reason'], string>>> = {
  'too-large': 'the compressed texts inflate to more than MAX_TEXT_CHUNK_BYTES (64 MiB)',
  damaged: 'its compressed text is damaged',
};

/** Keywords of text chunks that hold card data, lower-cased; asset chunks (`chara-ext-asset...`) come on top. */
export const CARD_KEYWORDS: ReadonlySet<string> = new Set([
  'chara',
  'ccv3',
  'persona',
  'rcpersona',
  'naidata',
  'ginger',
  'risuai',
]);
const ASSET_KEYWORD = 'chara-ext-asset';

/** Whether a keyword, in any case, marks card data: one of `CARD_KEYWORDS` or an asset of a card. */
export function isCardKeyword(keyword: string): boolean {
  const lower = keyword.toLowerCase();
  return CARD_KEYWORDS.has(lower) || lower.startsWith(ASSET_KEYWORD);
}

/** From and to (exclusive) of a piece of a file. */
export type Span = readonly [from: number, to: number];

/**
 * The same picture without its card chunks, and without `eXIf` where that holds the card: views of the file, no copy.
 * Animation chunks and everything after IEND stay.
 */
export function pictureOf(png: Png, options: { readonly exifIsCard?: boolean } = {}): Bytes {
  const dropped = new Set<number>();
  for (const text of textChunks(png)) if (isCardKeyword(text.keyword)) dropped.add(text.index);
  const spans: Span[] = [];
  for (let index = 0; index < png.chunks.length; index++) {
    const { type, start, length } = png.chunks[index]!;
    if (!dropped.has(index) && !(options.exifIsCard && type === 'eXIf')) continue;
    spans.push([start, start + FRAME_BYTES + length]);
  }
  const size = spans.reduce((left, [from, to]) => left - (to - from), png.bytes.length);
  return lazyBytes(size, 'image/png', () => viewsWithout(png.bytes, spans));
}

/** Views of what stands before, between and after the spans, which come in order and do not overlap. */
export function viewsWithout(bytes: Uint8Array, spans: readonly Span[]): Uint8Array[] {
  const views: Uint8Array[] = [];
  let at = 0;
  for (const [from, to] of spans) {
    if (from > at) views.push(bytes.subarray(at, from));
    at = to;
  }
  if (at < bytes.length) views.push(at === 0 ? bytes : bytes.subarray(at));
  return views;
}
