/**
 * SillyTavern: the Tavern character card in all its versions, and world info books.
 * Facts: the public V1, V2 and V3 card specifications; SillyTavern 1.19.0.
 */
import { isBytes } from '../../core/bytes.ts';
import { isRecord } from '../../core/draft.ts';
import type { AnyAdapter } from '../../entities/kinds.ts';
import { plainCarriers } from '../_shared/card-carriers.ts';
import { cardOf } from '../_shared/card-io.ts';
import { chubFields } from '../_shared/chub-fields.ts';
import { JSON_CONTAINER, PNG_CONTAINER } from '../_shared/containers.ts';
import { isPng } from '../_shared/png.ts';
import { defineTavern } from '../_shared/tavern.ts';
import { isTavernCard } from '../_shared/tavern-detect.ts';
import { sillytavernLorebook } from './lorebook.ts';
import { sillytavernPersona } from './persona.ts';
import { sillytavernPreset } from './preset.ts';
import { sillytavernQuickReply } from './quickreply.ts';
import { sillytavernRegex } from './regex.ts';

export const sillytavern = defineTavern({
  id: 'sillytavern',
  family: 'sillytavern',
  label: 'SillyTavern',
  generic: true,
  containers: [JSON_CONTAINER, PNG_CONTAINER],
  carriers: [plainCarriers],
  extra: chubFields,
  /** A card chunk that cannot be decoded is still claimed, so that reading can say what is wrong with it. */
  detect(source) {
    const outcome = cardOf(source);
    if (!outcome) return 0;
    if ('fault' in outcome) return 0.9;
    const { card, carrier, slot } = outcome.file;
    if (isTavernCard(card)) return 0.9;
    return carrier === 'png' && slot !== 'exif' && !isRecord(card) ? 0.9 : 0;
  },
  choose({ media: { portrait } }) {
    return isBytes(portrait?.ref) && isPng(portrait.ref.segments()[0] ?? new Uint8Array()) ? 'png' : 'json';
  },
});

export default [
  sillytavern,
  sillytavernLorebook,
  sillytavernPersona,
  sillytavernRegex,
  sillytavernPreset,
  sillytavernQuickReply,
] satisfies AnyAdapter[];
