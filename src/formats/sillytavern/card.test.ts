import { describe, expect, test } from 'vitest';
import { bytesOf } from '../../core/bytes.ts';
import { isRecord } from '../../core/draft.ts';
import { sourceOf } from '../../core/source.ts';
import { createEngine } from '../../engine.ts';
import type { AnyAdapter, AnyEntity, EntityOf } from '../../entities/kinds.ts';
import { cardOf } from '../_shared/card-io.ts';
import { sealFreshPng } from '../_shared/card-seal.ts';
import { placeholderPng } from '../_shared/placeholder.ts';
import { pngOf, textChunks } from '../_shared/png.ts';
import { writeTextChunks } from '../_shared/png-write.ts';
import { formats } from '../index.generated.ts';

const engine = createEngine(formats as readonly AnyAdapter[]);
const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const v2 = (data: object, root: object = {}) => ({
  spec: 'chara_card_v2',
  spec_version: '2.0',
  data: { name: 'Mira', description: 'd', first_mes: 'Hi.', tags: [], extensions: {}, ...data },
  ...root,
});
const v3 = (data: object) => ({ ...v2(data), spec: 'chara_card_v3', spec_version: '3.0' });

/** A picture that is not our own placeholder: one more chunk, one more byte. */
const picture = () => {
  const png = pngOf(sourceOf(placeholderPng()));
  if (!png) throw new Error('no PNG');
  return writeTextChunks(png, [{ insert: { keyword: 'Software', text: 'hand' } }]);
};
const pngWith = (payloads: Parameters<typeof sealFreshPng>[1]) =>
  sealFreshPng(bytesOf(picture(), 'image/png'), payloads);

async function character(bytes: Uint8Array): Promise<{ main: EntityOf<'character'>; all: readonly AnyEntity[] }> {
  const { entities, format } = await engine.read(bytes);
  const [main] = entities;
  if (format !== 'sillytavern' || main?.kind !== 'character') throw new Error(`read as ${format}`);
  return { main, all: entities };
}
const withBody = (main: EntityOf<'character'>, change: (body: EntityOf<'character'>['body']) => object): AnyEntity => ({
  ...main,
  body: { ...main.body, ...change(main.body) },
});
async function written(entities: readonly AnyEntity[], options = {}) {
  const { files, report } = await engine.write(entities, 'sillytavern', options);
  return { bytes: files[0]?.bytes ?? new Uint8Array(), report, name: files[0]?.name };
}
const jsonOf = (bytes: Uint8Array) => JSON.parse(new TextDecoder().decode(bytes));
/** Every card in a picture, by keyword, in file order. */
function cards(bytes: Uint8Array): [string, { spec?: string; data: Record<string, unknown> }][] {
  const png = pngOf(sourceOf(bytes));
  return textChunks(png ?? { bytes, chunks: [], derailed: false }).flatMap((chunk) =>
    ['chara', 'ccv3'].includes(chunk.keyword)
      ? [[chunk.keyword, JSON.parse(Buffer.from(chunk.text(), 'base64').toString())] as never]
      : [],
  );
}

describe('the shape decides, not the label', () => {
  test.each([
    ['v1', { name: 'Mira', description: 'd', personality: '', scenario: '', first_mes: 'Hi.', mes_example: '' }],
    ['flat', { name: 'Mira', description: 'd', first_mes: 'Hi.', alternate_greetings: ['You.'] }],
    ['v2', { data: { name: 'Mira', first_mes: 'Hi.', description: 'd' } }],
    ['v3', v3({})],
    ['v1', { spec: 'chara_card_v3', spec_version: '3.0', name: 'Mira', description: 'd', first_mes: 'Hi.' }],
  ])('%s', async (variant, card) => {
    const { main } = await character(encode(card));
    expect(main.original?.sillytavern?.unmapped?.variant).toBe(variant);
    expect([main.body.identity.name, main.body.identity.description, main.body.greetings.firstMessage]).toEqual([
      'Mira',
      'd',
      'Hi.',
    ]);
  });
});

