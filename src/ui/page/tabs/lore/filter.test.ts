import { expect, test } from 'vitest';
import { emptyEntry, type LorebookEntry } from '../../../../entities/lorebook/schema.ts';
import type { PlainEntity } from '../../../item/model.ts';
import { patched } from '../../../item/patch.ts';
import { addBook, removeBook } from './books.ts';
import { keysText, narrowed } from './filter.ts';

const entries: LorebookEntry[] = [
  { ...emptyEntry('1'), title: 'Pier', content: 'Closed at night.', sortOrder: 30 },
  { ...emptyEntry('2'), content: '灯台の灯は青い。', sortOrder: 10, enabled: false },
  { ...emptyEntry('3'), triggers: [{ keyword: 'Smith, John', isRegex: false }], sortOrder: 20, constant: true },
];
const none = () => false;

test('the filter looks into titles, keys and texts in any script, and narrows by state', () => {
  expect(narrowed(entries, { query: 'NIGHT pier', only: '' }, none)).toEqual([0]);
  expect(narrowed(entries, { query: '灯', only: '' }, none)).toEqual([1]);
  expect(narrowed(entries, { query: 'smith', only: 'always' }, none)).toEqual([2]);
  expect(narrowed(entries, { query: '', only: 'off' }, none)).toEqual([1]);
  expect(narrowed(entries, { query: '', only: 'problems' }, (index) => index === 2)).toEqual([2]);
});

test('a column sorts up and down; RW-105 a key with a comma stays one key', () => {
  const sort = (down: boolean) => narrowed(entries, { query: '', only: '', sort: { column: 'order', down } }, none);
  expect([sort(false), sort(true)]).toEqual([
    [1, 2, 0],
    [0, 2, 1],
  ]);
  expect(keysText(entries[2] as LorebookEntry)).toBe('"Smith, John"');
});

test('a new book is linked from where the other one is; a removed book leaves no link behind', () => {
  const list = [
    { kind: 'character', id: 'mira', body: { knowledgeRefs: ['a'] } },
    { kind: 'lorebook', id: 'a', body: { name: 'A', entries: [] } },
  ] as unknown as PlainEntity[];
  const two = patched(list, addBook(list, { name: 'B', entries: [] }, 'a'));
  expect(two.map(({ id }) => id)).toEqual(['mira', 'a', 'book']);
  expect(two[0]?.body).toEqual({ knowledgeRefs: ['a', 'book'] });
  const one = patched(two, removeBook(two, 1));
  expect(one.map(({ id }) => id)).toEqual(['mira', 'book']);
  expect(one[0]?.body).toEqual({ knowledgeRefs: ['book'] });
});
