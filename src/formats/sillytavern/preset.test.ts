import { describe, expect, test } from 'vitest';
import {
  changes,
  corpus,
  edited,
  hasCorpus,
  NO_CORPUS,
  read,
  sample,
  source,
  tokens,
  value,
  written,
} from '../../../test/formats/files.ts';
import { createEngine } from '../../engine.ts';
import type { EntityOf } from '../../entities/kinds.ts';
import { emptyPreset, emptyPrompt, type PresetBody, type PresetPrompt } from '../../entities/preset/schema.ts';
import { holdsSecrets, SECRET_KEYS, withoutSecrets } from '../../entities/preset/secrets.ts';
import adapters, { sillytavern } from './index.ts';
import { sillytavernPreset as adapter } from './preset.ts';

type Preset = EntityOf<'preset'>;
interface File {
  prompts: Record<string, unknown>[];
  prompt_order: { character_id: unknown; order: { identifier: string; enabled: unknown }[] }[];
  [key: string]: unknown;
}

const harbour = sample('sillytavern', 'sillytavern-preset.harbour.json');
const wiki = sample('sillytavern', 'sillytavern-preset.wiki.json');
const legacy = sample('sillytavern', 'sillytavern-preset.legacy.json');
const parsed = (file: { text: string }) => JSON.parse(file.text) as File;

const file = (prompts: unknown[], order?: unknown[], more: object = {}) => ({
  temperature: 1,
  prompts,
  ...(order ? { prompt_order: [{ character_id: 100001, order }] } : {}),
  ...more,
});
const on = (identifier: string, enabled = true) => ({ identifier, enabled });
const plain = (identifier: string, more: object = {}) => ({ identifier, name: identifier, content: 'c', ...more });
const bodyOf = (raw: object): PresetBody => read(adapter, raw)[0].body;
const fresh = (body: Partial<PresetBody>): Preset => ({
  schemaVersion: '1',
  kind: 'preset',
  id: 'x',
  body: { ...emptyPreset(), ...body },
});
const freshFile = (body: Partial<PresetBody>): File => value(adapter, fresh(body)) as File;
const editPrompt = (entity: Preset, id: string, change: Partial<PresetPrompt>): Preset =>
  edited(entity, { prompts: entity.body.prompts.map((one) => (one.id === id ? { ...one, ...change } : one)) });
const idsOf = (body: PresetBody) => body.prompts.map(({ id, enabled }) => (enabled ? id : `!${id}`));

