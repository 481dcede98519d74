import type { CompareRules, RowKey } from '../../core/compare.ts';
import { ABSENT_MEANS, ENTRY_DEFAULTS, type LorebookBody } from './schema.ts';

const keywords = (triggers: unknown): string =>
  JSON.stringify(Array.isArray(triggers) ? triggers.map((t) => t?.keyword) : []);

const full: RowKey = ({ title, content, triggers }) => JSON.stringify([title ?? '', content ?? '', keywords(triggers)]);

/** How two books are compared. */
export const lorebookRules: CompareRules = {
  defaults: {
    ...Object.fromEntries(
      Object.entries({ ...ENTRY_DEFAULTS, ...ABSENT_MEANS }).map(([key, value]) => [`entries[*].${key}`, value]),
    ),
    enabled: true,
    'categories[*].enabled': true,
  },
  ignored: new Set(['entries[*].id', 'categories[*].id']),
  rows: {
    entries: [
      full,
      ({ title, content }) => JSON.stringify([title ?? '', content ?? '']),
      ({ content }) => (content === '' ? undefined : JSON.stringify(content)),
      ({ title }) => (title === '' ? undefined : JSON.stringify(title)),
    ],
    'entries[*].triggers': [
      ({ keyword, isRegex, flags }) => JSON.stringify([keyword, isRegex, flags ?? '']),
      ({ keyword }) => JSON.stringify(keyword),
    ],
    'entries[*].secondaryTriggers': [
      ({ keyword, isRegex, flags }) => JSON.stringify([keyword, isRegex, flags ?? '']),
      ({ keyword }) => JSON.stringify(keyword),
    ],
    'entries[*].loreBiasGroups': [(row) => JSON.stringify(row)],
    'entries[*].sideEffects.effects': [(row) => JSON.stringify(row)],
    categories: [({ name }) => JSON.stringify(name)],
  },
};

/**
 * The view of a book that is compared: a category is what it is called, not the id some format minted for it, and
 * whether secondary keys gate says nothing where there are none.
 */
export function comparableBook(body: LorebookBody): unknown {
  const names = new Map((body.categories ?? []).map(({ id, name }) => [id, name]));
  const named = (id: string | undefined) => (id === undefined ? undefined : (names.get(id) ?? id));
  const entries = body.entries?.map(({ selective, ...entry }) => ({
    ...entry,
    ...(entry.secondaryTriggers.length > 0 ? { selective } : {}),
    categoryId: named(entry.categoryId),
  }));
  return { ...body, entries };
}

/** Several books as the one that a single slot can hold: the first one's settings, all entries in order. */
export function mergedBook(books: readonly LorebookBody[]): LorebookBody | undefined {
  const [first, ...rest] = books;
  if (!first || rest.length === 0) return first;
  const categories = books.flatMap((book) => book.categories ?? []);
  return {
    ...first,
    entries: books.flatMap((book) => book.entries),
    ...(categories.length === 0 ? {} : { categories }),
  };
}