test('an edit reaches every copy at the root that exists, whatever it said, and adds none', async () => {
  const card = v2({ personality: 'dry' }, { name: 'Mira', first_mes: 'an older one', creatorcomment: 'x' });
  const { main } = await character(encode(card));
  const { bytes } = await written([
    withBody(main, (body) => ({ greetings: { ...body.greetings, firstMessage: 'Hello.' } })),
  ]);
  expect(jsonOf(bytes)).toEqual({ ...card, first_mes: 'Hello.', data: { ...card.data, first_mes: 'Hello.' } });
});

test('clearing writes an empty text where the card requires the key, and deletes the key where it does not', async () => {
  const { main } = await character(encode(v3({ nickname: 'Mi', creator: 'orla' })));
  const { bytes } = await written([
    withBody(main, ({ identity: { nickname: _, ...identity } }) => ({ identity, attribution: {} })),
  ]);
  const { data } = jsonOf(bytes);
  expect([data.creator, 'nickname' in data]).toEqual(['', false]);
});

test('a V2 card that gains something only V3 can say becomes V3, with a warning', async () => {
  const { main } = await character(encode(v2({})));
  const { bytes, report } = await written([
    withBody(main, (body) => ({ identity: { ...body.identity, nickname: 'Mi' } })),
  ]);
  expect(jsonOf(bytes)).toMatchObject({
    spec: 'chara_card_v3',
    spec_version: '3.0',
    data: { nickname: 'Mi', group_only_greetings: [] },
  });
  expect(report.warnings.map(({ code }) => code)).toContain('card.relabelled');
});

test('V3 keys that stand in a V2 card are read and kept there without a new label', async () => {
  const { main } = await character(encode(v2({ nickname: 'Mi' })));
  expect(main.body.identity.nickname).toBe('Mi');
  const { bytes } = await written([withBody(main, (body) => ({ identity: { ...body.identity, description: 'e' } }))]);
  expect(jsonOf(bytes)).toMatchObject({ spec: 'chara_card_v2', data: { nickname: 'Mi', description: 'e' } });
});

test('the picture around a V2 card is no reason for V3: as JSON the card loses it, and the report says so', async () => {
  const { all } = await character(pngWith([{ keyword: 'chara', value: v2({}) }]));
  const { bytes, report } = await written(all, { container: 'json' });
  expect(jsonOf(bytes).spec).toBe('chara_card_v2');
  expect(report.losses.map(({ path }) => path)).toEqual(['media.portrait.ref']);
});

describe('pictures with two payloads', () => {
  const both = () => [
    { keyword: 'chara' as const, value: v2({ description: 'old' }) },
    { keyword: 'ccv3' as const, value: v3({ nickname: 'Mi' }) },
  ];

  test('ccv3 counts wherever it stands, and a difference is a warning', async () => {
    const file = pngWith(both());
    const { main } = await character(file);
    expect([main.body.identity.description, main.body.identity.nickname]).toEqual(['d', 'Mi']);
    const { warnings } = await engine.read(file);
    expect(warnings.map(({ code }) => code)).toContain('card.payloads-differ');
  });

  test('unedited, each stays as it was', async () => {
    const file = pngWith(both());
    const { all } = await character(file);
    expect(Buffer.compare((await written(all)).bytes, file)).toBe(0);
  });

  test('after an edit they agree', async () => {
    const { main } = await character(pngWith(both()));
    const { bytes } = await written([
      withBody(main, (body) => ({ greetings: { ...body.greetings, firstMessage: 'Hello.' } })),
    ]);
    expect(cards(bytes).map(([keyword, { spec, data }]) => [keyword, spec, data.first_mes, data.description])).toEqual([
      ['chara', 'chara_card_v2', 'Hello.', 'd'],
      ['ccv3', 'chara_card_v3', 'Hello.', 'd'],
    ]);
  });

  test('a card that stands twice under one keyword is one card after an edit, with a warning', async () => {
    const { main } = await character(
      pngWith([
        { keyword: 'chara', value: v2({}) },
        { keyword: 'chara', value: v2({ description: 'second' }) },
      ]),
    );
    expect(main.body.identity.description).toBe('d');
    const { bytes, report } = await written([
      withBody(main, (body) => ({ identity: { ...body.identity, description: 'e' } })),
    ]);
    expect(cards(bytes).map(([, { data }]) => data.description)).toEqual(['e']);
    expect(report.warnings.map(({ code }) => code)).toContain('png.merged');
  });
});

