import { existsAt, isRecord, type Keys, saysNothing, valueAt, type Wire } from '../../core/draft.ts';
import { create, type Lens, marks } from '../../core/lens.ts';
import { at } from '../../core/lenses.ts';
import type { EntityOf } from '../../entities/kinds.ts';
import { mergedBook } from '../../entities/lorebook/compare.ts';
import { lorebook } from '../../entities/lorebook/lenses.ts';
import { emptyEntry, emptyLorebook, type LorebookBody, type LorebookEntry } from '../../entities/lorebook/schema.ts';
import {
  type BookDialect,
  type BookEdit,
  embedBooks as embedDialect,
  extractBook as extractDialect,
} from './embedded-book.ts';
import { bookHead, entryFields } from './lore-fields.ts';

/** Escrow key of a book that came inside a Tavern card; keyed by dialect, not by the app that hosts the card. */
export const CHARACTER_BOOK = 'character-book';

const wholeNumber = (id: string): string | undefined => (/^(0|[1-9]\d{0,14})$/.test(id) ? id : undefined);

/** The id an entry brings along, where the wire wants a whole number that no other row has. */
export const mintNumber = (entry: LorebookEntry, taken: ReadonlySet<string>): string | undefined => {
  const own = wholeNumber(entry.id);
  return own !== undefined && !taken.has(own) ? own : undefined;
};

/** What a source row calls itself; 0 is a real id, null is none. */
export const rowId = (id: unknown): string | undefined =>
  typeof id === 'number' || (typeof id === 'string' && id !== '') ? String(id) : undefined;

/** Ids, and the regex mark that SillyTavern sets on every entry. */
const entryMarks = marks<LorebookEntry>(
  ['id', 'uid', 'use_regex'],
  'use_regex is true on a fresh entry only when every key is a regex; SillyTavern sets it on all and ignores it',
);

/** The book inside a card, alone in a file too: V2 and V3, with SillyTavern's extensions. */
export const characterBookFields: readonly Lens<LorebookBody>[] = [
  ...bookHead,
  lorebook.rows('entries', at('entries'), {
    lenses: [...entryFields('character-book'), entryMarks],
    shape: 'either',
    blank: emptyEntry,
    id: ({ id }) => id,
    idOf: (row) => rowId(row.id) ?? rowId(row.uid),
    fresh: (id) => ({
      keys: [],
      content: '',
      extensions: {},
      enabled: true,
      insertion_order: 100,
      use_regex: false,
      id: Number(id),
    }),
    mint: mintNumber,
  }),
];

/** Marks where merged books end, so that a later import can split them again. The older spelling is read too. */
export const SOURCE_BOOKS = 'bunzai_source_books';

/** A fresh card book. `use_regex` is true where every key of an entry is a regex, as strict readers want it. */
export function freshBook(books: readonly LorebookBody[]): Wire {
  const body = mergedBook(books) ?? emptyLorebook();
  const boundaries = books.map(({ name, entries }) => ({ name, entryCount: entries.length }));
  const extensions = books.length > 1 ? { [SOURCE_BOOKS]: boundaries } : {};
  const wire = create(characterBookFields, { entries: [], extensions }, body);
  const rows = valueAt(wire, ['entries']);
  if (!Array.isArray(rows)) return wire;
  const entries = rows.map((row: Wire, index) => {
    const triggers = body.entries[index]?.triggers ?? [];
    return triggers.length > 0 && triggers.every(({ isRegex }) => isRegex) ? { ...row, use_regex: true } : row;
  });
  return { ...wire, entries };
}

/** Where a card keeps its book, the usual place first. */
export const bookHomes = (data: Keys): readonly Keys[] => [
  [...data, 'character_book'],
  [...data, 'extensions', 'character_book'],
  ['character_book'],
  [...data, 'extensions', 'world'],
];

/** The book of a Tavern card. */
export const cardBook: BookDialect = {
  escrow: CHARACTER_BOOK,
  fields: characterBookFields,
  structure: [{ keys: ['extensions', SOURCE_BOOKS] }],
  fresh: freshBook,
};

/** The book of a Tavern card as an entity of its own. */
export const extractBook = (card: unknown, homes: readonly Keys[]): EntityOf<'lorebook'> | undefined =>
  extractDialect(card, cardBook, homes);

/** The edits that put these books into the one slot of a Tavern card. */
export const embedBooks = (
  card: Wire,
  homes: readonly Keys[],
  books: readonly EntityOf<'lorebook'>[] | undefined,
): readonly BookEdit[] => embedDialect(card, cardBook, homes, books);

/** A parsed object that is a book of the card dialect: a list of rows with `keys`, `content` or `name`, not Agnai's. */
export function isCharacterBook(value: unknown): value is Wire {
  if (!isRecord(value) || existsAt(value, ['spec']) || existsAt(value, ['kind'])) return false;
  const { entries } = value;
  if (!Array.isArray(entries) || entries.length === 0) return false;
  const rows = entries.filter(isRecord);
  const agnai = (row: Wire) => Array.isArray(row.keywords) && typeof row.entry === 'string';
  const ours = (row: Wire) =>
    Array.isArray(row.keys) || (typeof row.content === 'string' && (existsAt(row, ['key']) || !saysNothing(row.name)));
  return rows.length > 0 && !rows.some(agnai) && rows.some(ours) && !looksForeign(value);
}

/** Books of other apps that also have a list of entries: their own marks win. */
const looksForeign = (value: Wire): boolean =>
  ['lorebookVersion', 'type', 'lorebook', 'schemaVersion', 'prompts', 'nodes'].some((key) => existsAt(value, [key]));
