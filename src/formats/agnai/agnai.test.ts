import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CORPUS } from '../../../test/kit/corpus.ts';
import { bytesOf, isBytes } from '../../core/bytes.ts';
import { isRecord, keysOf, openDraft, valueAt, type Wire } from '../../core/draft.ts';
import { create, get, placeAt, put } from '../../core/lens.ts';
import { sourceOf } from '../../core/source.ts';
import { createEngine } from '../../engine.ts';
import { type CharacterBody, emptyCharacter } from '../../entities/character/schema.ts';
import type { EntityOf } from '../../entities/kinds.ts';
import { emptyEntry, emptyLorebook, type LorebookBody } from '../../entities/lorebook/schema.ts';
import { sealFreshPng } from '../_shared/card-io.ts';
import { placeholderPng } from '../_shared/png-write.ts';
import { agnaiBase, agnaiFields } from './fields.ts';
import adapters, { agnai } from './index.ts';
import { agnaiLorebook, memoryFields } from './lorebook.ts';

const SAMPLES = new URL('../../../samples/agnai/', import.meta.url);
const engine = createEngine(adapters);

const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const parse = (bytes: Uint8Array): Wire => JSON.parse(new TextDecoder().decode(bytes));
const sample = (name: string): Wire => parse(readFileSync(new URL(name, SAMPLES)));
const irma = sample('agnai.irma.json');
const nagi = sample('agnai.nagi.json');
const harbour = sample('agnai-lorebook.harbour.json');

type Body = CharacterBody;
const read = (card: unknown): EntityOf<'character'> => agnai.toCanonical(sourceOf(encode(card)))[0] as never;
const bodyOf = (card: Wire): Body => get(agnaiFields, { carrier: 'json', card }, emptyCharacter());
/** The card after an edit of its body, as the field table writes it. */
const edited = (card: Wire, edit: (body: Body) => void): Wire => {
  const body = structuredClone(bodyOf(card));
  edit(body);
  return put(agnaiFields, { carrier: 'json', card }, body).card as Wire;
};
const fresh = (edit: (body: Body) => void): Wire => {
  const body = emptyCharacter();
  edit(body);
  return create(agnaiFields, { carrier: 'json', card: agnaiBase() }, body).card as Wire;
};
const clearAt = (body: object, keys: readonly string[]): void => {
  const holder = valueAt(body, keys.slice(0, -1));
  if (isRecord(holder)) delete (holder as Record<string, unknown>)[keys.at(-1) ?? ''];
};
const withValue = (wire: Wire, path: string, value: unknown): Wire => {
  const draft = openDraft(wire);
  if (value === undefined) draft.delete(keysOf(path));
  else draft.set(keysOf(path), value);
  return draft.wire;
};
const left = (card: Wire) => agnai.account(read(card)).left.map(({ path }) => path);

const bookOf = (wire: Wire): LorebookBody => get(memoryFields, wire, emptyLorebook());
const editedBook = (wire: Wire, edit: (body: LorebookBody) => void): Wire => {
  const body = structuredClone(bookOf(wire));
  edit(body);
  return put(memoryFields, wire, body);
};
const row = (wire: Wire, index: number): Wire => (wire.entries as Wire[])[index] as Wire;

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

