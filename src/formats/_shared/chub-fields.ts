/**
 * Chub's block in a Tavern card, `extensions.chub`: expressions, a background, the page it came from. Its homes are
 * written only where the card has the block: no other card becomes Chub's. Facts: downloaded public cards.
 */
import type { Codec } from '../../core/codec.ts';
import { isRecord, keysOf, valueAt } from '../../core/draft.ts';
import { type Lens, varied } from '../../core/lens.ts';
import { at } from '../../core/lenses.ts';
import { character } from '../../entities/character/lenses.ts';
import type { CharacterBody, MediaRef } from '../../entities/character/schema.ts';
import { assetMaps } from './asset-maps.ts';
import type { CardLevel } from './tavern-fields.ts';
import { mediaFields } from './tavern-media.ts';

const PAGE = 'https://chub.ai/characters/';
/** `author/slug`, which may itself say `characters/` in front. */
const FULL_PATH = /^(?:characters\/)?[^/?#\s]+\/[^/?#\s]+$/;
const KIND = /^characters\//;

/** The address of a card's page, from its path on the site. Other addresses cannot be said and are left out. */
const page: Codec<string> = {
  shape: 'author/slug',
  lossy: true,
  read: (raw) => (typeof raw === 'string' && FULL_PATH.test(raw) ? PAGE + raw.replace(KIND, '') : undefined),
  write(url, previous) {
    const path = url.startsWith(PAGE) ? url.slice(PAGE.length) : '';
    if (!FULL_PATH.test(path) || KIND.test(path)) return undefined;
    return typeof previous === 'string' && KIND.test(previous) ? `characters/${path}` : path;
  },
};

/** An address; pictures themselves have no place here. Nothing is fetched. */
const address: Codec<MediaRef> = {
  shape: 'address',
  lossy: true,
  read: (raw) => (typeof raw === 'string' && raw !== '' ? raw : undefined),
  write: (ref) => (typeof ref === 'string' && /^https?:\/\//i.test(ref) ? ref : undefined),
};

const NOTE = 'only in a card that came from Chub';

/** The fields of the block at `data`; they stand in for the plain media fields. */
export function chubFields(data: string, level: CardLevel): Lens<CharacterBody>[] {
  const block = `${data}.extensions.chub`;
  const kept = <V>(lens: Lens<CharacterBody, V>): Lens<CharacterBody> => {
    const own = varied(lens, {
      write(draft, now, before) {
        if (isRecord(valueAt(draft.twin, keysOf(block)))) lens.write(draft, now, before);
      },
    });
    return own as Lens<CharacterBody>;
  };
  return [
    ...mediaFields(data, level === 'v3', {
      maps: assetMaps('extensions.chub.expressions.expressions', 'extensions.chub.alt_expressions.*.expressions'),
    }),
    kept(character.field('attribution.sourceUrl', at(`${block}.full_path`), page, { note: NOTE })),
    kept(character.field('presentation.background.ref', at(`${block}.background_image`), address, { note: NOTE })),
  ];
}
