import { asBytes } from '../../core/bytes.ts';
import type { OriginalEntry } from '../../core/canonical.ts';
import { isRecord, type Wire } from '../../core/draft.ts';
import type { Warning } from '../../core/errors.ts';
import { later } from '../../core/later.ts';
import { onAsk } from '../../core/on-ask.ts';
import { type Source, sourceOf } from '../../core/source.ts';
import { type CardFile, cardOf, type Payload } from './card-io.ts';

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
    return sealing.loaded().sealCard(job);
  },
  prepare: () => sealing.load(),
};

/** What writing takes beyond the fields: a page that only reads is spared it. */
export const sealing = later(() => import('./card-seal.ts'));

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

const KEYWORDS: ReadonlySet<unknown> = new Set(['chara', 'ccv3', 'rcpersona'] satisfies Payload['keyword'][]);

/** The payloads of a picture that did not win, as escrow keeps them. */
export function payloadsOf(entry: OriginalEntry): readonly Payload[] {
  const held = entry.unmapped?.payloads;
  if (!Array.isArray(held)) return [];
  return held.filter((one): one is Payload => isRecord(one) && KEYWORDS.has(one.keyword));
}
