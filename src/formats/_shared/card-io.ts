import { append } from '../../core/append.ts';
import { decodeBase64 } from '../../core/base64.ts';
import { type Bytes, bytesOf, lazyBytes } from '../../core/bytes.ts';
import { isRecord } from '../../core/draft.ts';
import { BunzaiError, type Warning } from '../../core/errors.ts';
import { jsonOf, parseJson } from '../../core/json.ts';
import { onAsk } from '../../core/on-ask.ts';
import type { Source } from '../../core/source.ts';
import { decodeText } from '../../core/text.ts';
import { commentOf, isJpeg, isWebp, pictureWithoutComment } from './exif.ts';
import { isPlaceholder } from './placeholder.ts';
import { pictureOf, pngOf, type TextChunk, textChunks } from './png.ts';

/** The file around a card. */
export type CardCarrier = 'json' | 'png' | 'webp' | 'jpeg';

/** One card payload of a picture, by the keyword of its text chunk. */
export interface Payload {
  readonly keyword: 'chara' | 'ccv3' | 'rcpersona';
  readonly value: unknown;
}

/** A card and what it came in. */
export interface CardFile {
  readonly carrier: CardCarrier;
  /** The payload that counts: `ccv3` before the first `chara` before `rcpersona` before an EXIF comment. */
  readonly card: unknown;
  /** Where it sits in a picture: a text chunk by keyword, or the EXIF comment. Absent for JSON. */
  readonly slot?: Payload['keyword'] | 'exif';
  /** Payloads that did not win, in file order. */
  readonly others: readonly Payload[];
  /** The whole picture file. Absent for JSON. */
  readonly media?: Bytes;
  /** The same picture without card data; absent where it is our own placeholder. */
  readonly picture?: Bytes;
  /** Asset chunks by key, decoded when asked. */
  readonly assets: ReadonlyMap<string, Bytes>;
  readonly warnings: readonly Warning[];
}

/** A card, the reason why a card that is there cannot be read, or nothing. */
export type CardOutcome = { readonly file: CardFile } | { readonly fault: BunzaiError } | undefined;

/** The card of a source, worked out once for all detectors. Never throws. */
export function cardOf(source: Source): CardOutcome {
  return source.once(open);
}

/** The parsed card of a source, or undefined. For detectors. */
export function cardValueOf(source: Source): unknown {
  const outcome = cardOf(source);
  return outcome && 'file' in outcome ? outcome.file.card : undefined;
}

function open(source: Source): CardOutcome {
  try {
    return pngCard(source) ?? exifCard(source) ?? jsonCard(source);
  } catch (error) {
    if (error instanceof BunzaiError) return { fault: error };
    throw error;
  }
}

function jsonCard(source: Source): CardOutcome {
  const outcome = jsonOf(source);
  if (!outcome) return undefined;
  if ('fault' in outcome) return undefined;
  const { value, warnings } = outcome.parsed;
  return { file: { carrier: 'json', card: value, others: [], assets: new Map(), warnings } };
}

const PRECEDENCE = ['ccv3', 'chara', 'rcpersona'] as const;
export const keywordOf = (chunk: TextChunk): string => chunk.keyword.toLowerCase();

function pngCard(source: Source): CardOutcome {
  const png = pngOf(source);
  if (!png) return undefined;
  const chunks = textChunks(png);
  const tavern = chunks.filter((chunk) => keywordOf(chunk) === 'ccv3' || keywordOf(chunk) === 'chara');
  const cards = tavern.length > 0 ? tavern : personaChunks(chunks);
  const winner = PRECEDENCE.map((keyword) => cards.find((chunk) => keywordOf(chunk) === keyword)).find((hit) => hit);
  if (!winner) return undefined;
  const warnings: Warning[] = [];
  const card = decodePayload(winner, warnings);
  const others = cards
    .filter((chunk) => chunk !== winner)
    .flatMap((chunk): Payload[] => {
      try {
        return [{ keyword: keywordOf(chunk) as Payload['keyword'], value: decodePayload(chunk, warnings) }];
      } catch {
        warnings.push({
          code: 'card.second-payload',
          path: `chunk ${chunk.keyword}`,
          message: 'a second card in the picture cannot be decoded; it is kept as it is',
        });
        return [];
      }
    });
  if (png.derailed)
    warnings.push({
      code: 'png.derailed',
      message: 'the picture is cut off or damaged after the card; the rest is kept as it is',
    });
  const file = {
    carrier: 'png' as const,
    card,
    slot: keywordOf(winner) as Payload['keyword'],
    others,
    media: bytesOf(source.bytes, 'image/png'),
    ...realPicture(pictureOf(png)),
    assets: assetChunks(chunks),
  };
  // A checksum costs as much as the rest of reading: it is worked out when someone asks.
  const told = () => [...warnings, ...cards.filter((chunk) => !chunk.crcOk()).map(wrongChecksum)];
  return { file: onAsk(file, 'warnings', told) };
}

