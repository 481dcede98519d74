/** Blocks that lie. */
import { describe, expect, it } from 'vitest';
import { ASCII, bin, CARD, codeOf, jpeg, OTHER, PREFIX, png, text, tiff, utf8, webp } from '../../../test/kit/exif.ts';
import { joined } from '../../core/bytes.ts';
import { sourceOf } from '../../core/source.ts';
import { commentOf, pictureWithoutComment } from './exif.ts';
import { writeComment } from './exif-write.ts';
import { findComment, MAX_IFD_ENTRIES } from './tiff.ts';
import { replaceComment } from './tiff-write.ts';

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
