import type { Claim } from '../../core/account.ts';
import type { Stripped } from '../../core/adapter.ts';
import { type Codec, number, required, text } from '../../core/codec.ts';
import { derivedUuid } from '../../core/derived-id.ts';
import { isRecord, keysOf, openDraft, saysNothing, valueAt, type Wire } from '../../core/draft.ts';
import { create, type Lens } from '../../core/lens.ts';
import { at } from '../../core/lenses.ts';
import { preset } from '../../entities/preset/lenses.ts';
import { emptyPreset, type PresetBody } from '../../entities/preset/schema.ts';
import { defineJson } from '../_shared/json-file.ts';
import { columnFlag, spokenText } from './codecs.ts';
import { ENVELOPE, freshExport, isExport } from './envelope.ts';
import { withJsonText } from './json-text.ts';
import { idMarks, restingKeys } from './marks.ts';
import { choiceRows, groupRows, sectionRows } from './preset-rows.ts';

const PRESET = 'data.preset';
const home = (key: string) => at(`${PRESET}.${key}`);
const parameter = (key: string) => at(`${PRESET}.parameters.${key}`);

/** The app says `maximum` where others say `max`. Any other word is kept, and only the app's own are written. */
const effort: Codec<string> = {
  shape: 'low, medium, high, xhigh or maximum',
  lossy: true,
  read: (raw) => (typeof raw === 'string' && raw !== '' ? (raw === 'maximum' ? 'max' : raw) : undefined),
  write: (value) =>
    value === 'max' ? 'maximum' : ['low', 'medium', 'high', 'xhigh'].includes(value) ? value : undefined,
};

const columns = ['parameters', 'sectionOrder', 'groupOrder', 'variableGroups', 'variableValues', 'defaultChoices'].map(
  (key) => `${PRESET}.${key}`,
);

/** Columns of the app's database that hold JSON as text. */
const TEXT_COLUMNS = [...columns, 'data.sections.*.markerConfig', 'data.choiceBlocks.*.options'];

/** The table of a preset, over the export with its JSON texts opened. */
export const presetFields = [
  preset.field('name', home('name'), required(text(), ''), { absent: '' }),
  preset.field('description', home('description'), spokenText()),
  preset.field('samplers.temperature', parameter('temperature'), number()),
  preset.field('samplers.topP', parameter('topP'), number()),
  preset.field('samplers.topK', parameter('topK'), number()),
  preset.field('samplers.minP', parameter('minP'), number()),
  preset.field('samplers.frequencyPenalty', parameter('frequencyPenalty'), number()),
  preset.field('samplers.presencePenalty', parameter('presencePenalty'), number()),
  preset.field('samplers.maxContext', parameter('maxContext'), number()),
  preset.field('samplers.maxTokens', parameter('maxTokens'), number()),
  preset.field('systemPrompts.assistantPrefill', parameter('assistantPrefill'), spokenText()),
  preset.field('apiOptions.squashSystemMessages', parameter('squashSystemMessages'), columnFlag()),
  preset.field('apiOptions.showThoughts', parameter('showThoughts'), columnFlag()),
  preset.field('apiOptions.reasoningEffort', parameter('reasoningEffort'), effort, {
    note: 'a word that the app does not know is not written',
  }),
  sectionRows,
  groupRows,
  choiceRows,
  idMarks<PresetBody>(`${PRESET}.id`, `${PRESET}.sectionOrder`, `${PRESET}.groupOrder`),
  restingKeys<PresetBody>({ [`${PRESET}.isDefault`]: 'false', [`${PRESET}.wrapFormat`]: 'none' }),
] as readonly Lens<PresetBody>[];

const parts = withJsonText<PresetBody>(TEXT_COLUMNS, (raw) => (isRecord(raw) ? raw : undefined));

/** What is added to every request: a key or an address may stand in it. */
const CUSTOM = [...keysOf(PRESET), 'parameters', 'customParameters'];
const isSecret = (value: unknown): boolean => isRecord(value) && Object.keys(value).length > 0;
const customClaim: Claim = {
  keys: CUSTOM,
  inside: (value, path, out) => {
    if (!isRecord(value) ? !saysNothing(value) : isSecret(value)) out.unread(path, '(may hold secrets, not shown)');
  },
};

function stripSecrets(raw: unknown): Stripped {
  const wire = parts.split(raw)[0]?.wire;
  if (!wire || !isSecret(valueAt(wire, CUSTOM))) return { raw, removed: [] };
  const draft = openDraft(wire);
  draft.delete(CUSTOM);
  return { raw: parts.join(raw, [{ wire: draft.wire, body: emptyPreset() }]), removed: [CUSTOM.join('.')] };
}

/** A preset without a twin. It wraps nothing around prompts: no other app does. */
function fresh(body: PresetBody): Wire {
  const id = derivedUuid(JSON.stringify(['marinara-preset', body.name, body.prompts.map((prompt) => prompt.id)]));
  const head = { id, name: '', description: '', parameters: {}, sectionOrder: [], groupOrder: [], wrapFormat: 'none' };
  const base = freshExport('marinara_preset', { preset: head, sections: [], groups: [], choiceBlocks: [] });
  return create(presetFields, base, body);
}

/** An export with one preset: settings, sections in order, groups of sections, and what the user may choose. */
export const marinaraPreset = defineJson({
  id: 'marinara-preset',
  family: 'marinara',
  label: 'Marinara preset',
  kind: 'preset',
  shapes: [
    {
      dialect: 'marinara_preset',
      fields: presetFields,
      structure: [...ENVELOPE, customClaim],
      parts,
      recognize: (value) =>
        isExport(value, 'marinara_preset') && (isRecord(value.data.preset) || Array.isArray(value.data.sections))
          ? 1
          : 0,
    },
  ],
  empty: emptyPreset,
  fresh,
  stripSecrets,
});
