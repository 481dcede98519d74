import { describe, expect, test } from 'vitest';
import { at, differences, edited, encode, fresh, left, parse, readAs, withValue } from '../../../test/kit/adapter.ts';
import { corpus, sample } from '../../../test/kit/marinara.ts';
import { createEngine } from '../../engine.ts';
import { emptyPreset, emptyPrompt, type PresetBody } from '../../entities/preset/schema.ts';
import sillytavern from '../sillytavern/index.ts';
import adapters, { marinaraPreset as adapter } from './index.ts';

const lantern = sample('marinara-preset.lantern.json');
const body = readAs(adapter, lantern).body;
const prompt = (id: string, one: PresetBody = body) => one.prompts.find((row) => row.id === id);
const real = corpus('marinara-preset')[0];

describe('the field map', () => {
  test('settings out of the text of parameters', () => {
    expect(body.name).toBe('Lantern 提灯');
    expect(body.samplers).toEqual({
      temperature: 1,
      topP: 0.95,
      topK: 40,
      minP: 0.05,
      frequencyPenalty: 0,
      maxContext: 32000,
      maxTokens: 1024,
    });
    expect(body.apiOptions).toEqual({ squashSystemMessages: true, showThoughts: false, reasoningEffort: 'max' });
    expect(body.systemPrompts).toEqual({ assistantPrefill: 'Then:' });
  });
  test('a section is a prompt under its identifier', () => {
    expect(prompt('section_5')).toEqual({
      id: 'section_5',
      name: 'Nudge',
      content: 'Stay brief.',
      role: 'user',
      enabled: false,
      marker: false,
      placement: 'in_chat',
      injectionDepth: 2,
      injectionOrder: 500,
      forbidOverrides: true,
      wrapInXml: true,
      xmlTagName: 'nudge',
    });
    expect(prompt('chat_history')).toMatchObject({ marker: true, markerSlot: 'chatHistory' });
    expect(prompt('lorebook')).toMatchObject({ marker: true, groupId: 'g-1', extras: { markerType: 'lorebook' } });
  });
  test('groups and variables', () => {
    expect(body.groups).toEqual([{ id: 'g-1', name: 'Lore', order: 100, enabled: true }]);
    expect(body.choices).toEqual([
      {
        id: 'c-1',
        key: 'tense',
        label: 'Which tense?',
        type: 'one',
        separator: ', ',
        randomPick: false,
        sortOrder: 0,
        default: 'past',
        options: [
          { id: 'o1', label: 'Past', value: 'past' },
          { id: 'o2', label: '現在', value: 'present' },
        ],
      },
    ]);
  });
  test('what has no slot is named one by one, also inside a text', () => {
    const paths = left(adapter, lantern);
    for (const key of ['verbosity', 'customParameters', 'stopSequences', 'strictRoleFormatting'])
      expect(paths).toContain(`data.preset.parameters.${key}`);
    expect(paths).toContain('data.sections[3].markerConfig.chatHistoryOptions');
    expect(paths).toContain('data.preset.wrapFormat');
    expect(paths).not.toContain('data.preset.parameters.presencePenalty');
    expect(paths.some((path) => path.includes('defaultChoices'))).toBe(false);
  });
  test('the five places of all apps are slots', () => {
    const slots = {
      chat_history: 'chatHistory',
      world_info_before: 'worldInfoBefore',
      world_info_after: 'worldInfoAfter',
      dialogue_examples: 'dialogueExamples',
      persona: 'personaDescription',
    };
    for (const [type, slot] of Object.entries(slots)) {
      const file = withValue(lantern, 'data.sections.3.markerConfig', JSON.stringify({ type }));
      expect(prompt('chat_history', readAs(adapter, file).body)?.markerSlot, type).toBe(slot);
    }
  });
});

