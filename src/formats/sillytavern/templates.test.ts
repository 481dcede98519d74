import { describe, expect, test } from 'vitest';
import {
  changes,
  corpus,
  edited,
  hasCorpus,
  NO_CORPUS,
  read,
  sample,
  samples,
  source,
  tokens,
  value,
  written,
} from '../../../test/formats/files.ts';
import { createRegistry } from '../../core/registry.ts';
import { createEngine } from '../../engine.ts';
import type { AnyAdapter, EntityOf } from '../../entities/kinds.ts';
import { emptyPreset } from '../../entities/preset/schema.ts';
import { formats } from '../index.generated.ts';
import adapters from './index.ts';
import { sillytavernPreset as adapter } from './preset.ts';
import { sillytavernQuickReply } from './quickreply.ts';

const FAMILIES = ['instruct', 'context', 'sysprompt', 'reasoning', 'textgen', 'kobold', 'novel', 'master'] as const;
const template = (family: string) => sample('sillytavern', `sillytavern-preset.${family}.json`);
const dialectOf = (entity: EntityOf<'preset'>) => entity.original?.['sillytavern-preset']?.unmapped?.dialect;
const known = formats as readonly AnyAdapter[];
const roster = createRegistry(known);
const everyone = createEngine(known);

describe('each family', () => {
  test.each(FAMILIES)('%s is known by name and comes back as it was', (family) => {
    const file = template(family);
    const [entity] = read(adapter, file.bytes);
    expect(dialectOf(entity)).toBe(family);
    expect(written(adapter, entity)).toBe(file.text);
  });

  test.each([
    ['instruct', { name: 'Bay' }],
    ['context', { name: 'Zátoka' }],
    ['reasoning', { name: 'Bay thoughts' }],
  ])('%s: the name', (family, body) =>
    expect(read(adapter, template(family).bytes)[0].body).toEqual({ ...emptyPreset(), ...body }),
  );

  test('a system prompt is one prompt, what follows the chat a second', () => {
    const [entity] = read(adapter, template('sysprompt').bytes);
    expect(entity.body.prompts.map(({ id, content }) => [id, content])).toEqual([
      ['content', 'Отвечай коротко, {{char}}.'],
      ['post_history', 'Не забудь о приливе.'],
    ]);
    const [first] = entity.body.prompts;
    if (!first) throw new Error('no prompt');
    expect(value(adapter, edited(entity, { prompts: [{ ...first, content: 'z' }] }))).toEqual({
      name: 'Бухта',
      content: 'z',
      post_history: '',
    });
  });

  test.each([
    [
      'textgen',
      {
        temperature: 0.7,
        topP: 0.5,
        topK: 40,
        topA: 0,
        minP: 0,
        frequencyPenalty: 0,
        presencePenalty: 0,
        repetitionPenalty: 1.2,
        maxTokens: 350,
        maxContext: 8192,
      },
      'temp',
    ],
    [
      'kobold',
      { temperature: 0.75, topP: 0.9, topK: 0, topA: 0, repetitionPenalty: 1.05, maxTokens: 180, maxContext: 2048 },
      'temp',
    ],
    [
      'novel',
      { temperature: 1.17, topP: 0.95, topK: 79, minP: 0, repetitionPenalty: 2, maxTokens: 150, maxContext: 7800 },
      'temperature',
    ],
    ['master', { temperature: 0.9, topP: 1, topK: 0, repetitionPenalty: 1.1 }, 'preset.temp'],
  ])('%s: the samplers', (family, samplers, home) => {
    const file = template(family);
    const [entity] = read(adapter, file.bytes);
    expect(entity.body.samplers).toEqual(samplers);
    const out = value(adapter, edited(entity, { samplers: { ...samplers, temperature: 1.5 } }));
    expect(changes(JSON.parse(file.text), out)).toEqual([home]);
  });

  test('a renamed instruct template changes its name alone', () => {
    const file = template('instruct');
    const out = value(adapter, edited(read(adapter, file.bytes)[0], { name: 'Cove' }));
    expect(changes(JSON.parse(file.text), out)).toEqual(['name']);
  });
});

