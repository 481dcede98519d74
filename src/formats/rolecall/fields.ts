import { dictionary, flag, list, oneOf, text } from '../../core/codec.ts';
import type { Lens } from '../../core/lens.ts';
import { at } from '../../core/lenses.ts';
import { character } from '../../entities/character/lenses.ts';
import type { CharacterBody } from '../../entities/character/schema.ts';
import type { CardLevel } from '../_shared/tavern-fields.ts';
import { mediaFields } from '../_shared/tavern-media.ts';
import { greetings } from './greetings.ts';
import { injections } from './injections.ts';
import { background, swatches } from './presentation.ts';

/** RoleCall's three audiences. */
export const contentRating = () =>
  oneOf<NonNullable<CharacterBody['discovery']['rating']>>([
    ['all_hours', 'all-ages'],
    ['late_night', 'mature'],
    ['after_dark', 'explicit'],
  ]);

/** Emotions are `expression` rows here, and an asset without a label is counted. */
const ASSETS = { types: { emotion: 'expression' }, unnamed: (type: string, n: number) => `${type}_${n}` };

/**
 * What RoleCall says beyond the common card, over `data`; greetings, injections and assets stand in the place of the
 * common fields.
 */
export function rolecallFields(data: string, level: CardLevel): Lens<CharacterBody>[] {
  const block = `${data}.extensions.rolecall`;
  const home = (name: string) => at(`${block}.${name}`);
  const detail = (name: string) => at(`${block}.details.${name}`);
  return [
    character.field('identity.tagline', home('tagline'), text()),
    character.field('discovery.genre', home('genre'), text()),
    character.field('discovery.fandom', home('fandom'), text()),
    character.field('discovery.rating', home('content_rating'), contentRating(), {
      note: 'the flag nsfw beside it is neither read nor written',
    }),
    character.field('attribution.sourceUrl', home('source_url'), text()),
    character.field('attribution.publicNote', home('creators_note'), text()),
    character.field('identity.fullName', detail('full_name'), text()),
    character.field('identity.title', detail('title'), text()),
    character.field('identity.age', detail('age'), text()),
    character.field('identity.pronouns', detail('pronouns'), text()),
    character.field('presentation.signatureColor', detail('signature_color'), text()),
    character.field('presentation.gradientColors', detail('gradient_colors'), list(text())),
    character.field('presentation.palette', detail('colors'), list(swatches)),
    character.field('presentation.background', detail('default_background'), background),
    character.field('presentation.fieldOrder', detail('fieldOrder'), list(text())),
    character.field(
      'presentation.spoilers.mode',
      detail('publicDefinitionDisplay.spoilerMode'),
      oneOf<'on' | 'off'>([
        [true, 'on'],
        [false, 'off'],
      ]),
    ),
    character.field('presentation.spoilers.order', detail('publicDefinitionDisplay.order'), list(text())),
    character.field('presentation.spoilers.fields', detail('publicDefinitionDisplay.spoilers'), dictionary(flag())),
    character.field('presentation.mediaLinks', detail('media_links'), list(text())),
    greetings(data),
    injections(data),
    ...mediaFields(data, level === 'v3', ASSETS),
  ] as Lens<CharacterBody>[];
}
