import { describe, expect, test } from 'vitest';
import { sniffContainer } from './container.ts';
import { bytesOf } from './core/bytes.ts';
import { sourceOf } from './core/source.ts';
import { createEngine } from './engine.ts';
import type { AnyAdapter } from './entities/kinds.ts';
import { loadDeflate } from './formats/_shared/inflate.ts';
import { placeholderPng } from './formats/_shared/placeholder.ts';
import { writeZip } from './formats/_shared/zip.ts';
import sillytavern from './formats/sillytavern/index.ts';

const text = (value: string) => new TextEncoder().encode(value);
const engine = createEngine(sillytavern as readonly AnyAdapter[]);
const inspected = (data: object) =>
  engine.inspect(
    JSON.stringify({ spec: 'chara_card_v3', spec_version: '3.0', data: { name: 'Mira', extensions: {}, ...data } }),
  );

describe('sniffContainer tells a file by its bytes', () => {
  const zip = async (...names: string[]) => {
    await loadDeflate();
    return writeZip(names.map((name) => ({ name, content: bytesOf(text('{}')) })));
  };
  const jpeg = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 2]);
  const module = new Uint8Array([0x6f, 0, 2, 0, 0, 0, 9, 9]);
  const cases: [string, () => Uint8Array | Promise<Uint8Array>][] = [
    ['png', () => placeholderPng()],
    ['jpeg', () => jpeg],
    ['webp', () => text('RIFF\0\0\0\0WEBPVP8 ')],
    ['charx', () => zip('card.json')],
    ['charx', async () => Buffer.concat([jpeg, await zip('card.json')])],
    ['byaf', () => zip('manifest.json', 'characters/1/character.json')],
    ['zip', () => zip('word/document.xml')],
    ['risum', () => module],
    ['json', () => text('\ufeff  {"a":1}')],
    ['json', () => text('[1, 2')],
    ['yaml', () => text('# a card\nname: Mira\n')],
    ['unknown', () => text('Once upon a time: a tale')],
    ['unknown', () => new Uint8Array()],
    ['unknown', () => new Uint8Array([0xff, 0xff, 0, 1])],
  ];
  test.each(cases)('%s', async (name, make) => {
    expect(sniffContainer(sourceOf(await make()))).toBe(name);
  });
  test('a long run of comment signs is read in no time', () => {
    expect(sniffContainer(sourceOf(text('# '.repeat(50_000))))).toBe('unknown');
  });
});

test('every part is counted in plain words, and parts that are not there are left out', async () => {
  const { entities, format, container } = await inspected({
    first_mes: 'Hi',
    alternate_greetings: ['a', 'b'],
    tags: ['x'],
    assets: [{ type: 'icon', uri: 'https://one.example/a.png', name: 'main', ext: 'png' }],
    character_book: {
      name: 'Harbour',
      entries: [{ keys: ['a'], content: 'b', enabled: false, insertion_order: 0, extensions: {} }],
      extensions: {},
    },
  });
  expect([format, container]).toEqual(['sillytavern', 'json']);
  expect(entities[0]).toMatchObject({ kind: 'character', name: 'Mira', parts: { greetings: 3, books: 1, tags: 1 } });
  expect(entities[1]).toMatchObject({
    kind: 'lorebook',
    name: 'Harbour',
    parts: { entries: 1, 'disabled entries': 1 },
  });
  expect(Object.values(entities[0]?.parts ?? {})).not.toContain(0);
  expect(entities[0]?.populated).toBeGreaterThan(4);
});

describe('warnings', () => {
  const codes = async (data: object) => (await inspected(data)).warnings.filter(({ code }) => code.startsWith('card.'));

  test('a harmless card has none', async () => {
    expect(
      await codes({
        extensions: {
          regex_scripts: [],
          risuai: { triggerscript: [], lowLevelAccess: false },
          tavern_helper: { scripts: [], variables: {} },
        },
      }),
    ).toEqual([]);
  });
  test('rules and scripts are counted where each app keeps them', async () => {
    const extensions = {
      regex_scripts: [{}, {}],
      risuai: { customScripts: [{}], triggerscript: [{}] },
      tavern_helper: [
        ['scripts', [{}, {}, {}]],
        ['variables', {}],
      ],
    };
    const [warning] = await codes({ extensions });
    expect(warning).toMatchObject({
      code: 'card.carries-code',
      message: expect.stringContaining('3 rules and 4 scripts'),
    });
    expect(warning?.path).toContain('data.extensions.regex_scripts');
    expect((await inspected({ extensions })).entities[0]?.parts).toMatchObject({ rules: 3, scripts: 4 });
  });
  test('privileged access', async () => {
    expect(await codes({ extensions: { risuai: { lowLevelAccess: true } } })).toMatchObject([
      { code: 'card.privileged' },
    ]);
  });
  test('media on the web, with the hosts', async () => {
    const asset = (uri: string) => ({ type: 'emotion', uri, name: 'joy', ext: 'png' });
    const [warning] = await codes({
      assets: [
        asset('https://one.example/a.png'),
        asset('http://two.example/b.png'),
        asset('data:image/png;base64,AAAA'),
      ],
    });
    expect(warning).toMatchObject({ code: 'card.remote-media', message: expect.stringContaining('2 media files') });
    expect(warning?.message).toContain('one.example, two.example');
  });
});

test('label answers for whatever it is given', async () => {
  for (const input of [new Uint8Array(), '', 'text', '{"broken', placeholderPng(), text('{"spec":"chara_card_v2"}')]) {
    expect((await engine.label(input)).confidence).toBe(0);
  }
  expect(await engine.label('{"spec":"chara_card_v2","data":{"name":"A","extensions":{"chub":{}}}}')).toMatchObject({
    format: 'chara_card_v2',
    container: 'json',
    likelyOrigin: 'Chub (CharacterHub)',
  });
});
