import { expect, test } from 'vitest';
import { emptyEntry, type LorebookEntry } from '../../entities/lorebook/schema.ts';
import { entryProblems } from './entry-problems.ts';

const entry = (over: Partial<LorebookEntry>): LorebookEntry => ({
  ...emptyEntry('1'),
  content: 'The lamp burns blue.',
  triggers: [{ keyword: 'lamp', isRegex: false }],
  ...over,
});
const pattern = (keyword: string) => [{ keyword, isRegex: true }];

test('RW-095 the problems of a book are named by the index of the entry', () => {
  const entries = [
    entry({}),
    entry({ triggers: [] }),
    entry({ triggers: [], constant: true, content: 'Always.' }),
    entry({ content: ' \n', triggers: pattern('(') }),
    entry({ triggers: pattern('(a+)+$') }),
    entry({}),
    entry({ content: 'x', position: 'outlet', categoryId: 'gone' }),
  ];
  expect([...entryProblems({ name: '', entries })]).toEqual([
    [1, ['no-keys']],
    [3, ['no-text', 'bad-pattern']],
    [4, ['run-away']],
    [5, ['twice']],
    [6, ['no-outlet', 'no-category']],
  ]);
});