describe('character fields', () => {
  /** Every field: a canonical edit, and the one wire home that it changes. */
  const EDITS: readonly (readonly [path: string, value: unknown, home: string, wire: unknown])[] = [
    ['identity.name', 'Нагиса', 'name', 'Нагиса'],
    ['identity.description', 'note', 'description', 'note'],
    ['identity.characterVersion', '2', 'characterVersion', '2'],
    ['identity.culture', 'en-us', 'culture', 'en-us'],
    ['persona.scenario', 'Noon.', 'scenario', 'Noon.'],
    ['persona.appearance', 'tall', 'appearance', 'tall'],
    ['persona.structured', { kind: 'wpp', attributes: { 種族: ['茶釜'] } }, 'persona.attributes', { 種族: ['茶釜'] }],
    ['persona.voice.rate', 1.5, 'voice.rate', 1.5],
    ['persona.voice.provider', 'agnaistic', 'voice.service', 'agnaistic'],
    ['persona.voice.voiceId', 'Zeo', 'voice.voiceId', 'Zeo'],
    ['persona.voice.pitch', 2, 'voice.pitch', 2],
    ['persona.voice.extras', { seed: 'wind' }, 'voice.seed', 'wind'],
    ['persona.voice.disabled', false, 'voiceDisabled', false],
    ['persona.imagePrompt.prefix', 'ink, ', 'imageSettings.prefix', 'ink, '],
    ['persona.imagePrompt.suffix', ', dusk', 'imageSettings.suffix', ', dusk'],
    ['persona.imagePrompt.negative', 'blur', 'imageSettings.negative', 'blur'],
    ['persona.imagePrompt.template', '{{prompt}}', 'imageSettings.template', '{{prompt}}'],
    ['prompts.systemPrompt', 'Be brief.', 'systemPrompt', 'Be brief.'],
    ['prompts.postHistoryInstructions', 'Stay.', 'postHistoryInstructions', 'Stay.'],
    ['prompts.prefill', 'Ah,', 'prefill', 'Ah,'],
    ['prompts.depthInjections', [{ text: '霧', depth: 2 }], 'insert.prompt', '霧'],
    ['greetings.firstMessage', 'Hi.', 'greeting', 'Hi.'],
    ['greetings.alternateGreetings', [{ text: 'One.' }, { text: 'Two.' }], 'alternateGreetings', ['One.', 'Two.']],
    ['examples.exampleMessages', '{{char}}: …', 'sampleChat', '{{char}}: …'],
    [
      'media.portrait',
      { role: 'portrait', ref: 'https://a.example/x.png', mime: 'image/png' },
      'avatar',
      'https://a.example/x.png',
    ],
    ['media.sprite.eyeColor', '#000000', 'sprite.eyeColor', '#000000'],
    ['media.sprite.gender', 'male', 'sprite.gender', 'male'],
    ['media.sprite.parts.neck', 'scarf', 'sprite.neck', 'scarf'],
    ['media.visualKind', 'avatar', 'visualType', 'avatar'],
    ['attribution.creator', 'me', 'creator', 'me'],
    ['attribution.createdAt', 1700000000, 'createdAt', '2023-11-14T22:13:20.000Z'],
    ['attribution.updatedAt', 1700000000, 'updatedAt', '2023-11-14T22:13:20.000Z'],
    ['discovery.tags', ['tea'], 'tags', ['tea']],
    [
      'settings.responseSchema',
      { schema: [], response: 'x', history: '' },
      'json',
      { schema: [], response: 'x', history: '' },
    ],
  ];

  test('the edits below cover every field of the table', () => {
    const told = EDITS.map(([path]) => path);
    const silent = agnaiFields
      .flatMap(({ canonical }) => canonical)
      .filter((path) => !told.some((one) => one.startsWith(path)) && path !== 'persona.personality');
    expect(silent).toEqual([]);
  });
  test.each(EDITS)('%s', (path, value, home, wire) => {
    const next = edited(nagi, (body) => placeAt(body, keysOf(path), value));
    expect(next).toEqual(withValue(nagi, home, wire));
    expect(valueAt(bodyOf(next), keysOf(path))).toEqual(value);
    const bare = fresh((body) => {
      if (path.startsWith('persona.voice')) body.persona.voice = { provider: 'novel' };
      if (path.startsWith('media.sprite')) body.media.sprite = { parts: {} };
      placeAt(body, keysOf(path), value);
    });
    expect(valueAt(bare, keysOf(home))).toEqual(wire);
    expect(valueAt(bodyOf(bare), keysOf(path))).toEqual(value);
  });
  test.each(EDITS)('%s cleared leaves the rest of the card', (path, _value, home) => {
    const group = /^(persona\.voice|media\.sprite)\.(provider|parts)/.exec(path)?.[1];
    const next = edited(nagi, (body) => clearAt(body, keysOf(group ?? path)));
    const blank = ['name', 'scenario', 'greeting', 'sampleChat'].includes(home) ? '' : undefined;
    const gone = group ? { 'persona.voice': 'voice', 'media.sprite': 'sprite' }[group] : undefined;
    if (path === 'persona.structured') return expect(next).toEqual(withValue(nagi, 'persona', agnaiBase().persona));
    if (path === 'prompts.depthInjections') return expect(next).toEqual(withValue(nagi, 'insert', undefined));
    if (gone === 'voice')
      return expect(next).toEqual(withValue(withValue(nagi, 'voice', undefined), 'voiceDisabled', undefined));
    expect(next).toEqual(withValue(nagi, gone ?? home, blank));
  });
  test.each([
    ['irma', irma],
    ['nagi', nagi],
  ])('%s unedited is the twin itself', (_, card) => {
    const wire = { carrier: 'json', card };
    expect(put(agnaiFields, wire, get(agnaiFields, wire, emptyCharacter()))).toBe(wire);
    expect(put(agnaiFields, wire, structuredClone(get(agnaiFields, wire, emptyCharacter())))).toBe(wire);
  });
  test('a fresh card has every key that the importer asks for, and reads back empty', () => {
    const card = fresh(() => {});
    expect(card).toEqual(agnaiBase());
    expect(Object.keys(card)).toEqual(
      expect.arrayContaining(['kind', 'name', 'persona', 'greeting', 'scenario', 'sampleChat']),
    );
    expect(agnai.detect(sourceOf(encode(card)))).toBe(1);
  });
  test('values of the wrong type stay in the twin and are named', () => {
    const odd = {
      ...irma,
      greeting: 'Hm.',
      scenario: 7,
      tags: ['a', 3],
      voice: 'loud',
      avatar: 5,
      json: [1],
      sprite: { eyes: 1 },
    };
    expect(left(odd)).toEqual(
      expect.arrayContaining(['scenario', 'tags[1]', 'voice', 'avatar', 'json', 'sprite.eyes']),
    );
    const next = edited(odd, (body) => (body.identity.name = 'X'));
    expect(next).toEqual({ ...odd, name: 'X' });
    expect(edited(odd, (body) => (body.discovery.tags = ['b'])).tags).toEqual(['b', 3]);
  });
});

