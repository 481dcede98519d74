/** One prompt of SillyTavern's prompt manager. Source: SillyTavern 1.19.0, section 8.1. */
import { type Codec, flag, list, number, oneOf, text } from '../../core/codec.ts';
import { saysNothing, type Wire } from '../../core/draft.ts';
import { get, type Lens, put } from '../../core/lens.ts';
import { at } from '../../core/lenses.ts';
import { presetPrompt } from '../../entities/preset/lenses.ts';
import { emptyPrompt, type PresetPrompt } from '../../entities/preset/schema.ts';

const MARKER_SLOTS = [
  'chatHistory',
  'worldInfoBefore',
  'worldInfoAfter',
  'dialogueExamples',
  'personaDescription',
] as const;

/** Identifiers of the app's own prompts: four texts and eight places. */
const BUILT_INS: ReadonlySet<string> = new Set([
  'main',
  'nsfw',
  'jailbreak',
  'enhanceDefinitions',
  'charDescription',
  'charPersonality',
  'scenario',
  ...MARKER_SLOTS,
]);

const ROLES = ['system', 'user', 'assistant', 'tool'] as const;
const PLACEMENTS = ['relative', 'in_chat', 'append', 'append_preset', 'prepend_preset'] as const;

/** Numbers of a place, in the order of the words; a number without a word stays in escrow. */
const placement = (): Codec<string> => ({
  shape: '0 relative, 1 in_chat, 2 append, 3 append_preset, 4 prepend_preset',
  lossy: true,
  read: (raw) => PLACEMENTS[number().read(raw) ?? -1],
  write(value, previous) {
    const index = PLACEMENTS.indexOf(value as (typeof PLACEMENTS)[number]);
    return index < 0 ? undefined : number().write(index, previous);
  },
});

/** The fields of a prompt row. Its identifier is its place in the list; whether it is on stands in the order list. */
export const promptFields: readonly Lens<PresetPrompt>[] = [
  presetPrompt.field('name', at('name'), text(), { absent: '' }),
  presetPrompt.field('content', at('content'), text(), { absent: '' }),
  presetPrompt.field('role', at('role'), oneOf(ROLES.map((role) => [role, role] as const)), { absent: 'system' }),
  presetPrompt.field('systemPrompt', at('system_prompt'), flag()),
  presetPrompt.field('marker', at('marker'), flag()),
  presetPrompt.field('placement', at('injection_position'), placement()),
  presetPrompt.field('injectionDepth', at('injection_depth'), number()),
  presetPrompt.field('injectionOrder', at('injection_order'), number()),
  presetPrompt.field('forbidOverrides', at('forbid_overrides'), flag()),
  presetPrompt.field('injectionTrigger', at('injection_trigger'), list(text())),
];

/** Fields of a row where no order list says what is on. */
export const unorderedPromptFields: readonly Lens<PresetPrompt>[] = [
  ...promptFields,
  presetPrompt.field('enabled', at('enabled'), flag(), { absent: true }),
];

/** The slot that an identifier names. */
const slotOf = (identifier: string): PresetPrompt['markerSlot'] => MARKER_SLOTS.find((slot) => slot === identifier);

/** The prompt in a row. */
export function promptIn(row: Wire, id: string, lenses: readonly Lens<PresetPrompt>[]): PresetPrompt {
  const prompt = get(lenses, row, emptyPrompt(id));
  const slot = slotOf(id);
  if (slot && prompt.marker === true) prompt.markerSlot = slot;
  if (BUILT_INS.has(id)) prompt.isDefault = true;
  return prompt;
}

/** The identifier that the app knows a fresh prompt by: a place of the app's own goes by its slot. */
export const identifierFor = (prompt: PresetPrompt): string =>
  prompt.marker === true && prompt.markerSlot !== undefined ? prompt.markerSlot : prompt.id;

/** The row of a prompt without a twin. A place of the app's own takes four keys, as long as it says nothing else. */
export function freshRow(prompt: PresetPrompt, identifier: string, lenses: readonly Lens<PresetPrompt>[]): Wire {
  const base = prompt.marker && isAtRest(prompt) ? placeRow(identifier) : textRow(identifier);
  const said = Object.entries(prompt).filter(([, value]) => value !== undefined && value !== null);
  return put(lenses, base, { ...get(lenses, base, emptyPrompt(identifier)), ...Object.fromEntries(said) });
}

const placeRow = (identifier: string): Wire => ({ identifier, name: '', system_prompt: false, marker: true });

const textRow = (identifier: string): Wire => ({
  identifier,
  name: '',
  system_prompt: false,
  role: 'system',
  content: '',
  marker: false,
  injection_position: 0,
  injection_depth: 4,
  injection_order: 100,
  injection_trigger: [],
  forbid_overrides: false,
});

/** A prompt that says nothing beyond being there. */
const isAtRest = (prompt: PresetPrompt): boolean =>
  prompt.content === '' &&
  prompt.role === 'system' &&
  (prompt.placement ?? 'relative') === 'relative' &&
  (prompt.injectionDepth ?? 4) === 4 &&
  (prompt.injectionOrder ?? 100) === 100 &&
  prompt.forbidOverrides !== true &&
  saysNothing(prompt.injectionTrigger);
