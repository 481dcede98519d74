/** Files around a JSON value that are not JSON text: pictures with a text chunk of one app's own. */
import type { Container } from '../../core/adapter.ts';
import { encodeBase64 } from '../../core/base64.ts';
import { type Bytes, bytesOf } from '../../core/bytes.ts';
import { same } from '../../core/draft.ts';
import { BunzaiError, type Warning } from '../../core/errors.ts';
import { printJson } from '../../core/json-print.ts';
import { type Source, sourceOf } from '../../core/source.ts';
import { encodeText } from '../../core/text.ts';
import { decodePayload } from './card-io.ts';
import { PNG_CONTAINER } from './containers.ts';
import { isPlaceholder, placeholderPng } from './placeholder.ts';
import { type Png, pictureOf, pngOf, type TextChunk, textChunks } from './png.ts';
import { mended } from './png-mend.ts';
import { type TextEdit, writeTextChunks } from './png-write.ts';

/** The value in a file, and what escrow keeps of the file around it. */
export interface Carried {
  readonly value: unknown;
  /** The whole file. */
  readonly media: Bytes;
  /** The picture without the value; absent where it is our own placeholder. */
  readonly picture?: Bytes;
  readonly warnings: readonly Warning[];
}

/** What is to be sealed. */
export interface CarriedJob {
  readonly value: unknown;
  /** The file the value came in, when it came in one of this carrier, and whether the value is still the same. */
  readonly twin?: { readonly media: Bytes; readonly unedited: boolean };
  /** The picture to show. Absent: the twin's, else a neutral placeholder. */
  readonly picture?: Bytes;
}

/** A way to wrap a JSON value. */
export interface JsonCarrier {
  readonly container: Container;
  /** What such a file holds, or why that cannot be read; undefined: not such a file. Never throws. */
  open(source: Source): { readonly held: Carried } | { readonly fault: BunzaiError } | undefined;
  seal(job: CarriedJob): { readonly bytes: Uint8Array; readonly warnings: readonly Warning[] };
  /** The value as the format's JSON text has it, where a file of this carrier holds it otherwise. */
  unwrap?(value: unknown): unknown;
}

/** Keywords that the card carriers read: they win over every other one. */
const CARDS: ReadonlySet<string> = new Set(['chara', 'ccv3', 'rcpersona']);
/** Keywords of other things that travel in pictures: the first one in the file says what the picture is. */
const OTHERS: ReadonlySet<string> = new Set(['persona', 'naidata']);

const wordOf = (chunk: TextChunk): string => chunk.keyword.toLowerCase();

/** The chunk that makes a picture a file of this keyword. */
function chunkOf(png: Png, keyword: string): TextChunk | undefined {
  const chunks = textChunks(png);
  if (chunks.some((chunk) => CARDS.has(wordOf(chunk)))) return undefined;
  const first = chunks.find((chunk) => OTHERS.has(wordOf(chunk)) || wordOf(chunk) === keyword);
  return first && wordOf(first) === keyword ? first : undefined;
}

/** PNG pictures with base64 of JSON in the text chunk `keyword`. All other chunks stay byte for byte. */
export function textChunkCarrier(keyword: string): JsonCarrier {
  const open = (source: Source): ReturnType<JsonCarrier['open']> => {
    const png = pngOf(source);
    const chunk = png && chunkOf(png, keyword);
    if (!png || !chunk) return undefined;
    try {
      const warnings: Warning[] = [];
      const value = decodePayload(chunk, warnings);
      if (!chunk.crcOk())
        warnings.push({
          code: 'png.crc',
          path: `chunk ${chunk.keyword}`,
          message: 'the checksum of the chunk is wrong',
        });
      const picture = pictureOf(png);
      const shown = isPlaceholder(picture) ? {} : { picture };
      return { held: { value, media: bytesOf(source.bytes, 'image/png'), ...shown, warnings } };
    } catch (fault) {
      if (fault instanceof BunzaiError) return { fault };
      throw fault;
    }
  };

  return {
    container: PNG_CONTAINER,
    open: (source) => source.once(open),
    seal({ value, twin, picture }) {
      const around = twin && pngOf(sourceOf(twin.media.bytes()));
      const kept = around && (picture === undefined || same(picture, pictureOf(around)));
      if (kept && twin.unedited) return { bytes: twin.media.bytes(), warnings: [] };
      const by = { keyword, text: asciiPayload(value) };
      if (!kept) return freshPng(picture, by);
      const [first, ...repeats] = textChunks(around).filter((chunk) => wordOf(chunk) === keyword);
      const edits: TextEdit[] = [
        first ? { replace: first.index, by: { ...by, keyword: first.keyword } } : { insert: by },
        ...repeats.map((chunk) => ({ remove: chunk.index })),
      ];
      return { bytes: writeTextChunks(around, edits), warnings: [] };
    },
  };
}

/** Base64 of JSON in ASCII alone: SillyTavern takes the bytes for Latin-1, and only so it reads other scripts right. */
const asciiPayload = (value: unknown): string =>
  encodeBase64(encodeText(printJson(value, 0).replace(/[\u007f-\uffff]/g, escaped)));

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The value in a picture that carries none yet. */
function freshPng(
  picture: Bytes | undefined,
  text: { readonly keyword: string; readonly text: string },
): ReturnType<JsonCarrier['seal']> {
  const sound = mended(picture ?? bytesOf(placeholderPng(), 'image/png'));
  const png = pngOf(sourceOf(sound.picture.bytes()));
  if (!png)
    throw new BunzaiError('container.unsupported', {
      detail: 'the picture is not a PNG',
      hint: 'write json, or give a PNG picture',
    });
  const stands = {
    code: 'png.placeholder',
    message: 'there is no PNG picture to go with it: a neutral placeholder stands in',
  };
  return { bytes: writeTextChunks(png, [{ insert: text }]), warnings: picture ? sound.warnings : [stands] };
}