describe('the order of sections', () => {
  test('it is what the preset says, not how they stand in the file', () => {
    expect(body.prompts.map(({ id }) => id)).toEqual(['main', 'section_1', 'lorebook', 'chat_history', 'section_5']);
  });
  test('an edit leaves the order and the places of the rows alone', () => {
    const file = edited(adapter, lantern, (one) => Object.assign(one.prompts[0] ?? {}, { content: 'x' }));
    expect(differences(lantern, file)).toEqual(['data.sections.1.content']);
  });
  test('another order is said in the list, the rows stay', () => {
    const file = edited(adapter, lantern, (one) => one.prompts.reverse());
    expect(differences(lantern, file)).toEqual(['data.preset.sectionOrder']);
    expect(at(file, 'data.preset.sectionOrder')).toBe('["s-5","s-4","s-3","s-1","s-2"]');
  });
  test('rows that the list leaves out follow in file order, and ids of no row keep their place', () => {
    const partial = withValue(lantern, 'data.preset.sectionOrder', '["s-4", "gone", "s-1"]');
    expect(readAs(adapter, partial).body.prompts.map(({ id }) => id)).toEqual([
      'chat_history',
      'section_1',
      'main',
      'lorebook',
      'section_5',
    ]);
    const renamed = edited(adapter, partial, (one) => Object.assign(one.prompts[2] ?? {}, { name: 'x' }));
    expect(differences(partial, renamed)).toEqual(['data.sections.1.name']);
    const removed = edited(adapter, partial, (one) => one.prompts.shift());
    expect(at(removed, 'data.preset.sectionOrder')).toBe('["s-1","gone","s-2","s-3","s-5"]');
  });
  test('where rows share an id or have none, the file order counts', () => {
    const twice = withValue(lantern, 'data.sections.4.id', 's-1');
    expect(readAs(adapter, twice).body.prompts[0]?.id).toBe('section_1');
    const file = edited(adapter, twice, (one) => one.prompts.reverse());
    expect((at(file, 'data.sections') as { identifier: string }[])[0]?.identifier).toBe('section_5');
    expect(at(file, 'data.preset.sectionOrder')).toBe(at(lantern, 'data.preset.sectionOrder'));
  });
  test('without a list the file order counts, and a new order moves the rows', () => {
    const bare = withValue(lantern, 'data.preset.sectionOrder', undefined);
    const file = edited(adapter, bare, (one) => one.prompts.reverse());
    expect((at(file, 'data.sections') as { id: string }[]).map(({ id }) => id)).toEqual([
      's-5',
      's-4',
      's-3',
      's-2',
      's-1',
    ]);
  });
  test('a new prompt is listed where it stands, belongs to the preset and changes no other row', () => {
    const file = edited(adapter, lantern, (one) =>
      one.prompts.splice(1, 0, { ...emptyPrompt('extra'), content: 'New.' }),
    );
    expect(at(file, 'data.sections.5')).toMatchObject({
      identifier: 'extra',
      presetId: 'preset-lantern',
      content: 'New.',
      enabled: true,
      isMarker: false,
    });
    const id = at(file, 'data.sections.5.id');
    expect(JSON.parse(at(file, 'data.preset.sectionOrder') as string)).toEqual(['s-2', id, 's-1', 's-3', 's-4', 's-5']);
  });
  test('removed prompts leave the list', () => {
    const file = edited(adapter, lantern, (one) => one.prompts.splice(0, 2));
    expect(at(file, 'data.preset.sectionOrder')).toBe('["s-3","s-4","s-5"]');
  });
});