const wrongChecksum = (chunk: TextChunk): Warning => ({
  code: 'png.crc',
  path: `chunk ${chunk.keyword}`,
  message: 'the checksum of the chunk is wrong',
});

/** RoleCall's own chunk for a persona; one that cannot be decoded is passed over, as RoleCall does. */
function personaChunks(chunks: readonly TextChunk[]): readonly TextChunk[] {
  const first = chunks.find((chunk) => keywordOf(chunk) === 'rcpersona');
  try {
    return first && isRecord(decodePayload(first, [])) ? [first] : [];
  } catch {
    return [];
  }
}

/** A picture that bunzai put around a card for want of one says nothing. */
function realPicture(picture: Bytes): { readonly picture?: Bytes } {
  return isPlaceholder(picture) ? {} : { picture };
}

/** The parsed JSON of a text chunk: base64 of UTF-8; some tools leave the base64 out. Throws `card.payload`. */
export function decodePayload(chunk: TextChunk, warnings: Warning[]): unknown {
  const path = `chunk ${chunk.keyword}`;
  const text = chunk.text();
  if (text.startsWith('rcc||')) {
    throw new BunzaiError('card.payload', {
      path,
      detail: 'it is an encrypted RisuAI card',
      hint: 'open it in RisuAI and export it again',
    });
  }
  const bytes = decodeBase64(text);
  const plain = bytes instanceof Uint8Array ? decodeText(bytes) : text;
  if (!(bytes instanceof Uint8Array) && !/^\s*\{/.test(text)) {
    throw new BunzaiError('card.payload', {
      path: `${path}, character ${bytes.strangerAt}`,
      detail: 'it is not base64',
      hint: 'the card data is damaged: ask for the original file',
    });
  }
  if (plain === undefined) throw new BunzaiError('card.payload', { path, detail: 'it is not UTF-8 text' });
  try {
    const parsed = parseJson(plain);
    append(
      warnings,
      parsed.warnings.map((warning) => ({ ...warning, path })),
    );
    return parsed.value;
  } catch (cause) {
    if (!(cause instanceof BunzaiError)) throw cause;
    throw new BunzaiError('card.payload', {
      path: `${path}, ${cause.path ?? 'JSON'}`,
      detail: cause.detail,
      hint: cause.hint,
      cause,
    });
  }
}

const ASSET_CHUNK = /^chara-ext-asset_:?(.+)$/i;

/** Asset chunks under their key; both spellings of the prefix. */
function assetChunks(chunks: readonly TextChunk[]): Map<string, Bytes> {
  const assets = new Map<string, Bytes>();
  for (const chunk of chunks) {
    const key = ASSET_CHUNK.exec(chunk.keyword)?.[1];
    if (key === undefined || chunk.kind !== 'tEXt') continue;
    const text = chunk.text();
    const bytes = decodeBase64(text);
    if (bytes instanceof Uint8Array)
      assets.set(
        key,
        lazyBytes(bytes.byteLength, undefined, () => [bytes]),
      );
  }
  return assets;
}

/** Whether the card of a picture sits in its EXIF comment. Where a text chunk holds one, nothing is decoded to say so. */
export function isInExif(source: Source): boolean {
  const png = pngOf(source);
  if (png && textChunks(png).some((chunk) => keywordOf(chunk) === 'ccv3' || keywordOf(chunk) === 'chara')) return false;
  const outcome = cardOf(source);
  return outcome !== undefined && 'file' in outcome && outcome.file.slot === 'exif';
}

function exifCard(source: Source): CardOutcome {
  const comment = commentOf(source);
  if (!comment) return undefined;
  const carrier = isWebp(source.bytes) ? 'webp' : isJpeg(source.bytes) ? 'jpeg' : 'png';
  let card: unknown;
  try {
    card = parseJson(comment.text()).value;
  } catch {
    return undefined;
  }
  if (!isRecord(card)) return undefined;
  return {
    file: {
      carrier,
      card,
      slot: 'exif',
      others: [],
      media: bytesOf(source.bytes, `image/${carrier}`),
      picture: pictureWithoutComment(source),
      assets: new Map(),
      warnings: [],
    },
  };
}
