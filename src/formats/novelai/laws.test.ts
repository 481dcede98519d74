/** The laws of field tables on the three homes of a book. */
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { lawsOf, type Says, type Table } from '../../../test/laws/harness.ts';
import { own, ownEngine } from '../../../test/laws/own.ts';
import { bookTable } from '../../../test/laws/tables.ts';
import { bookValues, entryValues } from '../../../test/laws/values.ts';
import type { Lens } from '../../core/lens.ts';
import { rowsLens } from '../../core/rows.ts';
import { ENTRY_DEFAULTS, emptyEntry, type Trigger } from '../../entities/lorebook/schema.ts';
import { freshBook } from './base.ts';
import { bookFields, entryRows } from './fields.ts';

const numRuns = Number(process.env.RUNS ?? 60);

/** Keys that NovelAI cannot tell from something else, and groups whose absent flags are nobody's business. */
const says: Says = (path, value) => {
  if (path === 'triggers') {
    return (value as Trigger[]).every(({ keyword, isRegex, flags }) =>
      isRegex
        ? !/[^imus]/.test(flags ?? '') && !keyword.includes('/')
        : keyword.trim() !== '' && !keyword.startsWith('/'),
    );
  }
  return path !== 'categories';
};

/** An empty text means something here: it is tried by hand. */
const values = {
  ...entryValues,
  contextConfig: fc.record(
    { prefix: fc.constantFrom('[ ', '雪'), suffix: fc.constantFrom('\n', ' ]'), tokenBudget: fc.nat(3) },
    { requiredKeys: ['prefix', 'suffix'] },
  ),
};

/** Folders that come last: an earlier number would move the others, as it should. */
const folders = fc.array(
  fc.record(
    {
      id: fc.constantFrom('c1', 'c2'),
      name: fc.constantFrom('', 'Ада', '雪'),
      sortOrder: fc.constantFrom(8, 9),
      enabled: fc.boolean(),
    },
    { requiredKeys: ['id', 'name', 'sortOrder'] },
  ),
  { maxLength: 2 },
);

/** The law of reports counts an emptied group inside a row as lost: it is held without the one group that rows have. */
const REPORT = 'report:';
const inGroup = ({ canonical }: Lens<never>) => canonical.some((path) => path.startsWith('contextConfig.'));

/** The laws go into the rows of one list, the entries; the folders are tried as one value. */
const fieldsAt = (home: string | undefined, grouped: boolean): readonly Lens<never>[] =>
  bookFields(home).map((lens) => {
    const { rows, ...whole } = lens as unknown as Lens<never>;
    if (!rows || whole.canonical.includes('categories')) return whole;
    return bookEntries(home, grouped ? rows : rows.filter((one) => !inGroup(one)));
  });

/** The list of entries with these lenses for its rows. */
const bookEntries = (home: string | undefined, lenses: readonly Lens<never>[]): Lens<never> =>
  rowsLens('entries', [...(home?.split('.') ?? []), 'entries'], [home === undefined ? 'entries' : `${home}.entries`], {
    ...entryRows,
    lenses,
  } as never) as unknown as Lens<never>;

const table = (home: string | undefined, base: object, grouped: boolean): Table =>
  bookTable(own, home ?? 'file', fieldsAt(home, grouped), { shape: 'list', ids: ['id'] }, base as never, {
    says,
    values: { ...bookValues, categories: folders },
    rows: { shape: 'list', ids: ['id'], values, empty: emptyEntry, defaults: ENTRY_DEFAULTS },
    hints: { forceActivation: fc.boolean() },
    spreads: new Set(),
  });

const HOMES = [
  [undefined, freshBook()],
  ['lorebook', { scenarioVersion: 1, lorebook: freshBook() }],
  ['content.lorebook', { storyContainerVersion: 1, content: { lorebook: freshBook() } }],
] as const;

for (const [home, base] of HOMES) {
  describe(home ?? 'file', () => {
    for (const grouped of [true, false]) {
      const laws = lawsOf(ownEngine, table(home, base, grouped));
      for (const { name, property } of laws.filter((law) => law.name.startsWith(REPORT) !== grouped)) {
        test(name, () => fc.assert(property, { numRuns, includeErrorInReport: true }));
      }
    }
  });
}
