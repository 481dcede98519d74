import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { CORPUS, corpusIsThere } from '../../../test/kit/corpus.ts';
import { joined } from '../../core/bytes.ts';
import { BunzaiError } from '../../core/errors.ts';
import { sourceOf } from '../../core/source.ts';
import { commentOf, isJpeg, isWebp, pictureWithoutComment, writeComment } from './exif.ts';
import { hostOf } from './exif-host.ts';
import { isPng, pngOf } from './png.ts';
import { findComment, MAX_IFD_ENTRIES, replaceComment } from './tiff.ts';

const bin = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'));
const utf8 = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text));
const ASCII = bin('ASCII\0\0\0');
const CARD = '{"name":"Bram \u2603","description":"keeps the harbour light"}';
const OTHER = '{"name":"Bram","description":"left the harbour, and a longer note about it \u{1f30a}"}';

interface Shape {
  readonly little?: boolean;
  /** The comment stands in the Exif IFD instead of IFD0. */
  readonly sub?: boolean;
  readonly value: Uint8Array;
  /** Bytes after the value, which another tag points to. */
  readonly after?: Uint8Array;
}

/** A TIFF block: IFD0 with an orientation, the comment or the pointer to an Exif IFD with a version and the comment. */
function tiff({ little = true, sub = false, value, after = bin('') }: Shape): Uint8Array {
  const ifds = 8 + (2 + 3 * 12 + 4) + (2 + 2 * 12 + 4);
  const block = new Uint8Array(ifds + value.length + after.length);
  const view = new DataView(block.buffer);
  block.set(bin(little ? 'II' : 'MM'));
  view.setUint16(2, 42, little);
  view.setUint32(4, 8, little);
  const entry = (at: number, tag: number, type: number, count: number, offset: number) => {
    view.setUint16(at, tag, little);
    view.setUint16(at + 2, type, little);
    view.setUint32(at + 4, count, little);
    if (type === 3) view.setUint16(at + 8, offset, little);
    else view.setUint32(at + 8, offset, little);
  };
  const comment = (at: number) => {
    entry(at, 0x9286, 7, value.length, ifds);
    if (value.length <= 4) block.set(value, at + 8);
  };
  view.setUint16(8, 3, little);
  entry(10, 0x0112, 3, 1, 1);
  entry(22, 0x8769, 4, 1, 50);
  if (sub) entry(34, 0x9c9c, 1, after.length, ifds + value.length);
  else comment(34);
  view.setUint16(50, 2, little);
  entry(52, 0x9000, 7, 4, 0x32333230);
  if (sub) comment(64);
  else entry(64, 0x9c9c, 1, after.length, ifds + value.length);
  block.set(value, ifds);
  block.set(after, ifds + value.length);
  return block;
}