describe('persona', () => {
  const carrying = (persona: unknown) => ({ ...irma, persona }) as Wire;

  test('a text persona is the personality', () => {
    expect(bodyOf(irma).persona).toMatchObject({
      structured: { kind: 'text' },
      personality: expect.stringContaining('стажёром'),
    });
  });
  test('an attribute persona is kept as a map, and no personality is made of it', () => {
    const { persona } = bodyOf(nagi);
    expect(persona.personality).toBeUndefined();
    expect(persona.structured).toEqual({ kind: 'wpp', attributes: (nagi.persona as Wire).attributes });
  });
  test('an edit of the personality replaces only the first of several texts', () => {
    const twin = carrying({ kind: 'text', attributes: { text: ['one', 'two', 3] } });
    expect(edited(twin, (body) => (body.identity.name = 'X')).persona).toBe(twin.persona);
    expect(edited(twin, (body) => (body.persona.personality = 'uno')).persona).toEqual({
      kind: 'text',
      attributes: { text: ['uno', 'two', 3] },
    });
    expect(left(twin)).toEqual(expect.arrayContaining(['persona.attributes.text[1]', 'persona.attributes.text[2]']));
  });
  test('a cleared personality leaves an empty text, as the format needs one', () => {
    const next = edited(irma, (body) => delete body.persona.personality);
    expect(next).toEqual(carrying({ kind: 'text', attributes: { text: [''] } }));
  });
  test('a change of kind replaces the attributes', () => {
    const wpp = edited(irma, (body) => (body.persona.structured = { kind: 'sbf', attributes: { a: ['b'] } }));
    expect(wpp.persona).toEqual({ kind: 'sbf', attributes: { a: ['b'] } });
    const words = edited(nagi, (body) =>
      Object.assign(body.persona, { structured: { kind: 'text' }, personality: 'calm' }),
    );
    expect(words.persona).toEqual({ kind: 'text', attributes: { text: ['calm'] } });
    expect(
      edited(
        nagi,
        (body) =>
          (body.persona.structured = {
            kind: 'sbf',
            attributes: { ...(valueAt(nagi, ['persona', 'attributes']) as Record<string, string[]>) },
          }),
      ).persona,
    ).toEqual({
      ...(nagi.persona as Wire),
      kind: 'sbf',
    });
  });
  test('an edit of one attribute keeps the others, the odd ones and the keys beside them', () => {
    const twin = carrying({
      kind: 'boostyle',
      attributes: { a: ['b'], lone: 'text', odd: 4, mixed: ['x', 5] },
      more: true,
    });
    const next = edited(twin, (body) => {
      body.persona.structured = { kind: 'boostyle', attributes: { a: ['c'], lone: ['text'], mixed: ['x'] } };
    });
    expect(next.persona).toEqual({
      kind: 'boostyle',
      attributes: { a: ['c'], lone: 'text', odd: 4, mixed: ['x', 5] },
      more: true,
    });
    expect(left(twin)).toEqual(
      expect.arrayContaining(['persona.more', 'persona.attributes.odd', 'persona.attributes.mixed[1]']),
    );
  });
  test('a personality beside attributes has no place, and the report says so', async () => {
    const entity = read(nagi);
    entity.body.persona.personality = 'calm';
    const { report, files } = await engine.write([entity], 'agnai');
    expect(parse(files[0]!.bytes).persona).toEqual(nagi.persona);
    expect(report.losses).toMatchObject([{ path: 'persona.personality', kind: 'dropped' }]);
  });
  test('a kind that nobody knows stays in the twin until there is a personality to write', () => {
    const twin = carrying({ kind: 'haiku', attributes: { lines: ['a'] } });
    expect(bodyOf(twin).persona.structured).toBeUndefined();
    expect(left(twin)).toContain('persona');
    expect(edited(twin, (body) => (body.identity.name = 'X')).persona).toBe(twin.persona);
  });
});

