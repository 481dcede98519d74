import type { CompareRules, RowKey } from '../../core/compare.ts';
import { assignIds } from '../../core/ids.ts';
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
  const entries = body.entries?.map((entry) => {
    const selective = entry.secondaryTriggers.length > 0 ? entry.selective : undefined;
    const categoryId = named(entry.categoryId);
    const asIs = selective === entry.selective && categoryId === entry.categoryId;
    return asIs ? entry : { ...entry, selective, categoryId };
  });
  return { ...body, entries };
}

/** Several books as the one that a single slot can hold: the first one's settings, all entries in order. */
export function mergedBook(books: readonly LorebookBody[]): LorebookBody | undefined {
  const [first, ...rest] = books;
  if (!first || rest.length === 0) return first;
  const ids = assignIds(books.flatMap((book) => (book.categories ?? []).map(({ id }) => id)));
  const parts = books.map((book) => withCategoryIds(book, ids.splice(0, book.categories?.length ?? 0)));
  const categories = parts.flatMap((book) => book.categories ?? []);
  return {
    ...first,
    entries: parts.flatMap((book) => book.entries),
    ...(categories.length === 0 ? {} : { categories }),
  };
}

/** The book with other ids for its categories: two books may call different ones alike. */
function withCategoryIds(book: LorebookBody, ids: readonly string[]): LorebookBody {
  const categories = (book.categories ?? []).map((one, at) => ({ ...one, id: ids[at] ?? one.id }));
  const moved = new Map<string | undefined, string>();
  for (const [at, { id }] of (book.categories ?? []).entries()) {
    const now = categories[at]?.id;
    if (now !== undefined && now !== id) moved.set(id, now);
  }
  if (moved.size === 0) return book;
  const entries = book.entries.map((entry) => {
    const categoryId = moved.get(entry.categoryId);
    return categoryId === undefined ? entry : { ...entry, categoryId };
  });
  return { ...book, categories, entries };
}

/** Several books as they are compared with the one that holds them: an entry keeps the category of its own book. */
export function comparableBooks(books: readonly LorebookBody[]): LorebookBody | undefined {
  if (books.length < 2) return books[0];
  const named = books.map((book): LorebookBody => {
    const categories = book.categories?.map((one) => ({ ...one, id: one.name }));
    return { ...(comparableBook(book) as LorebookBody), ...(categories ? { categories } : {}) };
  });
  return mergedBook(named);
}
