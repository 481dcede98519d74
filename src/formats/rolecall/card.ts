/** The character: a V2 or V3 card whose extensions have a `rolecall` block, or the same card bare in a picture. */
import { isRecord, valueAt, type Wire } from '../../core/draft.ts';
import { isPngPortrait } from '../_shared/card.ts';
import { plainCarriers } from '../_shared/card-carriers.ts';
import { cardValueOf } from '../_shared/card-io.ts';
import { JSON_CONTAINER, PNG_CONTAINER } from '../_shared/containers.ts';
import { defineTavern } from '../_shared/tavern.ts';
import { isTavernCard } from '../_shared/tavern-detect.ts';
import { rolecallFields } from './fields.ts';

/** A Tavern card of any shape with RoleCall's block; personas carry the block too and are refused. */
function recognize(card: unknown): number {
  if (!isTavernCard(card)) return 0;
  const data = isRecord(card.data) ? card.data : card;
  return isRecord(valueAt(data, ['extensions', 'rolecall'])) ? 1 : 0;
}

/** A fresh card names the block, so that RoleCall and this reader know it again. */
const mark = (card: Wire): Wire => {
  const data = isRecord(card.data) ? card.data : {};
  return { ...card, data: { ...data, extensions: { rolecall: {} } } };
};

/** RoleCall's character card. */
export const rolecall = defineTavern({
  id: 'rolecall',
  family: 'rolecall',
  label: 'RoleCall',
  containers: [JSON_CONTAINER, PNG_CONTAINER],
  carriers: [plainCarriers],
  extra: rolecallFields,
  mark,
  detect: (source) => recognize(cardValueOf(source)),
  choose: ({ media: { portrait } }) => (isPngPortrait(portrait?.ref) ? 'png' : 'json'),
});
