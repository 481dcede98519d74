import { describe, expect, test } from 'vitest';
import { labelOf } from './provenance.ts';

const card = (extensions: object, more: object = {}) => ({
  spec: 'chara_card_v3',
  data: { name: 'A', extensions, ...more },
});

describe('the examples of the specification', () => {
  test('a stronger mark wins, weaker ones are still named', () => {
    expect(labelOf(card({ rolecall: {}, depth_prompt: {} }), 'png')).toEqual({
      format: 'chara_card_v3',
      container: 'png',
      likelyOrigin: 'RoleCall',
      confidence: 0.98,
      signals: ['extensions.rolecall', 'sillytavern-extension-keys'],
    });
    const chub = labelOf({ ...card({ chub: {}, talkativeness: '0.5' }), spec: 'chara_card_v2' }, 'json');
    expect(chub).toMatchObject({ format: 'chara_card_v2', likelyOrigin: 'Chub (CharacterHub)', confidence: 0.9 });
    expect(chub.signals).toHaveLength(2);
  });
  test('a plain card tells nothing', () => {
    expect(labelOf({ spec: 'chara_card_v2', data: { name: 'A', extensions: {} } }, 'json')).toEqual({
      format: 'chara_card_v2',
      container: 'json',
      confidence: 0,
      signals: [],
    });
  });
  test('what is no card is unknown', () => {
    for (const value of [undefined, null, 1, 'text', [], {}, { hello: 'world' }]) {
      expect(labelOf(value, 'json')).toEqual({ format: 'unknown', container: 'json', confidence: 0, signals: [] });
    }
  });
});

const FORMATS: [string, unknown][] = [
  ['agnai', { kind: 'character', persona: {}, greeting: 'Hi' }],
  ['backyard', { aiName: 'A' }],
  ['backyard', { character: { aiPersona: 'A' }, version: 1 }],
  ['chara_card_v1', { name: 'A', first_mes: 'Hi' }],
  ['chara_card_v1', { data: { name: 'A', first_mes: 'Hi' } }],
  ['chara_card_v3', { card: { spec: 'chara_card_v3', data: {} }, files: {} }],
  ['pygmalion', { char_name: 'A', char_persona: 'B' }],
  ['vaud-json', { schemaVersion: '1', kind: 'lorebook', body: {} }],
  ['agnai-memory', { kind: 'memory', entries: [] }],
  ['novelai', { lorebookVersion: 5, entries: [] }],
  ['risu-lorebook', { type: 'risu', data: [] }],
  ['lumiverse', { type: 'lumiverse_world_book', entries: [] }],
  ['marinara', { type: 'marinara_preset', data: {} }],
  ['world_info', { entries: { 0: { uid: 0, key: [] } } }],
  ['character_book', { entries: [] }],
];
test.each(FORMATS)('format %s', (format, value) => {
  expect(labelOf(value, 'json').format).toBe(format);
});

const ORIGINS: [string, number, unknown][] = [
  ['RisuAI', 0.97, card({ risuai: {} })],
  ['RisuAI', 0.97, { type: 'risu', data: [] }],
  ['Agnai', 0.9, card({ agnai: {} })],
  ['Agnai', 0.9, { kind: 'character', persona: {}, greeting: 'Hi' }],
  ['Backyard AI (Faraday)', 0.85, card({ backyardai: {} })],
  ['Backyard AI (Faraday)', 0.85, { basePrompt: 'x' }],
  ['SillyTavern', 0.5, card({ fav: false })],
  ['SillyTavern', 0.8, card({ tavern_helper: {} })],
  ['Lumiverse', 0.93, card({ alternate_fields: {} })],
  ['Marinara', 0.93, card({ nameColor: '' })],
  ['MikuGG', 0.88, card({ mikugg: {} })],
  ['Ginger', 0.88, card({ ginger: {} })],
  ['Voxta', 0.9, { $type: 'character' }],
  ['Pygmalion', 0.7, { char_name: 'A', world_scenario: 'B' }],
  [
    'AI Character Editor',
    0.95,
    { char_name: 'A', char_persona: 'B', metadata: { tool: { name: 'AI Character Editor' } } },
  ],
  ['NovelAI', 0.95, { lorebookVersion: 5, entries: [] }],
  ['KoboldAI', 0.9, { gamestarted: true }],
  ['bunzai', 0.97, { schemaVersion: '1', kind: 'character', body: {} }],
];
test.each(ORIGINS)('origin %s %d', (origin, confidence, value) => {
  expect(labelOf(value, 'json')).toMatchObject({ likelyOrigin: origin, confidence });
});

test('an archive says what it is by its container', () => {
  expect(labelOf(undefined, 'byaf')).toMatchObject({ format: 'byaf', likelyOrigin: 'Backyard AI (Faraday)' });
  expect(labelOf(undefined, 'risum')).toMatchObject({ format: 'unknown', likelyOrigin: 'RisuAI' });
});

test('keys of the prototype are no marks', () => {
  expect(labelOf(JSON.parse('{"data":{"extensions":{"__proto__":{"rolecall":{}}}}}'), 'json').signals).toEqual([]);
  expect(labelOf(Object.create({ kind: 'memory', entries: [] }), 'json').format).toBe('unknown');
});
