/** The settings of a SillyTavern chat-completion preset, for every app that took its keys. Source: SillyTavern 1.19.0, section 8.1. */
import { type Codec, flag, number } from '../../core/codec.ts';
import type { At, Lens, Path } from '../../core/lens.ts';
import { at } from '../../core/lenses.ts';
import { preset } from '../../entities/preset/lenses.ts';
import type { PresetBody } from '../../entities/preset/schema.ts';

/** A text; a number, `true` or `false` found in its place is read as text. */
const settingText = (): Codec<string> => ({
  shape: 'text',
  read(raw) {
    if (typeof raw === 'string') return raw;
    return typeof raw === 'boolean' || (typeof raw === 'number' && Number.isFinite(raw)) ? String(raw) : undefined;
  },
  write: (value) => value,
  account(raw, path, out) {
    if (typeof raw !== 'string') out.repaired(path, `a ${typeof raw} where a text belongs`);
  },
});

/** How requests are put together; SillyTavern says none with an empty text. */
const postProcessing = (): Codec<string> => ({
  shape: 'text, "" for none',
  read: (raw) => (raw === '' ? 'none' : settingText().read(raw)),
  write: (value) => (value === 'none' ? '' : value),
});

type Settings = readonly (readonly [path: Path<PresetBody>, ...names: [string, ...string[]]])[];

const NUMBERS = [
  ['samplers.temperature', 'temperature'],
  ['samplers.topP', 'top_p'],
  ['samplers.topK', 'top_k'],
  ['samplers.topA', 'top_a'],
  ['samplers.minP', 'min_p'],
  ['samplers.frequencyPenalty', 'frequency_penalty'],
  ['samplers.presencePenalty', 'presence_penalty'],
  ['samplers.repetitionPenalty', 'repetition_penalty'],
  ['samplers.maxContext', 'openai_max_context'],
  ['samplers.maxTokens', 'openai_max_tokens'],
  ['behavior.namesBehavior', 'names_behavior'],
  ['generation.seed', 'seed'],
  ['generation.completions', 'n'],
] as const satisfies Settings;

const TEXTS = [
  ['systemPrompts.impersonation', 'impersonation_prompt'],
  ['systemPrompts.newChat', 'new_chat_prompt'],
  ['systemPrompts.newGroupChat', 'new_group_chat_prompt'],
  ['systemPrompts.newExampleChat', 'new_example_chat_prompt'],
  ['systemPrompts.continueNudge', 'continue_nudge_prompt'],
  ['systemPrompts.groupNudge', 'group_nudge_prompt'],
  ['systemPrompts.assistantPrefill', 'assistant_prefill'],
  ['systemPrompts.assistantImpersonation', 'assistant_impersonation'],
  ['templates.worldInfoFormat', 'wi_format'],
  ['templates.scenarioFormat', 'scenario_format'],
  ['templates.personalityFormat', 'personality_format'],
  ['behavior.sendIfEmpty', 'send_if_empty'],
  ['behavior.continuePostfix', 'continue_postfix'],
  ['apiOptions.reasoningEffort', 'reasoning_effort'],
  ['media.inlineImageQuality', 'inline_image_quality'],
  ['generation.biasPreset', 'bias_preset_selected'],
] as const satisfies Settings;

/** Where two spellings stand, the first is what SillyTavern 1.19 reads without a migration, except for the system prompt. */
const FLAGS = [
  ['behavior.wrapInQuotes', 'wrap_in_quotes'],
  ['behavior.continuePrefill', 'continue_prefill'],
  ['apiOptions.streamResponses', 'stream_openai'],
  ['apiOptions.claudeUseSystemPrompt', 'claude_use_sysprompt', 'use_sysprompt'],
  ['apiOptions.useMakerSuiteSystemPrompt', 'use_makersuite_sysprompt'],
  ['apiOptions.squashSystemMessages', 'squash_system_messages'],
  ['apiOptions.functionCalling', 'function_calling'],
  ['apiOptions.showThoughts', 'show_thoughts'],
  ['apiOptions.enableWebSearch', 'enable_web_search'],
  ['apiOptions.requestImages', 'request_images'],
  ['media.imageInlining', 'media_inlining', 'image_inlining'],
  ['media.videoInlining', 'video_inlining'],
  ['generation.maxContextUnlocked', 'max_context_unlocked'],
] as const satisfies Settings;

const fieldsOf = (settings: Settings, codec: Codec<never>): Lens<PresetBody>[] =>
  settings.map(([path, ...names]) =>
    preset.field(path, at(...names), codec as Codec<At<PresetBody, typeof path>>),
  ) as Lens<PresetBody>[];

/**
 * The settings that the model has. Numeric text is a number, `"true"` and 1 are flags, and both stay spelled so when
 * they are edited; null, an empty text and any other text count as unset and stay on the wire.
 */
export const settingFields: readonly Lens<PresetBody>[] = [
  ...fieldsOf(NUMBERS, number() as Codec<never>),
  preset.field('samplers.promptPostProcessing', at('custom_prompt_post_processing'), postProcessing()),
  ...fieldsOf(TEXTS, settingText() as Codec<never>),
  ...fieldsOf(FLAGS, flag() as Codec<never>),
];
