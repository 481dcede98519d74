import { expect, test } from 'vitest';
import { clean, counted, cut, pad, sized, width, wrap } from './text.ts';

test('width counts columns, not letters', () => {
  const cases: [string, number][] = [
    ['abc', 3],
    ['灯台', 4],
    ['등대', 4],
    ['ｗ', 2],
    ['é', 1],
    ['e\u0301', 1],
    ['·→×…✓', 5],
    ['😀', 2],
    ['', 0],
  ];
  for (const [text, columns] of cases) expect([text, width(text)]).toEqual([text, columns]);
});

test('cut and pad give the same width whatever the script', () => {
  for (const text of ['a lighthouse keeper', '灯台の番人とその猫の話', 'e\u0301'.repeat(12)]) {
    for (const columns of [4, 7, 10]) {
      expect(width(cut(text, columns))).toBeLessThanOrEqual(columns);
      expect(width(cut(text, columns))).toBeGreaterThanOrEqual(columns - 1);
      expect(width(pad(cut(text, columns), columns))).toBe(columns);
    }
  }
  expect(cut('short', 5)).toBe('short');
});

test('wrap breaks at blanks, and inside a word that is too long', () => {
  expect(wrap('the lamp hums at night', 10)).toEqual(['the lamp', 'hums at', 'night']);
  expect(wrap('灯台の番人', 4)).toEqual(['灯台', 'の番', '人']);
  expect(wrap('', 10)).toEqual(['']);
});

test('nothing that a terminal obeys gets through', () => {
  expect(clean('a\u001b[31mb\u0007\u009b1m\r\nc')).toBe('a [31mb 1m c');
  expect(clean('cod\u202egnp')).toBe('cod gnp');
  expect(clean('half \ud83d')).toBe('half');
});

test('numbers with their words', () => {
  expect(['entries', 'always-on entries', 'greetings'].map((word) => counted(1, word))).toEqual([
    '1 entry',
    '1 always-on entry',
    '1 greeting',
  ]);
  expect(counted(2, 'entries')).toBe('2 entries');
  expect([sized(12), sized(1500), sized(999_600), sized(1_500_000)]).toEqual([
    '12 bytes',
    '1.5 kB',
    '1.0 MB',
    '1.5 MB',
  ]);
});
