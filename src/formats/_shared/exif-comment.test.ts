/** The comment: read, and written back in every encoding and place. */
import { describe, expect, it } from 'vitest';
import { ASCII, bin, CARD, codeOf, jpeg, OTHER, PREFIX, png, text, tiff, utf8, webp } from '../../../test/kit/exif.ts';
import { joined } from '../../core/bytes.ts';
import { sourceOf } from '../../core/source.ts';
import { commentOf } from './exif.ts';
import { hostOf } from './exif-host.ts';
import { writeComment } from './exif-write.ts';
import { findComment } from './tiff.ts';
import { replaceComment } from './tiff-write.ts';

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
