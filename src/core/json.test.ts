import { describe, expect, test } from 'vitest';
import { jsonValueOf } from './json.ts';
import { jsonFile } from './json-print.ts';
import { sourceOf } from './source.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const utf16 = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le'));
const again = (bytes: Uint8Array, given?: string) => jsonFile(jsonValueOf(sourceOf(bytes, undefined, given)));
const ODD = '{ "名":\t"Mira",\n"n":1.0 }\n\n';

describe('a JSON value as a file', () => {
  test('is the very file it was read from, white space and all', () => {
    expect(again(utf8(ODD))).toEqual(utf8(ODD));
  });

  test('with anything changed it is printed, its numbers as they were spelled', () => {
    const value = jsonValueOf(sourceOf(utf8('{"a":1}'))) as object;
    expect(jsonFile({ ...value, b: 2 })).toEqual(utf8('{\n  "a": 1,\n  "b": 2\n}'));
  });

  test('is printed anew where the file has something to mend: a mark, a key twice, UTF-16', () => {
    const printed = utf8('{\n  "名": "Mira",\n  "n": 1.0\n}');
    for (const bytes of [utf8(`\ufeff${ODD}`), utf8(ODD.replace('{', '{"n":7,')), utf16(ODD), utf16(`\ufeff${ODD}`)])
      expect(JSON.parse(new TextDecoder().decode(again(bytes)))).toEqual({ 名: 'Mira', n: 1 });
    expect(again(utf8(`\ufeff${ODD}`))).toEqual(printed);
  });

  test('text that was given may hold half a surrogate pair, which its bytes do not: it is printed', () => {
    const given = '{"a":"\ud83d"}';
    expect(again(utf8(given), given)).toEqual(utf8('{\n  "a": "\\ud83d"\n}'));
  });
});
