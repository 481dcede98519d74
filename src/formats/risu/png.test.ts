import { beforeAll, describe, expect, test } from 'vitest';
import { changes, corpus, hasCorpus, NO_CORPUS, sample, source } from '../../../test/formats/files.ts';
import { copied, encode, engine } from '../../../test/risu/kit.ts';
import { decodeBase64 } from '../../core/base64.ts';
import { type Bytes, bytesOf, isBytes } from '../../core/bytes.ts';
import { valueAt, type Wire } from '../../core/draft.ts';
import type { EntityOf } from '../../entities/kinds.ts';
import { sealFreshPng } from '../_shared/card-seal.ts';
import { loadDeflate } from '../_shared/inflate.ts';
import { placeholderPng } from '../_shared/placeholder.ts';
import { pngOf, textChunks } from '../_shared/png.ts';
import { chunkBytes } from '../_shared/png-write.ts';
import { type Zip, zipOf } from '../_shared/zip.ts';
import { risu } from './index.ts';

const file = new Uint8Array(sample('risu', 'risu.assets.png').bytes);
const archive = new Uint8Array(sample('risu', 'risu.module.charx').bytes);
const front = new Uint8Array(sample('risu', 'risu.front.charx').bytes);

const open = (bytes: Uint8Array): EntityOf<'character'> =>
  (risu.toCanonical(source(bytes)) as [EntityOf<'character'>])[0];
const sealed = (entity: EntityOf<'character'>, container?: string): Uint8Array =>
  risu.fromCanonical([entity], container ? { container } : {}).bytes;
const edited = (entity: EntityOf<'character'>, change: (body: EntityOf<'character'>['body']) => void) => {
  const body = copied(entity.body);
  change(body);
  return { ...entity, body };
};
const chunksOf = (bytes: Uint8Array) => {
  const png = pngOf(source(bytes));
  return png ? textChunks(png).map((chunk) => [chunk.keyword, chunk.text()] as const) : [];
};
const cardOf = (bytes: Uint8Array): Wire => {
  const zip = zipOf(source(bytes)) as Zip | undefined;
  const text = zip
    ? zip.get('card.json')?.content.bytes()
    : (decodeBase64(chunksOf(bytes).find(([keyword]) => keyword === 'ccv3')?.[1] ?? '') as Uint8Array);
  return JSON.parse(new TextDecoder().decode(text)) as Wire;
};
const rows = (bytes: Uint8Array) => valueAt(cardOf(bytes), ['data', 'assets']) as Wire[];
/** What the members of an archive hold; times and rights of a member are not part of it. */
const members = (bytes: Uint8Array) =>
  (zipOf(source(bytes)) as Zip).members.map(({ name, content }) => [
    name,
    Buffer.from(content.bytes()).toString('base64'),
  ]);
/** A picture of one's own: the placeholder with a comment. */
const picture = (note: string): Bytes => {
  const plain = placeholderPng();
  const chunk = chunkBytes('tEXt', new TextEncoder().encode(`Comment\0${note}`));
  return bytesOf(Uint8Array.from([...plain.slice(0, -12), ...chunk, ...plain.slice(-12)]), 'image/png');
};
const media = ({ body }: EntityOf<'character'>) => ({
  portrait: isBytes(body.media.portrait?.ref) ? body.media.portrait.ref.bytes() : body.media.portrait?.ref,
  assets: (body.media.assets ?? []).map(({ role, label, ref }) => [role, label, isBytes(ref) ? ref.bytes() : ref]),
});

beforeAll(() => loadDeflate());