describe('voice, image settings, sprite', () => {
  test('the voice is told apart by service; what only one service has are extras', () => {
    expect(bodyOf(nagi).persona.voice).toEqual({
      provider: 'novel',
      voiceId: 'Aini',
      rate: 1,
      disabled: true,
      extras: { seed: 'rain' },
    });
  });
  test('a voice without a service is off: nothing is read, and it is named', () => {
    const off = { ...irma, voice: { rate: 1.2 }, voiceDisabled: true } as Wire;
    expect(bodyOf(off).persona.voice).toBeUndefined();
    expect(left(off)).toEqual(expect.arrayContaining(['voice', 'voiceDisabled']));
    const on = edited(off, (body) => (body.persona.voice = { provider: 'novel', voiceId: 'Aini' }));
    expect(on.voice).toEqual({ service: 'novel', voiceId: 'Aini' });
    expect(bodyOf(on).persona.voice).toEqual({ provider: 'novel', voiceId: 'Aini' });
  });
  test('a named key of the voice that cannot be read survives an edit of its neighbours', () => {
    const odd = withValue(nagi, 'voice.pitch', { odd: true });
    const next = edited(odd, (body) => (body.persona.voice!.voiceId = 'Zeo'));
    expect(next).toEqual(withValue(odd, 'voice.voiceId', 'Zeo'));
    expect(left(odd)).toContain('voice.pitch');
  });
  test('affixes of the image settings reconcile per key', () => {
    const next = edited(nagi, (body) => (body.persona.imagePrompt = { prefix: 'ink', template: '{{x}}' }));
    const { suffix: _s, negative: _n, ...rest } = nagi.imageSettings as Wire;
    expect(next.imageSettings).toEqual({ ...rest, prefix: 'ink', template: '{{x}}' });
  });
  test('the flat sprite is parts and features', () => {
    const sprite = bodyOf(nagi).media.sprite;
    expect(sprite).toMatchObject({
      gender: 'female',
      eyeColor: '#f2c14e',
      hairColor: '#22223b',
      parts: { eyes: 'round' },
    });
    expect(sprite?.parts).not.toHaveProperty('gender');
  });
});

describe('insert and greetings', () => {
  test('an insert without a text says nothing and keeps its depth', () => {
    expect(bodyOf(irma).prompts.depthInjections).toBeUndefined();
    expect(edited(irma, (body) => (body.prompts.depthInjections = [{ text: 'fog', depth: 3 }])).insert).toEqual({
      depth: 3,
      prompt: 'fog',
    });
  });
  test('insert is one slot: the first injection that is switched on', async () => {
    const card = fresh((body) => {
      body.prompts.depthInjections = [
        { text: 'off', depth: 1, enabled: false },
        { text: 'on', depth: 0, role: 'user' },
        { text: 'late', depth: 9 },
      ];
    });
    expect(card.insert).toEqual({ depth: 0, prompt: 'on' });
    const entity = read(nagi);
    entity.body.prompts.depthInjections!.push({ text: 'second', depth: 5 });
    const { report, files } = await engine.write([entity], 'agnai');
    expect(parse(files[0]!.bytes).insert).toEqual(nagi.insert);
    expect(report.losses.map(({ path }) => path)).toEqual(['prompts.depthInjections[1]']);
  });
  test('further keys of a cleared insert stay', () => {
    const twin = withValue(nagi, 'insert.label', 'x');
    expect(edited(twin, (body) => delete body.prompts.depthInjections).insert).toEqual({
      ...(twin.insert as Wire),
      prompt: '',
    });
  });
  test('alternativeGreetings is read, and an edit stays with the spelling', () => {
    const { alternateGreetings, ...rest } = irma;
    const twin = { ...rest, alternativeGreetings: alternateGreetings };
    expect(bodyOf(twin).greetings.alternateGreetings).toHaveLength(2);
    const next = edited(twin, (body) => (body.greetings.alternateGreetings![0]!.text = 'Йо.'));
    expect(next).toEqual({ ...twin, alternativeGreetings: ['Йо.', (alternateGreetings as string[])[1]] });
  });
  test('a greeting title has no place', async () => {
    const entity = read(irma);
    entity.body.greetings.alternateGreetings![0]!.title = 'first';
    const { report } = await engine.write([entity], 'agnai');
    expect(report.losses.map(({ path }) => path)).toEqual(['greetings.alternateGreetings[0].title']);
  });
});

