import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { bytesOf } from '../../src/core/bytes.ts';
import { pngCards, pngPieces } from '../kit/carriers.ts';
import {
  base64,
  character,
  chunk,
  dataUri,
  engine,
  greeted,
  IDAT,
  IHDR,
  json,
  packedChunk,
  picture,
  png,
  targetsOf,
  text,
  textChunk,
  v2,
  v3,
} from './rest-kit.ts';

const EDIT = 'The tide is early.';
/** Reads, edits the first message, writes back. */
async function edited(input: Uint8Array | string, format = 'sillytavern', options = {}) {
  const { entities } = await engine.read(input);
  const [, ...books] = entities;
  return engine.write([greeted(character(entities), EDIT), ...books], format, options);
}

describe('unknown fields and copies', () => {
  const odd = v2({ x_custom: { deep: [1, null] }, creatorcomment: 'kept' }, { x_root: 'r', x_list: [1, 'two'] });

  test('RW-070 unknown keys at the root and in the data survive, edited or not', async () => {
    const same = await engine.convert(text(odd), 'sillytavern');
    expect(json(same.files[0]?.bytes)).toEqual(odd);
    const { files } = await edited(text(odd));
    expect(json(files[0]?.bytes)).toEqual({ ...odd, data: { ...odd.data, first_mes: EDIT } });
  });

  test.each(targetsOf('character').filter((id) => id !== 'sillytavern'))('RW-070 %s names them', async (target) => {
    const { report } = await engine.convert(text(odd), target);
    const named = report.escrowed.map(({ path }) => path);
    expect(named).toEqual(expect.arrayContaining(['x_root', 'x_list', 'data.x_custom', 'data.creatorcomment']));
  });

  test('RW-071 an edit is in every copy inside the file: root, data, both chunks', async () => {
    const both = v2({}, { name: 'Ada Reef', first_mes: 'The tide is late.' });
    expect(json((await edited(text(both))).files[0]?.bytes)).toMatchObject({
      first_mes: EDIT,
      data: { first_mes: EDIT },
    });
    const file = png(IHDR, textChunk('chara', base64(v2())), textChunk('ccv3', base64(v3())), IDAT);
    const { files } = await edited(file);
    const cards = pngCards(Buffer.from(files[0]?.bytes ?? [])).map((one) => JSON.parse(one.text).data.first_mes);
    expect(cards).toEqual([EDIT, EDIT]);
    expect(pngCards(Buffer.from((await engine.convert(file, 'sillytavern')).files[0]?.bytes ?? []))).toEqual(
      pngCards(Buffer.from(file)),
    );
  });

  test('RW-072 usage data make no difference of content, and a same-format write adds none', async () => {
    const used = {
      ...v2({ extensions: { fav: true } }, { fav: true, chat: 'Ada - 2026-03-01', create_date: '2026-03-01@10h' }),
    };
    const { differences, added } = await engine.diff(text(v2()), text(used));
    expect({ differences, added }).toEqual({ differences: [], added: [] });
    const { files } = await edited(text(v2()));
    expect(json(files[0]?.bytes)).toEqual(v2({ first_mes: EDIT }));
  });

  test('RW-073 every embedded picture is still there after an edit', async () => {
    const sprites = { happy: dataUri(1), sad: dataUri(2) };
    const marinara = {
      type: 'marinara_character',
      version: 1,
      data: {
        ...v2(),
        avatar: dataUri(0),
        sprites: Object.entries(sprites).map(([filename, data]) => ({ filename: `${filename}.png`, data })),
        gallery: [{ filename: 'pier.png', data: dataUri(3) }],
      },
    };
    const read = await engine.read(text(marinara));
    expect(read.format).toBe('marinara-character');
    const { files } = await edited(text(marinara), 'marinara');
    const out = Buffer.from(files[0]?.bytes ?? []).toString();
    for (const shade of [0, 1, 2, 3]) expect(out).toContain(dataUri(shade));
    expect(out).toContain(EDIT);
  });
});

