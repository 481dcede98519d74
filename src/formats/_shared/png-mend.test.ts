import { describe, expect, test } from 'vitest';
import { bytesOf, equalBytes } from '../../core/bytes.ts';
import { sourceOf } from '../../core/source.ts';
import { createEngine } from '../../engine.ts';
import type { AnyAdapter, AnyEntity } from '../../entities/kinds.ts';
import { formats } from '../index.generated.ts';
import { sealFreshPng } from './card-seal.ts';
import { placeholderPng } from './placeholder.ts';
import { isChecked, pictureOf, pngOf } from './png.ts';
import { mended } from './png-mend.ts';
import { chunkBytes } from './png-write.ts';

const join = (...parts: Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));
const png = (bytes: Uint8Array) => {
  const found = pngOf(sourceOf(bytes));
  if (!found) throw new Error('no PNG');
  return found;
};
const sound = placeholderPng();
const noEnd = sound.subarray(0, sound.length - 12);
/** A chunk whose checksum is of something else. */
const wrong = (() => {
  const chunk = chunkBytes('teSt', new Uint8Array([1, 2, 3]));
  chunk.set([0, 0, 0, 0], chunk.length - 4);
  return chunk;
})();
const rubbish = new Uint8Array(40).fill(0xee);
const damaged: readonly (readonly [name: string, bytes: Uint8Array])[] = [
  ['cut off between two chunks', noEnd],
  ['derailed', join(noEnd, rubbish)],
  ['with a wrong checksum', join(noEnd, wrong, sound.subarray(sound.length - 12))],
  ['with both', join(noEnd, wrong, rubbish)],
];
const mend = (bytes: Uint8Array) => mended(bytesOf(bytes, 'image/png'));

describe('a picture that a fresh card is put into', () => {
  test('is the very same one when it is sound, with bytes behind its end too, or when it is no PNG', () => {
    for (const bytes of [sound, join(sound, rubbish), new Uint8Array([0xff, 0xd8, 0xff])]) {
      const picture = bytesOf(bytes);
      expect(mended(picture)).toEqual({ picture, warnings: [] });
    }
  });

  test.each(damaged)('%s: it gets right checksums and an end, and keeps every other byte', (_, bytes) => {
    const { picture, warnings } = mend(bytes);
    expect(warnings.map(({ code }) => code)).toEqual(['png.mended']);
    const after = png(picture.bytes());
    expect(after.chunks.at(-1)?.type).toBe('IEND');
    expect(after.chunks.every((chunk) => isChecked(after, chunk))).toBe(true);
    const tail = png(bytes).tail ?? new Uint8Array();
    expect(Buffer.from(after.tail ?? [])).toEqual(Buffer.from(tail));
    expect(mended(picture).picture).toBe(picture);
  });

  test.each(damaged)('%s: converted, it says what was done; unedited, the file is as it was', async (_, bytes) => {
    const engine = createEngine(formats as readonly AnyAdapter[]);
    const card = {
      spec: 'chara_card_v2',
      spec_version: '2.0',
      data: { name: '灯', first_mes: 'Привет.', extensions: {} },
    };
    const file = sealFreshPng(bytesOf(bytes, 'image/png'), [{ keyword: 'chara', value: card }]);
    const { entities } = await engine.read(file);
    const same = await engine.write(entities, 'sillytavern');
    expect(Buffer.from(same.files[0]?.bytes ?? []).equals(Buffer.from(file))).toBe(true);
    const { files, report } = await engine.convert(file, 'rolecall', { container: 'png' });
    const after = png(files[0]?.bytes ?? new Uint8Array());
    expect(after.chunks.every((chunk) => isChecked(after, chunk))).toBe(true);
    expect(report.warnings.map(({ code }) => code)).toContain('png.mended');
    const kept = equalBytes(pictureOf(after), pictureOf(png(file)));
    expect(report.losses.map(({ path }) => path)).toEqual(kept ? [] : ['media.portrait.ref']);
  });

  test('an edit in the picture that it came in mends nothing', async () => {
    const engine = createEngine(formats as readonly AnyAdapter[]);
    const card = {
      spec: 'chara_card_v2',
      spec_version: '2.0',
      data: { name: 'Mira', first_mes: 'Hi.', extensions: {} },
    };
    const file = sealFreshPng(bytesOf(join(noEnd, rubbish), 'image/png'), [{ keyword: 'chara', value: card }]);
    const [main] = (await engine.read(file)).entities;
    if (main?.kind !== 'character') throw new Error('no character');
    const edited = { ...main, body: { ...main.body, identity: { ...main.body.identity, name: 'Ada' } } } as AnyEntity;
    const { files, report } = await engine.write([edited], 'sillytavern');
    expect(png(files[0]?.bytes ?? new Uint8Array()).derailed).toBe(true);
    expect(report.losses).toEqual([]);
  });
});
