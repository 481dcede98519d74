/** Pictures that carry a comment. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CORPUS, corpusIsThere } from '../../../test/kit/corpus.ts';
import {
  ASCII,
  bin,
  CARD,
  codeOf,
  JFIF,
  jpeg,
  OTHER,
  PREFIX,
  png,
  pngChunk,
  riff,
  riffChunk,
  SCAN,
  text,
  tiff,
  utf8,
  VP8X,
  webp,
  XMP,
} from '../../../test/kit/exif.ts';
import { joined } from '../../core/bytes.ts';
import { sourceOf } from '../../core/source.ts';
import { commentOf, isJpeg, isWebp, pictureWithoutComment } from './exif.ts';
import { hostOf } from './exif-host.ts';
import { writeComment } from './exif-write.ts';
import { isPng, pngOf } from './png.ts';

const VP8X_BARE = riffChunk('VP8X', bin('\x24\0\0\0\x01\0\0\x01\0\0'));

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