describe('none is taken for another (RW-029)', () => {
  test.each([
    [
      'an instruct template that holds a system prompt',
      { name: 'n', system_prompt: 's', input_sequence: 'u', output_sequence: 'a' },
      'instruct',
    ],
    ['a context template', { name: 'n', story_string: 's' }, 'context'],
    ['a name and a text', { name: 'n', content: 'c' }, 'sysprompt'],
    ['a reasoning template', { name: 'n', prefix: 'a', suffix: 'b', separator: 'c' }, 'reasoning'],
    ['a sampler grid', { temp: 1, top_p: 1, rep_pen: 1 }, 'textgen'],
    ['a grid of KoboldAI', { temp: 1, top_p: 1, typical: 1 }, 'kobold'],
    ['a master file of two', { instruct: {}, context: {} }, 'master'],
    ['a master file of one', { reasoning: { name: 'n', prefix: '', suffix: '', separator: '' } }, 'master'],
    ['chat completion with sequences of its own', { prompts: [], input_sequence: 'u', output_sequence: 'a' }, 'chat'],
    [
      'chat completion beside NovelAI words',
      { temperature: 1, repetition_penalty: 1, max_length: 1, openai_max_context: 1 },
      'chat',
    ],
  ])('%s', (_name, input, dialect) => expect(dialectOf(read(adapter, input)[0])).toBe(dialect));

  test.each([
    ['a name and a text among other keys', { name: 'n', content: 'c', keys: ['k'] }],
    ['a save game of KoboldAI', { temp: 1, top_p: 1, gamestarted: true, actions: [], memory: '', prompt: '' }],
    ['one section that is none', { context: { story: 'x' } }],
    ['one section beside other keys', { reasoning: { name: 'n', prefix: '', suffix: '', separator: '' }, other: 1 }],
    ['a typed wrapper', { type: 'preset', input_sequence: 'u', output_sequence: 'a' }],
    ['quick replies', { version: 2, name: 'n', qrList: [] }],
  ])('not a preset: %s', (_name, input) => expect(adapter.detect(source(input))).toBe(0));

  test.each(
    samples('sillytavern')
      .filter(({ name }) => name.endsWith('.json'))
      .map((file) => [file.name, file] as const),
  )('one adapter claims %s', (name, file) => {
    const [first, second] = roster.scores(source(file.bytes));
    expect(first?.adapter.id).toBe(name.split('.')[0]);
    expect(second?.score ?? 0).toBeLessThan(first?.score ?? 0);
  });
});

describe('a template stays a template', () => {
  const other: AnyAdapter = {
    ...(adapter as object),
    id: 'other-preset',
    family: 'other',
    escrowIds: ['other-preset'],
    refuses: undefined,
    bound: undefined,
  } as never;
  const engine = createEngine([...adapters, other]);

  test.each(FAMILIES)('%s goes to no other preset, and is refused by name', async (family) => {
    const { bytes } = template(family);
    await expect(engine.convert(bytes, 'other')).rejects.toMatchObject({
      code: 'format.cannot-write',
      format: 'other-preset',
      hint: 'it goes back into its own format: sillytavern-preset',
    });
    const targets = (await engine.targets(bytes)).map(({ format }) => format);
    expect(targets).toEqual(['sillytavern-preset']);
  });

  test('a chat-completion preset goes anywhere', async () => {
    const { bytes } = template('harbour');
    const targets = (await engine.targets(bytes)).map(({ format }) => format);
    expect(targets.sort()).toEqual(['other-preset', 'sillytavern-preset']);
    expect((await engine.convert(bytes, 'other')).report.losses).toEqual([]);
  });

  test.each(FAMILIES)('%s has no other target among all formats', async (family) => {
    const targets = await everyone.targets(template(family).bytes);
    expect(targets.map(({ format }) => format)).toEqual(['sillytavern-preset']);
  });

  test('secrets cross into no other format, and into no report', async () => {
    const { bytes, text } = template('harbour');
    const secrets = ['not-a-real-password', 'http://127.0.0.1:5000/v1', 'X-Harbour: invented'];
    expect(secrets.every((secret) => text.includes(secret))).toBe(true);
    const targets = (await everyone.targets(bytes)).map(({ format }) => format);
    expect(targets.length).toBeGreaterThan(1);
    for (const format of targets.filter((id) => id !== 'sillytavern-preset')) {
      const { files, report } = await everyone.convert(bytes, format);
      const out = JSON.stringify(report) + files.map((file) => new TextDecoder().decode(file.bytes)).join('');
      expect([format, ...secrets.filter((secret) => out.includes(secret))]).toEqual([format]);
    }
  });

  test('our own storage takes every template', async () => {
    const all = createEngine([...adapters, ...known.filter(({ native }) => native)]);
    const { files } = await all.convert(template('instruct').bytes, 'vaud-json');
    const back = await all.convert(files[0]?.bytes ?? '', 'sillytavern');
    expect(new TextDecoder().decode(back.files[0]?.bytes)).toBe(template('instruct').text);
    await expect(all.convert(files[0]?.bytes ?? '', 'sillytavern-quickreply')).rejects.toMatchObject({
      code: 'format.cannot-write',
    });
  });
});

