import { describe, expect, test } from 'vitest';
import { encode, parse, withValue } from '../../../test/kit/adapter.ts';
import { edited, engine, entryOf, read, rowsOf, sample, scenario, story, written } from '../../../test/kit/novelai.ts';
import { sourceOf } from '../../core/source.ts';
import { emptyEntry } from '../../entities/lorebook/schema.ts';
import { novelaiLorebook } from './lorebook.ts';

describe('detection', () => {
  const score = (value: unknown) => novelaiLorebook.detect(sourceOf(encode(value)));

  test.each([1, 2, 3, 4, 5, 6, 7])('version %i is certain', (lorebookVersion) => {
    expect(score({ lorebookVersion, entries: [] })).toBe(1);
  });
  test('a version without entries, or with a keyed object of them, is nobody’s', () => {
    expect(score({ lorebookVersion: 3 })).toBe(0);
    expect(score({ lorebookVersion: 3, entries: {} })).toBe(0);
    expect(score({ lorebookVersion: '3', entries: [] })).toBe(0);
  });
  test.each(['contextConfig', 'searchRange', 'forceActivation'])(
    'without a version, text and keys beside %s tell',
    (key) => {
      expect(score({ entries: [{ text: 'a', keys: ['b'], [key]: 1 }] })).toBe(0.95);
    },
  );
  test('without a version, text and keys alone do not tell', () => {
    expect(score({ entries: [{ text: 'a', keys: ['b'] }] })).toBe(0);
    expect(score({ entries: [{ content: 'a', keys: ['b'], searchRange: 1 }] })).toBe(0);
    expect(score({ entries: [] })).toBe(0);
  });
  test('a scenario and a story count by the book they hold', () => {
    expect(score(scenario)).toBe(0.8);
    expect(score(story)).toBe(0.8);
    expect(score(withValue(scenario, 'lorebook', undefined))).toBe(0);
    expect(score(withValue(story, 'content.lorebook', undefined))).toBe(0);
    expect(score(withValue(scenario, 'scenarioVersion', undefined))).toBe(0);
  });
  test.each<readonly [string, unknown]>([
    ['a world info', { entries: { 0: { uid: 0, key: ['a'], content: 'b' } } }],
    ['a card book', { entries: [{ keys: ['a'], content: 'b', insertion_order: 1 }] }],
    ['an Agnai book', { kind: 'memory', entries: [{ entry: 'a', keywords: [] }] }],
    ['a RisuAI envelope', { type: 'risu', ver: 1, data: [] }],
    ['a marked envelope', { type: 'x', lorebookVersion: 1, entries: [] }],
    ['a card', { spec: 'chara_card_v2', data: { name: 'x' } }],
    ['the native wrapper', { schemaVersion: '1', kind: 'lorebook', body: { entries: [] } }],
    ['a NovelAI preset', { presetVersion: 3, name: 'x', parameters: { temperature: 1 }, model: 'y' }],
    ['a list', [{ text: 'a', keys: [], searchRange: 1 }]],
    ['nothing', null],
  ])('%s is refused', (_, value) => {
    expect(score(value)).toBe(0);
  });
  test('every sample is ours, and neighbours stay with their own adapter', async () => {
    for (const what of ['harbour.lorebook', 'first.lorebook', 'lantern.png', 'ferry.scenario', 'crossing.story']) {
      expect((await engine.detect(sample(what)))?.format, what).toBe('novelai-lorebook');
    }
    const book = encode({ name: 'x', entries: [{ keys: ['a'], content: 'b', insertion_order: 1 }] });
    expect((await engine.detect(book))?.format).toBe('sillytavern-lorebook');
    const versionless = await engine.detect(encode({ entries: [{ text: 'a', keys: ['b'], searchRange: 9 }] }));
    expect(versionless).toMatchObject({ format: 'novelai-lorebook', score: 0.95 });
  });
});

describe('hostile files', () => {
  const ODD: readonly unknown[] = [
    null,
    7,
    'text',
    [],
    {},
    [null, 7, 'x', [[]], { id: {}, keys: {}, contextConfig: [] }],
  ];
  test.each(ODD)('entries and folders that are %j neither throw nor change', (odd) => {
    for (const value of [
      {
        lorebookVersion: 6,
        entries: [{ text: 'a', keys: odd, contextConfig: odd, loreBiasGroups: odd }],
        categories: odd,
      },
      { lorebookVersion: 6, entries: Array.isArray(odd) ? odd : [odd], settings: odd },
    ]) {
      expect(parse(written(read(value)).bytes)).toEqual(value);
      const out = edited(value, (body) => body.entries.push({ ...emptyEntry('new'), title: 'neu' }));
      expect(rowsOf(out).slice(0, value.entries.length)).toEqual(value.entries);
      expect(rowsOf(out).at(-1)).toMatchObject({ displayName: 'neu' });
    }
  });
  test('keys named like inherited ones are data', () => {
    const value = JSON.parse(
      '{"lorebookVersion":6,"__proto__":{"entries":[]},"entries":[{"id":"__proto__","text":"a","keys":["b"],"__proto__":{"text":"c"}}]}',
    );
    const out = edited(value, (body) => {
      body.entries[0]!.title = 'x';
    });
    expect(JSON.stringify(out)).toContain('"__proto__":{"text":"c"}');
    expect(entryOf(value)).toMatchObject({ id: '__proto__', content: 'a' });
  });
});
