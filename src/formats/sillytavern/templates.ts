/**
 * The other preset families of SillyTavern: each is a small JSON object of its own. The model has slots for a name, for
 * samplers and for a system prompt; the rest is the twin's. They go back only to where they came from.
 * Facts: SillyTavern 1.19.0, sections 8.2 to 8.4.
 */
import { number, text } from '../../core/codec.ts';
import { existsAt, isRecord, keysOf, valueAt, type Wire } from '../../core/draft.ts';
import type { Lens, Path } from '../../core/lens.ts';
import { at } from '../../core/lenses.ts';
import { preset } from '../../entities/preset/lenses.ts';
import { emptyPrompt, type PresetBody, type PresetPrompt } from '../../entities/preset/schema.ts';

/** Names in `unmapped.dialect`. */
export type TemplateDialect =
  | 'instruct'
  | 'context'
  | 'sysprompt'
  | 'reasoning'
  | 'textgen'
  | 'kobold'
  | 'novel'
  | 'master';

/** What people call them. */
export const TEMPLATE_NAMES: Readonly<Record<TemplateDialect, string>> = {
  instruct: 'instruct template',
  context: 'context template',
  sysprompt: 'system prompt',
  reasoning: 'reasoning template',
  textgen: 'text-completion preset',
  kobold: 'KoboldAI preset',
  novel: 'NovelAI preset',
  master: 'master export of formatting templates',
};

const name = preset.field('name', at('name'), text(), { absent: '' });

/** Sampler keys of text completion; KoboldAI uses the same for what they share. */
const SAMPLERS = [
  ['samplers.temperature', 'temp'],
  ['samplers.topP', 'top_p'],
  ['samplers.topK', 'top_k'],
  ['samplers.topA', 'top_a'],
  ['samplers.minP', 'min_p'],
  ['samplers.frequencyPenalty', 'freq_pen'],
  ['samplers.presencePenalty', 'presence_pen'],
  ['samplers.repetitionPenalty', 'rep_pen'],
  ['samplers.maxTokens', 'genamt'],
  ['samplers.maxContext', 'max_length'],
] as const;

const NOVEL_SAMPLERS = [
  ['samplers.temperature', 'temperature'],
  ['samplers.topP', 'top_p'],
  ['samplers.topK', 'top_k'],
  ['samplers.topA', 'top_a'],
  ['samplers.minP', 'min_p'],
  ['samplers.repetitionPenalty', 'repetition_penalty'],
  ['samplers.maxTokens', 'max_length'],
  ['samplers.maxContext', 'max_context'],
] as const;

type SamplerPath = (typeof SAMPLERS)[number][0];
const samplers = (table: readonly (readonly [path: SamplerPath & Path<PresetBody>, key: string])[], home = '') =>
  table.map(([path, key]): Lens<PresetBody> => preset.field(path, at(home + key), number()) as Lens<PresetBody>);

/** Texts of a system prompt, each as a prompt of that name. */
const SYSTEM_TEXTS = ['content', 'post_history'] as const;

/** The texts of a system prompt; what stands before the chat, and what stands after it. */
const systemPrompt = (home = ''): Lens<PresetBody> =>
  preset.joint(['prompts'], {
    wire: SYSTEM_TEXTS.map((key) => home + key),
    shape: 'text',
    lossy: true,
    note: 'two texts: before the chat and after it',
    read: (wire) => ({ prompts: SYSTEM_TEXTS.flatMap((key) => promptAt(wire, home, key)) }),
    write(draft, { prompts = [] }, { prompts: before = [] }) {
      for (const key of SYSTEM_TEXTS) {
        const now = prompts.find(({ id }) => id === key)?.content ?? '';
        const was = before.find(({ id }) => id === key)?.content ?? '';
        if (now !== was) draft.set(keysOf(home + key), now);
      }
    },
  });

function promptAt(wire: Wire, home: string, key: string): PresetPrompt[] {
  const content = valueAt(wire, keysOf(home + key));
  return typeof content === 'string' && content !== '' ? [{ ...emptyPrompt(key), content }] : [];
}

