import { describe, expect, test } from 'vitest';
import { encode, parse, source, withValue } from '../../../test/kit/adapter.ts';
import { CORPUS } from '../../../test/kit/corpus.ts';
import {
  bytesIn,
  claimant,
  engine,
  filesIn,
  neighbours,
  pngWith,
  SAMPLES,
  sample,
  sampleBytes,
} from '../../../test/kit/rolecall.ts';
import { BunzaiError } from '../../core/errors.ts';
import { createEngine } from '../../engine.ts';
import rolecall from './index.ts';

const own = (value: unknown) =>
  Object.fromEntries(rolecall.map(({ id, detect }) => [id, detect(source(value))]).filter(([, score]) => score !== 0));
const scores = (value: unknown, adapters = [...neighbours, ...rolecall]) =>
  adapters.map(({ id, detect }) => [id, detect(source(value))] as const).sort((a, b) => b[1] - a[1]);

const SCORES = {
  rolecall: 1,
  'rolecall-lorebook': 1,
  'rolecall-persona': 1,
  'rolecall-regex': 0.9,
  'rolecall-preset': 0.95,
};
const mine = filesIn(new URL('rolecall/', SAMPLES)).filter((name) => !name.endsWith('.md'));

describe('samples', () => {
  test.each(mine)('%s is claimed by its adapter and by no other as surely', (name) => {
    const id = name.slice(0, name.indexOf('.')) as keyof typeof SCORES;
    const [first, second] = scores(sampleBytes(name));
    expect(first).toEqual([id, SCORES[id]]);
    expect(second?.[1] ?? 0).toBeLessThan(SCORES[id]);
    expect(own(sampleBytes(name))).toEqual({ [id]: SCORES[id] });
  });

  test.each(mine)('%s is the same winner in any order of the roster', async (name) => {
    const turned = createEngine([...rolecall, ...neighbours].reverse());
    expect(await turned.detect(sampleBytes(name))).toEqual(await engine.detect(sampleBytes(name)));
  });

  test('no sample of another family is claimed', () => {
    for (const family of filesIn(SAMPLES)) {
      if (family === 'rolecall' || family.includes('.')) continue;
      const folder = new URL(`${family}/`, SAMPLES);
      for (const name of filesIn(folder)) expect(own(bytesIn(folder, name)), `${family}/${name}`).toEqual({});
    }
  });
});