describe('avatar and carriers', () => {
  const png = bytesOf(placeholderPng(), 'image/png');
  const uri = JSON.parse(JSON.stringify(png)) as string;

  test('a data: avatar is bytes, written as data: text', () => {
    const twin = { ...irma, avatar: uri };
    expect(isBytes(bodyOf(twin).media.portrait?.ref)).toBe(true);
    expect(bodyOf(twin).media.portrait?.mime).toBe('image/png');
    expect(put(agnaiFields, { card: twin }, bodyOf(twin)).card).toBe(twin);
    const next = edited(irma, (body) => (body.media.portrait = { role: 'portrait', ref: png }));
    expect(JSON.parse(JSON.stringify(next)).avatar).toBe(uri);
  });
  test('an avatar of which only the label changed keeps its text', () => {
    const twin = { ...irma, avatar: uri.replace(';base64', ';name=x;base64') };
    const body = bodyOf(twin);
    body.media.portrait = { ...body.media.portrait!, label: 'face' };
    expect(put(agnaiFields, { card: twin }, body).card).toBe(twin);
  });
  test('a path on a server is kept where it came from and never put into another card', () => {
    expect(bodyOf(irma).media.portrait).toEqual({
      role: 'portrait',
      ref: '/assets/7b1e/irma.webp',
      mime: 'image/webp',
    });
    expect(fresh((body) => (body.media.portrait = { role: 'portrait', ref: '/assets/7b1e/irma.webp' }))).toEqual(
      agnaiBase(),
    );
    expect(edited(irma, (body) => (body.media.portrait = { role: 'portrait', ref: 'pictures/x.png' })).avatar).toBe(
      irma.avatar,
    );
  });
  const around = (card: Wire) => sealFreshPng(png, [{ keyword: 'chara', value: card }]);

  test('native JSON in a picture is read and written back there; an unedited file keeps its bytes', async () => {
    const file = around(irma);
    expect(await engine.detect(file)).toMatchObject({ format: 'agnai', score: 1 });
    const { entities } = await engine.read(file);
    expect((await engine.write(entities, 'agnai')).files[0]!.bytes).toEqual(file);
    const main = entities[0] as EntityOf<'character'>;
    const next = { ...main, body: { ...main.body, discovery: { tags: ['one'] } } };
    const [out] = (await engine.write([next], 'agnai')).files;
    expect(out!.extension).toBe('png');
    expect((await engine.read(out!.bytes)).entities[0]!.original!.agnai!.raw).toEqual({ ...irma, tags: ['one'] });
  });
  test('a fresh file is JSON', async () => {
    const entity = { ...read(irma), original: {} };
    entity.body.media.portrait = { role: 'portrait', ref: png };
    const [out] = (await engine.write([entity], 'agnai')).files;
    expect(out!.extension).toBe('json');
    expect(parse(out!.bytes).avatar).toBe(uri);
  });
});

