import { describe, expect, test } from 'vitest';
import { at, differences, edited, encode, fresh, left, parse, readAs, withValue } from '../../../test/kit/adapter.ts';
import { sample } from '../../../test/kit/marinara.ts';
import { bytesOf, isBytes } from '../../core/bytes.ts';
import { createEngine } from '../../engine.ts';
import { emptyCharacter } from '../../entities/character/schema.ts';
import type { AnyEntity } from '../../entities/kinds.ts';
import sillytavern from '../sillytavern/index.ts';
import adapters, { marinaraCharacter as adapter } from './index.ts';

const nagi = sample('marinara-character.nagi.json');
const body = readAs(adapter, nagi).body;
const engine = createEngine([...adapters, ...sillytavern]);

describe('the field map', () => {
  test('the Tavern card inside is read like any other', () => {
    expect(body.identity).toEqual({
      name: '凪 Nagi',
      description: at(nagi, 'data.data.description'),
      characterVersion: '1.0',
    });
    expect(body.persona.personality).toBe('静か。Patient, dry, kind to gulls.');
    expect(body.prompts).toEqual({
      systemPrompt: 'Keep to the lighthouse.',
      postHistoryInstructions: '',
      depthInjections: [{ text: 'The light must not go out.', depth: 2, role: 'system', origin: 'depth_prompt' }],
    });
    expect(body.greetings.alternateGreetings).toEqual([{ text: 'もう朝？ You slept through the bell.' }]);
    expect(body.settings?.talkativeness).toBe(0.4);
  });
  test('appearance and a plain name colour are fields, dates are seconds', () => {
    expect(body.persona.appearance).toBe('Grey coat, salt in the hair.');
    expect(body.presentation).toEqual({ signatureColor: '#88aacc' });
    expect(body.attribution).toMatchObject({ createdAt: 1772323200, updatedAt: 1772438950 });
  });
  test('avatar, sprites and gallery are the portrait and the assets, as bytes', () => {
    expect(isBytes(body.media.portrait?.ref)).toBe(true);
    expect(body.media.assets?.map(({ role, label, mime }) => [role, label, mime])).toEqual([
      ['emotion', 'happy', 'image/png'],
      ['emotion', '悲しい', 'image/png'],
      ['other', 'beacon', 'image/png'],
    ]);
  });
  test('what has no slot stays in escrow and is named by its path in the file', () => {
    const paths = left(adapter, nagi);
    expect(paths).toContain('data.data.extensions.backstory');
    expect(paths).toContain('data.data.extensions.dialogueColor');
    expect(paths).toContain('data.data.extensions.rpgStats');
    expect(paths).toContain('data.metadata.comment');
    expect(paths).toContain('data.gallery[0].prompt');
    expect(paths).not.toContain('data.data.extensions.fav');
    expect(left(adapter, { ...nagi, extra: { a: 1 } })).toContain('extra');
    expect(left(adapter, withValue(nagi, 'data.strange', 1))).toContain('data.strange');
  });
  test('the coverage names wires by their path in the file', () => {
    const row = adapter.coverage.find(({ canonical }) => canonical === 'persona.appearance');
    expect(row?.wire).toBe('data.data.extensions.appearance');
  });
});

describe('edits', () => {
  test.each<[string, (one: typeof body) => unknown, string[]]>([
    ['a name', (one) => Object.assign(one.identity, { name: 'Nami' }), ['data.data.name']],
    ['an appearance', (one) => Object.assign(one.persona, { appearance: 'x' }), ['data.data.extensions.appearance']],
    ['a cleared appearance', (one) => void delete one.persona.appearance, ['data.data.extensions.appearance']],
    [
      'a colour',
      (one) => Object.assign(one, { presentation: { signatureColor: '#fff' } }),
      ['data.data.extensions.nameColor'],
    ],
    ['a date', (one) => Object.assign(one.attribution, { updatedAt: 1 }), ['data.metadata.updatedAt']],
    ['no portrait', (one) => void delete one.media.portrait, ['data.avatar']],
    [
      'a sprite’s label',
      (one) =>
        Object.assign(one.media, { assets: one.media.assets?.map((a, i) => (i === 0 ? { ...a, label: 'glad' } : a)) }),
      ['data.sprites.0.filename'],
    ],
    ['tags', (one) => void one.discovery.tags?.push('new'), ['data.data.tags']],
  ])('%s goes to its own home', (_, edit, homes) => {
    expect([
      ...new Set(differences(nagi, edited(adapter, nagi, edit)).map((path) => path.replace(/tags\..*/, 'tags'))),
    ]).toEqual(homes);
  });
  test('a cleared appearance leaves an empty text, as the app writes it', () => {
    const file = edited(adapter, nagi, (one) => void delete one.persona.appearance);
    expect(at(file, 'data.data.extensions.appearance')).toBe('');
  });
  test('a cleared colour leaves an empty text too', () => {
    const file = edited(adapter, nagi, (one) => delete one.presentation);
    expect(at(file, 'data.data.extensions.nameColor')).toBe('');
  });
  test('a gradient stays while nobody sets a colour, and a colour that is no hex is not written', () => {
    const gradient = withValue(nagi, 'data.data.extensions.nameColor', 'linear-gradient(red, blue)');
    expect(readAs(adapter, gradient).body.presentation).toBeUndefined();
    expect(left(adapter, gradient)).toContain('data.data.extensions.nameColor');
    expect(
      differences(
        gradient,
        edited(adapter, gradient, (one) => Object.assign(one.identity, { name: 'x' })),
      ),
    ).toEqual(['data.data.name']);
    const named = edited(adapter, gradient, (one) =>
      Object.assign(one, { presentation: { signatureColor: 'tomato' } }),
    );
    expect(named).toEqual(gradient);
  });
  test('V3 keys in the card are read and edited where they stand, and never added', () => {
    const v3 = withValue(nagi, 'data.data.nickname', 'Captain');
    expect(readAs(adapter, v3).body.identity.nickname).toBe('Captain');
    const renamed = edited(adapter, v3, (one) => Object.assign(one.identity, { nickname: 'Keeper' }));
    expect(differences(v3, renamed)).toEqual(['data.data.nickname']);
    expect(edited(adapter, nagi, (one) => Object.assign(one.identity, { nickname: 'Keeper' }))).toEqual(nagi);
  });
  test('sprites stand before the gallery: another order of the assets is reported', async () => {
    const entity = readAs(adapter, nagi);
    const [happy, sad, beacon] = entity.body.media.assets ?? [];
    const assets = [beacon, happy, sad].flatMap((asset) => asset ?? []);
    const mixed = { ...entity, body: { ...entity.body, media: { ...entity.body.media, assets } } };
    const { report } = await engine.write([mixed], 'marinara-character');
    expect(report.losses).toMatchObject([{ path: 'media.assets', reason: 'the order is not the same' }]);
  });
});