describe('firewall', () => {
  const card = (rolecallBlock: unknown, spec = 'chara_card_v2') => ({
    spec,
    spec_version: '2.0',
    data: { name: 'A', description: 'b', first_mes: 'c', extensions: { rolecall: rolecallBlock } },
  });

  test('a card with the block is RoleCall’s, whatever version, in JSON and in a picture', async () => {
    for (const value of [card({}), card({ type: 'character' }, 'chara_card_v3')]) {
      expect(await claimant(value)).toBe('rolecall');
      expect(await claimant(pngWith({ keyword: 'chara', value }))).toBe('rolecall');
    }
  });

  test('a persona card is refused by the readers of characters', async () => {
    const value = card({ type: 'persona' });
    expect(own(value)).toEqual({ 'rolecall-persona': 1 });
    expect(own(pngWith({ keyword: 'ccv3', value }))).toEqual({ 'rolecall-persona': 1 });
    for (const { id, kind, detect } of neighbours)
      if (kind === 'character' && id !== 'vaud-json') {
        expect(detect(source(value)), id).toBe(0);
        expect(detect(source(value.data)), `${id}, bare`).toBe(0);
      }
  });

  test('a card without the block, or with something else in its place, is not', () => {
    const { extensions: _gone, ...data } = card({}).data;
    expect(own({ ...card({}), data })).toEqual({});
    for (const block of ['text', null, [], 7]) expect(own(card(block)), String(block)).toEqual({});
    expect(own({ rolecall: {} })).toEqual({});
  });

  test('a book needs its version and a list of entries', () => {
    const book = sample('rolecall-lorebook.empty.json');
    expect(own(withValue(book, 'schemaVersion', '2.0.0'))).toEqual({});
    expect(own(withValue(book, 'schemaVersion', 1))).toEqual({});
    expect(own(withValue(book, 'lorebook.entries', {}))).toEqual({});
    expect(own({ schemaVersion: 'compendium-v1.0.0', lorebook: { name: 'x' }, entries: [] })).toEqual({});
  });

  test('a script needs rules under RoleCall’s names, all of them', () => {
    expect(own({ name: 'x', rules: [] })).toEqual({});
    expect(own({ name: 'x', rules: [{ find_pattern: 'a' }, { findRegex: 'b' }] })).toEqual({});
    expect(own({ rules: [{ replace_string: 'a' }] })).toEqual({ 'rolecall-regex': 0.9 });
    expect(own([{ rules: [{ find_pattern: 'a' }] }, { scriptName: 'x', findRegex: '/a/' }])).toEqual({});
    expect(own([{ scriptName: 'x', findRegex: '/a/', replaceString: '' }])).toEqual({});
  });

  test('the download wrapper is opened for personas alone', async () => {
    expect(await claimant(sample('rolecall-persona.wrapped.json'))).toBe('rolecall-persona');
    const wrapped = { exportedAt: 'now', type: 'preset', version: 1, data: sample('rolecall-preset.night.json') };
    expect(own(wrapped)).toEqual({});
  });

  test('our own files of any kind are left to their own reader', async () => {
    for (const name of mine) {
      const { entities } = await engine.read(sampleBytes(name));
      for (const { original: _twin, ...entity } of entities) expect(own(entity), name).toEqual({});
    }
  });

  test('broken and empty input claims nothing and throws nothing', () => {
    const picture = sampleBytes('rolecall-persona.ida.png');
    const damaged = pngWith({ keyword: 'rcpersona', value: 'not a persona' });
    for (const value of [
      new Uint8Array(),
      new TextEncoder().encode('{"rules":'),
      picture.slice(0, 60),
      damaged,
      null,
      7,
      [],
    ])
      expect(own(value)).toEqual({});
    for (const { id, toCanonical } of rolecall)
      if (id !== 'rolecall') expect(() => toCanonical(source({ rules: 1 })), id).toThrow(BunzaiError);
  });

  test('keys named after what every object inherits change nothing', async () => {
    const odd = JSON.parse(
      '{"spec":"chara_card_v2","data":{"name":"A","first_mes":"b","extensions":{"rolecall":{"__proto__":{"tagline":"x"},"details":{"publicDefinitionDisplay":{"spoilers":{"__proto__":true}}}}}}}',
    );
    const { entities } = await engine.read(encode(odd));
    const { files } = await engine.write(entities, 'rolecall');
    expect(JSON.stringify(parse(files[0]?.bytes ?? new Uint8Array()))).toBe(JSON.stringify(odd));
    expect(entities[0]?.body).toMatchObject({ identity: { name: 'A' } });
    expect(entities[0]?.body).not.toHaveProperty('identity.tagline');
  });
});

const corpus = filesIn(new URL('rolecall/', CORPUS));

describe.skipIf(corpus.length === 0)('corpus (skipped where ../shared/corpus is absent)', () => {
  test.each(corpus)('%s is routed, read and written back unchanged', async (name) => {
    const bytes = bytesIn(new URL('rolecall/', CORPUS), name);
    const id = name.replace(/-\d+\.\w+$/, '');
    expect(await claimant(bytes)).toBe(id);
    const { entities } = await engine.read(bytes);
    const { files, report } = await engine.write(entities, id);
    expect(report.losses).toEqual([]);
    expect(files).toHaveLength(1);
    expect(files[0]?.bytes).toEqual(bytes);
  });
});