function pngChunk(type: string, data: Uint8Array): Uint8Array {
  const body = joined([bin(type), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length);
  out.set(body, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return Uint8Array.from(out);
}
const png = (exif: Uint8Array, ...more: Uint8Array[]) =>
  joined([
    bin('\x89PNG\r\n\x1a\n'),
    pngChunk('IHDR', bin('\0\0\0\x01\0\0\0\x01\x08\0\0\0\0')),
    pngChunk('eXIf', exif),
    ...more,
    pngChunk('IDAT', bin('picture')),
    pngChunk('IEND', bin('')),
    bin('tail'),
  ]);

function riffChunk(type: string, data: Uint8Array): Uint8Array {
  const out = Buffer.alloc(8 + data.length + (data.length & 1));
  out.write(type, 'latin1');
  out.writeUInt32LE(data.length, 4);
  out.set(data, 8);
  return Uint8Array.from(out);
}
function riff(...chunks: Uint8Array[]): Uint8Array {
  const body = joined([bin('WEBP'), ...chunks]);
  const head = Buffer.from('RIFF....', 'latin1');
  head.writeUInt32LE(body.length, 4);
  return joined([Uint8Array.from(head), body]);
}
const VP8X = riffChunk('VP8X', bin('\x2c\0\0\0\x01\0\0\x01\0\0'));
const VP8X_BARE = riffChunk('VP8X', bin('\x24\0\0\0\x01\0\0\x01\0\0'));
const webp = (exif: Uint8Array) =>
  riff(VP8X, riffChunk('VP8 ', bin('picture')), riffChunk('EXIF', exif), riffChunk('XMP ', bin('<x/>')));

function segment(marker: number, data: Uint8Array): Uint8Array {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return joined([Uint8Array.from(head), data]);
}
const JFIF = segment(0xe0, bin('JFIF\0\x01\x02\0\0\x01\0\x01\0\0'));
const XMP = segment(0xe1, bin('http://ns.adobe.com/xap/1.0/\0<x/>'));
const SCAN = joined([segment(0xda, bin('\x01\x01\0\0?\0')), bin('scan\xff\0data\xff\xd9')]);
const jpeg = (exif: Uint8Array) => joined([bin('\xff\xd8'), JFIF, XMP, segment(0xe1, exif), SCAN]);

const PREFIX = bin('Exif\0\0');
const carriers: readonly [string, (tiff: Uint8Array) => Uint8Array][] = [
  ['png', (it) => png(it)],
  ['png with Exif prefix', (it) => png(joined([PREFIX, it]))],
  ['webp', webp],
  ['webp with Exif prefix', (it) => webp(joined([PREFIX, it]))],
  ['jpeg', (it) => jpeg(joined([PREFIX, it]))],
];
const encodings: readonly ['json' | 'base64' | 'bytelist', (text: string) => Uint8Array][] = [
  ['json', utf8],
  ['base64', (text) => bin(Buffer.from(text).toString('base64'))],
  ['bytelist', (text) => bin([...utf8(text)].join(','))],
];

const text = (bytes: Uint8Array) => commentOf(sourceOf(bytes))?.text();
function codeOf(run: () => unknown): string | undefined {
  try {
    run();
  } catch (error) {
    return error instanceof BunzaiError ? error.code : `other: ${String(error)}`;
  }
  return undefined;
}

describe('reading and writing back', () => {
  for (const [name, carrier] of carriers) {
    for (const [encoding, encode] of encodings) {
      for (const little of [true, false]) {
        for (const sub of [true, false]) {
          for (const code of [ASCII, bin('')]) {
            it(`${name}, ${encoding}, ${little ? 'II' : 'MM'}, ${sub ? 'Exif IFD' : 'IFD0'}, ${code.length} byte code`, () => {
              for (const after of ['', 'other tag', 'odd tag!']) {
                for (const nuls of ['', '\0', '\0\0\0']) {
                  const make = (card: string) => joined([code, encode(card), bin(nuls)]);
                  const block = tiff({ little, sub, value: make(CARD), after: bin(after) });
                  const source = sourceOf(carrier(block));
                  expect(commentOf(source)).toMatchObject({ host: hostOf(source.bytes), encoding, code });
                  expect(commentOf(source)).toBe(commentOf(source));
                  expect(commentOf(source)?.payload).toEqual(encode(CARD));
                  expect(commentOf(source)?.text()).toBe(CARD);
                  expect(writeComment(source, CARD)).toBe(source.bytes);

                  const place = findComment(block);
                  if (place === undefined) throw new Error('no comment');
                  // The carrier around the edited block, made afresh: everything outside is byte for byte.
                  const edited = replaceComment(block, place, make(OTHER));
                  const written = writeComment(source, OTHER);
                  expect(written).toEqual(carrier(edited));
                  expect(commentOf(sourceOf(written))).toMatchObject({ encoding, code });
                  expect(text(written)).toBe(OTHER);
                  // Back again, a shorter one, and an empty one.
                  expect(text(writeComment(sourceOf(written), CARD))).toBe(CARD);
                  expect(text(writeComment(sourceOf(written), '{}'))).toBe('{}');
                  // Nothing else moved.
                  const outside = (it: Uint8Array) => [
                    it.slice(0, place.entry + 4),
                    it.slice(place.entry + 12, place.start),
                  ];
                  expect(outside(edited)).toEqual(outside(block));
                  const end = place.start + place.length;
                  if (after !== '') expect(edited.slice(end, block.length)).toEqual(block.slice(end));
                  expect(Buffer.from(edited).includes(Buffer.from(encode(CARD)))).toBe(false);
                }
              }
            });
          }
        }
      }
    }
  }

  it('the value at the end of the block is replaced there, so edits do not pile up', () => {
    const block = tiff({ value: joined([ASCII, utf8(CARD)]) });
    let bytes = webp(block);
    for (let i = 0; i < 5; i++) bytes = writeComment(sourceOf(bytes), i % 2 === 0 ? OTHER : CARD);
    expect(bytes.length - webp(block).length).toBeLessThanOrEqual(utf8(OTHER).length - utf8(CARD).length + 2);
  });

  it('the value stands at an even offset', () => {
    for (const after of ['odd', 'even']) {
      const block = tiff({ value: utf8(CARD), after: bin(after) });
      const place = findComment(block);
      if (place === undefined) throw new Error('no comment');
      expect((findComment(replaceComment(block, place, utf8(OTHER)))?.start ?? 1) % 2).toBe(0);
    }
  });

  it('takes a comment of up to four bytes from the entry, and writes it there', () => {
    for (const little of [true, false]) {
      const source = sourceOf(png(tiff({ little, value: bin('{}') })));
      expect(commentOf(source)?.text()).toBe('{}');
      const written = writeComment(source, CARD);
      expect(text(written)).toBe(CARD);
      const short = writeComment(sourceOf(written), '[1]');
      expect(text(short)).toBe('[1]');
    }
  });

  it('knows UTF-16 behind the UNICODE code, and a byte order mark', () => {
    const wide = (card: string, swap: boolean) => {
      const bytes = Buffer.from(card, 'utf16le');
      return Uint8Array.from(swap ? bytes.swap16() : bytes);
    };
    for (const swap of [false, true]) {
      for (const mark of ['', '\ufeff']) {
        const code = bin('UNICODE\0');
        const source = sourceOf(jpeg(joined([PREFIX, tiff({ value: joined([code, wide(mark + CARD, swap)]) })])));
        expect(commentOf(source)).toMatchObject({ encoding: 'json', code });
        expect(commentOf(source)?.text()).toBe(CARD);
        const again = sourceOf(writeComment(source, OTHER));
        expect(commentOf(again)?.payload).toEqual(wide(mark + OTHER, swap));
        expect(commentOf(again)?.text()).toBe(OTHER);
      }
    }
    expect(text(png(tiff({ value: utf8(`\ufeff${CARD}`) })))).toBe(CARD);
    expect(text(png(tiff({ value: bin([...utf8(`\ufeff${CARD}`)].join(', ')) })))).toBe(CARD);
  });

  it('leaves a text that is none to the caller as card.payload', () => {
    const broken: [string, string][] = [
      ['json', '{"name":"\xff\xfe"}'],
      ['bytelist', '123,34,289'],
      ['base64', '____'],
    ];
    for (const [encoding, value] of broken) {
      const comment = commentOf(sourceOf(png(tiff({ value: bin(value) }))));
      expect(comment).toMatchObject({ encoding });
      expect(codeOf(() => comment?.text())).toBe('card.payload');
    }
    const source = sourceOf(png(tiff({ value: bin('123,34,289') })));
    expect(text(writeComment(source, CARD))).toBe(CARD);
  });

  it('reads a comment that is no card as it is', () => {
    expect(text(jpeg(joined([PREFIX, tiff({ value: bin('ASCII\0\0\0taken at noon!') })])))).toBe('taken at noon!');
    expect(text(jpeg(joined([PREFIX, tiff({ value: new Uint8Array(64) })])))).toBe('');
  });
});

describe('carriers', () => {
  const block = tiff({ value: joined([ASCII, utf8(CARD)]) });

  it('are known by their first bytes', () => {
    expect([isWebp(webp(block)), isJpeg(jpeg(block)), isPng(png(block))]).toEqual([true, true, true]);
    expect([isWebp(bin('RIFF....WAVE')), isJpeg(bin('\xff\xd8')), isWebp(bin(''))]).toEqual([false, false, false]);
    for (const bytes of [bin(''), bin('GIF89a'), block]) {
      expect(commentOf(sourceOf(bytes))).toBeUndefined();
      expect(codeOf(() => writeComment(sourceOf(bytes), CARD))).toBe('exif.damaged');
      expect(pictureWithoutComment(sourceOf(bytes)).bytes()).toBe(bytes);
    }
  });

  it('a block without a comment does not hide the next', () => {
    const empty = pngChunk('eXIf', bin('MM\0*\0\0\0\x08\0\0\0\0\0\0'));
    expect(text(png(bin('II'), empty, pngChunk('eXIf', block)))).toBe(CARD);
  });

  it('a JPEG cannot hold more than a segment', () => {
    const source = sourceOf(jpeg(joined([PREFIX, block])));
    const fill = 65533 - 6 - (block.length - utf8(CARD).length);
    expect(text(writeComment(source, `{${'x'.repeat(fill - 3)}}`))).toHaveLength(fill - 1);
    expect(codeOf(() => writeComment(source, `{${'x'.repeat(fill - 1)}}`))).toBe('container.unsupported');
  });

  it('RIFF sizes follow, padded or not', () => {
    for (const name of ['{}', '{ }', '{"a":1}', '{"a":12}']) {
      const written = writeComment(sourceOf(webp(block)), name);
      expect(new DataView(written.buffer).getUint32(4, true)).toBe(written.length - 8);
      expect(written.length % 2).toBe(0);
      expect(Buffer.from(written).includes('XMP ')).toBe(true);
    }
  });

  it('a chunk that is longer than the file is no EXIF', () => {
    const bytes = riff(VP8X, riffChunk('EXIF', block));
    new DataView(bytes.buffer).setUint32(12 + VP8X.length + 4, block.length + 9, true);
    expect(commentOf(sourceOf(bytes))).toBeUndefined();
  });

  it('a RIFF size that forgot the EXIF chunk stays as it is', () => {
    const bytes = webp(block);
    new DataView(bytes.buffer).setUint32(4, 4 + VP8X.length, true);
    const written = writeComment(sourceOf(bytes), OTHER);
    expect(new DataView(written.buffer).getUint32(4, true)).toBe(4 + VP8X.length);
    expect(text(written)).toBe(OTHER);
  });

  it('a RIFF size without the last padding byte is put right', () => {
    const odd = joined([block, bin('x')].slice(0, block.length % 2 === 0 ? 2 : 1));
    const bytes = riff(VP8X, riffChunk('EXIF', odd));
    new DataView(bytes.buffer).setUint32(4, bytes.length - 9, true);
    const written = writeComment(sourceOf(bytes), OTHER);
    expect(new DataView(written.buffer).getUint32(4, true)).toBe(written.length - 8);
    const cut = writeComment(sourceOf(bytes.slice(0, -1)), OTHER);
    expect(text(cut)).toBe(OTHER);
  });
});

describe('pictureWithoutComment', () => {
  const block = tiff({ value: joined([ASCII, utf8(CARD)]) });

  it('drops eXIf and card chunks of a PNG', () => {
    const bytes = png(block, pngChunk('tEXt', bin('ginger\0x')));
    const picture = pictureWithoutComment(sourceOf(bytes));
    expect(picture.mime).toBe('image/png');
    expect(pngOf(sourceOf(picture.bytes()))?.chunks.map((it) => it.type)).toEqual(['IHDR', 'IDAT', 'IEND']);
    expect(picture.bytes().length).toBe(picture.size);
  });

  it('drops EXIF of a WebP, and the flag', () => {
    const picture = pictureWithoutComment(sourceOf(webp(joined([PREFIX, block]))));
    expect(picture.mime).toBe('image/webp');
    expect(picture.bytes()).toEqual(riff(VP8X_BARE, riffChunk('VP8 ', bin('picture')), riffChunk('XMP ', bin('<x/>'))));
    expect(picture.size).toBe(picture.bytes().length);
  });

  it('drops two EXIF chunks, also without VP8X', () => {
    const still = riffChunk('VP8 ', bin('picture'));
    const twice = riff(riffChunk('EXIF', block), still, riffChunk('EXIF', bin('odd')));
    expect(pictureWithoutComment(sourceOf(twice)).bytes()).toEqual(riff(still));
  });

  it('drops APP1 of a JPEG, not its XMP', () => {
    const picture = pictureWithoutComment(sourceOf(jpeg(joined([PREFIX, block]))));
    expect(picture.mime).toBe('image/jpeg');
    expect(picture.bytes()).toEqual(joined([bin('\xff\xd8'), JFIF, XMP, SCAN]));
  });

  it('is the whole file where there is no comment', () => {
    for (const make of [png, webp, jpeg]) {
      const bytes = make(joined([PREFIX, bin('MM\0*\0\0\0\x08\0\0')]));
      expect(pictureWithoutComment(sourceOf(bytes)).bytes()).toBe(bytes);
    }
  });
});

describe('hostile blocks', () => {
  const value = joined([ASCII, utf8(CARD)]);

  it('an Exif IFD that is IFD0 again ends', () => {
    const block = tiff({ sub: true, value });
    new DataView(block.buffer).setUint32(30, 8, true);
    expect(findComment(block)).toBeUndefined();
  });

  it('offsets and counts outside the block find nothing', () => {
    for (const at of [4, 30, 68, 72]) {
      for (const wild of [0, 3, 0x7fffffff, 0xffffffff, 1e6]) {
        const block = tiff({ sub: true, value });
        new DataView(block.buffer).setUint32(at, wild, true);
        const found = findComment(block);
        if (found !== undefined) expect(found.start + found.length).toBeLessThanOrEqual(block.length);
      }
    }
  });

  it('an IFD of more than MAX_IFD_ENTRIES is refused', () => {
    const block = joined([tiff({ value }), new Uint8Array(20_000)]);
    new DataView(block.buffer).setUint16(8, MAX_IFD_ENTRIES + 1, true);
    expect(findComment(block)).toBeUndefined();
  });

  it('a comment of another type is none', () => {
    const block = tiff({ value });
    new DataView(block.buffer).setUint16(36, 4, true);
    expect(findComment(block)).toBeUndefined();
  });

  it('a comment that shares bytes with its own IFD or with another tag is written without clearing them', () => {
    const block = tiff({ value });
    new DataView(block.buffer).setUint32(42, 8, true);
    const source = sourceOf(png(block));
    expect(text(writeComment(source, OTHER))).toBe(OTHER);
    const other = tiff({ value, after: bin('x') });
    new DataView(other.buffer).setUint32(72, 80, true);
    new DataView(other.buffer).setUint32(68, value.length, true);
    const place = findComment(other);
    if (place === undefined) throw new Error('no comment');
    const written = replaceComment(other, place, utf8(OTHER));
    expect(written.slice(80, 80 + value.length)).toEqual(value);
  });

  it('cut at every byte and with flipped bits, nothing throws', () => {
    const whole = [png, webp, jpeg].map((make) =>
      make(joined([PREFIX, tiff({ sub: true, value, after: bin('abcdefgh') })])),
    );
    const walk = (bytes: Uint8Array) => {
      const source = sourceOf(bytes);
      const comment = commentOf(source);
      const picture = pictureWithoutComment(source);
      expect(picture.bytes().length).toBe(picture.size);
      if (comment === undefined) return;
      expect(codeOf(() => comment.text()) ?? 'card.payload').toBe('card.payload');
      const written = writeComment(source, CARD);
      if (comment.encoding === 'json') expect(text(written)).toBe(CARD);
    };
    for (const bytes of whole) {
      for (let end = 0; end < bytes.length; end++) walk(bytes.slice(0, end));
      for (let at = 0; at < bytes.length; at++) {
        for (const bit of [1, 0x80, 0xff]) {
          const flipped = bytes.slice();
          flipped[at]! ^= bit;
          walk(flipped);
        }
      }
    }
  });
});

describe.skipIf(!corpusIsThere)('corpus', () => {
  const names = ['card-webp', 'backyard-png', 'multi-card-png'].flatMap((folder) =>
    existsSync(new URL(folder, CORPUS)) ? readdirSync(new URL(folder, CORPUS)).map((name) => `${folder}/${name}`) : [],
  );

  it.each(names.filter((name) => /\.(png|webp)$/.test(name)))(
    '%s has a card in its EXIF, and only that changes',
    (name) => {
      const source = sourceOf(new Uint8Array(readFileSync(new URL(name, CORPUS))));
      const comment = commentOf(source);
      if (comment === undefined) throw new Error('no comment');
      const card = JSON.parse(comment.text()) as Record<string, unknown>;
      expect(writeComment(source, comment.text())).toBe(source.bytes);

      const changed = JSON.stringify({ ...card, edited: '\u2603 yes' });
      const again = sourceOf(writeComment(source, changed));
      expect(commentOf(again)).toMatchObject({ host: comment.host, encoding: comment.encoding, code: comment.code });
      expect(commentOf(again)?.text()).toBe(changed);
      // Outside the EXIF block the two files are the same.
      expect(Buffer.compare(pictureWithoutComment(again).bytes(), pictureWithoutComment(source).bytes())).toBe(0);
      const picture = pictureWithoutComment(source);
      expect(hostOf(picture.bytes())).toBe(comment.host);
      expect(picture.bytes().length).toBe(picture.size);
      expect(commentOf(sourceOf(picture.bytes()))).toBeUndefined();
      if (comment.host === 'webp') expect(Buffer.from(again.bytes).readUInt32LE(4)).toBe(again.bytes.length - 8);
    },
  );
});
