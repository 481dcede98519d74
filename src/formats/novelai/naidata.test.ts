/** Lorebooks in the `naidata` chunk of a picture. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { encodeBase64 } from '../../core/base64.ts';
import { valueAt } from '../../core/draft.ts';
import { BunzaiError } from '../../core/errors.ts';
import { sourceOf } from '../../core/source.ts';
import { createEngine } from '../../engine.ts';
import type { AnyAdapter, EntityOf } from '../../entities/kinds.ts';
import { placeholderPng } from '../_shared/placeholder.ts';
import { chunkData, isPng, pngOf, textChunks } from '../_shared/png.ts';
import { type Text, writeTextChunks } from '../_shared/png-write.ts';
import sillytavern from '../sillytavern/index.ts';
import vaudJson from '../vaud-json/index.ts';
import novelai from './index.ts';
import { novelaiLorebook } from './lorebook.ts';

const SAMPLE = new URL('../../../samples/novelai/novelai-lorebook.lantern.png', import.meta.url);
const engine = createEngine([...novelai, ...sillytavern, ...vaudJson] as AnyAdapter[]);
const lantern = new Uint8Array(readFileSync(SAMPLE));

const base64 = (value: unknown) => encodeBase64(new TextEncoder().encode(JSON.stringify(value)));
const picture = (...texts: readonly Text[]) =>
  writeTextChunks(
    pngOf(sourceOf(placeholderPng()))!,
    texts.map((insert) => ({ insert })),
  );
const book = { lorebookVersion: 6, entries: [{ text: 'a', keys: ['b'] }] };
const card = { spec: 'chara_card_v2', spec_version: '2.0', data: { name: 'Orla', first_mes: 'Hi.' } };
const read = (bytes: Uint8Array): EntityOf<'lorebook'> => novelaiLorebook.toCanonical(sourceOf(bytes))[0]!;
const keywords = (bytes: Uint8Array) => textChunks(pngOf(sourceOf(bytes))!).map(({ keyword }) => keyword);
const changed = (entity: EntityOf<'lorebook'>, content: string): EntityOf<'lorebook'> => {
  const [first, ...rest] = entity.body.entries;
  return { ...entity, body: { ...entity.body, entries: [{ ...first!, content }, ...rest] } };
};

describe('detection', () => {
  test('a picture with naidata is a lorebook, never a character', async () => {
    expect(await engine.detect(lantern)).toMatchObject({ format: 'novelai-lorebook', kind: 'lorebook', score: 1 });
  });
  test('the keyword is read in any letter case', () => {
    expect(novelaiLorebook.detect(sourceOf(picture({ keyword: 'NaiData', text: base64(book) })))).toBe(1);
  });
  test('a picture that is also a Tavern card is the card', async () => {
    const both = picture({ keyword: 'naidata', text: base64(book) }, { keyword: 'chara', text: base64(card) });
    expect((await engine.detect(both))?.format).toBe('sillytavern');
    expect(novelaiLorebook.detect(sourceOf(both))).toBe(0);
    const persona = picture({ keyword: 'naidata', text: base64(book) }, { keyword: 'rcpersona', text: base64({}) });
    expect(novelaiLorebook.detect(sourceOf(persona))).toBe(0);
  });
  test('of two other things in one picture the first counts', () => {
    const persona = { keyword: 'persona', text: base64({ name: 'x' }) };
    const lore = { keyword: 'naidata', text: base64(book) };
    expect(novelaiLorebook.detect(sourceOf(picture(persona, lore)))).toBe(0);
    expect(novelaiLorebook.detect(sourceOf(picture(lore, persona)))).toBe(1);
  });
  test('other keywords and other content are refused', () => {
    expect(novelaiLorebook.detect(sourceOf(picture({ keyword: 'Comment', text: base64(book) })))).toBe(0);
    expect(novelaiLorebook.detect(sourceOf(picture({ keyword: 'naidata', text: base64({ name: 'x' }) })))).toBe(0);
    expect(novelaiLorebook.detect(sourceOf(placeholderPng()))).toBe(0);
  });
  test('a chunk that cannot be decoded is claimed, and reading says what is wrong', () => {
    const broken = picture({ keyword: 'naidata', text: '%%%' });
    expect(novelaiLorebook.detect(sourceOf(broken))).toBe(0.9);
    expect(() => read(broken)).toThrow(BunzaiError);
    expect(() => read(broken)).toThrow(/chunk naidata/);
  });
});

describe('reading and writing', () => {
  test('the book is read as from a file, the picture stays in sourceMedia', () => {
    const entity = read(lantern);
    expect(entity.body).toMatchObject({
      entries: [{ title: 'Lantern', triggers: [{ keyword: 'lantern' }, { keyword: 'Laterne' }] }],
    });
    expect(entity.original?.['novelai-lorebook']?.sourceMedia?.bytes()).toEqual(lantern);
  });
  test('unedited it is the same file, byte for byte', async () => {
    const { files } = await engine.write((await engine.read(lantern)).entities, 'novelai');
    expect(files[0]).toMatchObject({ extension: 'png', mime: 'image/png' });
    expect(files[0]!.bytes).toEqual(lantern);
  });
  test('an edit rewrites the one chunk where it stood; all others keep their bytes', () => {
    const sealed = novelaiLorebook.fromCanonical([changed(read(lantern), 'Neu. 유리.')], {});
    expect(keywords(sealed.bytes)).toEqual(keywords(lantern));
    const [before, after] = [pngOf(sourceOf(lantern))!, pngOf(sourceOf(sealed.bytes))!];
    const at = textChunks(before).find(({ keyword }) => keyword === 'naidata')!.index;
    before.chunks.forEach((chunk, index) => {
      if (index !== at) expect(chunkData(after, after.chunks[index]!)).toEqual(chunkData(before, chunk));
    });
    expect(read(sealed.bytes).body.entries[0]?.content).toBe('Neu. 유리.');
  });
  test('a second chunk of the keyword goes when the first is rewritten', () => {
    const twice = picture(
      { keyword: 'naidata', text: base64(book) },
      { keyword: 'naidata', text: base64({ ...book, entries: [] }) },
    );
    expect(keywords(novelaiLorebook.fromCanonical([read(twice)], {}).bytes)).toEqual(['naidata', 'naidata']);
    expect(keywords(novelaiLorebook.fromCanonical([changed(read(twice), 'x')], {}).bytes)).toEqual(['naidata']);
  });
  test('the book leaves its picture for a file, and a file gets a neutral picture when asked', async () => {
    const plain = await engine.convert(lantern, 'novelai', { container: 'json' });
    expect(plain.files[0]).toMatchObject({ extension: 'lorebook' });
    expect(JSON.parse(new TextDecoder().decode(plain.files[0]!.bytes))).toEqual(
      read(lantern).original?.['novelai-lorebook']?.raw,
    );
    const pictured = await engine.convert(plain.files[0]!.bytes, 'novelai', { container: 'png' });
    expect(isPng(pictured.files[0]!.bytes)).toBe(true);
    expect(read(pictured.files[0]!.bytes).body).toEqual(read(lantern).body);
    expect(pictured.report.warnings.map(({ code }) => code)).toContain('png.placeholder');
  });
  test('what is written is ASCII, with escapes for every other script: SillyTavern takes the bytes for Latin-1', () => {
    const content = 'Маяк 灯台 🕯️ é\u007f';
    const sealed = novelaiLorebook.fromCanonical([changed(read(lantern), content)], {}).bytes;
    const chunk = textChunks(pngOf(sourceOf(sealed))!).find(({ keyword }) => keyword === 'naidata');
    const json = Buffer.from(chunk!.text(), 'base64').toString('latin1');
    expect(json).toMatch(/^[\x20-\x7e]*$/);
    expect(JSON.parse(json).entries[0].text).toBe(content);
    expect(read(sealed).body.entries[0]?.content).toBe(content);
  });

  test('the picture survives the native format', async () => {
    const native = await engine.convert(lantern, 'vaud-json');
    const back = await engine.convert(native.files[0]!.bytes, 'novelai');
    expect(back.files[0]!.bytes).toEqual(lantern);
  });
  test('a wrong checksum is no reason to refuse, and a warning', async () => {
    const bad = Uint8Array.from(lantern);
    const png = pngOf(sourceOf(bad))!;
    const chunk = png.chunks[textChunks(png).find(({ keyword }) => keyword === 'naidata')!.index]!;
    bad[chunk.start + 8 + chunk.length] = (bad[chunk.start + 8 + chunk.length] ?? 0) ^ 0xff;
    expect((await engine.read(bad)).warnings.map(({ code }) => code)).toContain('png.crc');
  });
  test('nothing of it gets into another app’s file', async () => {
    const { files } = await engine.convert(lantern, 'sillytavern');
    expect(valueAt(JSON.parse(new TextDecoder().decode(files[0]!.bytes)), ['entries', '0', 'content'])).toMatch(/^Der/);
    expect(isPng(files[0]!.bytes)).toBe(false);
  });
});
