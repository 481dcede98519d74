import { describe, expect, test } from 'vitest';
import { character, engine, json, targetsOf, text, v2, v3 } from './rest-kit.ts';

const preset = {
  chat_completion_source: 'custom',
  temperature: 0.9,
  frequency_penalty: '0.25',
  presence_penalty: null,
  top_k: '',
  seed: null,
  openai_max_context: 8192,
  openai_max_tokens: 300,
  assistant_prefill: 'Very well,',
  reasoning_effort: 'max',
  custom_include_body: 'stop: ["###"]',
  stop: ['###', '\nUser:'],
  prompts: [{ identifier: 'main', name: 'Main Prompt', role: 'system', content: 'Write on.', system_prompt: true }],
  prompt_order: [{ character_id: 100001, order: [{ identifier: 'main', enabled: true }] }],
};
const presetTargets = targetsOf('preset').filter((id) => id !== 'sillytavern-preset');

describe('presets', () => {
  test('RW-065 null and an empty text stay on the wire, count as unset, and are no zero', async () => {
    const { entities } = await engine.read(text(preset));
    const [entity] = entities;
    if (entity?.kind !== 'preset') throw new Error('not a preset');
    expect(entity.body.samplers).toMatchObject({ temperature: 0.9, frequencyPenalty: 0.25 });
    expect(entity.body.samplers).not.toHaveProperty('presencePenalty');
    expect(entity.body.samplers).not.toHaveProperty('topK');
    expect(entity.body.generation ?? {}).not.toHaveProperty('seed');
    const edited = { ...entity, body: { ...entity.body, samplers: { ...entity.body.samplers, temperature: 0.5 } } };
    const { files } = await engine.write([edited], 'sillytavern');
    expect(json(files[0]?.bytes)).toEqual({ ...preset, temperature: 0.5 });
  });

  test.each(presetTargets)('RW-065 what is unset is unset in %s too', async (target) => {
    const { files } = await engine.convert(text(preset), target);
    const [back] = (await engine.read(files[0]?.bytes ?? '')).entities;
    if (back?.kind !== 'preset') throw new Error('not a preset');
    expect(back.body.samplers?.presencePenalty ?? 'unset').not.toBe(0);
    expect(back.body.samplers?.topK ?? 'unset').not.toBe(0);
    expect(back.body.generation?.seed ?? 'unset').not.toBe(0);
  });

  test.each(['min', 'max', 'auto', 'ultra'])('RW-066 the reasoning level %s is kept', async (level) => {
    const { entities } = await engine.read(text({ ...preset, reasoning_effort: level }));
    const [entity] = entities;
    if (entity?.kind !== 'preset') throw new Error('not a preset');
    expect(entity.body.apiOptions?.reasoningEffort).toBe(level);
    const edited = { ...entity, body: { ...entity.body, samplers: { temperature: 1 } } };
    expect(json((await engine.write([edited], 'sillytavern')).files[0]?.bytes).reasoning_effort).toBe(level);
  });

  test.each(presetTargets)(
    'RW-066 stop strings, prefill, own parameters and level: mapped or named on the way to %s',
    async (target) => {
      const { files, report } = await engine.convert(text(preset), target);
      const named = [...report.losses, ...report.escrowed].map(({ path }) => path).join('\n');
      const [back] = (await engine.read(files[0]?.bytes ?? '')).entities;
      if (back?.kind !== 'preset') throw new Error('not a preset');
      expect(back.body.systemPrompts?.assistantPrefill === 'Very well,' || named.includes('assistantPrefill')).toBe(
        true,
      );
      expect(back.body.apiOptions?.reasoningEffort === 'max' || named.includes('reasoningEffort')).toBe(true);
      expect(named).toMatch(/custom_include_body|customParameters/);
      expect(JSON.stringify(back.body).includes('###') || /^stop/m.test(named)).toBe(true);
    },
  );
});