describe('prompts and their order', () => {
  test('the order 100001 gives sequence and switches; what it does not name comes last and is off', () => {
    expect(idsOf(bodyOf(parsed(harbour)))).toEqual([
      'main',
      'worldInfoBefore',
      'charDescription',
      '9f6c2b8a-0d7e-4a51-8d0e-2b1c7a4f3e55',
      '!weather-2',
      'port',
      'chatHistory',
      '!jailbreak',
      '!loose',
    ]);
  });

  test('the number of the order may be a text', () => {
    expect(idsOf(bodyOf(parsed(wiki)))).toEqual(['main', 'p1', '!p2', 'p3', 'chatHistory']);
  });

  test('without that order, or with an empty one, rows stand in file order with their own switch', () => {
    const rows = [plain('a'), plain('b', { enabled: false })];
    expect(idsOf(bodyOf(file(rows)))).toEqual(['a', '!b']);
    expect(idsOf(bodyOf(file(rows, [])))).toEqual(['a', '!b']);
    expect(idsOf(bodyOf({ prompts: rows, prompt_order: [{ character_id: 100000, order: [on('b')] }] }))).toEqual([
      'a',
      '!b',
    ]);
  });

  test('the switch of a row says nothing beside an order', () => {
    expect(idsOf(bodyOf(file([plain('a', { enabled: false })], [on('a')])))).toEqual(['a']);
  });

  test('of rows with one identifier the first counts, entries without a prompt are skipped, both are told', () => {
    const [entity] = read(adapter, harbour.bytes);
    expect(entity.body.prompts.find(({ id }) => id === 'port')?.name).toBe('الميناء');
    const { repairs, left } = adapter.account(entity);
    expect(repairs.map(({ path }) => path).filter((path) => path.startsWith('prompt'))).toEqual([
      'prompts[6]',
      'prompt_order[1].order[6]',
      'prompt_order[1].order[9]',
    ]);
    expect(left.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['prompts[6]', 'prompt_order[0]', 'prompt_order[2]']),
    );
  });

  test('every field of a prompt has its slot', () => {
    expect(bodyOf(parsed(harbour)).prompts[3]).toEqual({
      id: '9f6c2b8a-0d7e-4a51-8d0e-2b1c7a4f3e55',
      name: 'Weather',
      content: 'Fog, salt and a slow tide.',
      role: 'user',
      enabled: true,
      systemPrompt: false,
      marker: false,
      placement: 'in_chat',
      injectionDepth: 2,
      injectionOrder: 90,
      injectionTrigger: ['normal', 'continue'],
      forbidOverrides: false,
      groupId: 'c1d2e3f4-0001-4000-8000-000000000001',
    });
  });

  test('places of the app have their slot, built-ins are known', () => {
    const { prompts } = bodyOf(parsed(harbour));
    const slots = prompts.map(({ id, marker, markerSlot, isDefault }) => [id, marker, markerSlot, isDefault]);
    expect(slots).toContainEqual(['chatHistory', true, 'chatHistory', true]);
    expect(slots).toContainEqual(['charDescription', true, undefined, true]);
    expect(slots).toContainEqual(['main', undefined, undefined, true]);
    expect(slots).toContainEqual(['loose', undefined, undefined, undefined]);
  });

  test.each([
    [0, 'relative'],
    [1, 'in_chat'],
    [2, 'append'],
    [3, 'append_preset'],
    [4, 'prepend_preset'],
  ])('injection_position %d is %s', (number, word) => {
    expect(bodyOf(file([plain('a', { injection_position: number })])).prompts[0]?.placement).toBe(word);
    expect(freshFile({ prompts: [{ ...emptyPrompt('a'), placement: word }] }).prompts[0]?.injection_position).toBe(
      number,
    );
  });

  test('an unknown number or role stays in escrow', () => {
    const [entity] = read(adapter, file([plain('a', { injection_position: 9, role: 'narrator' })], [on('a')]));
    expect(entity.body.prompts[0]).toMatchObject({ role: 'system' });
    expect(entity.body.prompts[0]).not.toHaveProperty('placement');
    expect(adapter.account(entity).left.map(({ path }) => path)).toEqual([
      'prompts[0].injection_position',
      'prompts[0].role',
    ]);
  });

  test('presets older than the prompt manager: three texts are three prompts', () => {
    const body = bodyOf(parsed(legacy));
    expect(body.prompts.map(({ id, content }) => [id, content])).toEqual([
      ['main', 'Write the next reply of {{char}}.'],
      ['nsfw', ''],
      ['jailbreak', '[Stay by the sea.]'],
    ]);
  });

  test('a row without an identifier is kept, and gets one when it is switched on', () => {
    const raw = file([plain('a'), { name: 'bare', content: 'x' }], [on('a')]);
    const [entity] = read(adapter, raw);
    expect(idsOf(entity.body)).toEqual(['a', '!row-1']);
    const out = value(adapter, editPrompt(entity, 'row-1', { enabled: true })) as File;
    expect(out.prompts[1]).toEqual({ identifier: 'row-1', name: 'bare', content: 'x' });
    expect(out.prompt_order[0]?.order).toEqual([on('a'), on('row-1')]);
  });
});