test('a fresh picture carries a V2 form beside the V3 card', async () => {
  const { all } = await character(encode(v3({ nickname: 'Mi' })));
  const { bytes } = await written(
    all.map(({ original: _, ...entity }) => entity as AnyEntity),
    { container: 'png' },
  );
  expect(cards(bytes).map(([keyword, { spec, data }]) => [keyword, spec, 'nickname' in data])).toEqual([
    ['chara', 'chara_card_v2', false],
    ['ccv3', 'chara_card_v3', true],
  ]);
});

test('a PNG without a portrait shows a placeholder that is no portrait when it is read', async () => {
  const { all } = await character(encode(v2({})));
  const { bytes, report } = await written(all, { container: 'png' });
  expect(report.warnings.map(({ code }) => code)).toContain('png.placeholder');
  expect((await character(bytes)).main.body.media).toEqual({});
});

test('a card chunk that cannot be decoded is claimed, and the refusal names the chunk', async () => {
  const png = pngOf(sourceOf(picture()));
  const broken = writeTextChunks(png ?? { bytes: new Uint8Array(), chunks: [], derailed: false }, [
    { insert: { keyword: 'chara', text: 'not base64 at all!' } },
  ]);
  expect((await engine.detect(broken))?.format).toBe('sillytavern');
  await expect(engine.read(broken)).rejects.toMatchObject({
    code: 'card.payload',
    path: expect.stringContaining('chunk chara'),
  });
});

test('a book set loose from its card is removed, one nobody resolved stays', async () => {
  const card = v2({
    character_book: { entries: [{ keys: ['a'], content: 'x', extensions: {}, enabled: true, insertion_order: 1 }] },
  });
  const { main } = await character(encode(card));
  const unlinked = await written([withBody(main, () => ({ knowledgeRefs: [] }))]);
  expect('character_book' in jsonOf(unlinked.bytes).data).toBe(false);
  const unresolved = await written([main]);
  expect(jsonOf(unresolved.bytes)).toEqual(card);
});

test('an integer beyond 2^53 and 1.0 keep their spelling through an edit elsewhere', async () => {
  const text = JSON.stringify(v2({ extensions: { big: 0, one: 0 } }))
    .replace('"big":0', '"big":12345678901234567890')
    .replace('"one":0', '"one":1.0');
  const { main } = await character(new TextEncoder().encode(text));
  const { bytes } = await written([withBody(main, (body) => ({ identity: { ...body.identity, description: 'e' } }))]);
  const out = new TextDecoder().decode(bytes);
  expect(out).toContain('12345678901234567890');
  expect(out).toContain('"one": 1.0');
});

test('keys named __proto__ and constructor are data', async () => {
  const text =
    '{"spec":"chara_card_v2","spec_version":"2.0","data":{"name":"M","first_mes":"Hi.","extensions":{"__proto__":{"x":1},"constructor":"y"}}}';
  const { main } = await character(new TextEncoder().encode(text));
  const { bytes } = await written([withBody(main, (body) => ({ identity: { ...body.identity, description: 'e' } }))]);
  expect(new TextDecoder().decode(bytes)).toContain('"__proto__": {');
  expect(isRecord(cardOf(sourceOf(bytes)))).toBe(true);
});
