/**
 * Pygmalion: the flat card from before Tavern V2, five texts in JSON or in a PNG's `chara` chunk.
 * Facts: seed page on Pygmalion; hybrids that also carry Tavern V1 names belong to SillyTavern.
 */
import { existsAt, isRecord, type Wire } from '../../core/draft.ts';
import { BunzaiError } from '../../core/errors.ts';
import { create, put } from '../../core/lens.ts';
import type { AnyAdapter } from '../../entities/kinds.ts';
import { cardIn, defineCard, isPngPortrait } from '../_shared/card.ts';
import { plainCarriers } from '../_shared/card-carriers.ts';
import { cardValueOf } from '../_shared/card-io.ts';
import { JSON_CONTAINER, PNG_CONTAINER } from '../_shared/containers.ts';
import { pygmalionBase, pygmalionFields } from './fields.ts';

const CLASSIC = ['char_persona', 'char_greeting', 'world_scenario'] as const;
const TAVERN = ['personality', 'scenario', 'first_mes', 'mes_example'] as const;
const isText = (value: unknown): value is string => typeof value === 'string';

/** Refuses every known neighbour first, then asks for two classic keys, or a name with a persona. */
function recognize(card: unknown): number {
  if (!isRecord(card)) return 0;
  const foreign =
    ['spec', 'data', 'schemaVersion', 'body'].some((key) => existsAt(card, [key])) ||
    card.kind === 'character' ||
    isText(card.aiName) ||
    isText(card.aiPersona);
  if (foreign || isHybrid(card)) return 0;
  const classic = CLASSIC.filter((key) => isText(card[key])).length;
  return classic >= 2 || (isText(card.char_name) && isText(card.char_persona)) ? 1 : 0;
}

/** A card that is a whole Tavern V1 card too: that side says more. */
const isHybrid = (card: Wire): boolean =>
  isText(card.name) && TAVERN.some((key) => isText(card[key]) && card[key] !== '');

export const pygmalion = defineCard({
  id: 'pygmalion',
  family: 'pygmalion',
  label: 'Pygmalion',
  containers: [JSON_CONTAINER, PNG_CONTAINER],
  carriers: [plainCarriers],
  table: () => pygmalionFields,
  detect: (source) => recognize(cardValueOf(source)),
  fields: () => pygmalionFields,
  structure: () => [],
  choose: ({ media: { portrait } }) => (isPngPortrait(portrait?.ref) ? 'png' : 'json'),
  fresh: pygmalionBase,
  write({ twin, base, body, container }) {
    if (container === 'png' && !isPngPortrait(body.media.portrait?.ref)) {
      throw new BunzaiError('container.unsupported', {
        format: 'pygmalion',
        path: 'media.portrait',
        detail: 'a PNG card needs a portrait that is a PNG',
        hint: 'write json, or give the character a PNG portrait',
      });
    }
    const wire = twin ? put(pygmalionFields, base, body) : create(pygmalionFields, base, body);
    return { wire, payloads: [{ keyword: 'chara', value: cardIn(wire) }] };
  },
});

export default [pygmalion] satisfies AnyAdapter[];