describe('detection', () => {
  const score = (bytes: Uint8Array) => risu.detect(source(bytes));
  const card = cardOf(file);
  const png = (keyword: 'chara' | 'ccv3', value: unknown) => sealFreshPng(picture('x'), [{ keyword, value }]);
  test('a PNG with the block of RisuAI in a V3 card, or with asset chunks', async () => {
    expect(score(file)).toBe(0.95);
    expect((await engine.detect(file))?.format).toBe('risu');
    expect(score(png('ccv3', card))).toBe(0.95);
    expect(score(png('chara', { ...card, spec: 'chara_card_v2' }))).toBe(0);
  });
  test.each([
    ['a card without the block', { ...card, data: { ...(card.data as Wire), extensions: {} } }],
    ['a block that is none', { ...card, data: { ...(card.data as Wire), extensions: { risuai: 'x' } } }],
    ['a flat card', { name: 'x', personality: 'y' }],
  ])('%s is SillyTavern’s', async (_, value) => {
    expect(score(png('ccv3', value))).toBe(0);
    expect((await engine.detect(png('ccv3', value)))?.format).toBe('sillytavern');
  });
  test('a JSON card with the block is SillyTavern’s', () => expect(score(encode(card))).toBe(0));
});

describe('asset chunks', () => {
  test('both spellings of the chunk name resolve', () => {
    expect(media(open(file)).assets.map(([role, label, ref]) => [role, label, ref instanceof Uint8Array])).toEqual([
      ['other', 'chart', true],
      ['emotion', '기쁨', true],
    ]);
  });
  test('unedited the file keeps its bytes', () => expect(sealed(open(file))).toEqual(file));
  test('an edit of a text leaves chunks and rows alone', () => {
    const next = sealed(edited(open(file), ({ identity }) => void Object.assign(identity, { name: '바다' })));
    expect(changes(cardOf(file), cardOf(next))).toEqual(['data.name']);
    expect(chunksOf(next).slice(0, 2)).toEqual(chunksOf(file).slice(0, 2));
  });
  test('a new picture is a chunk with a free number before the card', () => {
    const next = sealed(
      edited(
        open(file),
        ({ media: { assets } }) => void assets?.push({ role: 'emotion', label: 'neu', ref: picture('n') }),
      ),
    );
    expect(chunksOf(next).map(([keyword]) => keyword)).toEqual([
      'chara-ext-asset_:1',
      'chara-ext-asset_2',
      'chara-ext-asset_:3',
      'ccv3',
    ]);
    expect(rows(next).map(({ uri }) => uri)).toEqual(['__asset:1', '__asset:2', 'ccdefault:', '__asset:3']);
    expect(media(open(next)).assets[2]).toEqual(['emotion', 'neu', picture('n').bytes()]);
  });
  test('a picture that is taken away takes its chunk along', () => {
    const next = sealed(edited(open(file), ({ media: { assets } }) => void assets?.shift()));
    expect(chunksOf(next).map(([keyword]) => keyword)).toEqual(['chara-ext-asset_2', 'ccv3']);
    expect(rows(next).map(({ uri }) => uri)).toEqual(['__asset:2', 'ccdefault:']);
  });
  test('another portrait keeps the chunks of the others', () => {
    const other = picture('portrait');
    const next = sealed(
      edited(open(file), ({ media: all }) => void Object.assign(all, { portrait: { role: 'portrait', ref: other } })),
    );
    expect(media(open(next))).toEqual({ portrait: other.bytes(), assets: media(open(file)).assets });
  });
  test('a row whose chunk is not there is named', () => {
    const card = cardOf(file);
    const lost = sealFreshPng(picture('x'), [{ keyword: 'ccv3', value: card }]);
    const [entity] = risu.toCanonical(source(lost)) as [EntityOf<'character'>];
    expect(risu.account(entity).repairs.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['data.assets[0].uri', 'data.assets[1].uri']),
    );
    expect(sealed(entity)).toEqual(lost);
  });
});

