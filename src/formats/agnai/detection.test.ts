import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { encode, parse, withValue } from '../../../test/kit/adapter.ts';
import { engine, harbour, irma, nagi, SAMPLES } from '../../../test/kit/agnai.ts';
import { CORPUS } from '../../../test/kit/corpus.ts';
import { isRecord } from '../../core/draft.ts';
import { sourceOf } from '../../core/source.ts';
import { agnai } from './index.ts';
import { agnaiLorebook } from './lorebook.ts';

describe('detection', () => {
  const score = (value: unknown) => [
    agnai.detect(sourceOf(encode(value))),
    agnaiLorebook.detect(sourceOf(encode(value))),
  ];
  const { kind: _kind, ...unmarked } = irma;

  test('a native character scores 1, a memory book scores 1', () => {
    expect(score(irma)).toEqual([1, 0]);
    expect(score(nagi)).toEqual([1, 0]);
    expect(score(harbour)).toEqual([0, 1]);
  });
  test('a character without a kind scores 0.8 when the five keys of the importer are there', () => {
    expect(score(unmarked)).toEqual([0.8, 0]);
    for (const key of ['name', 'greeting', 'scenario', 'sampleChat', 'persona']) {
      expect(score(withValue(unmarked, key, undefined)), key).toEqual([0, 0]);
    }
    expect(score(withValue(unmarked, 'persona.attributes', undefined))).toEqual([0, 0]);
  });
  test.each(['schemaVersion', 'body'])('the firewall is the absence of %s', (key) => {
    expect(score({ ...irma, [key]: '1' })[0]).toBe(0);
    expect(score({ ...unmarked, [key]: '1' })[0]).toBe(0);
  });
  test.each(['spec', 'data'])('a character without a kind but with %s is not ours', (key) => {
    expect(score({ ...unmarked, [key]: {} })[0]).toBe(0);
  });
  test('a book without a kind is known by entry and keywords in its first row', () => {
    const { kind: _, ...plain } = harbour;
    expect(score(plain)).toEqual([0, 0.9]);
    expect(score({ ...plain, kind: 'other' })).toEqual([0, 0]);
  });
  test('a card book that stands alone is the soft tier', () => {
    expect(
      score({ entries: [{ keys: ['fog'], content: 'thick', insertion_order: 1, enabled: true, extensions: {} }] }),
    ).toEqual([0, 0.7]);
  });
  test.each<readonly [string, unknown]>([
    ['the native wrapper', { schemaVersion: '1', kind: 'character', id: 'x', body: { identity: { name: 'x' } } }],
    ['a library copy', { ...irma, kind: 'library-character' }],
    ['a generation preset', { kind: 'gen-setting', name: 'x', service: 'novel', temp: 1 }],
    [
      'a scenario',
      { $schema: 'https://a.example/scenario-schema-v1.json', name: 'x', text: 'y', states: [], entries: [] },
    ],
    ['a chat', { name: 'x', greeting: 'a', scenario: 'b', sampleChat: 'c', messages: [] }],
    ['a V2 card', { spec: 'chara_card_v2', data: { name: 'x', extensions: { agnai: { persona: {} } } } }],
    ['a flat card', { name: 'x', personality: 'y', scenario: 'z', first_mes: 'a' }],
    ['Pygmalion', { char_name: 'x', char_persona: 'y', char_greeting: 'z' }],
    ['Backyard', { character: { aiName: 'x', aiPersona: 'y' }, aiName: 'x', aiPersona: 'y' }],
    ['a world info', { entries: { 0: { uid: 0, key: ['a'], content: 'b' } } }],
    ['RisuAI lore', { type: 'risu', ver: 1, data: [{ key: 'a', content: 'b' }] }],
    ['NovelAI lore', { lorebookVersion: 5, entries: [{ text: 'a', keys: ['b'] }] }],
    ['keyed memory', { kind: 'memory', entries: { 0: { entry: 'a', keywords: [] } } }],
    ['a list', []],
    ['a text persona', { kind: 'character', greeting: 'a', persona: 'b' }],
  ])('%s is refused', (_, value) => {
    expect(score(value)).toEqual([0, 0]);
  });
});

describe('round trip', () => {
  const files = (folder: URL) =>
    existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  const through = async (file: URL, format: string) => {
    const bytes = new Uint8Array(readFileSync(file));
    expect(await engine.detect(bytes)).toMatchObject({ format });
    const { entities } = await engine.read(bytes);
    const { files: out, report } = await engine.write(entities, 'agnai');
    expect(parse(out[0]!.bytes)).toEqual(parse(bytes));
    expect(report).toMatchObject({ losses: [], escrowed: [], escrowShadowed: [] });
    const bare = entities.map((entity) => ({ ...entity, original: {} })) as typeof entities;
    const again = await engine.write(bare, 'agnai');
    return again.report.losses.map(({ path }) => path);
  };
  test('our samples', async () => {
    expect(await through(new URL('agnai.irma.json', SAMPLES), 'agnai')).toEqual(['media.portrait.ref']);
    expect(await through(new URL('agnai.nagi.json', SAMPLES), 'agnai')).toEqual([]);
    const lost = await through(new URL('agnai-lorebook.harbour.json', SAMPLES), 'agnai-lorebook');
    expect(lost).toEqual(['entries[2].selectiveLogic', 'entries[2].position']);
  });
  test.each(['agnai', 'agnai-lorebook'])('the corpus: %s', async (format) => {
    const folder = new URL(`${format}/`, CORPUS);
    if (!existsSync(folder)) return console.warn(`skipped: no corpus at ${folder.pathname}`);
    for (const name of files(folder)) expect(await through(new URL(name, folder), format), name).toEqual([]);
  });
  test('coverage names wire keys without the carrier', () => {
    expect(agnai.coverage.map(({ wire }) => wire).filter((wire) => wire.includes('card.'))).toEqual([]);
    expect(isRecord(agnai.coverage[0])).toBe(true);
  });
});
