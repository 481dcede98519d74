/**
 * Backyard's older character, from when the app was called Faraday: a JSON object, alone or in an envelope, as a file
 * or in the EXIF comment of a picture. Facts: the seed page on Backyard; payload types and sample images of ahoylabs/byaf.
 */
import { isRecord, type Keys, type Wire } from '../../core/draft.ts';
import { create, put } from '../../core/lens.ts';
import { type CardWrite, type CardWritten, cardIn, defineCard } from '../_shared/card.ts';
import { plainCarriers } from '../_shared/card-carriers.ts';
import { cardValueOf } from '../_shared/card-io.ts';
import { JSON_CONTAINER } from '../_shared/containers.ts';
import { extractBook } from '../_shared/embedded-book.ts';
import { UNKNOWN_TIME } from './dates.ts';
import { backyardFields, envelopeBase, flatBase, shapeOf } from './fields.ts';
import { legacyLore, loreClaim, withLore } from './lore.ts';

const FLAT_MARKS = ['aiName', 'aiPersona', 'aiDisplayName', 'customDialogue'] as const;
const isText = (value: unknown): value is string => typeof value === 'string';

/** An envelope is certain; the app's own names are nearly so; a lone persona text is a weak last resort. */
function recognize(card: unknown): number {
  if (!isRecord(card)) return 0;
  if (shapeOf(card) === 'envelope' && Number.isInteger(card.version)) return 1;
  if (FLAT_MARKS.some((key) => isText(card[key]))) return 0.9;
  return isText(card.persona) && card.description === undefined && card.kind !== 'character' ? 0.55 : 0;
}

const rootOf = (card: Wire): Keys => (shapeOf(card) === 'envelope' ? ['character'] : []);
const loreHome = (card: Wire): Keys => [...rootOf(card), 'loreItems'];
const fieldsOf = (card: Wire) => backyardFields[shapeOf(card)];
const loreOf = (card: Wire) => legacyLore(shapeOf(card) === 'envelope');

function write({ twin, base, body, context }: CardWrite): CardWritten {
  const fresh = context.variant === 'envelope' ? envelopeBase(body.identity.name) : flatBase();
  const start = twin ? base : { ...base, card: fresh };
  const fields = fieldsOf(cardIn(start));
  const wire = twin ? put(fields, start, body) : create(fields, start, body);
  const card = cardIn(start);
  const whole = withLore(wire, loreOf(card), loreHome(card), context.lorebooks);
  const keyword = twin?.entry.unmapped?.slot === 'ccv3' ? 'ccv3' : 'chara';
  return { wire: whole, payloads: [{ keyword, value: whole.card }] };
}

/** Homes that say what the file is, and dates that say nothing. */
function structure({ card }: Wire) {
  if (!isRecord(card)) return [];
  const root = rootOf(card);
  const inner = root.length === 0 ? card : card.character;
  const stands = isRecord(inner) ? inner : {};
  const own = root.length === 0 ? [] : [['version'], ['character', 'id']];
  const blank = ['createdAt', 'updatedAt'].filter((key) => stands[key] === UNKNOWN_TIME).map((key) => [...root, key]);
  return [...[...own, ...blank].map((keys) => ({ keys: ['card', ...keys] })), loreClaim(['card', ...loreHome(card)])];
}

/** The `backyard` adapter. Pictures are written only where the card came in one: a fresh file is JSON. */
export const backyard = defineCard({
  id: 'backyard',
  family: 'backyard',
  label: 'Backyard (older JSON)',
  containers: [JSON_CONTAINER],
  carriers: [plainCarriers],
  table: () => backyardFields.flat,
  detect: (source) => recognize(cardValueOf(source)),
  fields: (wire) => fieldsOf(cardIn(wire)),
  structure,
  fresh: () => flatBase(),
  write,
  unmapped: (wire) => ({ variant: shapeOf(cardIn(wire)) }),
  book: legacyLore(false),
  extractLorebook: (card) => extractBook(card, loreOf(card), [loreHome(card)]),
});