/** What the body holds of each family. */
export const templateFields: Readonly<Record<TemplateDialect, readonly Lens<PresetBody>[]>> = {
  instruct: [name],
  context: [name],
  sysprompt: [name, systemPrompt()],
  reasoning: [name],
  textgen: [name, ...samplers(SAMPLERS)],
  kobold: [name, ...samplers(SAMPLERS)],
  novel: [name, ...samplers(NOVEL_SAMPLERS)],
  master: [...samplers(SAMPLERS, 'preset.'), systemPrompt('sysprompt.')],
};

const has = (value: Wire, key: string): boolean => existsAt(value, [key]);
const isText = (value: Wire, ...keys: readonly string[]): boolean =>
  keys.every((key) => typeof valueAt(value, [key]) === 'string');

const isInstruct = (value: Wire): boolean => isText(value, 'input_sequence', 'output_sequence');
const isContext = (value: Wire): boolean => isText(value, 'story_string');
/** Nothing but these keys: a name and a text alone would fit too much. */
const isSystemPrompt = (value: Wire): boolean =>
  isText(value, 'name', 'content') && Object.keys(value).every((key) => ['name', ...SYSTEM_TEXTS].includes(key));
const isReasoning = (value: Wire): boolean => isText(value, 'name', 'prefix', 'suffix', 'separator');
const isSamplerGrid = (value: Wire): boolean =>
  has(value, 'temp') &&
  ['rep_pen', 'top_p', 'top_k'].some((key) => has(value, key)) &&
  !['gamestarted', 'actions', 'memory', 'prompt'].some((key) => has(value, key));
const isNovel = (value: Wire): boolean =>
  has(value, 'temperature') &&
  has(value, 'repetition_penalty') &&
  ['order', 'tail_free_sampling', 'max_length'].some((key) => has(value, key)) &&
  !['presetVersion', 'prompts', 'prompt_order', 'openai_max_context', 'chat_completion_source'].some((key) =>
    has(value, key),
  );

/** The sections of a master export, with the test that each has to pass where it stands alone. */
const SECTIONS: Readonly<Record<string, (section: Wire) => boolean>> = {
  instruct: isInstruct,
  context: isContext,
  sysprompt: (section) => isText(section, 'name', 'content'),
  preset: isSamplerGrid,
  reasoning: isReasoning,
  srw: (section) => has(section, 'value') && has(section, 'show'),
};

function isMaster(value: Wire): boolean {
  const present = Object.keys(SECTIONS).filter((key) => isRecord(value[key]));
  if (present.length !== 1) return present.length > 1;
  const [only = ''] = present;
  const section = value[only];
  return Object.keys(value).length === 1 && isRecord(section) && (SECTIONS[only]?.(section) ?? false);
}

/** KoboldAI has a number `mirostat` and `typical`, text completion has `mirostat_mode` and `typical_p`. */
const isKobold = (value: Wire): boolean =>
  !['typical_p', 'mirostat_mode', 'encoder_rep_pen'].some((key) => has(value, key)) &&
  ['typical', 'mirostat', 'use_default_badwordsids', 'sampler_order'].some((key) => has(value, key));

/** The family of a parsed object, in the order in which SillyTavern tests them. */
export function templateDialect(value: Wire): TemplateDialect | undefined {
  if (isInstruct(value)) return 'instruct';
  if (isContext(value)) return 'context';
  if (isMaster(value)) return 'master';
  if (isSystemPrompt(value)) return 'sysprompt';
  if (isSamplerGrid(value)) return isKobold(value) ? 'kobold' : 'textgen';
  if (isReasoning(value)) return 'reasoning';
  return isNovel(value) ? 'novel' : undefined;
}

/** Whether a name is that of a template family. */
export const isTemplateDialect = (dialect: unknown): dialect is TemplateDialect =>
  typeof dialect === 'string' && Object.hasOwn(TEMPLATE_NAMES, dialect);
