/** Whole files: detection beside neighbours, samples and corpus through the codec. */
import { describe, expect, test } from 'vitest';
import { differences, encode, parse } from '../../../test/kit/adapter.ts';
import { corpusIsThere } from '../../../test/kit/corpus.ts';
import { corpus, sample, sampleNames } from '../../../test/kit/marinara.ts';
import { sourceOf } from '../../core/source.ts';
import { createEngine } from '../../engine.ts';
import { entityFaults } from '../../entities/validate.ts';
import pygmalion from '../pygmalion/index.ts';
import risu from '../risu/index.ts';
import sillytavern from '../sillytavern/index.ts';
import adapters, {
  marinaraCharacter,
  marinaraLorebook,
  marinaraPersona,
  marinaraPreset,
  marinaraRegex,
} from './index.ts';

const engine = createEngine([...adapters, ...sillytavern, ...risu, ...pygmalion]);
const shuffled = createEngine([...pygmalion, ...sillytavern, ...adapters].reverse());
const found = async (value: unknown) => (await engine.detect(encode(value)))?.format;
const scores = (value: unknown) => adapters.map((adapter) => adapter.detect(sourceOf(encode(value))));

describe('detection', () => {
  test.each(sampleNames())('%s goes to its own adapter, in any order of registration', async (name) => {
    const format = name.split('.')[0];
    for (const one of [engine, shuffled]) expect((await one.detect(encode(sample(name))))?.format).toBe(format);
    const ranked = engine.registry.scores(sourceOf(encode(sample(name))));
    expect(ranked[0]?.score).toBeGreaterThan(ranked[1]?.score ?? 0);
  });
  test('each export type scores 1 with its own adapter alone', () => {
    expect(scores(sample('marinara-character.nagi.json'))).toEqual([1, 0, 0, 0, 0]);
    expect(scores(sample('marinara-lorebook.lagoon.json'))).toEqual([0, 1, 0, 0, 0]);
    expect(scores(sample('marinara-persona.orla.json'))).toEqual([0, 0, 1, 0, 0]);
    expect(scores(sample('marinara-persona.flat.json'))).toEqual([0, 0, 0.95, 0, 0]);
    expect(scores(sample('marinara-preset.lantern.json'))).toEqual([0, 0, 0, 1, 0]);
    expect(scores(sample('marinara-regex.tidy.json'))).toEqual([0, 0, 0, 0, 0.95]);
  });
  test.each([
    { type: 'marinara_lorebook', version: 2, data: { lorebook: {}, entries: [] } },
    { type: 'marinara_lorebook', version: 1, data: [] },
    { type: 'marinara_profile', version: 1, data: { version: 1, characters: [] } },
    { type: 'marinara_chat_preset', version: 1, data: { name: 'x' } },
    { type: 'marinara_sprite_archive', version: 1, data: { sprites: [] } },
    { type: 'marinara_preset', version: 1, data: {} },
    { type: 'marinara_persona', version: 1, data: { description: 'nameless' } },
  ])('another version, an export of nothing and an export of another kind are nobody’s: %j', (file) => {
    expect(scores(file)).toEqual([0, 0, 0, 0, 0]);
  });
  test('the mark wins over the shape: a world info of the same name is SillyTavern’s', async () => {
    const world = { name: 'Đầm phá Tam Giang', entries: { 0: { uid: 0, key: ['lái đò'], content: 'x' } } };
    expect(await found(world)).toBe('sillytavern-lorebook');
    const inside = {
      type: 'marinara_lorebook',
      version: 1,
      data: { lorebook: { name: 'x' }, entries: [] },
      entries: world.entries,
    };
    expect(await found(inside)).toBe('marinara-lorebook');
  });
  test('the compatible exports are the other app’s files', async () => {
    const { data } = sample('marinara-character.nagi.json').data as { data: object };
    expect(await found({ spec: 'chara_card_v2', spec_version: '2.0', data })).toBe('sillytavern');
    const world = { entries: { 0: { uid: 0, key: [], content: 'x' } }, extensions: { marinara: { exportedAt: '' } } };
    expect(await found(world)).toBe('sillytavern-lorebook');
  });
  test('a flat persona needs a column of this app, or its mark', async () => {
    const bare = { name: 'a', description: 'b', personality: 'c' };
    expect(await found(bare)).toBe('sillytavern');
    expect(await found({ ...bare, boxColor: '' })).toBe('marinara-persona');
    expect(await found({ ...bare, extensions: { marinara: {} } })).toBe('marinara-persona');
    expect(await found({ ...bare, boxColor: '', first_mes: 'hello' })).toBe('sillytavern');
  });
  test('rules are told from SillyTavern’s by the words of their placement', () => {
    const rule = { id: '1', name: 'a', findRegex: 'x', replaceString: '', placement: ['ai_output'] };
    const score = (value: unknown) => marinaraRegex.detect(sourceOf(encode(value)));
    expect(score([rule])).toBe(0.95);
    expect(score([{ ...rule, placement: '["user_input", "ai_output"]' }])).toBe(0.95);
    for (const other of [
      { ...rule, placement: [1, 2] },
      { ...rule, scriptName: 'a' },
      { ...rule, findRegex: 7 },
      { ...rule, placement: ['world_info'] },
      { ...rule, placement: [{ toString: 1 }] },
    ])
      expect(score([rule, other])).toBe(0);
    expect(score({ rules: [rule] })).toBe(0);
    expect(score([])).toBeLessThan(0.5);
  });
  test('a file that names no character is an error, not a nameless one', async () => {
    const empty = encode({ type: 'marinara_character', version: 1, exportedAt: '', data: { spec: 'chara_card_v2' } });
    expect(marinaraCharacter.detect(sourceOf(empty))).toBe(1);
    await expect(engine.read(empty)).rejects.toMatchObject({ code: 'format.mismatch', path: 'data.data' });
    const persona = encode(sample('marinara-persona.orla.json'));
    await expect(engine.read(persona, { format: 'marinara-character' })).rejects.toMatchObject({
      code: 'format.mismatch',
    });
    await expect(engine.read(persona, { format: 'marinara-lorebook' })).rejects.toMatchObject({
      code: 'format.mismatch',
    });
  });
  test.each([
    '',
    '{',
    '[]',
    'null',
    '[[]]',
    '{"type":"marinara_preset","version":1,"data":{"preset":{"parameters":"{"},"sections":[7,null]}}',
  ])('broken or hostile text throws nothing while it is detected: %s', (text) => {
    for (const adapter of adapters)
      expect(() => adapter.detect(sourceOf(new TextEncoder().encode(text)))).not.toThrow();
  });
});

