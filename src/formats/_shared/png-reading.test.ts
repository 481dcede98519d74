/** Chunks and texts of a PNG, and the picture without them. */
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  bin,
  chunk,
  codeOf,
  file,
  IDAT,
  IEND,
  IHDR,
  iText,
  open,
  SIGNATURE,
  text,
  texts,
  withLength,
  zText,
} from '../../../test/kit/png.ts';
import { equalBytes, joined } from '../../core/bytes.ts';
import { sourceOf } from '../../core/source.ts';
import { chunkData, isCardKeyword, isPng, MAX_TEXT_CHUNK_BYTES, pictureOf, pngOf, textChunks } from './png.ts';
import { writeTextChunks } from './png-write.ts';

describe('listing', () => {
  it('is undefined for anything without the signature', () => {
    for (const bytes of [bin(''), bin('\x89PNG'), bin('GIF89a..........'), SIGNATURE.slice(1)]) {
      expect(isPng(bytes)).toBe(false);
      expect(pngOf(sourceOf(bytes))).toBeUndefined();
    }
    expect(open(SIGNATURE)).toMatchObject({ chunks: [], derailed: false });
  });

  it('lists once for one source', () => {
    const source = sourceOf(file(IHDR, text('chara', 'x'), IEND));
    expect(pngOf(source)).toBe(pngOf(source));
    const png = open(source.bytes);
    expect(textChunks(png)).toBe(textChunks(png));
  });

  it('gives places and views of every chunk', () => {
    const png = open(file(IHDR, IDAT, IEND));
    expect(png.chunks).toEqual([
      { type: 'IHDR', start: 8, length: 13 },
      { type: 'IDAT', start: 33, length: 12 },
      { type: 'IEND', start: 57, length: 0 },
    ]);
    const data = chunkData(png, png.chunks[1]!);
    expect(Buffer.from(data).toString()).toBe('picture data');
    expect(data.buffer).toBe(png.bytes.buffer);
    expect(png).toMatchObject({ derailed: false });
    expect('tail' in png).toBe(false);
  });

  it.each([
    ['before', [text('chara', 'Y2FyZA=='), IDAT, IDAT]],
    ['among', [IDAT, text('chara', 'Y2FyZA=='), IDAT]],
    ['after', [IDAT, IDAT, text('chara', 'Y2FyZA==')]],
  ])('finds a card %s the picture data', (_, middle) => {
    expect(texts(open(file(IHDR, ...middle, IEND)))).toEqual([['tEXt', 'chara', 'Y2FyZA==']]);
  });

  it('reads all three kinds, compressed and not, keywords as written', () => {
    const png = open(
      file(
        IHDR,
        text('Software', 'caf\xe9'),
        text('ChArA', 'a'),
        zText('CCV3', 'b\xff'.repeat(500)),
        iText('chara', 'snow \u2603'),
        iText('Persona', '\u2603'.repeat(300), true),
        IDAT,
        IEND,
      ),
    );
    expect(texts(png)).toEqual([
      ['tEXt', 'Software', 'caf\xe9'],
      ['tEXt', 'ChArA', 'a'],
      ['zTXt', 'CCV3', 'b\xff'.repeat(500)],
      ['iTXt', 'chara', 'snow \u2603'],
      ['iTXt', 'Persona', '\u2603'.repeat(300)],
    ]);
    expect(textChunks(png).map((it) => it.index)).toEqual([1, 2, 3, 4, 5]);
    expect(textChunks(png).every((it) => it.crcOk())).toBe(true);
  });

  it('keeps a second NUL in the text, and takes a chunk without a separator as all keyword', () => {
    expect(texts(open(file(text('chara', 'a\0b'), chunk('tEXt', 'chara'), chunk('tEXt'), IEND)))).toEqual([
      ['tEXt', 'chara', 'a\0b'],
      ['tEXt', 'chara', ''],
      ['tEXt', '', ''],
    ]);
    expect(texts(open(file(chunk('tEXt', 'x'.repeat(5000)), IEND)))).toEqual([]);
  });

  it('tells a wrong checksum and reads on', () => {
    const bytes = file(IHDR, text('chara', 'a'), text('ccv3', 'b'), IDAT, IEND);
    bytes[8 + 25 + 8 + 7]! ^= 1;
    bytes[8 + 20]! ^= 1;
    const found = textChunks(open(bytes));
    expect(found.map((it) => [it.keyword, it.crcOk()])).toEqual([
      ['chara', false],
      ['ccv3', true],
    ]);
  });

  it.each([
    ['zTXt that is no zlib data', chunk('zTXt', 'chara\0\0rubbish')],
    [
      'zTXt cut short',
      chunk('zTXt', joined([bin('chara\0\0'), deflateSync(Buffer.alloc(9999, 'abc')).subarray(0, 20)])),
    ],
    ['zTXt without anything', chunk('zTXt', 'chara')],
    ['iTXt with a broken text', chunk('iTXt', 'chara\0\x01\0\0\0rubbish')],
    ['iTXt with a cut header', chunk('iTXt', 'chara\0\0\0en')],
    ['a bomb', chunk('zTXt', joined([bin('chara\0\0'), deflateSync(Buffer.alloc(MAX_TEXT_CHUNK_BYTES + 1))]))],
  ])('refuses %s when asked for the text only', (_, broken) => {
    const [found] = textChunks(open(file(IHDR, broken, IEND)));
    expect(found?.keyword).toBe('chara');
    expect(codeOf(() => found?.text())).toBe('card.payload');
  });

  it('names the chunk of a broken text', () => {
    const [found] = textChunks(open(file(chunk('zTXt', 'ccv3\0\0?'))));
    expect(() => found?.text()).toThrow(/chunk ccv3/);
  });
});

