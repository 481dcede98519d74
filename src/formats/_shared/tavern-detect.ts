import { existsAt, isRecord, valueAt, type Wire } from '../../core/draft.ts';
import { V2_KEYS } from './tavern-variant.ts';

const STORY = ['personality', 'scenario', 'first_mes', 'mes_example'] as const;
const V2_ERA = [...V2_KEYS, 'creator', 'tags'] as const;
/** Marks of files that share names with a flat card: books, presets, manifests, settings, our own wrapper. */
const FOREIGN = [
  'entries',
  'rules',
  'prompts',
  'prompt_order',
  'dependencies',
  'chat_completion_source',
  'temperature',
  'input_sequence',
  'story_string',
  'schemaVersion',
  'body',
  'aiName',
  'aiPersona',
  'aiDisplayName',
  'customDialogue',
];

const has = (card: Wire, key: string): boolean => existsAt(card, [key]);
const isText = (value: unknown): value is string => typeof value === 'string';

/** A V2 or V3 envelope, or one without its label that still has a character inside. */
export function isEnvelope(card: Wire): boolean {
  const { spec, data } = card;
  if (!isRecord(data)) return false;
  if (spec === 'chara_card_v2' || spec === 'chara_card_v3') return true;
  const unlabelled = spec === undefined && !has(card, 'type') && !has(card, 'kind');
  return unlabelled && isText(data.name) && STORY.some((key) => isText(data[key]));
}

/**
 * A flat card: a name, and one of the story texts or two names of the V2 era. A bare name and description are not
 * enough: package manifests, scenes and world infos have them too.
 */
export function isFlat(card: Wire): boolean {
  if (!isText(card.name) || isRecord(card.data) || FOREIGN.some((key) => has(card, key))) return false;
  if (has(card, 'spec') && !/^chara_card_v[23]$/.test(String(card.spec))) return false;
  if (card.kind === 'character' && isRecord(card.persona)) return false;
  // Another app's card with the same first names: read as ours it would lose its greeting.
  if (isText(card.firstMessage) && !has(card, 'first_mes')) return false;
  return STORY.some((key) => isText(card[key])) || V2_ERA.filter((key) => has(card, key)).length >= 2;
}

/** RoleCall marks its personas in the block that it also puts into cards; in a picture the card may be bare. */
export const isPersonaCard = (card: Wire): boolean =>
  valueAt(card, ['data', 'extensions', 'rolecall', 'type']) === 'persona' ||
  valueAt(card, ['extensions', 'rolecall', 'type']) === 'persona' ||
  card.spec === 'rolecall_persona';

/** A parsed value that is a Tavern card of any version, and no persona. */
export const isTavernCard = (value: unknown): value is Wire =>
  isRecord(value) && !isPersonaCard(value) && (isEnvelope(value) || isFlat(value));