describe('groups', () => {
  test('lines: a name with two line characters over no text opens a group', () => {
    const { groups, prompts } = bodyOf(parsed(harbour));
    expect(groups).toEqual([
      {
        id: 'c1d2e3f4-0001-4000-8000-000000000001',
        name: 'Style',
        enabled: true,
        extras: { decorated: '━━━ Style ━━━' },
      },
      { id: 'c1d2e3f4-0002-4000-8000-000000000002', name: '場所', enabled: false, extras: { decorated: '── 場所 ──' } },
    ]);
    expect(prompts.map(({ groupId }) => groupId?.slice(0, 13))).toEqual([
      undefined,
      undefined,
      undefined,
      'c1d2e3f4-0001',
      'c1d2e3f4-0001',
      'c1d2e3f4-0002',
      'c1d2e3f4-0002',
      'c1d2e3f4-0002',
      undefined,
    ]);
  });

  test('wiki: a category, a subcategory with words of its own, and the next category', () => {
    const { groups, prompts } = bodyOf(parsed(wiki));
    expect(groups).toEqual([
      { id: 'cat', name: 'Voice', enabled: true, extras: { decorated: '===Voice===' } },
      {
        id: 'sub',
        name: 'Weather',
        content: 'All of it is grey.',
        parentGroupId: 'cat',
        enabled: true,
        extras: { decorated: '<Weather>' },
      },
      { id: 'cat2', name: 'Память', enabled: false, extras: { decorated: '===Память===' } },
    ]);
    expect(prompts.map(({ groupId }) => groupId)).toEqual([undefined, 'cat', 'sub', 'cat2', 'cat2']);
  });

  test('a name in angle brackets is a plain prompt without a category before it', () => {
    const rows = [plain('a', { name: '<x>' }), plain('b', { name: '===C===' })];
    expect(bodyOf(file(rows)).prompts.map(({ id }) => id)).toEqual(['a']);
    expect(bodyOf(file([plain('a', { name: '<x>' })])).groups).toBeUndefined();
  });

  test.each([
    ['one line character', plain('a', { name: '━ Style', content: '' })],
    ['a text below', plain('a', { name: '━━ Style', content: 'x' })],
    ['a built-in', plain('main', { name: '━━ Main', content: '', system_prompt: true })],
    ['a place of the app', plain('chatHistory', { name: '-- Chat --', content: '', marker: true })],
  ])('no group: %s', (_name, row) => expect(bodyOf(file([row], [on(row.identifier)])).groups).toBeUndefined());

  test('a renamed group keeps its decoration, and touches nothing else', () => {
    const [entity] = read(adapter, harbour.bytes);
    const [first, ...rest] = entity.body.groups ?? [];
    if (!first) throw new Error('no group');
    const out = value(adapter, edited(entity, { groups: [{ ...first, name: 'Tone' }, ...rest] })) as File;
    expect(changes(parsed(harbour), out)).toEqual(['prompts.1.name']);
    expect(out.prompts[1]?.name).toBe('━━━ Tone ━━━');
  });

  test('a group switched on touches its entry in the order', () => {
    const [entity] = read(adapter, harbour.bytes);
    const groups = (entity.body.groups ?? []).map((group) => ({ ...group, enabled: true }));
    const out = value(adapter, edited(entity, { groups }));
    expect(changes(parsed(harbour), out)).toEqual(['prompt_order.1.order.7.enabled']);
  });

  test('groups of another app become rows before their prompts', () => {
    const prompts = [
      emptyPrompt('a'),
      { ...emptyPrompt('b'), groupId: 'g' },
      { ...emptyPrompt('c'), groupId: 'h', enabled: false },
    ];
    const lines = freshFile({
      prompts,
      groups: [
        { id: 'g', name: 'G' },
        { id: 'e', name: 'Empty' },
        { id: 'h', name: 'H' },
      ],
    });
    expect(lines.prompts.map(({ name, identifier }) => name || identifier)).toEqual([
      'a',
      '━━━ G ━━━',
      'b',
      '━━━ Empty ━━━',
      '━━━ H ━━━',
      'c',
    ]);
    const nested = {
      prompts,
      groups: [
        { id: 'g', name: 'G' },
        { id: 'h', name: 'H', parentGroupId: 'g', content: 'x' },
      ],
    };
    expect(freshFile(nested).prompts.map(({ name, identifier }) => name || identifier)).toEqual([
      'a',
      '===G===',
      'b',
      '<H>',
      'c',
    ]);
    const back = bodyOf(freshFile(nested));
    expect(back.prompts.map(({ groupId }) => groupId)).toEqual([undefined, 'g', 'h']);
    expect(back.groups?.map(({ name, parentGroupId, content }) => [name, parentGroupId, content])).toEqual([
      ['G', undefined, undefined],
      ['H', 'g', 'x'],
    ]);
  });

  test('a name of nothing but lines is a group of that name', () => {
    const body = bodyOf(file([plain('a', { name: '━━━━', content: '' })]));
    expect(body.groups?.[0]?.name).toBe('━━━━');
    expect(freshFile(body).prompts[0]?.name).toBe('━━━━');
  });
});