const script = (id: string, change: object) => ({
  id,
  scriptName: id,
  findRegex: 'ding',
  replaceString: 'dong',
  trimStrings: [],
  placement: [2],
  disabled: false,
  markdownOnly: false,
  promptOnly: false,
  runOnEdit: true,
  substituteRegex: 0,
  minDepth: null,
  maxDepth: null,
  ...change,
});
const SCRIPTS = [
  script('bare', { findRegex: 'ding' }),
  script('none', { findRegex: '/ding/' }),
  script('one', { findRegex: '/ding/i' }),
  script('many', { findRegex: '/ding/gimsu' }),
  script('input', { placement: [1] }),
  script('prompt', { placement: [1, 2], promptOnly: true }),
  script('display', { placement: [2], markdownOnly: true }),
  script('lore', { placement: [5] }),
  script('reasoning', { placement: [6] }),
  script('deep', { minDepth: 1, maxDepth: 4 }),
  script('trimmed', { trimStrings: ['*', '~'] }),
];
const KEYS = ['flags', 'phases', 'targets', 'minDepth', 'maxDepth', 'trimStrings'] as const;
/** An empty text, an empty list and nothing say the same. */
const said = (value: unknown): string => text(value === undefined || value === '' ? [] : value);

describe('regex rules', () => {
  test.each(targetsOf('regex'))(
    'RW-067 each difference of flags, phase, depth or trims is named per rule in %s',
    async (target) => {
      const { files, report, entities } = await engine.convert(text(SCRIPTS), target);
      const [before] = entities;
      const [after] = (await engine.read(files[0]?.bytes ?? '')).entities;
      if (before?.kind !== 'regex' || after?.kind !== 'regex') throw new Error('not rules');
      expect(after.body.rules.map(({ find }) => find)).toEqual(before.body.rules.map(({ find }) => find));
      before.body.rules.forEach((rule, index) => {
        const differing = KEYS.filter((key) => said(rule[key]) !== said(after.body.rules[index]?.[key]));
        const named = report.losses.filter(({ path }) => path.startsWith(`rules[${index}].`)).map(({ path }) => path);
        for (const key of differing) expect(named.some((path) => path.startsWith(`rules[${index}].${key}`))).toBe(true);
      });
    },
  );

  test('RW-067 no flags stay no flags, and nothing becomes global by itself', async () => {
    for (const target of targetsOf('regex')) {
      const { files, report } = await engine.convert(text(SCRIPTS), target);
      const [after] = (await engine.read(files[0]?.bytes ?? '')).entities;
      if (after?.kind !== 'regex') throw new Error('not rules');
      const [bare, none, one] = after.body.rules;
      const named = report.losses.map(({ path }) => path);
      expect(bare?.flags ? named : []).toEqual(bare?.flags ? expect.arrayContaining(['rules[0].flags']) : []);
      expect(none?.flags ? named : []).toEqual(none?.flags ? expect.arrayContaining(['rules[1].flags']) : []);
      expect(one?.flags === 'i' || named.includes('rules[2].flags')).toBe(true);
    }
  });

  test('RW-068 two cards with rules of the same ids keep each its own', async () => {
    const rules = (find: string) => [script('r-1', { findRegex: find }), script('r-1', { findRegex: `${find}!` })];
    const cards = ['ding', 'dong'].map((find) => v2({ name: find, extensions: { regex_scripts: rules(find) } }));
    const [a, b] = await Promise.all(cards.map(async (card) => (await engine.read(text(card))).entities));
    const written = await engine.write([...(a ?? []), ...(b ?? [])], 'sillytavern');
    expect(written.files.map(({ bytes }) => json(bytes))).toEqual(cards);
    const again = await engine.read(text(cards[0]));
    expect(json((await engine.write(again.entities, 'sillytavern')).files[0]?.bytes)).toEqual(cards[0]);
  });
});

describe('batches', () => {
  test('RW-069 each of several cards keeps its own tags, in order', async () => {
    const tags = [['sea', 'night'], ['city'], ['', 'sea', 'sea', '  ', 'lamp']];
    const read = await Promise.all(tags.map((own, n) => engine.read(text(v3({ name: `N${n}`, tags: own })))));
    const entities = read.flatMap((one) => one.entities);
    expect(entities.map((one) => character([one]).body.discovery.tags?.filter((tag) => tag.trim() !== ''))).toEqual(
      tags.map((own) => own.filter((tag) => tag.trim() !== '')),
    );
    const { files } = await engine.write(entities, 'sillytavern');
    expect(files.map(({ bytes }) => json(bytes).data.tags)).toEqual(tags);
  });
});
