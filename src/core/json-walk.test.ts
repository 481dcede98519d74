import fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstFault, repeatedKeys } from './json-faults.ts';
import { walkJson } from './json-walk.ts';

const isSound = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

test('what JSON.parse takes is walked to its end, what it refuses is not', () => {
  const text = fc
    .tuple(fc.json(), fc.nat(), fc.nat(), fc.constantFrom('', ...'{}[]",:\\0-1.e+t "\n\u0001{'))
    .map(([json, at, length, piece]) => {
      const from = at % (json.length + 1);
      return json.slice(0, from) + piece + json.slice(from + (length % 3));
    });
  fc.assert(
    fc.property(text, (one) => {
      expect(walkJson(one) === undefined).toBe(isSound(one));
    }),
    { numRuns: 3000 },
  );
});

test.each([
  ['{"a": 1,}', 1, 9],
  ['{\n  "a": 1\n  "b": 2\n}', 3, 3],
  ['{\n  // a note\n}', 2, 3],
  ["{'a': 1}", 1, 2],
  ['{"a": 01}', 1, 8],
  ['["a\nb"]', 1, 4],
  ['["\\x"]', 1, 3],
  ['{"a": tru}', 1, 7],
  ['[1] 2', 1, 5],
  ['{"a": [1, 2', 1, 12],
  ['{"a": "cut', 1, 11],
  ['', 1, 1],
])('%j goes wrong at line %i, column %i', (text, line, column) => {
  expect(firstFault(text)).toMatchObject({ line, column });
});

test('keys that stand twice in one object are named with the line, however they are spelled', () => {
  const text = '{"a": 1,\n "b": {"a": 2,\n "\\u0061": 3}, "a": [{"a": 4}]}';
  expect(repeatedKeys(text).map(({ message }) => message)).toEqual([
    '"a" stands twice in one object (again in line 3): the last one counts',
    '"a" stands twice in one object (again in line 3): the last one counts',
  ]);
});