describe('the book inside', () => {
  test('it is an entity of its own, and unedited it leaves the file alone', async () => {
    const { entities } = await engine.read(encode(nagi));
    expect(entities.map(({ kind, id }) => [kind, id])).toEqual([
      ['character', '凪-nagi'],
      ['lorebook', 'lighthouse'],
    ]);
    const { files } = await engine.write(entities, 'marinara-character');
    expect(parse(files[0]?.bytes as Uint8Array)).toEqual(nagi);
  });
  test('an edit of it touches it alone; without it the key is gone', async () => {
    const [main, book] = (await engine.read(encode(nagi))).entities as [AnyEntity, AnyEntity];
    if (book.kind !== 'lorebook' || main.kind !== 'character') throw new Error('another kind');
    const entries = book.body.entries.map((entry) => ({ ...entry, content: 'Whale oil.' }));
    const out = await engine.write([main, { ...book, body: { ...book.body, entries } }], 'marinara-character');
    expect(differences(nagi, parse(out.files[0]?.bytes as Uint8Array))).toEqual([
      'data.data.character_book.entries.0.content',
    ]);
    const alone = { ...main, body: { ...main.body, knowledgeRefs: [] } };
    const without = await engine.write([alone], 'marinara-character');
    expect(at(parse(without.files[0]?.bytes as Uint8Array), 'data.data.character_book')).toBeUndefined();
  });
});

describe('between apps', () => {
  test('a fresh file is a V2 card in the envelope, dated by what the card knows', () => {
    const one = emptyCharacter();
    one.identity.name = 'Mira';
    expect(Object.keys(fresh(adapter, one))).toEqual(['type', 'version', 'data']);
    one.attribution.updatedAt = 1772323200;
    one.media.assets = [{ role: 'background', label: 'hall', ref: bytesOf(new Uint8Array([1, 2]), 'image/jpeg') }];
    expect(fresh(adapter, one)).toMatchObject({
      type: 'marinara_character',
      version: 1,
      exportedAt: '2026-03-01T00:00:00.000Z',
      data: {
        spec: 'chara_card_v2',
        data: { name: 'Mira', extensions: {} },
        metadata: { updatedAt: '2026-03-01T00:00:00.000Z' },
        gallery: [{ filename: 'hall.jpg', data: 'data:image/jpeg;base64,AQI=' }],
      },
    });
  });
  test('to SillyTavern and back: the report names what stayed, and what crossed comes back', async () => {
    const out = await engine.convert(encode(nagi), 'sillytavern');
    const paths = out.report.losses.map(({ path }) => path);
    expect(paths).toEqual(['persona.appearance', 'presentation.signatureColor']);
    expect(out.report.escrowed.map(({ path }) => path)).toContain('data.data.extensions.backstory');
    const back = await engine.convert(out.files[0]?.bytes as Uint8Array, 'marinara-character');
    expect(back.report.losses).toEqual([]);
    const again = readAs(adapter, back.files[0]?.bytes).body;
    expect(again.greetings).toEqual(body.greetings);
    expect(again.media.assets?.map(({ role, label }) => [role, label])).toEqual(
      body.media.assets?.map(({ role, label }) => [role, label]),
    );
    const json = await engine.convert(encode(nagi), 'sillytavern', { container: 'json' });
    expect(JSON.stringify(parse(json.files[0]?.bytes as Uint8Array))).not.toContain('winters ago');
  });
  test('V3 fields of another app have no place, and the report says so', async () => {
    const card = {
      spec: 'chara_card_v3',
      spec_version: '3.0',
      data: { name: 'Mira', nickname: 'Mi', group_only_greetings: ['Hey all'], first_mes: 'Hi' },
    };
    const { report } = await engine.convert(encode(card), 'marinara-character');
    expect(report.losses.map(({ path }) => path)).toEqual(['identity.nickname', 'greetings.groupOnlyGreetings[0]']);
  });
});
