/** Numbers that nobody edited print as they were written, also inside a value that was. */
import { expect, test } from 'vitest';
import { dictionary, text } from '../../src/core/codec.ts';
import { parseJson } from '../../src/core/json.ts';
import { printJson } from '../../src/core/json-print.ts';
import { get, put } from '../../src/core/lens.ts';
import { emptyCharacter } from '../../src/entities/character/schema.ts';
import { emptyLorebook } from '../../src/entities/lorebook/schema.ts';
import { tavernFields } from '../../src/formats/_shared/tavern-fields.ts';
import { worldInfoFields } from '../../src/formats/sillytavern/lorebook.ts';

const ODD = '12345678901234567890';

test('inside an asset row whose label changes', () => {
  const fields = tavernFields('card.data', 'card', 'v3');
  const row = `{"type":"emotion","uri":"https://example.org/a.png","name":"happy","ext":"png","size":${ODD}}`;
  const card = parseJson(`{"data":{"name":"Ada","assets":[${row}]}}`).value;
  const wire = { carrier: 'json', card };
  const body = get(fields, wire, emptyCharacter());
  const assets = [{ role: 'emotion' as const, label: 'glad', ref: 'https://example.org/a.png' }];
  const out = put(fields, wire, { ...body, media: { assets } });
  expect(printJson(out.card, 0)).toContain(`"name":"glad","ext":"png","size":${ODD}`);
});

test('inside a character filter whose names change', () => {
  const filter = `{"names":["a"],"tags":[],"isExclude":false,"rank":${ODD}}`;
  const wire = parseJson(`{"entries":{"0":{"uid":0,"key":["k"],"characterFilter":${filter}}}}`).value as object;
  const body = get(worldInfoFields, wire as never, emptyLorebook());
  const [entry] = body.entries;
  const entries = [{ ...entry!, characterFilter: { names: ['b'], tags: [], isExclude: false } }];
  expect(printJson(put(worldInfoFields, wire as never, { ...body, entries }), 0)).toContain(
    `"names":["b"],"tags":[],"isExclude":false,"rank":${ODD}`,
  );
});

test('inside a map whose other keys change', () => {
  const before = parseJson(`{"en":"a","count":${ODD},"big":1.0}`).value;
  expect(printJson(dictionary(text()).write({ en: 'b' }, before), 0)).toBe(`{"en":"b","count":${ODD},"big":1.0}`);
});
