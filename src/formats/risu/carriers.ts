/** What a RisuAI card travels in: an archive, the same behind a JPEG, a PNG with its pictures in text chunks. */
import { encodeBase64 } from '../../core/base64.ts';
import { type Bytes, bytesOf, joined } from '../../core/bytes.ts';
import { isRecord } from '../../core/draft.ts';
import { BunzaiError } from '../../core/errors.ts';
import { sourceOf } from '../../core/source.ts';
import {
  type CardCarriers,
  type CardJob,
  type OpenedCard,
  plainCarriers,
  type SealedCard,
} from '../_shared/card-carriers.ts';
import { cardOf } from '../_shared/card-io.ts';
import { charxWith } from '../_shared/charx.ts';
import { pngOf, textChunks } from '../_shared/png.ts';
import { type TextEdit, writeTextChunks } from '../_shared/png-write.ts';
import { MODULE } from './module-scripts.ts';
import { asChunks, asMembers, type Chunked, chunkKeys, jpegPortrait } from './moved-assets.ts';
import { openModule, sealModule } from './risum.ts';

/** The module inside an archive. */
export const MEMBER = 'module.risum';

const archive = charxWith([
  {
    member: MEMBER,
    key: MODULE,
    open: (content) => openModule(content.bytes(), MEMBER),
    seal: (value, twin) => bytesOf(sealModule(value, twin?.bytes()), 'application/octet-stream'),
  },
]);

/** Archives. One that was a PNG gets its chunks as members. */
export const charx: CardCarriers = {
  ...archive,
  seal(job) {
    if (job.twin?.wire.carrier !== 'png' || !isRecord(job.wire.card)) return archive.seal(job);
    const { twin: _, ...rest } = job;
    return archive.seal({ ...rest, wire: { ...job.wire, ...asMembers(job.wire.card, job.wire.files) } });
  },
};

/** Archives behind a JPEG: read with the others, written where the portrait is a JPEG. */
export const fronted: CardCarriers = {
  names: ['jpeg'],
  open: () => undefined,
  reopen: () => undefined,
  seal(job) {
    const front = jpegPortrait(job.wire.card, job.wire.files) ?? frontOf(job);
    if (!front)
      throw new BunzaiError('container.unsupported', {
        path: 'media.portrait',
        detail: 'the portrait is not a JPEG',
        hint: 'write charx or png, or give a JPEG portrait',
      });
    const { bytes, warnings } = charx.seal(withoutFront(job));
    return { bytes: joined([front.bytes(), bytes]), warnings };
  },
  prepare: async () => charx.prepare?.(),
};

/** The JPEG that stood before the archive. */
const frontOf = ({ twin }: CardJob): Bytes | undefined =>
  twin?.wire.carrier === 'charx' && twin.wire.picture !== undefined ? (twin.wire.picture as Bytes) : undefined;

function withoutFront(job: CardJob): CardJob {
  const { twin } = job;
  if (!twin?.entry.unmapped?.prefix) return job;
  const { prefix: _, ...unmapped } = twin.entry.unmapped;
  return { ...job, twin: { ...twin, entry: { ...twin.entry, unmapped } } };
}

const asPng = (opened: OpenedCard | undefined): OpenedCard | undefined =>
  opened?.wire.carrier === 'png' ? opened : undefined;

const ASSET = /^chara-ext-asset_:?(.+)$/i;

/** PNG cards with their pictures in text chunks. An unedited one keeps its bytes; untouched chunks stay. */
export const chunkedPng: CardCarriers = {
  names: ['png'],
  open: (source) => (pngOf(source) ? asPng(plainCarriers.open(source)) : undefined),
  reopen: (entry) => (entry.sourceMedia ? asPng(plainCarriers.reopen(entry)) : undefined),
  seal(job) {
    const { card } = job.wire;
    const own = job.twin?.wire.carrier === 'png' ? job.twin : undefined;
    const unedited = own && card === own.entry.raw && keepsMedia(job, own);
    if (!isRecord(card) || unedited) return plainCarriers.seal(job);
    const taken = new Set(isRecord(own?.wire.files) ? Object.keys(own.wire.files) : []);
    const moved = asChunks(card, job.wire.files, taken, job.wire.picture !== undefined);
    const sealed = plainCarriers.seal(chunkedJob(job, moved));
    const kept = chunkKeys(moved.card);
    const gone = new Set([...chunkKeys(own?.wire.card)].filter((key) => !kept.has(key)));
    const carried = own && !keepsMedia(job, own) ? [...taken].filter((key) => kept.has(key)) : [];
    const files = isRecord(own?.wire.files) ? own.wire.files : {};
    const again = carried.map((key) => [key, files[key] as Bytes] as const);
    return { ...sealed, bytes: withChunks(sealed, [...again, ...moved.added], gone) };
  },
  prepare: async () => plainCarriers.prepare?.(),
};

/** Whether the new file is the old one with other chunks: it is made anew where the picture changed. */
const keepsMedia = ({ wire }: CardJob, { wire: twin }: OpenedCard): boolean => wire.picture === twin.picture;

function chunkedJob(job: CardJob, { card, picture }: Chunked): CardJob {
  const payloads = job.payloads.map((one) => (one.value === job.wire.card ? { ...one, value: card } : one));
  return { ...job, payloads, wire: { ...job.wire, card, ...(picture ? { picture } : {}) } };
}

/** Assets stand before the card, as RisuAI writes them. */
function withChunks(
  { bytes }: SealedCard,
  added: readonly (readonly [string, Bytes])[],
  gone: ReadonlySet<string>,
): Uint8Array {
  const png = pngOf(sourceOf(bytes));
  if (!png || (added.length === 0 && gone.size === 0)) return bytes;
  const chunks = textChunks(png);
  const edits: TextEdit[] = chunks
    .filter(({ keyword }) => gone.has(ASSET.exec(keyword)?.[1] ?? ''))
    .map(({ index }) => ({ remove: index }));
  for (const [key, content] of added)
    edits.push({ insert: { keyword: `chara-ext-asset_:${key}`, text: encodeBase64(content.bytes()) } });
  if (added.length > 0) {
    for (const chunk of chunks.filter(({ keyword }) => /^(ccv3|chara)$/i.test(keyword)))
      edits.push({ remove: chunk.index }, { insert: { keyword: chunk.keyword, text: chunk.text() } });
  }
  return writeTextChunks(png, edits);
}

/** A PNG with RisuAI's block in a V3 card, or with asset chunks beside it. */
export function isRisuPng(source: Parameters<typeof cardOf>[0]): boolean {
  const outcome = cardOf(source);
  if (!outcome || 'fault' in outcome || outcome.file.carrier !== 'png') return false;
  const { card, slot, assets } = outcome.file;
  const block = isRecord(card) && isRecord(card.data) && isRecord(card.data.extensions) && card.data.extensions.risuai;
  return isRecord(block) && (slot === 'ccv3' || assets.size > 0);
}
