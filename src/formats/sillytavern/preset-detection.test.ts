import { describe, expect, test } from 'vitest';
import {
  changes,
  corpus,
  edited,
  hasCorpus,
  NO_CORPUS,
  read,
  source,
  tokens,
  value,
  written,
} from '../../../test/formats/files.ts';
import { editPrompt, type File, file, fresh, harbour } from '../../../test/kit/sillytavern-preset.ts';
import { createEngine } from '../../engine.ts';
import adapters from './index.ts';
import { sillytavernPreset as adapter } from './preset.ts';

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
