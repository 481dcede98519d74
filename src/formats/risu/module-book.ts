/** The book of a charx with a module: the module is the app's own copy, the book in the card is kept in step. */
import { type OriginalEntry, SCHEMA_VERSION } from '../../core/canonical.ts';
import { isRecord, openDraft, same, valueAt, type Wire } from '../../core/draft.ts';
import { canonicalId } from '../../core/ids.ts';
import { get, put } from '../../core/lens.ts';
import type { EntityOf } from '../../entities/kinds.ts';
import { comparableBook, mergedBook } from '../../entities/lorebook/compare.ts';
import { emptyLorebook, type LorebookBody, type LorebookEntry } from '../../entities/lorebook/schema.ts';
import { bookHomes } from '../_shared/character-book.ts';
import { bookHome } from '../_shared/embedded-book.ts';
import type { BookShelf } from '../_shared/tavern.ts';
import { risuBook, risuBookFields } from './card-book.ts';
import { risuLoreFields } from './lorebook.ts';
import { hasModule, MODULE } from './module-scripts.ts';

const HOME = [MODULE, 'module', 'lorebook'];
const ESCROW = 'risu-lorebook';
const HOMES = bookHomes(['data']);
/** The rows of a module under the name that a bare list has while fields look at it. */
const ROWS = 'rows';
const rowFields = risuLoreFields(ROWS);

const rowsIn = (wire: Wire | undefined): readonly unknown[] => {
  const held = valueAt(wire, HOME);
  return Array.isArray(held) ? held : [];
};
const bodyOf = (rows: unknown): LorebookBody => get(rowFields, { [ROWS]: rows }, emptyLorebook());
const cardBodyOf = (book: unknown): LorebookBody | undefined =>
  isRecord(book) ? get(risuBookFields, book, emptyLorebook()) : undefined;
const cardBookOf = (wire: Wire): unknown => {
  const home = bookHome(wire.card, risuBook, HOMES);
  return home && valueAt(wire.card, home);
};

/** What only the card can say of a book: the app drops it on import. */
function withHead(rows: LorebookBody, card: LorebookBody | undefined): LorebookBody {
  if (!card) return rows;
  const { entries: _, categories: __, ...head } = card;
  return { ...head, ...rows, name: card.name };
}

/** The rows of the module as the one book of the file; its name and settings are those that stand in the card. */
function open(wire: Wire): readonly EntityOf<'lorebook'>[] | undefined {
  const rows = rowsIn(wire);
  if (!hasModule(wire) || rows.length === 0) return undefined;
  const body = withHead(bodyOf(rows), cardBodyOf(cardBookOf(wire)));
  const entry: OriginalEntry = { raw: rows, unmapped: { dialect: 'list', row: '', home: HOME.join('.') } };
  return [
    {
      schemaVersion: SCHEMA_VERSION,
      kind: 'lorebook',
      id: canonicalId(body.name, 'lorebook'),
      body,
      original: { [ESCROW]: entry },
    },
  ];
}

/** The file with these books in the module and in the card. */
function close(wire: Wire, books: readonly EntityOf<'lorebook'>[], twin: Wire | undefined): Wire | undefined {
  if (!hasModule(wire)) return undefined;
  const home = bookHome(wire.card, risuBook, HOMES);
  const copy = home && valueAt(wire.card, home);
  const inCard = isRecord(copy) && rowsIn(twin).length === 0 ? fromCard(copy, books) : undefined;
  if (inCard !== undefined && inCard === copy) return wire;
  const draft = openDraft(wire);
  const now = mergedBook(books.map(({ body }) => body)) ?? emptyLorebook();
  const old = rowsIn(twin);
  const own = twinRows(books, old);
  const base = { [ROWS]: own ?? [] };
  const rows = put(rowFields, base, now)[ROWS];
  if (rows !== old && !(old.length === 0 && same(rows, old))) draft.set(HOME, rows);
  if (books.length === 0) {
    if (home) draft.delete(['card', ...home]);
  } else if (home && isRecord(copy)) {
    const before = withHead(bodyOf(old), cardBodyOf(copy));
    const next = inCard ?? (own ? inStep(copy, before, now) : fromCard(copy, books));
    if (next !== copy) draft.set(['card', ...home], next);
  } else if (!own || rows !== old)
    draft.set(['card', 'data', 'character_book'], risuBook.fresh(books.map(({ body }) => body)));
  return draft.wire;
}

/** The rows that a single book was read from, when they are those of this module. */
function twinRows(books: readonly EntityOf<'lorebook'>[], old: readonly unknown[]): readonly unknown[] | undefined {
  const [only] = books;
  const raw = books.length === 1 ? only?.original?.[ESCROW]?.raw : undefined;
  return raw !== undefined && same(raw, old) ? old : undefined;
}

/** A book that was read from the card goes over it; any other stands in its place. */
function fromCard(copy: Wire, books: readonly EntityOf<'lorebook'>[]): Wire {
  const [only] = books;
  const raw = books.length === 1 ? only?.original?.[risuBook.escrow]?.raw : undefined;
  return only && same(raw, copy) ? put(risuBookFields, copy, only.body) : risuBook.fresh(books.map(({ body }) => body));
}

/** The book of the card with the edits of the module's. Their rows pair in order; where they do not, it is made anew. */
function inStep(copy: Wire, before: LorebookBody, now: LorebookBody): Wire {
  const card = cardBodyOf(copy) ?? emptyLorebook();
  if (same(before, now)) return copy;
  if (card.entries.length !== before.entries.length) return risuBook.fresh([now]);
  const pairs = new Map(before.entries.map((entry, index) => [entry.id, { entry, row: card.entries[index] }]));
  const entries = now.entries.map((entry): LorebookEntry => {
    const pair = pairs.get(entry.id);
    return pair?.row ? { ...pair.row, ...changes(pair.entry, entry) } : { ...entry, id: '' };
  });
  const head = changes({ ...before, entries: [] }, { ...now, entries: [] });
  return put(risuBookFields, copy, { ...card, ...head, entries });
}

/** The slots of `now` that say something else than `before`. */
function changes<T extends object>(before: T, now: T): Partial<T> {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(now)])] as (keyof T)[];
  const changed = keys.filter((key) => key !== 'id' && !same(before[key], now[key]));
  return Object.fromEntries(changed.map((key) => [key, now[key]])) as Partial<T>;
}

/** Slots that the two spellings of one book fill differently, though they mean the same. */
const spoken = ({ title, content, triggers, constant, sortOrder, categoryId }: LorebookEntry) => ({
  title,
  content,
  triggers: triggers.map(({ keyword }) => keyword).join(', '),
  constant,
  sortOrder,
  categoryId,
});

/** Whether the card and the module hold two different books. */
export function booksDiffer(wire: Wire): boolean {
  const card = cardBodyOf(cardBookOf(wire));
  const rows = rowsIn(wire);
  if (!card || rows.length === 0) return false;
  const said = (body: LorebookBody) => {
    const { entries } = comparableBook(body) as LorebookBody;
    return entries.map(spoken);
  };
  return !same(said(card), said(bodyOf(rows)));
}

/** The place of the book beside the card. */
export const moduleShelf: BookShelf = { open, close };
