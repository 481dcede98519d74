import { expect, test } from 'vitest';
import { tryOut } from './tryout.ts';

const trial = (over: object) => tryOut({ find: '', flags: 'g', replace: '', trim: [], text: '', ...over });

test('matches have their places, and groups, names, the match and trimmed texts go into the result', () => {
  const done = trial({
    find: '\\*(?<act>[^*]+)\\*',
    replace: '[$1|$<act>|{{match}}|$&|$$|$9]',
    trim: ['*'],
    text: 'She *nods*, *灯*.',
  });
  expect(done).toEqual({
    state: 'done',
    matches: [
      [4, 10],
      [12, 15],
    ],
    count: 2,
    result: 'She [nods|nods|nods|nods|$|$9], [灯|灯|灯|灯|$|$9].',
  });
});

test('without the flag g only the first one is replaced; a bad pattern is named', () => {
  expect(trial({ find: 'a', flags: '', replace: 'b', text: 'aa' })).toMatchObject({ count: 1, result: 'ba' });
  expect(trial({ find: '(', text: 'x' })).toMatchObject({ state: 'bad' });
  expect(trial({ find: 'a', flags: 'zz', text: 'x' })).toMatchObject({ state: 'bad' });
});

test('an empty match ends, and code in a result stays text', () => {
  expect(trial({ find: '', replace: '<script>', text: 'ab' })).toMatchObject({ count: 3 });
});
