/** RisuAI's persona. Payload as the app writes it: base64 JSON in a text chunk `persona`. */
import { expect, test } from 'vitest';
import { base64, engine, IDAT, IHDR, png, textChunk, v2 } from '../../../test/cases/rest-kit.ts';
import { source } from '../../../test/formats/files.ts';
import { bytesOf } from '../../core/bytes.ts';
import type { EntityOf } from '../../entities/kinds.ts';
import { pngOf, textChunks } from '../_shared/png.ts';
import { risuPersona } from './persona.ts';

const wren = { name: '렌 Wren', personaPrompt: 'Deckhand. 갑판원. ⚓', note: 'night watch', x: 1.5 };
const picture = (value: object, ...more: Uint8Array[]) => png(IHDR, ...more, textChunk('persona', base64(value)), IDAT);
const words = (bytes: Uint8Array) => textChunks(pngOf(source(bytes))!).map(({ keyword }) => keyword);

async function read(bytes: Uint8Array): Promise<EntityOf<'persona'>> {
  const [one] = (await engine.read(bytes)).entities;
  if (one?.kind !== 'persona') throw new Error('not a persona');
  return one;
}

test('RW-028 a persona is a picture with one chunk: read as a persona with its picture', async () => {
  const file = picture(wren, textChunk('Software', 'x'));
  expect(await engine.detect(file)).toEqual({ format: 'risu-persona', kind: 'persona', score: 1 });
  const { body } = await read(file);
  expect(body).toMatchObject({ name: '렌 Wren', content: 'Deckhand. 갑판원. ⚓', brief: 'night watch' });
  expect(body.media?.portrait?.mime).toBe('image/png');
  const { files } = await engine.convert(file, 'risu');
  expect(Buffer.from(files[0]?.bytes ?? '').equals(Buffer.from(file))).toBe(true);
});

test('an edit changes the chunk alone', async () => {
  const one = await read(picture(wren, textChunk('Software', 'x')));
  const { files } = await engine.write([{ ...one, body: { ...one.body, content: 'Cook.' } }], 'risu');
  const bytes = files[0]?.bytes ?? new Uint8Array();
  expect(words(bytes)).toEqual(['Software', 'persona']);
  const [chunk] = textChunks(pngOf(source(bytes))!).filter(({ keyword }) => keyword === 'persona');
  expect(JSON.parse(Buffer.from(chunk?.text() ?? '', 'base64').toString('utf8'))).toEqual({
    ...wren,
    personaPrompt: 'Cook.',
  });
});

test('a picture with a card is a character', async () => {
  const both = picture(wren, textChunk('chara', base64(v2())));
  expect(await engine.detect(both)).toMatchObject({ kind: 'character' });
});

test('text is read too, and an edit stays with it', async () => {
  const one = await read(picture({ name: 'Ida', text: 'A cartographer.', note: '' }));
  expect(one.body.content).toBe('A cartographer.');
  const { files } = await engine.write([{ ...one, body: { ...one.body, content: 'A pilot.' } }], 'risu');
  expect((await read(files[0]?.bytes ?? new Uint8Array())).original?.['risu-persona']?.raw).toEqual({
    name: 'Ida',
    text: 'A pilot.',
    note: '',
  });
});

const made = (media: object = {}): EntityOf<'persona'> => ({
  schemaVersion: '1',
  kind: 'persona',
  id: 'ona',
  body: { name: 'Ona', media },
});

test("a persona of another app gets RisuAI's keys", async () => {
  const { files, report } = await engine.write([made()], 'risu');
  const back = await read(files[0]?.bytes ?? new Uint8Array());
  expect(back.original?.['risu-persona']?.raw).toEqual({ name: 'Ona', personaPrompt: '', note: '' });
  expect(report.warnings.map(({ code }) => code)).toContain('png.placeholder');
});

test('a portrait that is no PNG is lost by name', async () => {
  const jpeg = bytesOf(new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 2, 0xff, 0xd9]), 'image/jpeg');
  const { report } = await engine.write([made({ portrait: { role: 'portrait', ref: jpeg } })], 'risu');
  expect(report.losses.map(({ path }) => path)).toContain('media.portrait.ref');
});

test.each([[{}], [{ name: 'x' }], [{ name: 7, personaPrompt: 'x' }], [[]], [null]])('%j is no persona', (value) => {
  expect(risuPersona.detect(source(picture(value as object)))).toBe(0);
});
