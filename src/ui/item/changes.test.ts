import { expect, test } from 'vitest';
import { emptyCharacter } from '../../entities/character/schema.ts';
import { emptyEntry } from '../../entities/lorebook/schema.ts';
import { changesOf } from './changes.ts';
import type { PlainEntity } from './model.ts';
import { patched } from './patch.ts';

const card = (over: object): PlainEntity =>
  ({ kind: 'character', id: 'mira', from: 0, body: { ...emptyCharacter(), ...over } }) as PlainEntity;
const book = (...entries: object[]): PlainEntity =>
  ({ kind: 'lorebook', id: 'b', from: 1, body: { name: 'B', entries } }) as PlainEntity;
const entry = (id: string, content: string) => ({ ...emptyEntry(id), content });
const greetings = (...texts: string[]) => ({ greetings: { alternateGreetings: texts.map((text) => ({ text })) } });

const lines = (base: PlainEntity[], now: PlainEntity[]) =>
  changesOf(base, now).map(({ entity, path, kind }) => `${entity} ${path.join('.')} ${kind}`);

/** Putting every line back, one after the other, gives the original. */
function back(base: PlainEntity[], now: PlainEntity[]): PlainEntity[] {
  let state = now;
  for (let turn = 0; turn < 20; turn++) {
    const [change] = changesOf(base, state);
    if (!change) return state;
    state = patched(state, [change.back]);
  }
  return state;
}

const base = [
  card({ identity: { name: 'Mira' }, ...greetings('one', 'two', 'three') }),
  book(entry('1', 'x'), entry('2', 'y')),
];

test.each<[string, PlainEntity[], string[]]>([
  [
    'a text',
    [card({ identity: { name: 'Ren' }, ...greetings('one', 'two', 'three') }), base[1]!],
    ['0 identity.name changed'],
  ],
  [
    'a new slot',
    [card({ identity: { name: 'Mira', age: '20' }, ...greetings('one', 'two', 'three') }), base[1]!],
    ['0 identity.age added'],
  ],
  [
    'a greeting in the middle',
    [card({ identity: { name: 'Mira' }, ...greetings('one', 'zwei', 'three') }), base[1]!],
    ['0 greetings.alternateGreetings.1.text changed'],
  ],
  [
    'a greeting gone',
    [card({ identity: { name: 'Mira' }, ...greetings('one', 'three') }), base[1]!],
    ['0 greetings.alternateGreetings.1 removed'],
  ],
  [
    'a greeting more',
    [card({ identity: { name: 'Mira' }, ...greetings('zero', 'one', 'two', 'three') }), base[1]!],
    ['0 greetings.alternateGreetings.0 added'],
  ],
  [
    'entries by id',
    [base[0]!, book(entry('2', 'z'), entry('3', 'new'))],
    ['1 entries.0 removed', '1 entries.0.content changed', '1 entries.1 added'],
  ],
  ['another order', [base[0]!, book(entry('2', 'y'), entry('1', 'x'))], ['1 entries order']],
  ['a book gone', [base[0]!], ['1  removed']],
  ['a book more', [...base, { kind: 'lorebook', id: 'n', body: { name: 'N', entries: [] } }], ['2  added']],
])('%s is one line, and can be put back', (_, now, said) => {
  expect(lines(base, now)).toEqual(said);
  expect(back(base, now)).toEqual(base);
});

test('nothing changed is no line, also where the objects are others', () => {
  expect(changesOf(base, structuredClone(base))).toEqual([]);
});

test('a change in each of 5,000 entries is found at once', () => {
  const many = (content: string) => [
    base[0]!,
    book(...Array.from({ length: 5_000 }, (_, n) => entry(String(n), content))),
  ];
  const start = performance.now();
  expect(changesOf(many('x'), many('y'))).toHaveLength(5_000);
  expect(performance.now() - start).toBeLessThan(2_000);
});
