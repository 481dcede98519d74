/** Presets: chat completion, and under their own names the template families. Facts: SillyTavern 1.19.0, section 8. */
import { existsAt, isRecord, type Wire } from '../../core/draft.ts';
import { create } from '../../core/lens.ts';
import { emptyPreset, type PresetBody } from '../../entities/preset/schema.ts';
import { secretClaims, withoutSecrets } from '../../entities/preset/secrets.ts';
import { defineJson, type FileShape } from '../_shared/json-file.ts';
import { presetFields } from '../_shared/preset-fields.ts';
import {
  isTemplateDialect,
  TEMPLATE_NAMES,
  type TemplateDialect,
  templateDialect,
  templateFields,
} from './templates.ts';

/** Marks of files that share keys with a preset: typed exports, wrappers, cards, books, other apps' presets. */
const FOREIGN = ['spec', 'data', 'entries', 'blocks', 'presetVersion', 'schemaVersion', 'body', 'messages', 'rules'];
const COMPANIONS = [
  'top_p',
  'openai_max_context',
  'openai_max_tokens',
  'impersonation_prompt',
  'chat_completion_source',
];
const PROMPT_KEYS = ['identifier', 'name', 'content', 'role', 'marker'];

const has = (value: Wire, key: string): boolean => existsAt(value, [key]);
const isPresetLike = (value: unknown): value is Wire =>
  isRecord(value) && typeof value.type !== 'string' && !FOREIGN.some((key) => has(value, key));

/** A list of prompt rows; an empty one counts. */
const arePrompts = (rows: unknown): boolean =>
  Array.isArray(rows) &&
  (rows.length === 0 || rows.some((row) => isRecord(row) && PROMPT_KEYS.some((key) => has(row, key))));

/** A parsed value that is a chat-completion preset in SillyTavern's shape, whoever wrote it. */
function isChatPreset(value: unknown): value is Wire {
  if (!isPresetLike(value)) return false;
  if (arePrompts(value.prompts) || Array.isArray(value.prompt_order)) return true;
  if (templateDialect(value) !== undefined) return false;
  return has(value, 'temperature') && COMPANIONS.some((key) => has(value, key));
}

const template = (dialect: TemplateDialect): FileShape<PresetBody> => ({
  dialect,
  fields: templateFields[dialect],
  recognize: (value) => (isPresetLike(value) && !isChatPreset(value) && templateDialect(value) === dialect ? 0.9 : 0),
});

const boundTo = (dialect: TemplateDialect): string =>
  `it is a SillyTavern ${TEMPLATE_NAMES[dialect]}, which no other app and no other preset has a place for`;

export const sillytavernPreset = defineJson({
  id: 'sillytavern-preset',
  family: 'sillytavern',
  label: 'SillyTavern Preset',
  kind: 'preset',
  generic: true,
  shapes: [
    {
      dialect: 'chat',
      fields: presetFields,
      structure: secretClaims,
      recognize: (value) => (isChatPreset(value) ? 0.9 : 0),
    },
    ...(Object.keys(TEMPLATE_NAMES) as TemplateDialect[]).map(template),
  ],
  indent: 4,
  empty: emptyPreset,
  fresh: (body) => create(presetFields, { prompts: [], prompt_order: [] }, body),
  bound: ({ unmapped }) => (isTemplateDialect(unmapped?.dialect) ? boundTo(unmapped.dialect) : undefined),
  stripSecrets: withoutSecrets,
});
