import { existsAt, keysOf, type Wire } from '../../core/draft.ts';
import type { Lens } from '../../core/lens.ts';
import { at } from '../../core/lenses.ts';
import { character } from '../../entities/character/lenses.ts';
import type { CharacterBody } from '../../entities/character/schema.ts';
import { tavernFields, v3OnlyFields } from '../_shared/tavern-fields.ts';
import { media } from './character-media.ts';
import { hexColor, isoTime, spokenText } from './codecs.ts';
import { restingKeys } from './marks.ts';

const DATA = 'card.data';
const EXTENSIONS = `${DATA}.extensions`;

const names = (lens: Lens<CharacterBody>, ...paths: readonly string[]): boolean =>
  paths.some((path) => lens.canonical.includes(path));

/** The Tavern V2 part; pictures stand beside the card here, not around it. */
const tavern = tavernFields(DATA, 'card', 'v2').filter((lens) => !names(lens, 'media.portrait'));

const own = [
  character.field('persona.appearance', at(`${EXTENSIONS}.appearance`), spokenText()),
  character.field(
    'presentation.signatureColor',
    at(`${EXTENSIONS}.nameColor`),
    { ...hexColor(), blank: '' },
    {
      note: 'a plain hex colour',
    },
  ),
  character.field('attribution.createdAt', at('card.metadata.createdAt', `${DATA}.creation_date`), isoTime()),
  character.field('attribution.updatedAt', at('card.metadata.updatedAt', `${DATA}.modification_date`), isoTime()),
  media,
  restingKeys<CharacterBody>({
    [`${EXTENSIONS}.fav`]: false,
    [`${EXTENSIONS}.conversationStatus`]: 'online',
    [`${EXTENSIONS}.versioningEnabled`]: true,
  }),
] as Lens<CharacterBody>[];

/** V3 keys in the card: the app keeps them, reads none and writes none, so only those that stand there are fields. */
const v3 = v3OnlyFields(DATA).filter((lens) => !names(lens, 'attribution.createdAt', 'attribution.updatedAt'));

/** The fields of a fresh card, over `{carrier, card}` where `card` is the `data` of the export. */
export const characterFields: readonly Lens<CharacterBody>[] = [...tavern, ...own];

/** The fields of this card. */
export const fieldsOf = (wire: Wire): readonly Lens<CharacterBody>[] => {
  const standing = v3.filter(({ wire: homes }) => homes.some((home) => existsAt(wire, keysOf(home))));
  return standing.length === 0 ? characterFields : [...characterFields, ...standing];
};

/** What the card calls itself. */
export const CARD_MARKS = ['spec', 'spec_version'].map((key) => ({ keys: ['card', key] }));
