import { describe, expect, test } from 'vitest';
import { differences, parse, setAt, source, withValue } from '../../../test/kit/adapter.ts';
import { engine, sampleBytes, sampleJson } from '../../../test/kit/lumiverse.ts';
import { keysOf, valueAt, type Wire } from '../../core/draft.ts';
import { get, placeAt, put } from '../../core/lens.ts';
import type { EntityOf } from '../../entities/kinds.ts';
import { emptyPreset, emptyPrompt, type PresetBody, type PresetPrompt } from '../../entities/preset/schema.ts';
import { lumiversePreset, presetFields } from './preset.ts';

const FILE = 'lumiverse-preset.tide.json';
const tide = sampleJson(FILE);
const bare = sampleJson('lumiverse-preset.blocks.json');
const wrapped = presetFields('preset.');
const bodyOf = (wire: Wire): PresetBody => get(wrapped, wire, emptyPreset());
const edited = (wire: Wire, edit: (body: PresetBody) => void): Wire => {
  const body = structuredClone(bodyOf(wire));
  edit(body);
  return put(wrapped, wire, body);
};
const prompt = (body: PresetBody, id: string) => body.prompts.find((one) => one.id === id) as PresetPrompt;
const blocks = (wire: Wire) => valueAt(wire, ['preset', 'blocks']) as Wire[];
const names = (wire: Wire) => blocks(wire).map(({ name }) => name);
const promptOf = (block: Wire): PresetPrompt =>
  bodyOf({ preset: { blocks: [{ id: 'x', ...block }] } }).prompts[0] as PresetPrompt;
const fresh = (body: Partial<PresetBody>): Wire => {
  const entity: EntityOf<'preset'> = {
    schemaVersion: '1',
    kind: 'preset',
    id: 'x',
    body: { ...emptyPreset(), ...body },
  };
  return parse(lumiversePreset.fromCanonical([entity], {}).bytes);
};
const freshBlock = (one: Partial<PresetPrompt>): Wire =>
  blocks(fresh({ prompts: [{ ...emptyPrompt('p'), ...one }] }))[0] as Wire;

const SETTINGS: readonly (readonly [string, string, unknown])[] = [
  ['samplerOverrides.temperature', 'samplers.temperature', 0.5],
  ['samplerOverrides.topP', 'samplers.topP', 0.5],
  ['samplerOverrides.topK', 'samplers.topK', 5],
  ['samplerOverrides.minP', 'samplers.minP', 0.1],
  ['samplerOverrides.frequencyPenalty', 'samplers.frequencyPenalty', 0.2],
  ['samplerOverrides.presencePenalty', 'samplers.presencePenalty', 0.3],
  ['samplerOverrides.repetitionPenalty', 'samplers.repetitionPenalty', 1.1],
  ['samplerOverrides.contextSize', 'samplers.maxContext', 8000],
  ['samplerOverrides.maxTokens', 'samplers.maxTokens', 300],
  ['samplerOverrides.streaming', 'apiOptions.streamResponses', true],
  ['promptBehavior.impersonationPrompt', 'systemPrompts.impersonation', 'เป็น'],
  ['promptBehavior.newChatPrompt', 'systemPrompts.newChat', 'a'],
  ['promptBehavior.newGroupChatPrompt', 'systemPrompts.newGroupChat', 'b'],
  ['promptBehavior.continueNudge', 'systemPrompts.continueNudge', 'c'],
  ['promptBehavior.groupNudge', 'systemPrompts.groupNudge', 'd'],
  ['promptBehavior.sendIfEmpty', 'behavior.sendIfEmpty', 'e'],
  ['completionSettings.assistantPrefill', 'systemPrompts.assistantPrefill', 'f'],
  ['completionSettings.assistantImpersonation', 'systemPrompts.assistantImpersonation', 'g'],
  ['completionSettings.namesBehavior', 'behavior.namesBehavior', 2],
  ['completionSettings.continuePrefill', 'behavior.continuePrefill', true],
  ['completionSettings.continuePostfix', 'behavior.continuePostfix', '\n'],
  ['completionSettings.squashSystemMessages', 'apiOptions.squashSystemMessages', true],
  ['completionSettings.useSystemPrompt', 'apiOptions.claudeUseSystemPrompt', true],
  ['completionSettings.enableWebSearch', 'apiOptions.enableWebSearch', true],
  ['completionSettings.enableFunctionCalling', 'apiOptions.functionCalling', true],
  ['completionSettings.sendInlineMedia', 'media.imageInlining', true],
  ['advancedSettings.seed', 'generation.seed', 7],
  ['name', 'name', 'Tide'],
  ['description', 'description', 'ช้า'],
];