describe('card keywords', () => {
  it('are known in any case', () => {
    for (const it of ['chara', 'ccv3', 'CCV3', 'Chara', 'persona', 'naidata', 'ginger', 'risuai']) {
      expect(isCardKeyword(it)).toBe(true);
    }
    for (const it of ['chara-ext-asset_:0', 'Chara-Ext-Asset_1', 'chara-ext-asset_x/y.png']) {
      expect(isCardKeyword(it)).toBe(true);
    }
    for (const it of ['Software', 'charam', 'parameters', '', 'XML:com.adobe.xmp', 'constructor']) {
      expect(isCardKeyword(it)).toBe(false);
    }
  });
});

describe('pictureOf', () => {
  const exif = chunk('eXIf', 'MM\0*\0\0\0\x08');

  it('is one view of the whole file when nothing has to go', () => {
    const bytes = file(IHDR, text('Software', 'x'), exif, IDAT, IEND, bin('tail'));
    const picture = pictureOf(open(bytes));
    expect(picture.segments()).toHaveLength(1);
    expect(picture.bytes()).toBe(bytes);
    expect(picture).toMatchObject({ size: bytes.length, mime: 'image/png' });
  });

  it('leaves out card chunks of all kinds, and eXIf when it is the card', () => {
    const kept = [IHDR, text('Software', 'x'), chunk('iCCP', 'profile'), IDAT, chunk('prVt', 'private'), IEND];
    const [a, b, c, d, e, f] = kept as [Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array];
    const cards = [text('CHARA', '1'), zText('ccv3', '2'), iText('ginger', '3'), text('chara-ext-asset_:0', '4')];
    const [p, q, r, s] = cards as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
    const bytes = file(a, p, q, b, exif, c, r, d, e, s, f, bin('after'));
    const plain = pictureOf(open(bytes));
    expect(plain.bytes()).toEqual(file(a, b, exif, c, d, e, f, bin('after')));
    const bare = pictureOf(open(bytes), { exifIsCard: true });
    expect(bare.size).toBe(file(...kept, bin('after')).length);
    expect(bare.segments().map((it) => it.length)).toEqual([33, b.length, c.length, d.length + e.length, 12 + 5]);
    expect(bare.segments().every((it) => it.buffer === bytes.buffer)).toBe(true);
    expect(bare.bytes()).toEqual(file(...kept, bin('after')));
    expect(equalBytes(bare, pictureOf(open(file(...kept, bin('after')))))).toBe(true);
  });

  it('keeps the chunks of an animation in order', () => {
    const frames = ['acTL', 'fcTL', 'IDAT', 'fcTL', 'fdAT', 'fcTL', 'fdAT'].map((type, i) => chunk(type, `frame ${i}`));
    const [first, ...rest] = frames as [Uint8Array, ...Uint8Array[]];
    const bytes = file(IHDR, first, text('chara', 'x'), ...rest, IEND);
    expect(pictureOf(open(bytes)).bytes()).toEqual(file(IHDR, ...frames, IEND));
    const written = writeTextChunks(open(bytes), [{ replace: 2, by: { keyword: 'chara', text: 'longer text' } }]);
    expect(written).toEqual(file(IHDR, first, text('chara', 'longer text'), ...rest, IEND));
  });

  it('keeps an opaque tail', () => {
    const card = text('chara', 'x');
    const bytes = withLength(file(IHDR, card, IDAT), 33 + card.length, 0x7fffffff);
    expect(pictureOf(open(bytes)).bytes()).toEqual(joined([bytes.subarray(0, 33), bytes.subarray(33 + card.length)]));
  });
});
