/** Writing text chunks. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { CORPUS, corpusIsThere } from '../../../test/kit/corpus.ts';
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
  text,
  types,
  withLength,
  zText,
} from '../../../test/kit/png.ts';
import { equalBytes, joined } from '../../core/bytes.ts';
import { placeholderPng } from './placeholder.ts';
import { chunkData, isCardKeyword, isPng, pictureOf, textChunks } from './png.ts';
import { chunkBytes, writeTextChunks } from './png-write.ts';

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
    expect(textChunks(open(written)).every((it) => it.crcOk())).toBe(true);
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
    if (cards.every((it) => it.kind === 'tEXt' && it.crcOk())) {
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
