import { agree, existsAt, isRecord, openDraft, same, saysNothing, valueAt, type Wire } from '../../core/draft.ts';
import type { CharacterBody } from '../../entities/character/schema.ts';
import { isPngPortrait } from './card.ts';
import type { OpenedCard } from './card-carriers.ts';
import { v3OnlyFields } from './tavern-fields.ts';

/** The shape of a Tavern card: flat with the six texts, flat with V2 names, or an envelope. */
export type CardVariant = 'v1' | 'flat' | 'v2' | 'v3';

/** Names that came with V2; a flat card with one of them is `flat`, not `v1`. */
export const V2_KEYS = [
  'alternate_greetings',
  'system_prompt',
  'post_history_instructions',
  'creator_notes',
  'character_version',
  'extensions',
] as const;

/** Names that came with V3. */
export const V3_KEYS = [
  'nickname',
  'group_only_greetings',
  'creator_notes_multilingual',
  'source',
  'creation_date',
  'modification_date',
  'assets',
];

/** The shape decides, not the label: a `data` object is an envelope, whatever `spec` says. */
export function variantOf(card: Wire): CardVariant {
  if (isRecord(card.data)) return card.spec === 'chara_card_v3' ? 'v3' : 'v2';
  return V2_KEYS.some((key) => existsAt(card, [key])) ? 'flat' : 'v1';
}

/** An empty card with every key that its version requires. */
export function baseCard(variant: 'v2' | 'v3'): Wire {
  const data = {
    name: '',
    description: '',
    personality: '',
    scenario: '',
    first_mes: '',
    mes_example: '',
    creator_notes: '',
    system_prompt: '',
    post_history_instructions: '',
    alternate_greetings: [],
    tags: [],
    creator: '',
    character_version: '',
    extensions: {},
    ...(variant === 'v3' ? { group_only_greetings: [] } : {}),
  };
  return { spec: `chara_card_${variant}`, spec_version: variant === 'v3' ? '3.0' : '2.0', data };
}

/**
 * Whether a V2 twin has to be written with V3 keys: some stand in it already, or the body says something that V2 has
 * no key for. The picture around the card alone is never a reason.
 */
export function wantsV3(twin: OpenedCard, body: CharacterBody, container: string): boolean {
  if (V3_KEYS.some((key) => existsAt(twin.wire, ['card', 'data', key]))) return true;
  const { identity, greetings, attribution, media } = body;
  const slots = [
    identity.nickname,
    greetings.groupOnlyGreetings,
    attribution.source,
    attribution.createdAt,
    attribution.updatedAt,
    media.assets,
  ];
  if (slots.some((slot) => !saysNothing(slot)) || Object.keys(attribution.creatorNotesMultilingual ?? {}).length > 0)
    return true;
  const ref = media.portrait?.ref;
  return ref !== undefined && !same(ref, twin.wire.picture) && !(container === 'png' && isPngPortrait(ref));
}

/** Whether an edit has brought V3 content into the card. */
export function gainsV3(before: Wire, after: Wire): boolean {
  const rows = ['card', 'data', 'assets'];
  if (!same(valueAt(before, rows), valueAt(after, rows)) && !saysNothing(valueAt(after, rows))) return true;
  return v3OnlyFields('card.data').some((lens) => {
    const now = lens.read(after);
    return !saysNothing(now) && !agree(now, lens.read(before));
  });
}

/** The card as V3, with the keys that V3 requires. */
export function relabelled(wire: Wire): Wire {
  const draft = openDraft(wire);
  draft.set(['card', 'spec'], 'chara_card_v3');
  draft.set(['card', 'spec_version'], '3.0');
  if (!existsAt(wire, ['card', 'data', 'group_only_greetings']))
    draft.set(['card', 'data', 'group_only_greetings'], []);
  return draft.wire;
}