describe('columns as text', () => {
  test('an edit inside a text keeps the other spellings in it', () => {
    const file = edited(adapter, lantern, (one) => Object.assign(one.samplers ?? {}, { topK: 20 }));
    const before = at(lantern, 'data.preset.parameters') as string;
    expect(at(file, 'data.preset.parameters')).toBe(before.replace('"topK":40', '"topK":20'));
    expect(differences(lantern, file)).toEqual(['data.preset.parameters']);
  });
  test('flags as text stay text; real values stay values', () => {
    const flip = (one: PresetBody) => Object.assign(one.prompts[0] ?? {}, { enabled: false });
    expect(at(edited(adapter, lantern, flip), 'data.sections.1.enabled')).toBe('false');
    const modern = withValue(withValue(lantern, 'data.sections.1.enabled', true), 'data.preset.parameters', {
      temperature: 1,
    });
    const file = edited(adapter, modern, (one) => [flip(one), Object.assign(one.samplers ?? {}, { temperature: 2 })]);
    expect(at(file, 'data.sections.1.enabled')).toBe(false);
    expect(at(file, 'data.preset.parameters')).toEqual({ temperature: 2 });
  });
  test('null stays null and counts as unset; an empty text is no zero', () => {
    expect(body.samplers?.presencePenalty).toBeUndefined();
    const file = withValue(lantern, 'data.preset.parameters', { presencePenalty: null, topK: '' });
    expect(readAs(adapter, file).body.samplers).toBeUndefined();
    expect(edited(adapter, file, (one) => Object.assign(one, { name: 'x' }))).toMatchObject({
      data: { preset: { parameters: { presencePenalty: null, topK: '' } } },
    });
  });
  test('empty parameters take an edit', () => {
    const file = edited(adapter, withValue(lantern, 'data.preset.parameters', ''), (one) =>
      Object.assign(one, { samplers: { topP: 0.5 } }),
    );
    expect(at(file, 'data.preset.parameters')).toBe('{"topP":0.5}');
  });
  test('a word of reasoning effort that nobody knows is kept, and none that the app lacks is written', () => {
    const odd = withValue(lantern, 'data.preset.parameters', '{"reasoningEffort":"xxl"}');
    expect(readAs(adapter, odd).body.apiOptions?.reasoningEffort).toBe('xxl');
    const set = (value: string) =>
      at(
        edited(adapter, odd, (one) => Object.assign(one.apiOptions ?? {}, { reasoningEffort: value })),
        'data.preset.parameters',
      );
    expect(set('auto')).toBe('{"reasoningEffort":"xxl"}');
    expect(set('max')).toBe('{"reasoningEffort":"maximum"}');
  });
});

describe('variables', () => {
  test('the first answer stands in the preset, by name of the variable', () => {
    const file = edited(adapter, lantern, (one) => Object.assign(one.choices?.[0] ?? {}, { default: 'present' }));
    expect(differences(lantern, file)).toEqual(['data.preset.defaultChoices']);
    const gone = edited(adapter, lantern, (one) => delete one.choices?.[0]?.default);
    expect(at(gone, 'data.preset.defaultChoices')).toBe('{}');
    const renamed = edited(adapter, lantern, (one) => Object.assign(one.choices?.[0] ?? {}, { key: 'time' }));
    expect(at(renamed, 'data.preset.defaultChoices')).toBe('{"time":"past"}');
  });
  test('options are edited inside their text', () => {
    const file = edited(adapter, lantern, (one) =>
      one.choices?.[0]?.options.push({ id: 'o3', label: 'Tương lai', value: 'future' }),
    );
    expect(differences(lantern, file)).toEqual(['data.choiceBlocks.0.options']);
    expect(JSON.parse(at(file, 'data.choiceBlocks.0.options') as string)).toHaveLength(3);
  });
  test.skipIf(!real)('the app’s own default preset is read whole', () => {
    const one = readAs(adapter, real?.bytes).body;
    expect([one.prompts.length, one.groups?.length, one.choices?.length]).toEqual([9, 1, 7]);
    expect(one.choices?.every(({ default: value }) => typeof value === 'string')).toBe(true);
    expect(one.prompts.filter(({ marker }) => marker)).toHaveLength(6);
  });
});