describe('the field map', () => {
  test.each(SETTINGS)('%s', (key, slot, value) => {
    const wire = withValue({ preset: {} }, `preset.${key}`, value);
    expect(valueAt(bodyOf(wire), keysOf(slot))).toEqual(value);
    const body = emptyPreset();
    placeAt(body, keysOf(slot), value);
    expect(valueAt(fresh(body), keysOf(`preset.${key}`))).toEqual(value);
  });
  test('blocks', () => {
    expect(
      promptOf({
        name: 'n',
        content: 'धीरे',
        role: 'user',
        enabled: false,
        position: 'in_history',
        depth: 2,
        injectionTrigger: ['swipe'],
      }),
    ).toEqual({
      id: 'x',
      name: 'n',
      content: 'धीरे',
      role: 'user',
      enabled: false,
      placement: 'in_chat',
      injectionDepth: 2,
      injectionTrigger: ['swipe'],
    });
    expect(
      freshBlock({ name: 'n', role: 'user', enabled: false, placement: 'in_chat', injectionDepth: 2 }),
    ).toMatchObject({
      id: 'p',
      name: 'n',
      role: 'user',
      enabled: false,
      position: 'in_history',
      depth: 2,
    });
  });
  test('category blocks are groups', () => {
    const body = bodyOf(tide);
    expect(body.groups).toEqual([{ id: 'c-style', name: 'Style', content: '', enabled: true }]);
    expect(body.prompts.map(({ groupId }) => groupId)).toEqual([
      undefined,
      'c-style',
      'c-style',
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('writing', () => {
  test.each([FILE, 'lumiverse-preset.blocks.json'])('unedited, %s is the twin itself', (name) => {
    const [preset] = lumiversePreset.toCanonical(source(sampleBytes(name)));
    expect(parse(lumiversePreset.fromCanonical([preset as never], {}).bytes)).toEqual(sampleJson(name));
    expect(put(wrapped, tide, bodyOf(tide))).toBe(tide);
  });
  test.each<readonly [string, (body: PresetBody) => void, readonly string[]]>([
    [
      'a text',
      (body) => {
        prompt(body, 'b-slow').content = 'x';
      },
      ['preset.blocks.2.content'],
    ],
    [
      'a switch',
      (body) => {
        prompt(body, 'main').enabled = false;
      },
      ['preset.blocks.0.enabled'],
    ],
    [
      'a heading',
      (body) => {
        (body.groups?.[0] as { name: string }).name = 'x';
      },
      ['preset.blocks.1.name'],
    ],
    [
      'a sampler',
      (body) => void Object.assign(body.samplers as object, { temperature: 1 }),
      ['preset.samplerOverrides.temperature'],
    ],
    ['a group', (body) => void delete prompt(body, 'b-fast').groupId, ['preset.blocks.3.group']],
  ])('an edit of %s touches its own key', (_, edit, paths) => {
    expect(differences(tide, edited(tide, edit))).toEqual(paths);
  });
  test('a cleared sampler is null', () => {
    const wire = edited(tide, (body) => setAt(body, 'samplers.topP', undefined));
    expect(valueAt(wire, ['preset', 'samplerOverrides', 'topP'])).toBeNull();
  });
  test('moved prompts take their heading along', () => {
    const wire = edited(tide, (body) => void body.prompts.reverse());
    expect(names(wire)).toEqual(['Sealed', 'Tail', 'Chat History', 'Style', 'Fast', 'धीरे', 'Main Prompt']);
    expect(bodyOf(wire).prompts.map(({ id }) => id)).toEqual(
      bodyOf(tide)
        .prompts.map(({ id }) => id)
        .reverse(),
    );
  });
  test('a new preset: headings before their first prompt, ids as they came', () => {
    const wire = fresh({
      prompts: [{ ...emptyPrompt('a'), groupId: 'g' }, emptyPrompt('b')],
      groups: [
        { id: 'empty', name: 'Empty' },
        { id: 'g', name: 'Group' },
      ],
    });
    expect(blocks(wire).map(({ id, marker, group }) => [id, marker, group])).toEqual([
      ['empty', 'category', null],
      ['g', 'category', null],
      ['a', null, 'g'],
      ['b', null, null],
    ]);
  });
});

describe('quirks', () => {
  test('a block that says no group stands under the heading before it', () => {
    const wire = {
      preset: {
        blocks: [
          { id: 'c', marker: 'category', name: 'C' },
          { id: 'a', content: 'x' },
          { id: 'b', content: 'y', group: null },
        ],
      },
    };
    expect(bodyOf(wire).prompts.map(({ groupId }) => groupId)).toEqual(['c', undefined]);
    expect(
      edited(wire, (body) => {
        prompt(body, 'a').name = 'n';
      }).preset,
    ).toMatchObject({
      blocks: [{}, { id: 'a', name: 'n' }, {}],
    });
  });
  test('twelve blocks of the app’s own go by the identifiers that SillyTavern has for them', () => {
    expect(promptOf({ marker: 'chat_history' })).toMatchObject({
      id: 'chatHistory',
      marker: true,
      markerSlot: 'chatHistory',
      systemPrompt: true,
    });
    expect(promptOf({ marker: 'char_description' })).toMatchObject({ id: 'charDescription', marker: true });
    expect(promptOf({ marker: 'nsfw_prompt', content: 'x' })).toMatchObject({
      id: 'nsfw',
      content: 'x',
      systemPrompt: true,
    });
    const block = freshBlock({ id: 'charDescription', marker: true, systemPrompt: true });
    expect(block).toMatchObject({ marker: 'char_description', isLocked: true });
    expect(block.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(promptOf(block).id).toBe('charDescription');
  });
  test('a marker that no other app has stays on its block and is named', () => {
    const wire = { type: 'lumiverse_preset', preset: { blocks: [{ id: 'a', marker: 'cortex', content: '' }] } };
    const entity = lumiversePreset.toCanonical(source(wire))[0] as never;
    expect(lumiversePreset.account(entity).left.map(({ path }) => path)).toEqual(['preset.blocks[0].marker']);
  });
  test('appended roles are a place', () => {
    expect(promptOf({ role: 'user_append' })).toMatchObject({ role: 'user', placement: 'append' });
    expect(freshBlock({ role: 'assistant', placement: 'append' }).role).toBe('assistant_append');
    expect(freshBlock({ role: 'system', placement: 'append' }).role).toBe('system');
  });
  test('before and after the history are one place, and a block stays where it was', () => {
    expect(promptOf({ position: 'post_history' }).placement).toBe('relative');
    const wire = edited(tide, (body) => {
      prompt(body, 'b-tail').role = 'assistant';
    });
    expect(blocks(wire)[5]).toMatchObject({ role: 'assistant_append', position: 'post_history' });
  });
  test('a depth of 0 says nothing outside of the history', () => {
    expect(promptOf({ position: 'pre_history', depth: 0 }).injectionDepth).toBeUndefined();
    expect(promptOf({ position: 'in_history', depth: 0 }).injectionDepth).toBe(0);
    expect(freshBlock({ placement: 'relative', injectionDepth: 4 }).depth).toBe(0);
  });
  test('samplers that are switched off say nothing; one that is set switches on itself alone', () => {
    const [entity] = lumiversePreset.toCanonical(source(bare)) as EntityOf<'preset'>[];
    expect(entity?.body.samplers).toBeUndefined();
    const body = { ...(entity as EntityOf<'preset'>).body, samplers: { temperature: 1.2 } };
    const wire = parse(lumiversePreset.fromCanonical([{ ...(entity as EntityOf<'preset'>), body }], {}).bytes);
    expect(wire.samplerOverrides).toMatchObject({ enabled: true, temperature: 1.2, topP: null, maxTokens: null });
  });
  test('sealed blocks, rules and a request body are told, and the body is never shown', () => {
    const entity = lumiversePreset.toCanonical(source(tide))[0] as never;
    const { left, warnings } = lumiversePreset.account(entity);
    expect(warnings?.map(({ code }) => code)).toEqual(['preset.sealed', 'preset.carries-code']);
    expect(JSON.stringify(left)).not.toContain('not-a-real-key');
    expect(left.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['preset.customBody.rawJson', 'preset.blocks[6].sealedKey', 'preset.blocks[2].variables']),
    );
  });
  test('a file to be shared has no request body', () => {
    expect(lumiversePreset.stripSecrets?.(tide).removed).toEqual(['preset.customBody.rawJson']);
    expect(JSON.stringify(lumiversePreset.stripSecrets?.(tide).raw)).not.toContain('not-a-real-key');
    expect(lumiversePreset.stripSecrets?.(withValue(bare, 'customBody.rawJson', '{ }')).removed).toEqual([]);
  });
});

test('to SillyTavern and back', async () => {
  const out = await engine.convert(sampleBytes(FILE), 'sillytavern-preset');
  const file = parse(out.files[0]?.bytes);
  expect(JSON.stringify(file)).not.toContain('not-a-real-key');
  expect(file).toMatchObject({ temperature: 0.9, openai_max_context: 32000, impersonation_prompt: '[Be {{user}}.]' });
  expect((file.prompts as Wire[]).map(({ identifier }) => identifier)).toEqual(
    expect.arrayContaining(['main', 'chatHistory', 'b-slow', 'b-fast', 'b-tail']),
  );
  const back = await engine.convert(out.files[0]?.bytes as Uint8Array, 'lumiverse-preset');
  const again = parse(back.files[0]?.bytes);
  expect(blocks(again).map(({ marker }) => marker)).toEqual(expect.arrayContaining(['main_prompt', 'chat_history']));
  expect(blocks(again).find(({ name }) => name === 'Fast')).toMatchObject({
    position: 'in_history',
    depth: 2,
    enabled: false,
  });
});
