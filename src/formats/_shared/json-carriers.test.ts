/** A JSON format whose files may also be pictures, with a slot for the picture. */
import { describe, expect, test } from 'vitest';
import { bytesOf } from '../../core/bytes.ts';
import { text } from '../../core/codec.ts';
import { isRecord } from '../../core/draft.ts';
import { create } from '../../core/lens.ts';
import { at, lensesFor } from '../../core/lenses.ts';
import { sourceOf } from '../../core/source.ts';
import type { EntityOf } from '../../entities/kinds.ts';
import type { PersonaBody } from '../../entities/persona/schema.ts';
import { textChunkCarrier } from './json-carriers.ts';
import { defineJson } from './json-file.ts';
import { placeholderPng } from './placeholder.ts';
import { pngOf, textChunks } from './png.ts';
import { writeTextChunks } from './png-write.ts';

const persona = lensesFor<PersonaBody>();
const fields = [persona.field('name', at('name'), text()), persona.field('content', at('text'), text())] as never;
/** An invented format. */
const inkwell = defineJson({
  id: 'inkwell-persona',
  family: 'inkwell',
  label: 'Inkwell',
  kind: 'persona',
  shapes: [{ dialect: 'persona', fields, recognize: (value) => (isRecord(value) && 'text' in value ? 1 : 0) }],
  carriers: [textChunkCarrier('persona')],
  portrait: {
    place: (body, ref) => {
      body.media = { portrait: { role: 'portrait', ref } };
    },
    pick: (body) => body.media?.portrait?.ref,
  },
  empty: () => ({ name: '', content: '' }) as PersonaBody,
  fresh: (body) => create(fields as never, {}, body),
});

const png = (note: string) =>
  bytesOf(
    writeTextChunks(pngOf(sourceOf(placeholderPng()))!, [{ insert: { keyword: 'Note', text: note } }]),
    'image/png',
  );
const entity = (body: object): EntityOf<'persona'> =>
  ({ schemaVersion: '1', kind: 'persona', id: 'x', body: { name: 'Ona', content: 'A ferryman.', ...body } }) as never;
const read = (bytes: Uint8Array) => inkwell.toCanonical(sourceOf(bytes))[0]!;
const portrait = (one: EntityOf<'persona'>) => one.body.media?.portrait?.ref;
const seal = (one: EntityOf<'persona'>, container?: string) =>
  inkwell.fromCanonical([one], container ? { container } : {});

describe('a format with pictures', () => {
  const one = png('one');
  const file = seal(entity({ media: { portrait: { role: 'portrait', ref: one } } }), 'png');

  test('a fresh picture is the portrait with the value in it', () => {
    expect(file.warnings).toEqual([]);
    expect(textChunks(pngOf(sourceOf(file.bytes))!).map(({ keyword }) => keyword)).toEqual(['Note', 'persona']);
    expect(inkwell.detect(sourceOf(file.bytes))).toBe(1);
    expect((portrait(read(file.bytes)) as typeof one).bytes()).toEqual(one.bytes());
  });
  test('without an order, a fresh file is JSON and one from a picture stays a picture', () => {
    expect(seal(entity({})).container.name).toBe('json');
    expect(seal(read(file.bytes)).bytes).toEqual(file.bytes);
  });
  test('an edit keeps the picture, another portrait replaces it', () => {
    const back = read(file.bytes);
    const edited = seal({ ...back, body: { ...back.body, name: 'Uno' } });
    expect(read(edited.bytes).body).toMatchObject({ name: 'Uno' });
    expect((portrait(read(edited.bytes)) as typeof one).bytes()).toEqual(one.bytes());
    const two = png('two');
    const moved = seal({ ...back, body: { ...back.body, media: { portrait: { role: 'portrait', ref: two } } } });
    expect((portrait(read(moved.bytes)) as typeof one).bytes()).toEqual(two.bytes());
  });
  test('our own placeholder is no portrait', () => {
    const plain = seal(entity({}), 'png');
    expect(plain.warnings.map(({ code }) => code)).toEqual(['png.placeholder']);
    expect(read(plain.bytes).body).not.toHaveProperty('media');
  });
  test('a picture that is no PNG, and a container nobody knows, are refused', () => {
    const gif = bytesOf(new TextEncoder().encode('GIF89a'), 'image/gif');
    expect(() => seal(entity({ media: { portrait: { role: 'portrait', ref: gif } } }), 'png')).toThrow(/not a PNG/);
    expect(() => seal(entity({}), 'charx')).toThrow(/charx/);
  });
});
