import type { Wire } from '../../core/draft.ts';
import type { Lens } from '../../core/lens.ts';
import { presetPrompt } from '../../entities/preset/lenses.ts';
import type { PresetPrompt } from '../../entities/preset/schema.ts';

/** The blocks that stand for something of the app's own, and the identifiers that SillyTavern knows the same by. */
const WORDS: readonly (readonly [word: string, identifier: string])[] = [
  ['chat_history', 'chatHistory'],
  ['world_info_before', 'worldInfoBefore'],
  ['world_info_after', 'worldInfoAfter'],
  ['dialogue_examples', 'dialogueExamples'],
  ['persona_description', 'personaDescription'],
  ['char_description', 'charDescription'],
  ['char_personality', 'charPersonality'],
  ['scenario', 'scenario'],
  ['main_prompt', 'main'],
  ['enhance_definitions', 'enhanceDefinitions'],
  ['jailbreak', 'jailbreak'],
  ['nsfw_prompt', 'nsfw'],
];
/** The first eight are places without a text of their own; of those the first five have a name in the model. */
const PLACES = new Set(WORDS.slice(0, 8).map(([word]) => word));
const SLOTS = new Set(WORDS.slice(0, 5).map(([, identifier]) => identifier));

/** A heading over blocks. */
export const CATEGORY = 'category';

/** The identifier that all apps know a block of the app's own by. */
export const identifierOf = (marker: unknown): string | undefined => WORDS.find(([word]) => word === marker)?.[1];

/** The marker of a block for a prompt that came from elsewhere, and whether it has no text of its own. */
export function markerFor({
  id,
  marker,
  markerSlot,
}: PresetPrompt): { readonly word: string; readonly place: boolean } | undefined {
  const name = marker === true && markerSlot !== undefined ? markerSlot : id;
  const word = WORDS.find(([, identifier]) => identifier === name)?.[0];
  return word === undefined ? undefined : { word, place: PLACES.has(word) };
}

/** What a block stands for. SillyTavern calls all twelve its own, and so does the model. */
export const marker: Lens<PresetPrompt> = presetPrompt.joint(['marker', 'markerSlot', 'systemPrompt', 'isDefault'], {
  wire: ['marker'],
  shape: 'text',
  lossy: true,
  note: 'twelve blocks of the app’s own; every other prompt is no system prompt and no marker',
  read(wire: Wire) {
    const identifier = identifierOf(wire.marker);
    if (identifier === undefined) return {};
    return {
      systemPrompt: true,
      isDefault: true,
      ...(PLACES.has(String(wire.marker)) ? { marker: true } : {}),
      ...(SLOTS.has(identifier) ? { markerSlot: identifier as NonNullable<PresetPrompt['markerSlot']> } : {}),
    };
  },
  write(draft, now, before) {
    if (now.markerSlot !== undefined && now.markerSlot !== before.markerSlot) {
      const word = WORDS.find(([, identifier]) => identifier === now.markerSlot)?.[0];
      if (word !== undefined) draft.set(['marker'], word);
    } else if (before.marker === true && now.marker !== true) draft.set(['marker'], null);
  },
  claims: (wire) => (identifierOf(wire.marker) === undefined ? [] : [{ keys: ['marker'] }]),
}) as Lens<PresetPrompt>;
