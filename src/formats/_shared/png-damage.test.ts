/** Damaged pictures. */
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
  types,
  withLength,
  zText,
} from '../../../test/kit/png.ts';
import { sourceOf } from '../../core/source.ts';
import { MAX_CHUNKS, pictureOf, pngOf, textChunks } from './png.ts';
import { writeTextChunks } from './png-write.ts';

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
        void it.crcOk();
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
