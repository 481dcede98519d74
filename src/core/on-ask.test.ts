import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { onAsk } from './on-ask.ts';

test('a property is worked out on each access, and a copy holds what it said', () => {
  let asked = 0;
  const holder = onAsk({ a: 1 }, 'count', () => ++asked);
  expect(asked).toBe(0);
  expect([holder.count, holder.count]).toEqual([1, 2]);
  expect(Object.keys(holder)).toEqual(['a', 'count']);
  expect({ ...holder }).toEqual({ a: 1, count: 3 });
});

test('two holders and two properties do not mix', () => {
  const one = onAsk(
    onAsk({}, 'x', () => 'x1'),
    'y',
    () => 'y1',
  );
  const two = onAsk({}, 'x', () => 'x2');
  expect([one.x, one.y, two.x]).toEqual(['x1', 'y1', 'x2']);
});

test('all holders share one hidden class', () => {
  setFlagsFromString('--allow-natives-syntax');
  const sameClass = runInNewContext('(a, b) => %HaveSameMap(a, b)') as (a: object, b: object) => boolean;
  const [one, two] = [1, 2].map((a) => onAsk({ a }, 'b', () => a));
  expect(sameClass(one!, two!)).toBe(true);
});
