import { describe, expect, test } from 'vitest';
import { read } from '../../../test/formats/files.ts';
import { encode, withValue } from '../../../test/kit/adapter.ts';
import { bodyOf, edited, fresh, irma, left, nagi } from '../../../test/kit/agnai.ts';
import { isRecord, keysOf, valueAt, type Wire } from '../../core/draft.ts';
import { get, placeAt, put } from '../../core/lens.ts';
import { sourceOf } from '../../core/source.ts';
import { emptyCharacter } from '../../entities/character/schema.ts';
import { agnaiBase, agnaiFields } from './fields.ts';
import { agnai } from './index.ts';

const clearAt = (body: object, keys: readonly string[]): void => {
  const holder = valueAt(body, keys.slice(0, -1));
  if (isRecord(holder)) delete (holder as Record<string, unknown>)[keys.at(-1) ?? ''];
};

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

test('an edited schema keeps the order and the numbers of what stays', () => {
  const schema = { b: { z: 1, a: [{ y: 1, x: 2 }], gone: 0 }, a: 'x' };
  const [one] = read(
    agnai,
    `{"kind":"character","name":"Nagi","greeting":"Hello.","persona":{"kind":"text","attributes":{"text":["x"]}},"json":${JSON.stringify(schema).replace('"z":1', '"z":1.0')}}`,
  );
  const edited = { a: 'x', b: { a: [{ x: 3, y: 1 }], z: 1, more: true } };
  const body = { ...one.body, settings: { ...one.body.settings, responseSchema: edited } };
  const { bytes } = agnai.fromCanonical([{ ...one, body }], {});
  const text = new TextDecoder().decode(bytes).replace(/\s/g, '');
  expect(text).toContain('"json":{"b":{"z":1.0,"a":[{"y":1,"x":3}],"more":true},"a":"x"}');
});