describe('pictures', () => {
  test('RW-074 an edit leaves one chara and one ccv3, whatever chunks they stood in, and they agree', async () => {
    const packed = png(IHDR, packedChunk('chara', base64(v2())), IDAT);
    const mixed = png(
      IHDR,
      packedChunk('ccv3', base64(v3())),
      textChunk('chara', base64(v2({ first_mes: 'Old.' }))),
      IDAT,
    );
    for (const file of [packed, mixed]) {
      const { files } = await edited(file);
      const cards = pngCards(Buffer.from(files[0]?.bytes ?? []));
      expect(new Set(cards.map(({ keyword }) => keyword)).size).toBe(cards.length);
      for (const one of cards) expect(JSON.parse(one.text).data.first_mes).toBe(EDIT);
    }
    const same = await engine.convert(mixed, 'sillytavern');
    expect(pngCards(Buffer.from(same.files[0]?.bytes ?? []))).toEqual(pngCards(Buffer.from(mixed)));
    const { warnings } = await engine.inspect(mixed);
    expect(warnings.filter(({ code }) => code === 'card.payloads-differ')).toHaveLength(1);
  });

  const others = [
    chunk('iCCP', Buffer.concat([Buffer.from('own\0\0'), deflateSync('profile')])),
    chunk('pHYs', '\0\0\x0b\x13\0\0\x0b\x13\x01'),
    chunk('eXIf', 'MM\0\x2a\0\0\0\x08\0\0'),
    textChunk('Software', 'Brush 1'),
    chunk('prVt', Buffer.from([0, 255, 1, 254])),
  ];
  const foreign = (file: Uint8Array | undefined): Buffer[] =>
    pngPieces(Buffer.from(file ?? []))
      .filter(({ body }) => !/^(chara|ccv3)\0/i.test(body.subarray(0, 6).toString('latin1')))
      .map(({ whole }) => whole);

  test('RW-075 all other chunks are copied byte by byte in their order', async () => {
    const file = png(IHDR, ...others.slice(0, 3), textChunk('chara', base64(v2())), ...others.slice(3), IDAT);
    expect(foreign((await edited(file)).files[0]?.bytes)).toEqual(foreign(file));
    for (const target of ['lumiverse', 'rolecall', 'pygmalion', 'risu']) {
      const { files } = await engine.convert(file, target, { container: 'png' });
      expect(foreign(files[0]?.bytes)).toEqual(expect.arrayContaining(foreign(file)));
    }
  });

  test('RW-076 the pixels of a large picture of 16 bits with alpha are byte-equal', async () => {
    const header = Buffer.from(IHDR.subarray(8, 21));
    header.writeUInt32BE(1024, 0);
    header.writeUInt32BE(1536, 4);
    header.set([16, 6], 8);
    const pixels = deflateSync(Buffer.alloc((1024 * 8 + 1) * 1536, 7), { level: 1 });
    const file = png(chunk('IHDR', header), textChunk('chara', base64(v2())), chunk('IDAT', pixels));
    const { files } = await edited(file);
    expect(foreign(files[0]?.bytes)).toEqual(foreign(file));
    const charx = await engine.convert(file, 'risu');
    const { portrait } = character((await engine.read(charx.files[0]?.bytes ?? '')).entities).body.media;
    if (portrait === undefined || typeof portrait.ref === 'string') throw new Error('no picture');
    expect(foreign(portrait.ref.bytes())).toEqual(foreign(file));
  });

  test('RW-077 a card without picture gets a neutral one, and the report says so; a given picture is used', async () => {
    const bare = await engine.convert(text(v2()), 'sillytavern', { container: 'png' });
    expect(bare.report.warnings.map(({ code }) => code)).toContain('png.placeholder');
    const entity = character(bare.entities);
    const ref = bytesOf(Uint8Array.from(picture(2)), 'image/png');
    const media = { ...entity.body.media, portrait: { role: 'portrait' as const, ref } };
    const given = await engine.write([{ ...entity, body: { ...entity.body, media } }], 'sillytavern', {
      container: 'png',
    });
    expect(given.report.warnings.map(({ code }) => code)).not.toContain('png.placeholder');
    expect(foreign(given.files[0]?.bytes)).toEqual(foreign(picture(2)));
  });
});
