/** What writing a card takes beyond its fields: pictures around it, rows of assets. Loaded with the first write. */
import { append } from '../../core/append.ts';
import { encodeBase64 } from '../../core/base64.ts';
import { asBytes, type Bytes, bytesOf, isBytes } from '../../core/bytes.ts';
import type { OriginalEntry } from '../../core/canonical.ts';
import { BunzaiError } from '../../core/errors.ts';
import { jsonFile, printJson } from '../../core/json-print.ts';
import { type Source, sourceOf } from '../../core/source.ts';
import { encodeText } from '../../core/text.ts';
import { type CardJob, type OpenedCard, payloadsOf, type SealedCard } from './card-carriers.ts';
import { isInExif, keywordOf, type Payload } from './card-io.ts';
import { writeComment } from './exif-write.ts';
import { placeholderPng } from './placeholder.ts';
import { pngOf, textChunks } from './png.ts';
import { mended } from './png-mend.ts';
import { type TextEdit, writeTextChunks } from './png-write.ts';

export { writeRows } from './media-rows.ts';

/** A card as JSON, in the picture it came in, or in a fresh PNG. */
export function sealCard(job: CardJob): SealedCard {
  const { twin } = job;
  const { carrier, card } = job.wire;
  if (carrier === 'json') return { bytes: jsonFile(card), warnings: [] };
  const media = twin && twin.wire.carrier === carrier ? asBytes(twin.entry.sourceMedia) : undefined;
  if (twin && media && job.wire.picture === twin.wire.picture) return resealed(job, twin, media);
  if (carrier !== 'png') {
    throw new BunzaiError('container.unsupported', {
      detail: `a card is put into a ${String(carrier)} only where it came in one`,
      hint: 'write json or png',
    });
  }
  const picture = isBytes(job.wire.picture) ? job.wire.picture : undefined;
  const warnings = picture
    ? []
    : [
        {
          code: 'png.placeholder',
          path: 'media.portrait',
          message: 'there is no PNG portrait: a neutral placeholder stands in',
        },
      ];
  const sound = mended(picture ?? bytesOf(placeholderPng(), 'image/png'));
  return { bytes: sealFreshPng(sound.picture, job.payloads), warnings: [...warnings, ...sound.warnings] };
}

/** The same picture with the payloads that changed. An unedited card leaves every chunk as it was. */
function resealed(job: CardJob, twin: OpenedCard, media: NonNullable<OriginalEntry['sourceMedia']>): SealedCard {
  const { card } = job.wire;
  if (card === twin.entry.raw && twin.entry.unmapped?.edited !== true) return { bytes: media.bytes(), warnings: [] };
  const carrier = sourceOf(media.bytes());
  if (isInExif(carrier)) return { bytes: resealExif(carrier, card), warnings: [] };
  const repeats = new Set(job.payloads.map(({ keyword }) => keyword)).size < 1 + payloadsOf(twin.entry).length;
  const merged = {
    code: 'png.merged',
    message: 'the picture held one card several times under one keyword: they are one now',
  };
  return { bytes: resealPng(carrier, job.payloads), warnings: repeats ? [merged] : [] };
}

/** A parsed value as the text of a chunk: base64 of its JSON in one line. */
export const payloadText = (value: unknown): string => encodeBase64(encodeText(printJson(value, 0)));

/** A card put into a picture that carries none: one chunk a keyword, before the end of the picture. */
export function sealFreshPng(picture: Bytes, payloads: readonly Payload[]): Uint8Array {
  const png = pngOf(sourceOf(picture.bytes()));
  if (!png)
    throw new BunzaiError('container.unsupported', {
      detail: 'the portrait is not a PNG',
      hint: 'write JSON or an archive, or give a PNG portrait',
    });
  return writeTextChunks(
    png,
    payloads.map(({ keyword, value }): TextEdit => ({ insert: { keyword, text: payloadText(value) } })),
  );
}

/**
 * The carrier with new payloads at the places where cards stood. The first chunk of a keyword takes its new payload,
 * further ones of the same keyword go. Keywords that are not given stay as they are.
 */
export function resealPng(carrier: Source, payloads: readonly Payload[]): Uint8Array {
  const png = pngOf(carrier);
  if (!png) return carrier.bytes;
  const edits: TextEdit[] = [];
  for (const { keyword, value } of payloads) {
    const [first, ...repeats] = textChunks(png).filter((chunk) => keywordOf(chunk) === keyword);
    if (!first) continue;
    edits.push({ replace: first.index, by: { keyword: first.keyword, text: payloadText(value) } });
    append(
      edits,
      repeats.map((chunk): TextEdit => ({ remove: chunk.index })),
    );
  }
  return edits.length === 0 ? carrier.bytes : writeTextChunks(png, edits);
}

/** The carrier with a new EXIF comment, in the encoding that it had. */
export const resealExif = (carrier: Source, card: unknown): Uint8Array => writeComment(carrier, printJson(card, 0));