describe('writing back', () => {
  test('unedited: duplicates, orphans, null values and all', () => {
    for (const one of [harbour, wiki, legacy]) expect(written(adapter, read(adapter, one.bytes)[0])).toBe(one.text);
  });

  test.each([
    ['a text', 'port', { content: 'z' }, ['prompts.5.content']],
    ['a name', 'main', { name: 'z' }, ['prompts.0.name']],
    ['a role', 'main', { role: 'assistant' as const }, ['prompts.0.role']],
    ['a place', 'port', { placement: 'in_chat' }, ['prompts.5.injection_position']],
    ['a switch', 'jailbreak', { enabled: true }, ['prompt_order.1.order.11.enabled']],
    ['a marker', 'chatHistory', { content: 'z' }, ['prompts.8.content']],
    ['a loose prompt', 'loose', { content: 'z' }, ['prompts.7.content']],
  ])('%s touches its own home', (_name, id, change, homes) => {
    const [entity] = read(adapter, harbour.bytes);
    expect(changes(parsed(harbour), value(adapter, editPrompt(entity, id, change)))).toEqual(homes);
  });

  test('a loose prompt that is switched on goes into the order', () => {
    const [entity] = read(adapter, harbour.bytes);
    const out = value(adapter, editPrompt(entity, 'loose', { enabled: true })) as File;
    expect(changes(parsed(harbour), out)).toEqual(['prompt_order.1.order']);
    expect(out.prompt_order[1]?.order.at(-1)).toEqual(on('loose'));
  });

  test('another sequence changes the order alone; orphans and repeats hold their place', () => {
    const [entity] = read(adapter, harbour.bytes);
    const [main, world, ...rest] = entity.body.prompts;
    if (!main || !world) throw new Error('too few prompts');
    const out = value(adapter, edited(entity, { prompts: [world, main, ...rest] })) as File;
    expect(out.prompts).toEqual(parsed(harbour).prompts);
    const ids = (one: File) => one.prompt_order[1]?.order.map(({ identifier }) => identifier);
    const [a, b, ...others] = ids(parsed(harbour)) ?? [];
    expect(ids(out)).toEqual([b, a, ...others]);
    expect([out.prompt_order[0], out.prompt_order[2]]).toEqual([
      parsed(harbour).prompt_order[0],
      parsed(harbour).prompt_order[2],
    ]);
  });

  test('a removed prompt goes with its entry, and its second row does not come alive', () => {
    const [entity] = read(adapter, harbour.bytes);
    const prompts = entity.body.prompts.filter(({ id }) => id !== 'port');
    const out = value(adapter, edited(entity, { prompts })) as File;
    expect(out.prompts.some(({ identifier }) => identifier === 'port')).toBe(false);
    expect(out.prompt_order[1]?.order.map(({ identifier }) => identifier)).not.toContain('port');
    expect(idsOf(bodyOf(out))).toEqual(idsOf({ ...entity.body, prompts }));
  });

  test('an added prompt follows in the rows and stands at its place in the order', () => {
    const [entity] = read(adapter, harbour.bytes);
    const [main, ...rest] = entity.body.prompts;
    if (!main) throw new Error('no prompt');
    const added = { ...emptyPrompt('new'), name: 'New', content: 'n' };
    const out = value(adapter, edited(entity, { prompts: [main, added, ...rest] })) as File;
    expect(out.prompts.slice(0, -1)).toEqual(parsed(harbour).prompts);
    expect(out.prompts.at(-1)).toMatchObject({ identifier: 'new', content: 'n', injection_depth: 4 });
    expect(out.prompt_order[1]?.order.slice(0, 3).map(({ identifier }) => identifier)).toEqual([
      'main',
      'new',
      'worldInfoBefore',
    ]);
    expect(idsOf(bodyOf(out))).toEqual(idsOf({ ...entity.body, prompts: [main, added, ...rest] }));
  });

  test('without an order list, sequence and switches are written in the rows', () => {
    const raw = file([plain('a'), 'odd', plain('b', { enabled: 'false' })]);
    const [entity] = read(adapter, raw);
    const [a, b] = entity.body.prompts;
    if (!a || !b) throw new Error('too few prompts');
    const out = value(adapter, edited(entity, { prompts: [{ ...b, enabled: true }, a] }));
    expect(out).toEqual(file([plain('b', { enabled: 'true' }), 'odd', plain('a')]));
    expect(value(adapter, editPrompt(entity, 'a', { enabled: false }))).toEqual(
      file([plain('a', { enabled: false }), 'odd', plain('b', { enabled: 'false' })]),
    );
  });

  test('a repeat never comes before the row that counts', () => {
    const rows = [plain('a', { content: 'first' }), plain('a', { content: 'second' }), plain('b')];
    const [unordered] = read(adapter, file(rows));
    const [a, b] = unordered.body.prompts;
    if (!a || !b) throw new Error('too few prompts');
    expect(
      bodyOf(value(adapter, edited(unordered, { prompts: [b, a] })) as File).prompts.map(({ content }) => content),
    ).toEqual(['c', 'first']);
    const [ordered] = read(adapter, file([plain('a'), plain('b')], [on('a'), on('a', false), on('b')]));
    const [one, two] = ordered.body.prompts;
    if (!one || !two) throw new Error('too few prompts');
    const out = value(adapter, edited(ordered, { prompts: [two, one] })) as File;
    expect(out.prompt_order[0]?.order).toEqual([on('b'), on('a'), on('a', false)]);
  });

  test('an order that loses its last prompt names the ones outside it, or they would be on', () => {
    const [entity] = read(adapter, file([plain('a'), plain('b')], [on('a')]));
    const out = value(adapter, edited(entity, { prompts: entity.body.prompts.slice(1) })) as File;
    expect(idsOf(bodyOf(out))).toEqual(['!b']);
    expect(out.prompt_order[0]?.order).toEqual([on('b', false)]);
  });

  test('prompts outside the order that change places go into it', () => {
    const [entity] = read(adapter, file([plain('a'), plain('b'), plain('c')], [on('a')]));
    const [a, b, c] = entity.body.prompts;
    if (!a || !b || !c) throw new Error('too few prompts');
    expect(idsOf(bodyOf(value(adapter, edited(entity, { prompts: [a, c, b] })) as File))).toEqual(['a', '!c', '!b']);
  });

  test('a group whose parent is gone stands for itself', () => {
    const [entity] = read(adapter, wiki.bytes);
    const groups = (entity.body.groups ?? []).filter(({ id }) => id !== 'cat');
    const back = bodyOf(value(adapter, edited(entity, { groups })) as File);
    expect(back.groups?.map(({ name, parentGroupId }) => [name, parentGroupId])).toEqual([
      ['Weather', undefined],
      ['Память', undefined],
    ]);
  });

  test('the three old texts stay three texts, until something else changes', () => {
    const [entity] = read(adapter, legacy.bytes);
    expect(changes(parsed(legacy), value(adapter, editPrompt(entity, 'main', { content: 'z' })))).toEqual([
      'main_prompt',
    ]);
    const out = value(adapter, editPrompt(entity, 'nsfw', { enabled: false })) as File;
    expect(out).not.toHaveProperty('main_prompt');
    expect(idsOf(bodyOf(out))).toEqual(['main', '!nsfw', 'jailbreak']);
  });

  test('all prompts removed: no rows, nothing comes back', () => {
    const [entity] = read(adapter, wiki.bytes);
    const { groups: _, ...rest } = entity.body;
    const out = value(adapter, { ...entity, body: { ...rest, prompts: [] } }) as File;
    expect(out.prompts).toEqual([]);
    expect(bodyOf(out).prompts).toEqual([]);
  });
});

