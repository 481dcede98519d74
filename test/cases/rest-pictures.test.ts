import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { bytesOf } from '../../src/core/bytes.ts';
import { pngCards, pngPieces } from '../kit/carriers.ts';
import {
  base64,
  character,
  chunk,
  engine,
  greeted,
  IDAT,
  IHDR,
  packedChunk,
  png,
  text,
  textChunk,
  v2,
  v3,
} from './rest-kit.ts';

const nameIn = async (file: Uint8Array) => character((await engine.read(file)).entities).body.identity.name;
const card = textChunk('chara', base64(v2()));

describe('where a card stands in a picture', () => {
  test('RW-078 the card chunk is found behind other text chunks, in any letter case of its keyword', async () => {
    for (const keyword of ['chara', 'Chara', 'CHARA']) {
      const before = ['Software', 'parameters', 'Comment'].map((name) => textChunk(name, 'Steps: 20'));
      expect(await nameIn(png(IHDR, ...before, textChunk(keyword, base64(v2())), IDAT))).toBe('Ada Reef');
    }
  });

  test('RW-079 the card chunk is found after, before and between the picture data', async () => {
    const files = [
      png(IHDR, IDAT, card),
      png(IHDR, IDAT, IDAT, card),
      png(IHDR, IDAT, card, IDAT),
      png(card, IHDR, IDAT),
    ];
    for (const file of files) expect(await nameIn(file)).toBe('Ada Reef');
  });

  test('RW-080 compressed text chunks are read, bounded, and leave no stale copy', async () => {
    const file = png(IHDR, packedChunk('ccv3', base64(v3())), packedChunk('chara', base64(v2())), IDAT);
    const { entities } = await engine.read(file);
    const { files } = await engine.write([greeted(character(entities), 'New.')], 'sillytavern');
    const cards = pngCards(Buffer.from(files[0]?.bytes ?? []));
    expect(cards.map(({ keyword }) => keyword).sort()).toEqual(['ccv3', 'chara']);
    expect(cards.filter((one) => one.text.includes('The tide is late.'))).toEqual([]);
  });

  test('RW-081 a picture without card is called a plain picture, with the likely reason', async () => {
    const webp = Buffer.concat([Buffer.from('RIFF\x16\0\0\0WEBPVP8L\x0a\0\0\0', 'latin1'), Buffer.alloc(10)]);
    for (const file of [png(IHDR, IDAT), Uint8Array.from(webp)]) {
      const refusal = engine.read({ bytes: file, filename: 'ada.bin' });
      await expect(refusal).rejects.toMatchObject({
        file: 'ada.bin',
        detail: expect.stringContaining('without a card'),
        hint: expect.stringContaining('hosts often strip the card data'),
      });
    }
  });
});

describe('what a picture is', () => {
  const pictures = {
    'image/jpeg': Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xd9]),
    'image/webp': Uint8Array.from(Buffer.from('RIFF\x16\0\0\0WEBPVP8L\x0a\0\0\0\0\0\0\0\0\0\0\0\0\0', 'latin1')),
    'image/gif': Uint8Array.from(Buffer.from('GIF89a\x01\0\x01\0\0\0\0!\xf9\x04\0\0\0\0\0;', 'latin1')),
  };

  async function portraitIn(file: Uint8Array | undefined): Promise<Buffer> {
    const { portrait } = character((await engine.read(file ?? '')).entities).body.media;
    if (portrait === undefined || typeof portrait.ref === 'string') throw new Error('no picture');
    return Buffer.from(portrait.ref.bytes());
  }

  test.each(Object.entries(pictures))(
    'RW-082 a portrait of %s is carried as it is, or a placeholder is named',
    async (mime, bytes) => {
      const entity = character((await engine.read(text(v2()))).entities);
      const portrait = { role: 'portrait' as const, ref: bytesOf(bytes, mime) };
      const given = { ...entity, body: { ...entity.body, media: { portrait } } };
      const charx = await engine.write([given], 'risu', { container: 'charx' });
      expect(await portraitIn(charx.files[0]?.bytes)).toEqual(Buffer.from(bytes));
      const asPng = await engine.write([given], 'sillytavern', { container: 'png' });
      expect(asPng.report.warnings.map(({ code }) => code)).toContain('png.placeholder');
      expect(await portraitIn(asPng.files[0]?.bytes)).toEqual(Buffer.from(bytes));
      const pygmalion = await engine.write([given], 'pygmalion', { container: 'json' });
      expect(pygmalion.report.losses.map(({ path }) => path)).toContain('media.portrait.ref');
    },
  );

  test('RW-083 an animated picture keeps all its animation chunks in order', async () => {
    const frames = [0, 1, 2].flatMap((n) => [chunk('fcTL', `\0\0\0${n}frame`), chunk('fdAT', `\0\0\0${n}pixels`)]);
    const file = png(IHDR, chunk('acTL', '\0\0\0\x03\0\0\0\0'), card, IDAT, ...frames);
    const moving = (bytes: Uint8Array | undefined) =>
      pngPieces(Buffer.from(bytes ?? []))
        .filter(({ name }) => name !== 'tEXt')
        .map(({ whole }) => whole);
    const { entities } = await engine.read(file);
    const { files } = await engine.write([greeted(character(entities), 'New.')], 'sillytavern');
    expect(moving(files[0]?.bytes)).toEqual(moving(file));
    for (const target of ['lumiverse', 'rolecall', 'risu']) {
      const other = await engine.convert(file, target, { container: 'png' });
      expect(moving(other.files[0]?.bytes)).toEqual(moving(file));
    }
  });
});

describe('size', () => {
  test('RW-080 a compressed chunk that inflates without end is refused with limit and value', async () => {
    const bomb = chunk(
      'zTXt',
      Buffer.concat([Buffer.from('chara\0\0'), deflateSync(Buffer.alloc(70 << 20), { level: 1 })]),
    );
    await expect(engine.read(png(IHDR, bomb, IDAT))).rejects.toMatchObject({
      code: 'card.payload',
      detail: expect.stringMatching(/320313 bytes inflate to more than .* MAX_INFLATE_RATIO \(50 to 1/),
    });
  });

  test('RW-099 a picture of 30 MiB with a card of 10 MiB stays within a few times its size', async () => {
    const pixels = chunk('IDAT', new Uint8Array(30 << 20));
    const file = png(IHDR, textChunk('chara', base64(v2({ description: 'tide '.repeat((10 << 20) / 7) }))), pixels);
    const before = process.memoryUsage();
    const { files, report } = await engine.convert(file, 'sillytavern');
    const after = process.memoryUsage();
    const grown = after.arrayBuffers + after.heapUsed - before.arrayBuffers - before.heapUsed;
    expect(report.losses).toEqual([]);
    expect(files[0]?.bytes.byteLength).toBe(file.byteLength);
    expect(grown).toBeLessThan(6 * file.byteLength);
  });
});
