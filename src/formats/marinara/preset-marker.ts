import { text } from '../../core/codec.ts';
import { isRecord, valueAt, type Wire } from '../../core/draft.ts';
import { presetPrompt } from '../../entities/preset/lenses.ts';
import type { PresetPrompt } from '../../entities/preset/schema.ts';

const TYPE = ['markerConfig', 'type'];
/** Name of a marker that no other app has, in `extras`. */
const EXTRA = 'markerType';

const SLOTS: readonly (readonly [word: string, slot: NonNullable<PresetPrompt['markerSlot']>])[] = [
  ['chat_history', 'chatHistory'],
  ['world_info_before', 'worldInfoBefore'],
  ['world_info_after', 'worldInfoAfter'],
  ['dialogue_examples', 'dialogueExamples'],
  ['persona', 'personaDescription'],
];

/** What stands at the place of a section: one of the five places that all apps have, else the app's own word. */
export const marker = presetPrompt.joint(['markerSlot', 'extras'], {
  wire: ['markerConfig.type'],
  shape: 'text',
  lossy: true,
  note: 'of the extras only the app’s own kind of marker',
  read(wire: Wire) {
    const type = text().read(valueAt(wire, TYPE));
    const slot = SLOTS.find(([word]) => word === type)?.[1];
    if (slot) return { markerSlot: slot };
    return type === undefined || type === '' ? {} : { extras: { [EXTRA]: type } };
  },
  write(draft, { markerSlot, extras }, before) {
    const word = SLOTS.find(([, slot]) => slot === markerSlot)?.[0] ?? text().read(extras?.[EXTRA]);
    if (word !== undefined) draft.set(TYPE, word);
    else if (isRecord(draft.twin.markerConfig) && (before.markerSlot ?? before.extras?.[EXTRA]) !== undefined)
      draft.delete(TYPE);
  },
  claims: (wire) => (typeof valueAt(wire, TYPE) === 'string' ? [{ keys: TYPE }] : []),
});