describe('fresh presets', () => {
  test('one order, 100001; a place of the app takes four keys', () => {
    const prompts: PresetPrompt[] = [
      { ...emptyPrompt('main'), name: 'Main', content: 'x', systemPrompt: true },
      { ...emptyPrompt('chatHistory'), name: 'History', marker: true, markerSlot: 'chatHistory', enabled: false },
    ];
    expect(freshFile({ prompts, samplers: { temperature: 0.5 } })).toEqual({
      prompts: [
        {
          identifier: 'main',
          name: 'Main',
          system_prompt: true,
          role: 'system',
          content: 'x',
          marker: false,
          injection_position: 0,
          injection_depth: 4,
          injection_order: 100,
          injection_trigger: [],
          forbid_overrides: false,
        },
        { identifier: 'chatHistory', name: 'History', system_prompt: false, marker: true },
      ],
      prompt_order: [{ character_id: 100001, order: [on('main'), on('chatHistory', false)] }],
      temperature: 0.5,
    });
  });

  test('a place that says more is written in full', () => {
    const prompts: PresetPrompt[] = [{ ...emptyPrompt('chatHistory'), marker: true, injectionDepth: 2 }];
    expect(Object.keys(freshFile({ prompts }).prompts[0] ?? {})).toHaveLength(11);
  });

  test('a place of another app goes by its slot, or the app would not know it', () => {
    const prompts: PresetPrompt[] = [{ ...emptyPrompt('b7'), marker: true, markerSlot: 'worldInfoAfter' }];
    const out = freshFile({ prompts });
    expect(out.prompts[0]?.identifier).toBe('worldInfoAfter');
    expect(out.prompt_order[0]?.order).toEqual([on('worldInfoAfter')]);
  });

  test('an empty preset is still a preset', () => {
    expect(freshFile({})).toEqual({ prompts: [], prompt_order: [] });
    expect(adapter.detect(source(freshFile({})))).toBe(0.9);
  });
});