describe('quick replies', () => {
  const bay = sample('sillytavern', 'sillytavern-quickreply.bay.json');
  const old = sample('sillytavern', 'sillytavern-quickreply.old.json');
  const engine = createEngine(adapters);

  test('the name is read, the set is kept', () => {
    const [entity] = read(sillytavernQuickReply, bay.bytes);
    expect(entity.body).toEqual({ ...emptyPreset(), name: '湾' });
    expect(written(sillytavernQuickReply, entity)).toBe(bay.text);
    expect(sillytavernQuickReply.account(entity).left.map(({ path }) => path)).toContain('qrList');
    const [first] = read(sillytavernQuickReply, old.bytes);
    expect(first.original?.['sillytavern-quickreply']?.unmapped?.dialect).toBe('quickreply-v1');
    expect(tokens(written(sillytavernQuickReply, first))).toEqual(tokens(old.text));
  });

  test('a renamed set changes its name alone', () => {
    const out = value(sillytavernQuickReply, edited(read(sillytavernQuickReply, bay.bytes)[0], { name: 'Bay' }));
    expect(changes(JSON.parse(bay.text), out)).toEqual(['name']);
  });

  test('the family takes a set back with its own adapter', async () => {
    const { report, files } = await engine.convert(bay.bytes, 'sillytavern');
    expect(report.to).toBe('sillytavern-quickreply');
    expect(new TextDecoder().decode(files[0]?.bytes)).toBe(bay.text);
  });

  test('no preset becomes a set, no set becomes a preset', async () => {
    await expect(engine.convert(bay.bytes, 'sillytavern-preset')).rejects.toMatchObject({
      code: 'format.cannot-write',
    });
    await expect(engine.convert(template('harbour').bytes, 'sillytavern-quickreply')).rejects.toMatchObject({
      code: 'format.cannot-write',
      detail: 'quick replies are buttons and scripts: nothing else can become them',
    });
    expect((await engine.targets(bay.bytes)).map(({ format }) => format)).toEqual(['sillytavern-quickreply']);
  });

  test.each([
    ['a version that is no number', { version: '2', name: 'n', qrList: [] }],
    ['no name', { version: 2, qrList: [] }],
    ['no list', { version: 2, name: 'n' }],
  ])('not a set: %s', (_name, input) => expect(sillytavernQuickReply.detect(source(input))).toBe(0));
});

describe.skipIf(!hasCorpus)(`real files (skipped when ${NO_CORPUS})`, () => {
  const folders = ['context', 'instruct', 'master', 'sysprompt', 'textgen'].map((name) => `st-preset-${name}`);
  const files = [...folders, 'st-quickreply'].flatMap((folder) =>
    corpus(folder).map((file) => [`${folder}/${file.name}`, file, folder] as const),
  );
  test.each(files)('%s', (_name, file, folder) => {
    const winner = roster.detect(source(file.bytes))?.adapter;
    expect(winner?.id).toBe(file.expected);
    if (winner?.kind !== 'preset') throw new Error('not a preset');
    const [entity] = read(winner, file.bytes);
    if (folder.startsWith('st-preset-') && folder !== 'st-preset-textgen')
      expect(dialectOf(entity)).toBe(folder.slice('st-preset-'.length));
    if (folder === 'st-preset-textgen') expect(['textgen', 'kobold', 'novel']).toContain(dialectOf(entity));
    const text = written(winner, entity);
    expect(tokens(text)).toEqual(tokens(file.text));
    if (folder === 'st-preset-master') return;
    expect(changes(JSON.parse(text), value(winner, edited(entity, { name: 'Ω' })))).toEqual(['name']);
  });

  test('nothing else in the corpus is a preset or a set of quick replies', () => {
    const claimed = [
      'negative',
      'other-app-json',
      'novelai-preset',
      'kobold-save',
      'st-chat',
      'card-json',
      'worldinfo',
      'risu-regex',
      'marinara-preset',
      'agnai',
      'chub',
      'voxta',
      'tgwui-yaml',
    ]
      .flatMap((folder) => corpus(folder).map((file) => ({ ...file, name: `${folder}/${file.name}` })))
      .filter(({ bytes }) =>
        adapters.slice(2).some((one) => one.detect(source(bytes)) >= 0.5 && one.id !== 'sillytavern-regex'),
      );
    expect(claimed.map(({ name }) => name)).toEqual([]);
  });
});