describe('sharing', () => {
  test('custom parameters may hold a key: they are not shown, and taken out of a file that is to be shared', () => {
    const secret = withValue(
      lantern,
      'data.preset.parameters',
      '{"temperature":1.0,"customParameters":{"api_key":"sk-1"}}',
    );
    const line = adapter.account(readAs(adapter, secret)).left.find(({ path }) => path.endsWith('customParameters'));
    expect(line?.value).toBe('(may hold secrets, not shown)');
    const stripped = adapter.stripSecrets?.(secret);
    expect(stripped?.removed).toEqual(['data.preset.parameters.customParameters']);
    expect(at(stripped?.raw as never, 'data.preset.parameters')).toBe('{"temperature":1.0}');
    expect(adapter.stripSecrets?.(stripped?.raw).raw).toBe(stripped?.raw);
    expect(at(secret, 'data.preset.parameters')).toContain('sk-1');
  });
});

describe('between apps', () => {
  const one: PresetBody = {
    ...emptyPreset(),
    name: 'Deck',
    prompts: [
      { ...emptyPrompt('main'), content: 'Hi', systemPrompt: true },
      { ...emptyPrompt('charDescription'), marker: true },
      { ...emptyPrompt('chatHistory'), marker: true, markerSlot: 'chatHistory' },
      { ...emptyPrompt('late'), content: 'x', placement: 'append', role: 'tool' },
    ],
    samplers: { temperature: 0.7, topA: 0.2 },
    choices: [
      {
        id: 'c',
        key: 'mood',
        label: 'Mood',
        type: 'toggle',
        options: [{ id: 'o', label: 'On', description: 'd', value: '1' }],
      },
    ],
  };
  test('a fresh preset wraps nothing, lists its sections and has its columns as text', () => {
    const file = fresh(adapter, one);
    expect(at(file, 'data.preset')).toMatchObject({
      name: 'Deck',
      wrapFormat: 'none',
      parameters: '{"temperature":0.7}',
    });
    const ids = (at(file, 'data.sections') as { id: string }[]).map(({ id }) => id);
    expect(JSON.parse(at(file, 'data.preset.sectionOrder') as string)).toEqual(ids);
    expect(at(file, 'data.sections.2.markerConfig')).toBe('{"type":"chat_history"}');
    expect(at(file, 'data.sections.0.presetId')).toBe(at(file, 'data.preset.id'));
    expect(fresh(adapter, one)).toEqual(file);
  });
  test('SillyTavern’s places for parts of the character are character markers here', () => {
    expect(at(fresh(adapter, one), 'data.sections.1.markerConfig')).toBe(
      '{"type":"character","characterFields":["description"]}',
    );
  });
  test('what has no place is reported', async () => {
    const entity = { schemaVersion: '1', kind: 'preset', id: 'deck', body: one } as const;
    const { report } = await createEngine(adapters).write([entity], 'marinara');
    expect(report.losses.map(({ path }) => path)).toEqual([
      'prompts[0].systemPrompt',
      'prompts[3].role',
      'prompts[3].placement',
      'samplers.topA',
      'choices[0].type',
      'choices[0].options[0].description',
    ]);
  });
  const presets = sillytavern.filter(({ kind }) => kind === 'preset');
  test.skipIf(presets.length === 0)('to SillyTavern and back: prompts, order, markers and samplers hold', async () => {
    const engine = createEngine([...adapters, ...sillytavern]);
    const out = await engine.convert(encode(lantern), 'sillytavern');
    const back = await engine.convert(out.files[0]?.bytes as Uint8Array, 'marinara');
    const again = readAs(adapter, parse(back.files[0]?.bytes as Uint8Array)).body;
    expect(again.prompts.map(({ content, enabled }) => [content, enabled])).toEqual(
      body.prompts.map(({ content, enabled }) => [content, enabled]),
    );
    expect(again.samplers).toEqual(body.samplers);
    expect(out.report.losses.map(({ path }) => path)).toContain('choices[0]');
    expect(out.report.escrowed.map(({ path }) => path)).toContain('data.preset.parameters.customParameters');
  });
});