describe('settings', () => {
  test('each has its slot', () => {
    const { prompts: _, groups: __, ...body } = bodyOf(parsed(harbour));
    expect(body).toEqual({
      name: '',
      samplers: {
        temperature: 0.9,
        topP: 0.95,
        minP: 0,
        frequencyPenalty: 0.2,
        repetitionPenalty: 1,
        maxContext: 16384,
        maxTokens: 500,
        promptPostProcessing: 'none',
      },
      behavior: { namesBehavior: 2, sendIfEmpty: '', continuePostfix: '\n' },
      generation: { completions: 1, maxContextUnlocked: true },
      systemPrompts: {
        impersonation: '[Speak as {{user}}.]',
        newChat: '',
        continueNudge: '[Go on: {{lastChatMessage}}]',
        assistantPrefill: '承知しました。',
      },
      templates: { worldInfoFormat: '{0}', scenarioFormat: '{{scenario}}', personalityFormat: '{{personality}}' },
      apiOptions: {
        reasoningEffort: 'max',
        streamResponses: true,
        claudeUseSystemPrompt: true,
        functionCalling: false,
      },
      media: { imageInlining: true },
    });
  });

  test('null is unset, an empty text is not zero, and both stay (RW-065)', () => {
    const raw = { temperature: 1, top_p: '', presence_penalty: null, seed: null, frequency_penalty: '0.5' };
    const [entity] = read(adapter, raw);
    expect(entity.body).toMatchObject({ samplers: { temperature: 1, frequencyPenalty: 0.5 } });
    expect(entity.body.samplers).not.toHaveProperty('topP');
    expect(entity.body).not.toHaveProperty('generation');
    const out = value(adapter, edited(entity, { samplers: { ...entity.body.samplers, frequencyPenalty: 0.6 } }));
    expect(out).toEqual({ ...raw, frequency_penalty: '0.6' });
  });

  test('any other text stays in escrow and is named', () => {
    const [entity] = read(adapter, { temperature: 'warm', top_p: 1, stream_openai: 'perhaps', n: 2 });
    expect(entity.body.samplers).toEqual({ topP: 1 });
    expect(adapter.account(entity).left.map(({ path }) => path)).toEqual(['temperature', 'stream_openai']);
  });

  test('numbers, flags and texts in each other’s clothes are read and stay so dressed', () => {
    const raw = {
      temperature: '1',
      top_p: 1,
      stream_openai: 'true',
      squash_system_messages: 1,
      wi_format: 5,
      send_if_empty: true,
    };
    const [entity] = read(adapter, raw);
    expect(entity.body).toMatchObject({
      samplers: { temperature: 1 },
      apiOptions: { streamResponses: true, squashSystemMessages: true },
      templates: { worldInfoFormat: '5' },
      behavior: { sendIfEmpty: 'true' },
    });
    const apiOptions = { streamResponses: false, squashSystemMessages: false };
    expect(value(adapter, edited(entity, { apiOptions, samplers: { temperature: 2, topP: 1 } }))).toEqual({
      ...raw,
      temperature: '2',
      stream_openai: 'false',
      squash_system_messages: 0,
    });
  });

  test('unknown words are kept (RW-066)', () => {
    const raw = { temperature: 1, top_p: 1, reasoning_effort: 'ultra', custom_prompt_post_processing: 'merge_tools' };
    expect(bodyOf(raw)).toMatchObject({
      apiOptions: { reasoningEffort: 'ultra' },
      samplers: { promptPostProcessing: 'merge_tools' },
    });
  });

  test('no post-processing is an empty text', () => {
    expect(freshFile({ samplers: { promptPostProcessing: 'none' } }).custom_prompt_post_processing).toBe('');
    expect(freshFile({ samplers: { promptPostProcessing: 'strict' } }).custom_prompt_post_processing).toBe('strict');
  });

  test('the old and the new word for pictures are one slot', () => {
    expect(bodyOf({ temperature: 1, top_p: 1, image_inlining: false }).media?.imageInlining).toBe(false);
    expect(freshFile({ media: { imageInlining: true } })).toMatchObject({ media_inlining: true });
    const [entity] = read(adapter, { temperature: 1, top_p: 1, image_inlining: false });
    expect(value(adapter, edited(entity, { media: { imageInlining: true } }))).toMatchObject({ image_inlining: true });
  });

  test('a cleared setting leaves the file', () => {
    const [entity] = read(adapter, harbour.bytes);
    const { assistantPrefill: _, ...systemPrompts } = entity.body.systemPrompts ?? {};
    expect(changes(parsed(harbour), value(adapter, edited(entity, { systemPrompts })))).toEqual(['assistant_prefill']);
  });
});

