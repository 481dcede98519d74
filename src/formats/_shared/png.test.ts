import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { CORPUS, corpusIsThere } from '../../../test/kit/corpus.ts';
import { equalBytes, joined } from '../../core/bytes.ts';
import { BunzaiError } from '../../core/errors.ts';
import { sourceOf } from '../../core/source.ts';
import {
  chunkData,
  isCardKeyword,
  isPng,
  MAX_CHUNKS,
  MAX_TEXT_CHUNK_BYTES,
  type Png,
  pictureOf,
  pngOf,
  textChunks,
} from './png.ts';
import { chunkBytes, placeholderPng, writeTextChunks } from './png-write.ts';

const bin = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'));
const SIGNATURE = bin('\x89PNG\r\n\x1a\n');

/** A chunk made with Node's own checksum. */
function chunk(type: string, data: Uint8Array | string = ''): Uint8Array {
  const body = joined([bin(type), typeof data === 'string' ? bin(data) : data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(body.length - 4);
  out.set(body, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return Uint8Array.from(out);
}

const IHDR = chunk('IHDR', '\0\0\0\x01\0\0\0\x01\x08\0\0\0\0');
const IDAT = chunk('IDAT', 'picture data');
const IEND = chunk('IEND');
const text = (keyword: string, value: string) => chunk('tEXt', `${keyword}\0${value}`);
const zText = (keyword: string, value: string) =>
  chunk('zTXt', joined([bin(`${keyword}\0\0`), deflateSync(bin(value))]));
const iText = (keyword: string, value: string, packed = false) => {
  const utf8 = Uint8Array.from(Buffer.from(value));
  return chunk(
    'iTXt',
    joined([bin(`${keyword}\0${packed ? '\x01' : '\0'}\0en\0title\0`), packed ? deflateSync(utf8) : utf8]),
  );
};
const file = (...chunks: Uint8Array[]) => joined([SIGNATURE, ...chunks]);

function open(bytes: Uint8Array): Png {
  const png = pngOf(sourceOf(bytes));
  if (png === undefined) throw new Error('not a PNG');
  return png;
}
const texts = (png: Png) => textChunks(png).map((it) => [it.kind, it.keyword, it.text()]);
const types = (png: Png) => png.chunks.map((it) => it.type).join(' ');

/** A copy whose length field at `at` says `length`. */
function withLength(bytes: Uint8Array, at: number, length: number): Uint8Array {
  const copy = bytes.slice();
  new DataView(copy.buffer).setUint32(at, length);
  return copy;
}

function codeOf(run: () => unknown): string | undefined {
  try {
    run();
  } catch (error) {
    return error instanceof BunzaiError ? error.code : `other: ${String(error)}`;
  }
  return undefined;
}

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
    expect(textChunks(png).every((it) => it.crcOk)).toBe(true);
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
    expect(found.map((it) => [it.keyword, it.crcOk])).toEqual([
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

describe('damage', () => {
  const card = text('chara', 'Y2FyZA==');

  it.each([
    ['one more than the file has', 13],
    ['2 GB', 0x7fffffff],
    ['4 GB', 0xffffffff],
  ])('a length of %s after the card leaves an opaque tail', (_, length) => {
    const bytes = withLength(file(IHDR, card, IDAT, IEND), 33 + card.length, length === 13 ? 12 + 13 : length);
    const png = open(bytes);
    expect(png.derailed).toBe(true);
    expect(png.tail).toEqual(bytes.subarray(33 + card.length));
    expect(texts(png)).toEqual([['tEXt', 'chara', 'Y2FyZA==']]);
    expect(types(png)).toBe('IHDR tEXt');
  });

  it('a length that is too short derails at the rubbish behind it', () => {
    const png = open(withLength(file(IHDR, card, IDAT, IEND), 33 + card.length, 3));
    expect(png.derailed).toBe(true);
    expect(types(png)).toBe('IHDR tEXt IDAT');
  });

  it.each(['\0\0\0\0', 'tE\0t', '\xe9EXt', 'IDA7'])('a type of other than letters derails', (type) => {
    for (const before of [[], [IHDR]]) {
      const png = open(file(...before, chunk(type, 'fits'), card, IEND));
      expect(png).toMatchObject({ derailed: true });
      expect(png.chunks.length).toBe(before.length);
    }
  });

  it('a length that runs wild before the card hides it', () => {
    const png = open(withLength(file(IHDR, card, IDAT, IEND), 8, 0x7fffffff));
    expect(png).toMatchObject({ derailed: true, chunks: [] });
    expect(png.tail?.length).toBe(png.bytes.length - 8);
    expect(textChunks(png)).toEqual([]);
  });

  it('keeps what follows IEND as tail', () => {
    const png = open(file(IHDR, card, IDAT, IEND, bin('PK and more')));
    expect(png.derailed).toBe(false);
    expect(Buffer.from(png.tail ?? []).toString()).toBe('PK and more');
  });

  it('never throws on a file cut anywhere, nor on flipped bytes', () => {
    const whole = file(
      IHDR,
      zText('ccv3', 'z'.repeat(400)),
      card,
      iText('x', 'y'),
      IDAT,
      text('chara', 'b'.repeat(900)),
      IEND,
    );
    const walk = (bytes: Uint8Array) => {
      const png = pngOf(sourceOf(bytes));
      if (png === undefined) return;
      const listed = textChunks(png);
      for (const it of listed) {
        void it.crcOk;
        expect(codeOf(() => it.text()) ?? 'card.payload').toBe('card.payload');
      }
      const picture = pictureOf(png, { exifIsCard: true });
      expect(picture.bytes().length).toBe(picture.size);
      const edits = listed.map((it) => ({ replace: it.index, by: { keyword: it.keyword, text: 'new' } }));
      const written = open(writeTextChunks(png, [...edits, { insert: { keyword: 'chara', text: 'added' } }]));
      expect(texts(written).at(-1)).toEqual(['tEXt', 'chara', 'added']);
      expect(textChunks(written).length).toBe(listed.length + 1);
    };
    for (let end = 0; end < whole.length; end += end < 200 ? 1 : 53) walk(whole.slice(0, end));
    for (let at = 0; at < whole.length; at += 7) {
      const flipped = whole.slice();
      flipped[at]! ^= 0x80;
      walk(flipped);
    }
  });

  it('stops at MAX_CHUNKS', () => {
    const bytes = new Uint8Array(8 + 12 * (MAX_CHUNKS + 5));
    bytes.set(SIGNATURE);
    const empty = chunk('teSt');
    for (let at = 8; at < bytes.length; at += 12) bytes.set(empty, at);
    const png = open(bytes);
    expect(png.chunks.length).toBe(MAX_CHUNKS);
    expect(png).toMatchObject({ derailed: true });
    expect(png.tail?.length).toBe(60);
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

describe('writing', () => {
  const by = { keyword: 'chara', text: 'bmV3' };

  it('without edits is the file itself', () => {
    const bytes = file(IHDR, text('chara', 'x'), IEND);
    expect(writeTextChunks(open(bytes), [])).toBe(bytes);
  });

  it('replaces in place, removes, and inserts before IEND', () => {
    const other = iText('Comment', 'x \u2603');
    const bytes = file(
      IHDR,
      text('chara', 'old'),
      other,
      IDAT,
      zText('CCV3', 'old'),
      text('chara', 'twin'),
      IEND,
      bin('tail'),
    );
    const written = writeTextChunks(open(bytes), [
      { replace: 4, by: { keyword: 'CCV3', text: 'bmV3Mw==' } },
      { insert: { keyword: 'persona', text: 'cA==' } },
      { remove: 5 },
      { replace: 1, by },
      { insert: { keyword: 'naidata', text: '' } },
    ]);
    expect(written).toEqual(
      file(
        IHDR,
        text('chara', 'bmV3'),
        other,
        IDAT,
        text('CCV3', 'bmV3Mw=='),
        text('persona', 'cA=='),
        text('naidata', ''),
        IEND,
        bin('tail'),
      ),
    );
    expect(textChunks(open(written)).every((it) => it.crcOk)).toBe(true);
  });

  it('inserts before the tail of a derailed file and at the end of a cut one', () => {
    const bytes = withLength(file(IHDR, text('x', 'y'), IDAT, IEND), 33 + 15, 0x80000000);
    const written = writeTextChunks(open(bytes), [{ insert: by }]);
    expect(written).toEqual(joined([bytes.subarray(0, 48), text('chara', 'bmV3'), bytes.subarray(48)]));
    expect(writeTextChunks(open(file(IHDR, IDAT)), [{ insert: by }])).toEqual(file(IHDR, IDAT, text('chara', 'bmV3')));
  });

  it('leaves wrong checksums of other chunks as they are', () => {
    const bytes = file(IHDR, text('chara', 'x'), IDAT, IEND);
    bytes[bytes.length - 13]! ^= 0xff;
    const written = writeTextChunks(open(bytes), [{ remove: 1 }]);
    expect(written).toEqual(joined([bytes.subarray(0, 33), bytes.subarray(33 + text('chara', 'x').length)]));
  });

  it('writes Latin-1, and refuses what it cannot hold', () => {
    const png = open(file(IHDR, IEND));
    const written = writeTextChunks(png, [{ insert: { keyword: 'Caf\xe9', text: 'a\xff\xe9' } }]);
    expect(written).toEqual(file(IHDR, text('Caf\xe9', 'a\xff\xe9'), IEND));
    for (const insert of [
      { keyword: 'x', text: 'a\u2603' },
      { keyword: '\u2603', text: '' },
      { keyword: 'a\0b', text: '' },
    ]) {
      expect(codeOf(() => writeTextChunks(png, [{ insert }]))).toBe('container.unsupported');
    }
  });

  it('ignores places that are not there', () => {
    const bytes = file(IHDR, IEND);
    expect(writeTextChunks(open(bytes), [{ remove: 9 }, { replace: -1, by }])).toEqual(bytes);
  });

  it('frames any chunk', () => {
    expect(chunkBytes('eXIf', bin('data'))).toEqual(chunk('eXIf', 'data'));
  });
});

it('the placeholder is a flat gray PNG of 64 x 96, a new one each time', () => {
  const bytes = placeholderPng();
  const png = open(bytes);
  expect(types(png)).toBe('IHDR IDAT IEND');
  expect(png).toMatchObject({ derailed: false });
  for (const it of png.chunks) {
    expect(bytes.slice(it.start, it.start + it.length + 12)).toEqual(chunk(it.type, chunkData(png, it)));
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  expect([view.getUint32(16), view.getUint32(20)]).toEqual([64, 96]);
  const rows = inflateSync(chunkData(png, png.chunks[1]!));
  expect(rows.length).toBe(96 * 65);
  expect(new Set(rows)).toEqual(new Set([0, 0x80]));
  bytes[0] = 0;
  expect(isPng(placeholderPng())).toBe(true);
});

describe.skipIf(!corpusIsThere)('corpus', () => {
  const names = ['card-png', 'card-png-odd', 'card-png-damaged', 'multi-card-png'].flatMap((folder) =>
    existsSync(new URL(folder, CORPUS)) ? readdirSync(new URL(folder, CORPUS)).map((name) => `${folder}/${name}`) : [],
  );

  it.each(names.filter((name) => name.endsWith('.png')))('%s carries a card, and only the card changes', (name) => {
    const bytes = new Uint8Array(readFileSync(new URL(name, CORPUS)));
    const png = open(bytes);
    const cards = textChunks(png).filter((it) => ['chara', 'ccv3'].includes(it.keyword.toLowerCase()));
    expect(cards.length).toBeGreaterThan(0);
    for (const card of cards) expect(JSON.parse(Buffer.from(card.text(), 'base64').toString())).toBeTypeOf('object');
    expect(png.derailed).toBe(name.startsWith('card-png-damaged'));

    const same = cards.map((it) => ({ replace: it.index, by: { keyword: it.keyword, text: it.text() } }));
    if (cards.every((it) => it.kind === 'tEXt' && it.crcOk)) {
      expect(Buffer.compare(writeTextChunks(png, same), bytes)).toBe(0);
    }
    const edited = cards.map((it) => ({ replace: it.index, by: { keyword: it.keyword, text: 'ZWRpdGVk' } }));
    const written = open(writeTextChunks(png, edited));
    expect(written.chunks.length).toBe(png.chunks.length);
    for (const it of cards)
      expect(
        textChunks(written)
          .find((other) => other.index === it.index)
          ?.text(),
      ).toBe('ZWRpdGVk');
    expect(equalBytes(pictureOf(written), pictureOf(png))).toBe(true);
    expect(textChunks(open(pictureOf(png).bytes())).some((it) => isCardKeyword(it.keyword))).toBe(false);
  });
});