describe('memory book', () => {
  test('unedited it is the twin itself', () => {
    expect(put(memoryFields, harbour, structuredClone(bookOf(harbour)))).toBe(harbour);
  });
  test('the field map', () => {
    const book = bookOf(harbour);
    expect(book).toMatchObject({
      name: 'Harbour of Østvik',
      description: 'Places and people around the quay.',
      globalScanDepth: 0,
      tokenBudget: 512,
      globalRecursion: false,
    });
    expect(book.entries[0]).toMatchObject({
      id: '7',
      title: 'Gulls',
      comment: 'keep short',
      sortOrder: 90,
      priority: 10,
      position: 'character',
      probability: 100,
      enabled: true,
    });
    expect(book.entries[0]?.triggers).toEqual([
      { keyword: 'gull*', isRegex: false },
      { keyword: 'seabird', isRegex: false },
    ]);
    expect(book.entries[1]).toMatchObject({
      selective: false,
      position: 'world',
      secondaryTriggers: [{ keyword: 'νύχτα', isRegex: false }],
    });
    expect(book.entries[2]).toMatchObject({
      selective: true,
      selectiveLogic: 'and_all',
      position: 'depth',
      probability: 35,
      excludeRecursion: true,
      enabled: false,
    });
  });
  const EDITS: readonly (readonly [path: string, value: unknown, home: string, wire: unknown])[] = [
    ['title', 'T', 'name', 'T'],
    ['content', 'C', 'entry', 'C'],
    ['comment', 'n', 'comment', 'n'],
    ['enabled', true, 'enabled', true],
    ['constant', true, 'constant', true],
    ['selective', false, 'selective', false],
    ['triggers', [{ keyword: 'boat', isRegex: false }], 'keywords', ['boat']],
    ['secondaryTriggers', [{ keyword: 'dawn', isRegex: false }], 'secondaryKeys', ['dawn']],
    ['selectiveLogic', 'not_any', 'selectiveLogic', 2],
    ['position', 'outlet', 'position', 7],
    ['sortOrder', 3, 'weight', 3],
    ['priority', 4, 'priority', 4],
    ['probability', 80, 'probability', 80],
    ['excludeRecursion', false, 'excludeRecursion', false],
  ];
  test('the edits below cover every field of an entry', () => {
    const rows = memoryFields.find(({ rows }) => rows)?.rows ?? [];
    expect(rows.flatMap(({ canonical }) => canonical).filter((path) => !EDITS.some(([one]) => one === path))).toEqual(
      [],
    );
  });
  test.each(EDITS)('entries[2].%s', (path, value, home, wire) => {
    const next = editedBook(harbour, (book) => placeAt(book.entries[2]!, [path], value));
    expect(row(next, 2)).toEqual({ ...row(harbour, 2), [home]: wire });
    expect(row(next, 0)).toBe(row(harbour, 0));
    expect(valueAt(bookOf(next).entries[2], [path])).toEqual(value);
  });
  test.each([
    ['name', 'X', 'name', 'X'],
    ['description', undefined, 'description', undefined],
    ['globalScanDepth', 3, 'scanDepth', 3],
    ['tokenBudget', undefined, 'tokenBudget', undefined],
    ['globalRecursion', true, 'recursiveScanning', true],
  ])('%s', (path, value, home, wire) => {
    const next = editedBook(harbour, (book) => placeAt(book, [path], value));
    expect(next).toEqual(withValue(harbour, home, wire));
    expect(next.entries).toBe(harbour.entries);
  });
  test('clearing keys that the importer needs leaves them empty', () => {
    const next = editedBook(harbour, (book) =>
      Object.assign(book.entries[0]!, { title: '', content: '', triggers: [], comment: undefined }),
    );
    const { comment: _, ...rest } = row(harbour, 0);
    expect(row(next, 0)).toEqual({ ...rest, name: '', entry: '', keywords: [] });
  });
  test('a new entry has the six keys that the importer needs, and a number', () => {
    const next = editedBook(harbour, (book) => book.entries.push(emptyEntry('fog-bank')));
    expect(row(next, 3)).toMatchObject({
      name: '',
      entry: '',
      keywords: [],
      priority: 100,
      weight: 100,
      enabled: true,
      id: 10,
    });
  });
  test('selectiveLogic is import residue: an edit of an Agnai entry writes it, a new entry never has it', () => {
    const next = editedBook(harbour, (book) => {
      book.entries[0]!.selectiveLogic = 'not_all';
      book.entries.push({ ...emptyEntry('x'), selectiveLogic: 'and_all' });
    });
    expect(row(next, 0).selectiveLogic).toBe(1);
    expect(row(next, 3)).not.toHaveProperty('selectiveLogic');
  });
  test('secondary keys that do not gate say selective: false', () => {
    const next = editedBook(harbour, (book) =>
      book.entries.push({
        ...emptyEntry('x'),
        selective: false,
        secondaryTriggers: [{ keyword: 'ice', isRegex: false }],
      }),
    );
    expect(row(next, 3)).toMatchObject({ selective: false, secondaryKeys: ['ice'] });
  });
  test('position is a word where it was a word or nothing, a number where it was a number', () => {
    const next = editedBook(harbour, (book) => {
      book.entries[0]!.position = 'world';
      book.entries[1]!.position = 'depth';
      book.entries[2]!.position = 'author_note_top';
    });
    expect([0, 1, 2].map((index) => row(next, index).position)).toEqual(['before_char', 'after_char', 2]);
  });
  test('a chance behind a switch that is off counts as certain, and is clamped', () => {
    const with_ = (more: object) =>
      bookOf({ entries: [{ entry: 'a', keywords: ['b'], ...more }] }).entries[0]?.probability;
    expect(with_({ probability: 20, useProbability: false })).toBe(100);
    expect(with_({ probability: 20 })).toBe(20);
    expect(with_({ probability: 900 })).toBe(100);
    expect(with_({ probability: -3 })).toBe(0);
    const off = { kind: 'memory', entries: [{ entry: 'a', keywords: ['b'], probability: 20, useProbability: false }] };
    expect(
      row(
        editedBook(off, (book) => (book.entries[0]!.probability = 60)),
        0,
      ),
    ).toMatchObject({ probability: 60, useProbability: true });
  });
  test('repeated ids are told apart, and reordered rows keep their own unknown keys', () => {
    const twin = {
      kind: 'memory',
      name: 'x',
      entries: [7, 7, '7-2'].map((id, n) => ({
        name: `n${n}`,
        entry: 'e',
        keywords: ['k'],
        priority: 1,
        weight: 1,
        enabled: true,
        id,
        own: n,
      })),
    };
    expect(bookOf(twin).entries.map(({ id }) => id)).toEqual(['7', '7-3', '7-2']);
    const next = editedBook(twin, (book) => {
      book.entries.reverse();
      book.entries[1]!.title = 'edited';
    });
    expect((next.entries as Wire[]).map(({ own, name }) => [own, name])).toEqual([
      [2, 'n2'],
      [1, 'edited'],
      [0, 'n0'],
    ]);
  });
  test('a regex key leaves as its pattern, and the report says so', async () => {
    const [entity] = agnaiLorebook.toCanonical(sourceOf(encode(harbour)));
    entity!.body.entries[0]!.triggers[0] = { keyword: 'gulls?', isRegex: true, flags: 'i' };
    const { report, files } = await engine.write([entity as EntityOf<'lorebook'>], 'agnai');
    expect(row(parse(files[0]!.bytes), 0).keywords).toEqual(['gulls?', 'seabird']);
    expect(report.losses.map(({ path }) => path)).toContain('entries[0].triggers[0].isRegex');
  });
  test('doubled spellings are kept in step where they agree, and named where they do not', () => {
    const twin = {
      kind: 'memory',
      entries: [{ entry: 'a', content: 'a', keywords: ['k'], keys: ['k'], weight: 1, insertion_order: 2 }],
    };
    const next = editedBook(twin, (book) => Object.assign(book.entries[0]!, { content: 'b', triggers: [] }));
    expect(row(next, 0)).toEqual({ entry: 'b', content: 'b', keywords: [], keys: [], weight: 1, insertion_order: 2 });
    const [entity] = agnaiLorebook.toCanonical(sourceOf(encode(twin)));
    expect(agnaiLorebook.account(entity as never).left.map(({ path }) => path)).toEqual(['entries[0].insertion_order']);
  });
  test('a card book read as the soft tier goes back in its own shape; without its twin it becomes a memory book', async () => {
    const book = {
      name: 'b',
      entries: [
        { keys: ['fog'], content: 'thick', insertion_order: 5, priority: 9, enabled: true, extensions: {}, id: 1 },
      ],
    };
    const { entities } = await engine.read(encode(book), { format: 'agnai-lorebook' });
    expect(parse((await engine.write(entities, 'agnai')).files[0]!.bytes)).toEqual(book);
    const bare = { ...entities[0]!, original: {} } as EntityOf<'lorebook'>;
    const out = parse((await engine.write([bare], 'agnai')).files[0]!.bytes);
    expect(out).toMatchObject({
      kind: 'memory',
      name: 'b',
      entries: [{ name: '', entry: 'thick', keywords: ['fog'], weight: 5, priority: 9, enabled: true, id: 1 }],
    });
  });
  test('unknown keys are named', () => {
    const [entity] = agnaiLorebook.toCanonical(sourceOf(encode(harbour)));
    expect(agnaiLorebook.account(entity as never).left.map(({ path }) => path)).toEqual([
      'entries[2].depthHint',
      'extensions.source',
    ]);
  });
});