describe('secrets', () => {
  test('none is in the body, and a report names them without showing them', () => {
    const raw = {
      temperature: 1,
      top_p: 1,
      ...Object.fromEntries(SECRET_KEYS.map((key) => [key, `secret of ${key}`])),
    };
    const [entity] = read(adapter, raw);
    expect(JSON.stringify(entity.body)).not.toContain('secret of');
    const { left } = adapter.account(entity);
    expect(left.map(({ path }) => path).sort()).toEqual([...SECRET_KEYS].sort());
    expect(JSON.stringify(left)).not.toContain('secret of');
    expect(JSON.stringify(value(adapter, fresh(entity.body)))).not.toContain('secret of');
  });

  test('a file to be shared goes without them, everything else as it was', () => {
    const raw = parsed(harbour);
    const stripped = adapter.stripSecrets?.(raw);
    expect(stripped?.removed).toEqual(['proxy_password', 'custom_url', 'custom_include_headers']);
    expect(holdsSecrets(raw)).toBe(true);
    expect(holdsSecrets(stripped?.raw)).toBe(false);
    expect(changes(raw, stripped?.raw).sort()).toEqual([...(stripped?.removed ?? [])].sort());
    expect(withoutSecrets(stripped?.raw).raw).toBe(stripped?.raw);
  });

  test('a card to be shared goes without marks of use (RW-092)', () => {
    const card = {
      chat: 'c',
      create_date: 'd',
      fav: true,
      data: { name: 'n', extensions: { fav: true, world: 'w', x: 1 } },
    };
    expect(sillytavern.stripSecrets?.(card)).toEqual({
      raw: { data: { name: 'n', extensions: { x: 1 } } },
      removed: ['chat', 'create_date', 'fav', 'data.extensions.fav', 'data.extensions.world'],
    });
    const clean = { data: { name: 'n' } };
    expect(sillytavern.stripSecrets?.(clean).raw).toBe(clean);
  });
});