describe('samples through the codec', () => {
  test.each(sampleNames())(
    '%s is valid, and unedited it is written as it was, spellings and order too',
    async (name) => {
      const text = JSON.stringify(sample(name), null, 2).replace('"scanDepth": 6', '"scanDepth": 6.0');
      const { entities } = await engine.read(text);
      for (const entity of entities) expect(entityFaults(entity)).toEqual([]);
      const { files, report } = await engine.write(entities, name.split('.')[0] ?? '');
      expect(new TextDecoder().decode(files[0]?.bytes)).toBe(text);
      expect(files).toHaveLength(1);
      expect(report.losses).toEqual([]);
      expect(report.escrowShadowed).toEqual([]);
    },
  );
});

const FOLDERS = ['marinara-character', 'marinara-lorebook', 'marinara-preset'];
const files = FOLDERS.flatMap(corpus);
describe.skipIf(!corpusIsThere)('corpus (skipped where the folder of real files is absent)', () => {
  test('there are 17 files', () => expect(files).toHaveLength(17));
  test.each(files)('$name: its own adapter, unedited as it was, nothing lost', async ({ name, bytes }) => {
    const detected = await engine.detect(bytes);
    expect(detected).toMatchObject({ format: name.split('/')[0], score: 1 });
    const { entities } = await engine.read(bytes);
    for (const entity of entities) expect(entityFaults(entity)).toEqual([]);
    const {
      files: [file],
      report,
    } = await engine.write(entities, detected?.format ?? '');
    const before = JSON.parse(new TextDecoder().decode(bytes)) as unknown;
    const after = JSON.parse(new TextDecoder().decode(file?.bytes)) as unknown;
    expect(JSON.stringify(after)).toBe(JSON.stringify(before));
    expect(report.losses).toEqual([]);
  });
  test.each(files)('$name: an edit of the name touches the name alone', async ({ name, bytes }) => {
    const { entities } = await engine.read(bytes);
    const [main, ...rest] = entities;
    if (!main) throw new Error('nothing read');
    const body =
      main.kind === 'character'
        ? { ...main.body, identity: { ...main.body.identity, name: '新しい名' } }
        : { ...main.body, name: '新しい名' };
    const {
      files: [file],
    } = await engine.write([{ ...main, body } as never, ...rest], name.split('/')[0] ?? '');
    const home = { character: 'data.data.name', lorebook: 'data.lorebook.name', preset: 'data.preset.name' }[
      main.kind as 'preset'
    ];
    expect(differences(parse(bytes), parse(file?.bytes as Uint8Array))).toEqual([home]);
  });
});

test('each adapter is registered once, under one family', () => {
  expect(adapters.map(({ id }) => id)).toEqual(
    [marinaraCharacter, marinaraLorebook, marinaraPersona, marinaraPreset, marinaraRegex].map(({ id }) => id),
  );
  expect(new Set(adapters.map(({ family }) => family))).toEqual(new Set(['marinara']));
});
