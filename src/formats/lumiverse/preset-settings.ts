import { type Codec, flag, number, required, text } from '../../core/codec.ts';
import { type Draft, keysOf, same, valueAt, type Wire } from '../../core/draft.ts';
import type { Lens } from '../../core/lens.ts';
import { at } from '../../core/lenses.ts';
import { preset } from '../../entities/preset/lenses.ts';
import type { PresetBody } from '../../entities/preset/schema.ts';

const SAMPLERS = {
  'samplers.temperature': 'temperature',
  'samplers.topP': 'topP',
  'samplers.topK': 'topK',
  'samplers.minP': 'minP',
  'samplers.frequencyPenalty': 'frequencyPenalty',
  'samplers.presencePenalty': 'presencePenalty',
  'samplers.repetitionPenalty': 'repetitionPenalty',
  'samplers.maxContext': 'contextSize',
  'samplers.maxTokens': 'maxTokens',
} as const;
type Sampler = keyof typeof SAMPLERS;
const PATHS = Object.keys(SAMPLERS) as Sampler[];

/** Numbers behind one switch: switched off they say nothing, and one that is set then switches on itself alone. */
function samplers(base: string): Lens<PresetBody> {
  const home = [...keysOf(`${base}samplerOverrides`)];
  const isOff = (wire: Wire) => flag().read(valueAt(wire, [...home, 'enabled'])) === false;
  const held = (wire: Wire, path: Sampler) => number().read(valueAt(wire, [...home, SAMPLERS[path]]));
  const putNumber = (draft: Draft, path: Sampler, value: number | undefined) => {
    const keys = [...home, SAMPLERS[path]];
    draft.set(keys, value === undefined ? null : number().write(value, valueAt(draft.twin, keys)));
  };
  return preset.joint(PATHS, {
    wire: PATHS.map((path) => `${base}samplerOverrides.${SAMPLERS[path]}`),
    shape: 'numbers behind a switch',
    note: 'there is no top A',
    read: (wire) => (isOff(wire) ? {} : Object.fromEntries(PATHS.map((path) => [path, held(wire, path)]))),
    write(draft, now, before) {
      const off = isOff(draft.twin);
      if (off) draft.set([...home, 'enabled'], true);
      for (const path of PATHS) {
        const changed = off ? held(draft.twin, path) !== now[path] : !same(now[path], before[path]);
        if (changed) putNumber(draft, path, now[path]);
      }
    },
    claims: (wire) => [
      ...(flag().read(valueAt(wire, [...home, 'enabled'])) === true ? [{ keys: [...home, 'enabled'] }] : []),
      ...(isOff(wire) ? [] : PATHS.filter((path) => held(wire, path) !== undefined)).map((path) => ({
        keys: [...home, SAMPLERS[path]],
      })),
    ],
  }) as Lens<PresetBody>;
}

/** The settings of a preset; `base` is `preset.` inside the wrapper, else empty. */
export function settingFields(base: string): Lens<PresetBody>[] {
  const behavior = (name: string) => at(`${base}promptBehavior.${name}`);
  const completion = (name: string) => at(`${base}completionSettings.${name}`);
  const said = (): Codec<string> => required(text(), '');
  return [
    samplers(base),
    preset.field('apiOptions.streamResponses', at(`${base}samplerOverrides.streaming`), flag()),
    preset.field('systemPrompts.impersonation', behavior('impersonationPrompt'), said()),
    preset.field('systemPrompts.newChat', behavior('newChatPrompt'), said()),
    preset.field('systemPrompts.newGroupChat', behavior('newGroupChatPrompt'), said()),
    preset.field('systemPrompts.continueNudge', behavior('continueNudge'), said()),
    preset.field('systemPrompts.groupNudge', behavior('groupNudge'), said()),
    preset.field('behavior.sendIfEmpty', behavior('sendIfEmpty'), said()),
    preset.field('systemPrompts.assistantPrefill', completion('assistantPrefill'), said()),
    preset.field('systemPrompts.assistantImpersonation', completion('assistantImpersonation'), said()),
    preset.field('behavior.namesBehavior', completion('namesBehavior'), number()),
    preset.field('behavior.continuePrefill', completion('continuePrefill'), flag()),
    preset.field('behavior.continuePostfix', completion('continuePostfix'), said()),
    preset.field('apiOptions.squashSystemMessages', completion('squashSystemMessages'), flag()),
    preset.field('apiOptions.claudeUseSystemPrompt', completion('useSystemPrompt'), flag()),
    preset.field('apiOptions.enableWebSearch', completion('enableWebSearch'), flag()),
    preset.field('apiOptions.functionCalling', completion('enableFunctionCalling'), flag()),
    preset.field('media.imageInlining', completion('sendInlineMedia'), flag()),
    preset.field('generation.seed', at(`${base}advancedSettings.seed`), number()),
  ] as Lens<PresetBody>[];
}