describe('from one container to another', () => {
  test('an archive becomes a PNG with chunks, its main icon the picture around', () => {
    const entity = open(archive);
    const next = sealed(entity, 'png');
    expect(chunksOf(next).map(([keyword]) => keyword)).toEqual(['chara-ext-asset_:1', 'chara', 'ccv3']);
    expect(rows(next).map(({ uri }) => uri)).toEqual(['__asset:1', 'ccdefault:']);
    expect(media(open(next))).toEqual(media(entity));
    expect(open(next).body.behavior?.regexScripts).toMatchObject([{ label: '종소리' }, { label: '括弧' }]);
    expect(open(next).body.behavior?.triggerScripts).toEqual(entity.body.behavior?.triggerScripts);
  });
  test('a PNG becomes an archive with members', () => {
    const entity = open(file);
    const next = sealed(entity, 'charx');
    const names = (zipOf(source(next)) as Zip).members.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['card.json', 'assets/other/image/chart.png', 'assets/emotion/image/기쁨.png']),
    );
    expect(rows(next).every(({ uri }) => String(uri).startsWith('embeded://'))).toBe(true);
    expect(media(open(next))).toEqual(media(entity));
  });
  test('an archive behind a JPEG is written where the portrait is a JPEG', () => {
    const entity = open(front);
    expect(members(sealed(entity))).toEqual(members(front));
    expect(sealed(entity).subarray(0, 3)).toEqual(Uint8Array.of(0xff, 0xd8, 0xff));
    const next = sealed(entity, 'jpeg');
    expect(next.subarray(0, 3)).toEqual(Uint8Array.of(0xff, 0xd8, 0xff));
    expect(risu.detect(source(next))).toBe(1);
    expect(open(next).body.identity).toEqual(entity.body.identity);
    expect(() => sealed(open(archive), 'jpeg')).toThrow(expect.objectContaining({ code: 'container.unsupported' }));
  });
  test('a fresh card goes behind its own JPEG', () => {
    const { original: _, ...bare } = open(archive);
    const jpeg = (zipOf(source(front)) as Zip).prefix;
    const entity = edited(
      bare,
      ({ media: all }) =>
        void Object.assign(all, {
          portrait: { role: 'portrait', ref: bytesOf(jpeg.bytes(), 'image/jpeg'), mime: 'image/jpeg' },
        }),
    );
    const next = sealed(entity, 'jpeg');
    expect(media(open(next)).portrait).toEqual(jpeg.bytes());
    expect(next.subarray(0, jpeg.size)).toEqual(jpeg.bytes());
  });
  test('a fresh PNG has chunks, and both forms of the card', () => {
    const { original: _, ...bare } = open(file);
    const next = sealed(bare, 'png');
    expect(chunksOf(next).map(([keyword]) => keyword)).toEqual([
      'chara-ext-asset_:1',
      'chara-ext-asset_:2',
      'chara',
      'ccv3',
    ]);
    expect(media(open(next))).toEqual(media(open(file)));
  });
  test('to SillyTavern and back: pictures and texts survive, scripts stay behind and are named', async () => {
    const { report, files } = await engine.convert(file, 'sillytavern');
    expect(report.losses.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['behavior.regexScripts[0]', 'behavior.triggerScripts[0]']),
    );
    const back = await engine.convert(files[0]?.bytes as Uint8Array, 'risu', { container: 'png' });
    const again = open(back.files[0]?.bytes as Uint8Array);
    expect(media(again)).toEqual(media(open(file)));
    expect(again.body.identity).toMatchObject({ name: '하늘 Haneul', characterVersion: '1.2' });
  });
});

describe.skipIf(!hasCorpus)(`real files (${NO_CORPUS})`, () => {
  test.each(['card-png', 'card-png-risu-legacy', 'card-png-odd', 'charx'])('%s', async (folder) => {
    for (const { name, bytes, expected } of corpus(folder)) {
      if (!['risu', 'sillytavern'].includes(expected)) continue;
      expect([name, (await engine.detect(bytes))?.format]).toEqual([name, expected]);
      if (expected !== 'risu') continue;
      expect(members(sealed(open(bytes)))).toEqual(members(bytes));
    }
  });
});