describe('the embedded book', () => {
  const pieces = async (card: Wire) => {
    const [main, book] = (await engine.read(encode(card))).entities;
    return { main: main as EntityOf<'character'>, book: book as EntityOf<'lorebook'> };
  };
  const written = async (...entities: Parameters<typeof engine.write>[0]) =>
    parse((await engine.write(entities, 'agnai')).files[0]!.bytes);
  const renamed = (book: EntityOf<'lorebook'>, name: string) => ({ ...book, body: { ...book.body, name } });

  test('it is read like a memory book file', async () => {
    const { main, book } = await pieces(nagi);
    const { entities } = await engine.read(encode(nagi.characterBook));
    expect(book.body).toEqual(entities[0]!.body);
    expect(main.body.knowledgeRefs).toEqual([book.id]);
    expect(book.original?.['agnai-lorebook']?.unmapped).toEqual({ home: 'characterBook' });
    expect(left(nagi).filter((path) => path.startsWith('characterBook'))).toEqual([]);
    expect(agnaiLorebook.account(book).left.map(({ path }) => path)).toEqual(['_id', 'userId']);
  });
  test('unedited, the card keeps its very book', async () => {
    const { main, book } = await pieces(nagi);
    expect(await written(main, book)).toEqual(nagi);
    expect(agnai.fromCanonical([main], { lorebooks: [book] }).bytes).toEqual(agnai.fromCanonical([main], {}).bytes);
  });
  test('an edit of one entry leaves the other entry and the keys of the book', async () => {
    const { main, book } = await pieces(nagi);
    const next = structuredClone(book.body);
    next.entries[1]!.content = '直した。';
    const twin = nagi.characterBook as Wire;
    const [first, second] = twin.entries as Wire[];
    expect(await written(main, { ...book, body: next })).toEqual({
      ...nagi,
      characterBook: { ...twin, entries: [first, { ...second, entry: '直した。' }] },
    });
  });
  test('unresolved it stays, resolved to none it goes, and none is made where there was none', async () => {
    const { main } = await pieces(nagi);
    expect(await written(main)).toEqual(nagi);
    const { characterBook: _, ...rest } = nagi;
    expect(await written({ ...main, body: { ...main.body, knowledgeRefs: [] } })).toEqual(rest);
    expect(await written(read(irma))).toEqual(irma);
  });
  test('a foreign book becomes a clean memory book', async () => {
    const { book } = await pieces(nagi);
    const foreign = { ...renamed(book, 'fog'), id: 'fog', original: {} };
    const card = await written({ ...read(irma), body: { ...read(irma).body, knowledgeRefs: ['fog'] } }, foreign);
    expect(card.characterBook).toMatchObject({
      kind: 'memory',
      name: 'fog',
      entries: [{ name: '急須', weight: 20, priority: 50 }, {}],
    });
    expect(card.characterBook).not.toHaveProperty('_id');
  });
  test('a memory book file keeps its own keys inside another card', async () => {
    const [book] = (await engine.read(encode(harbour))).entities as [EntityOf<'lorebook'>];
    const main = read(nagi);
    const card = await written({ ...main, body: { ...main.body, knowledgeRefs: [book.id] } }, book);
    expect(card).toEqual({ ...nagi, characterBook: harbour });
  });
  test('several books become one, with their boundaries', async () => {
    const { main, book } = await pieces(nagi);
    const [other] = (await engine.read(encode(harbour))).entities as [EntityOf<'lorebook'>];
    const card = await written({ ...main, body: { ...main.body, knowledgeRefs: [book.id, other.id] } }, book, other);
    const merged = card.characterBook as Wire;
    expect((merged.entries as Wire[]).map(({ name }) => name)).toEqual([
      '急須',
      '雨漏り',
      'Gulls',
      'Ο φάρος',
      'Imported',
    ]);
    expect(merged.extensions).toEqual({
      bunzai_source_books: [
        { name: '茶屋の覚え書き', entryCount: 2 },
        { name: 'Harbour of Østvik', entryCount: 3 },
      ],
    });
  });
  test('a book file of its own keeps what the embedded one had', async () => {
    const { book } = await pieces(nagi);
    expect(await written(book)).toEqual(nagi.characterBook);
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
