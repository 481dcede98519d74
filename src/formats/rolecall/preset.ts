/** Presets: SillyTavern's chat completion preset with RoleCall's readme and choices. */
import { text } from '../../core/codec.ts';
import { isRecord, valueAt, type Wire } from '../../core/draft.ts';
import { create, type Lens } from '../../core/lens.ts';
import { at } from '../../core/lenses.ts';
import { preset } from '../../entities/preset/lenses.ts';
import { emptyPreset, type PresetBody } from '../../entities/preset/schema.ts';
import { secretClaims, withoutSecrets } from '../../entities/preset/secrets.ts';
import { defineJson } from '../_shared/json-file.ts';
import { presetFields } from '../_shared/preset-fields.ts';
import { choices } from './choices.ts';

/** The table of a preset. The macro program and the regex scripts stay in the twin: sealed, never run. */
export const rolecallPresetFields = [
  ...presetFields,
  preset.field('description', at('readme'), text()),
  choices,
] as Lens<PresetBody>[];

const isNumber = (value: unknown): boolean => typeof value === 'number';

/** Prompts, an order, or a temperature with one of its companions; a text under `type` marks other files. */
function isChatPreset(value: Wire): boolean {
  if (typeof value.type === 'string' || isRecord(value.data)) return false;
  if (Array.isArray(value.prompts) || Array.isArray(value.prompt_order)) return true;
  const companions = ['top_p', 'top_k', 'frequency_penalty', 'presence_penalty', 'openai_max_context'];
  return isNumber(value.temperature) && companions.some((key) => isNumber(value[key]));
}

/** What only RoleCall puts into such a file; the regex scripts that SillyTavern bundles too are no sign. */
const isRolecall = (value: Wire): boolean =>
  typeof value.macro_engine_yaml === 'string' ||
  Array.isArray(value.choice_groups) ||
  Array.isArray(valueAt(value, ['extensions', 'linkedRegexScripts']));

/** RoleCall's preset. */
export const rolecallPreset = defineJson({
  id: 'rolecall-preset',
  family: 'rolecall',
  label: 'RoleCall Preset',
  kind: 'preset',
  escrow: 'rolecall',
  empty: emptyPreset,
  shapes: [
    {
      dialect: 'rolecall',
      fields: rolecallPresetFields,
      structure: secretClaims,
      recognize: (value) => (isRecord(value) && isChatPreset(value) && isRolecall(value) ? 0.95 : 0),
    },
  ],
  stripSecrets: withoutSecrets,
  fresh: (body) => create(rolecallPresetFields, { name: '', prompts: [], prompt_order: [], choice_groups: [] }, body),
});
