import { asBytes, bytesOf, isBytes } from '../../core/bytes.ts';
import type { OriginalEntry } from '../../core/canonical.ts';
import { isRecord, type Wire } from '../../core/draft.ts';
import { BunzaiError, type Warning } from '../../core/errors.ts';
import { jsonFile } from '../../core/json.ts';
import { onAsk } from '../../core/on-ask.ts';
import { type Source, sourceOf } from '../../core/source.ts';
import { type CardFile, cardOf, isInExif, type Payload, resealExif, resealPng, sealFreshPng } from './card-io.ts';
import { mended } from './png-mend.ts';
import { placeholderPng } from './png-write.ts';

/** A card file taken apart: what the fields see, and what escrow keeps. */
export interface OpenedCard {
  /** `{ carrier, card, picture?, files? }`: the wire object that Tavern fields read and write. */
  readonly wire: Wire;
  readonly entry: OriginalEntry;
  readonly warnings: readonly Warning[];
}

/** What is to be sealed. */
export interface CardJob {
  /** The wire object as it is now. */
  readonly wire: Wire;
  /** The wire object and the escrow of the file it came from, when it came from one. */
  readonly twin?: OpenedCard;
  /** The payloads of a picture: the main one, and the others that go with it. */
  readonly payloads: readonly Payload[];
}

export interface SealedCard {
  readonly bytes: Uint8Array;
  readonly warnings: readonly Warning[];
}

/** A family of files that can hold a Tavern card. */
export interface CardCarriers {
  /** Names of the containers. */
  readonly names: readonly string[];
  /** Undefined: not such a file. Throws when a card is there that cannot be read. */
  open(source: Source): OpenedCard | undefined;
  /** The opened file again, from escrow alone. */
  reopen(entry: OriginalEntry): OpenedCard | undefined;
  seal(job: CardJob): SealedCard;
  /** Loads what sealing needs. */
  prepare?(): Promise<void>;
}

/** JSON text, and pictures with the card in a text chunk or an EXIF comment. */
export const plainCarriers: CardCarriers = {
  names: ['json', 'png', 'webp', 'jpeg'],
  open(source) {
    const outcome = cardOf(source);
    if (!outcome) return undefined;
    if ('fault' in outcome) throw outcome.fault;
    const { file } = outcome;
    if (!isRecord(file.card)) return undefined;
    return openedOf(file, file.card, entryOf(file));
  },
  reopen(entry) {
    if (!isRecord(entry.raw)) return undefined;
    const media = asBytes(entry.sourceMedia);
    if (!media) return { wire: { carrier: 'json', card: entry.raw }, entry, warnings: [] };
    const outcome = cardOf(sourceOf(media.bytes()));
    if (!outcome || 'fault' in outcome) return { wire: { carrier: 'json', card: entry.raw }, entry, warnings: [] };
    return openedOf(outcome.file, entry.raw, entry);
  },
  seal(job) {
    const { carrier, card } = job.wire;
    if (carrier === 'json') return { bytes: jsonFile(card), warnings: [] };
    const { twin } = job;
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
  },
};

const openedOf = (file: CardFile, card: Wire, entry: OriginalEntry): OpenedCard =>
  onAsk({ wire: wireOf(file, card), entry }, 'warnings', () => file.warnings);

function wireOf(file: CardFile, card: Wire): Wire {
  const files = file.assets.size === 0 ? {} : { files: Object.fromEntries(file.assets) };
  return { carrier: file.carrier, card, ...(file.picture ? { picture: file.picture } : {}), ...files };
}

function entryOf(file: CardFile): OriginalEntry {
  if (!file.media) return { raw: file.card };
  const payloads = file.others.length === 0 ? {} : { payloads: file.others };
  return { raw: file.card, unmapped: { slot: file.slot, ...payloads }, sourceMedia: file.media };
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

const KEYWORDS: ReadonlySet<unknown> = new Set(['chara', 'ccv3', 'rcpersona'] satisfies Payload['keyword'][]);

/** The payloads of a picture that did not win, as escrow keeps them. */
export function payloadsOf(entry: OriginalEntry): readonly Payload[] {
  const held = entry.unmapped?.payloads;
  if (!Array.isArray(held)) return [];
  return held.filter((one): one is Payload => isRecord(one) && KEYWORDS.has(one.keyword));
}
