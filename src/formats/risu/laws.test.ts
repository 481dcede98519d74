/** The laws of the field tables, on generated wires and edits. */
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { lawsOf, type Table } from '../../../test/laws/harness.ts';
import { own, ownEngine } from '../../../test/laws/own.ts';
import { bookTable } from '../../../test/laws/tables.ts';
import { text as plainText } from '../../core/codec.ts';
import type { Lens } from '../../core/lens.ts';
import { at } from '../../core/lenses.ts';
import { lorebook } from '../../entities/lorebook/lenses.ts';
import { emptyEntry } from '../../entities/lorebook/schema.ts';
import { regexRules } from '../../entities/regex/compare.ts';
import { regexSet } from '../../entities/regex/lenses.ts';
import { emptyRegex, emptyRule } from '../../entities/regex/schema.ts';
import { rowFields } from './lore-entry.ts';
import { risuRegexFields } from './regex-fields.ts';

const numRuns = Number(process.env.RUNS ?? 150);
const fields = (lenses: readonly unknown[]) => lenses as readonly Lens<never>[];

/** Rows without folders: the list itself, with its folders, has tests of its own. */
const entries = lorebook.rows('entries', at('data'), {
  lenses: rowFields,
  shape: 'list',
  blank: emptyEntry,
  id: ({ id }) => id,
  idOf: ({ id }) => (typeof id === 'string' && id !== '' ? id : undefined),
  fresh: (id) => ({ id, key: '', comment: '', content: '' }),
});

const KEYED = ['triggers', 'secondaryTriggers'];
const book: Table = bookTable(
  own,
  'risu rows',
  fields([entries, lorebook.field('name', at('name'), plainText())]),
  { shape: 'list', ids: ['id'] },
  { data: [] },
  {
    hints: {
      key: fc.constantFrom<unknown>('a, b', '/x{1,2}/i', '', ' a ,,b', 7),
      secondkey: fc.constantFrom<unknown>('c', '/y/', ''),
      useRegex: fc.constantFrom<unknown>(true, false, 'true'),
      role: fc.constantFrom<unknown>('user', 'Assistant ', 3),
    },
    says: (path) => (KEYED.includes(path) ? false : undefined),
    spreads: new Set(KEYED),
  },
);

const text = fc.constantFrom('', 'a', 'Nagi 凪', 'mưa 🌧', '.*');
const regex: Table = {
  label: 'risu regex',
  // The harness wants a slot beside the rows.
  lenses: fields([...risuRegexFields('rows'), regexSet.field('description', at('description'), plainText())]),
  rules: regexRules,
  values: { description: text },
  empty: emptyRegex,
  bases: [{ rows: [] }],
  hints: {
    type: fc.constantFrom<unknown>('editinput', 'editrequest', 'edittrans', 'disabled', '', 7),
    disabled: fc.constantFrom<unknown>(true, false, 'true'),
    ableFlag: fc.boolean(),
    flag: fc.constantFrom('g', 'gu<cbs>', ''),
  },
  says: (path) => (['phases', 'enabled', 'targets'].includes(path) ? false : undefined),
  spreads: new Set(['phases', 'enabled', 'targets', 'flags', 'useFlags']),
  rows: {
    shape: 'list',
    ids: ['id'],
    values: {
      label: text,
      find: text,
      replace: text,
      phases: fc.constantFrom<unknown>([], ['input'], ['display'], ['slash']),
      targets: fc.constantFrom<unknown>([], ['display']),
      flags: fc.constantFrom('g', 'gi', ''),
      useFlags: fc.boolean(),
      enabled: fc.boolean(),
    },
    empty: emptyRule,
    defaults: { enabled: true, phases: [], replace: '', find: '' },
  },
};

for (const table of [book, regex]) {
  describe(table.label, () => {
    for (const { name, property } of lawsOf(ownEngine, table)) {
      test(name, () => fc.assert(property, { numRuns, includeErrorInReport: true }));
    }
  });
}