describe('detection', () => {
  test.each([
    ['prompts', { prompts: [] }, 0.9],
    ['an order', { prompt_order: [] }, 0.9],
    ['temperature and a companion', { temperature: 1, top_p: 1 }, 0.9],
    ['a preset with a name and extensions', { ...file([]), name: 'n', extensions: {} }, 0.9],
    ['temperature alone', { temperature: 1 }, 0],
    ['a typed export', { type: 'full', prompts: [] }, 0],
    ['the library wrapper', { exportedAt: 'd', type: 'preset', version: 1, data: { prompts: [] } }, 0],
    ['a NovelAI preset', { presetVersion: 3, name: 'n', parameters: { temperature: 1 } }, 0],
    ['a request to a model', { temperature: 1, top_p: 1, messages: [] }, 0],
    ['a list of picture prompts', { prompts: ['a cat', 'a dog'] }, 0],
    ['a Lumiverse preset', { blocks: [], prompts: [] }, 0],
    ['name and extensions', { name: 'n', extensions: {} }, 0],
    ['a list', [file([])], 0],
  ])('%s', (_name, input, score) => expect(adapter.detect(source(input))).toBe(score));

  test('an edited preset reads back without a loss', async () => {
    const engine = createEngine(adapters);
    const { entities } = await engine.read(harbour.bytes);
    const [entity] = entities;
    if (entity?.kind !== 'preset') throw new Error('no preset');
    const { report } = await engine.write(
      [editPrompt(entity, 'port', { content: 'z', enabled: false })],
      'sillytavern',
    );
    expect(report.losses).toEqual([]);
    expect(report.to).toBe('sillytavern-preset');
  });

  test('from scratch, everything the body says is carried', async () => {
    const engine = createEngine(adapters);
    const { entities } = await engine.read(harbour.bytes);
    const [entity] = entities;
    if (entity?.kind !== 'preset') throw new Error('no preset');
    const { report } = await engine.write([fresh(entity.body)], 'sillytavern-preset');
    expect(report.losses).toEqual([]);
  });
});

describe.skipIf(!hasCorpus)(`real files (skipped when ${NO_CORPUS})`, () => {
  test.each(corpus('st-preset-chat').map((one) => [one.name, one] as const))('%s', (_name, one) => {
    expect(one.expected).toBe('sillytavern-preset');
    const scores = adapters.map((other) => other.detect(source(one.bytes)));
    expect(scores.filter((score) => score >= 0.9)).toEqual([0.9]);
    const [entity] = read(adapter, one.bytes);
    expect(entity.original?.['sillytavern-preset']?.unmapped?.dialect).toBe('chat');
    const text = written(adapter, entity);
    expect(tokens(text)).toEqual(tokens(one.text));
    const before = JSON.parse(text) as File;
    const [first] = entity.body.prompts;
    if (!first) throw new Error('no prompts');
    const index = (before.prompts ?? []).findIndex(({ identifier }) => identifier === first.id);
    const home = index < 0 ? `${first.id}_prompt` : `prompts.${index}.content`;
    expect(changes(before, value(adapter, editPrompt(entity, first.id, { content: 'Ω' })))).toEqual([home]);
    const samplers = { ...entity.body.samplers, temperature: 0.123 };
    expect(changes(before, value(adapter, edited(entity, { samplers })))).toEqual(['temperature']);
  });
});
