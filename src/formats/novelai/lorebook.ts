/** NovelAI lorebooks: `.lorebook` files, pictures with a `naidata` chunk, and the books inside scenarios and stories. */
import { existsAt, isRecord, keysOf, valueAt, type Wire } from '../../core/draft.ts';
import type { Warning } from '../../core/errors.ts';
import { create } from '../../core/lens.ts';
import { type BookShape, defineJsonBook } from '../_shared/json-book.ts';
import { textChunkCarrier } from '../_shared/json-carriers.ts';
import { freshBook, LOREBOOK_VERSION, uuidOf } from './base.ts';
import { bookFields } from './fields.ts';

/** Marks of other files that also keep rows under `entries`. */
const FOREIGN = ['spec', 'kind', 'type', 'schemaVersion'] as const;

const isForeign = (value: Wire): boolean => FOREIGN.some((key) => existsAt(value, [key]));
const hasEntries = (value: unknown): value is Wire => isRecord(value) && Array.isArray(value.entries);

/** The version says it; without one, the words of the first entry do. */
function isBook(value: unknown): number {
  if (!hasEntries(value) || isForeign(value)) return 0;
  const { lorebookVersion, entries } = value;
  if (typeof lorebookVersion === 'number') return 1;
  if (lorebookVersion !== undefined) return 0;
  const [first]: unknown[] = entries as unknown[];
  if (!isRecord(first) || typeof first.text !== 'string' || !Array.isArray(first.keys)) return 0;
  const telling = ['contextConfig', 'searchRange', 'forceActivation'];
  return telling.some((key) => existsAt(first, [key])) ? 0.95 : 0;
}

/** A file of another purpose with a book inside; `mark` is the key that gives its version. */
const hostOf = (dialect: string, mark: string, home: string): BookShape => ({
  dialect,
  extension: dialect,
  fields: bookFields(home),
  structure: [{ keys: [mark] }, { keys: keysOf(`${home}.lorebookVersion`) }],
  recognize: (value) =>
    isRecord(value) && typeof value[mark] === 'number' && hasEntries(valueAt(value, keysOf(home))) ? 0.8 : 0,
});

const book: BookShape = {
  dialect: 'lorebook',
  fields: bookFields(),
  structure: [{ keys: ['lorebookVersion'] }],
  recognize: isBook,
};
const scenario = hostOf('scenario', 'scenarioVersion', 'lorebook');
const story = hostOf('story', 'storyContainerVersion', 'content.lorebook');

/** Where a file keeps its book. */
const HOMES = ['', 'lorebook', 'content.lorebook'] as const;

/** What does not mean elsewhere what it means here. */
function doubts(raw: unknown): readonly Warning[] {
  const home = HOMES.find((one) => hasEntries(valueAt(raw, one === '' ? [] : keysOf(one))));
  if (home === undefined) return [];
  const held = valueAt(raw, home === '' ? [] : keysOf(home)) as Wire;
  const path = (key: string) => (home === '' ? key : `${home}.${key}`);
  const entries = (held.entries as unknown[]).filter(isRecord);
  const folders = Array.isArray(held.categories) ? held.categories.filter(isRecord) : [];
  const off = new Set(folders.filter(({ enabled }) => enabled === false).map(({ id }) => id));
  const ranged = entries.filter(({ searchRange }) => typeof searchRange === 'number').length;
  const asleep = entries.filter(({ category, enabled }) => off.has(category) && enabled !== false).length;
  const newer = typeof held.lorebookVersion === 'number' && held.lorebookVersion > LOREBOOK_VERSION;
  return [
    ranged > 0 && {
      code: 'lore.search-range',
      path: path('entries[*].searchRange'),
      message: `NovelAI looks back a number of characters, other apps a number of messages: the range of ${some(ranged)} stays in this file`,
    },
    asleep > 0 && {
      code: 'lore.category-off',
      path: path('categories[*].enabled'),
      message: `a folder that is off silences ${some(asleep)}: where a format has no folders they would speak`,
    },
    newer && {
      code: 'lore.newer',
      path: path('lorebookVersion'),
      message: 'a newer version: what it added is kept, not converted',
    },
  ].filter((warning) => warning !== false);
}

const some = (count: number): string => `${count} ${count === 1 ? 'entry' : 'entries'}`;

export const novelaiLorebook = defineJsonBook({
  id: 'novelai-lorebook',
  family: 'novelai',
  label: 'NovelAI Lorebook',
  extension: 'lorebook',
  indent: 4,
  shapes: [book, scenario, story],
  carriers: [textChunkCarrier('naidata')],
  fresh: (body) =>
    create(book.fields, freshBook(), {
      ...body,
      entries: body.entries.map((entry) => ({ ...entry, id: uuidOf(entry, body.name) })),
    }),
  doubts,
});
