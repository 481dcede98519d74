/** Whole world books beside the card in an archive; the card has a copy of them, merged into one. */
import type { OriginalEntry } from '../../core/canonical.ts';
import { SCHEMA_VERSION } from '../../core/canonical.ts';
import { isRecord, keysOf, openDraft, same, valueAt, type Wire } from '../../core/draft.ts';
import { assignIds, canonicalId } from '../../core/ids.ts';
import { get, put } from '../../core/lens.ts';
import type { EntityOf } from '../../entities/kinds.ts';
import { emptyLorebook, type LorebookBody, type LorebookEntry } from '../../entities/lorebook/schema.ts';
import { bookHomes, cardBook, characterBookFields, freshBook } from '../_shared/character-book.ts';
import { bookHome } from '../_shared/embedded-book.ts';
import type { BookShelf } from '../_shared/tavern.ts';
import { freshWorldBook, worldBookFields } from './lorebook.ts';

const HOME = ['modules', 'world_books'];
const ESCROW = 'lumiverse-lorebook';
const HOMES = bookHomes(['data']);

const booksIn = (wire: Wire | undefined): readonly Wire[] => {
  const held = valueAt(wire, HOME);
  return Array.isArray(held) ? held.filter(isRecord) : [];
};
const bodyOf = (book: Wire): LorebookBody => get(worldBookFields, book, emptyLorebook());

/** The books of an archive, each with an id and a twin of its own. */
function open(wire: Wire): readonly EntityOf<'lorebook'>[] | undefined {
  const books = booksIn(wire);
  if (books.length === 0) return undefined;
  const bodies = books.map(bodyOf);
  const ids = assignIds(bodies.map(({ name }) => canonicalId(name, 'lorebook')));
  return bodies.map((body, index) => {
    const unmapped = { dialect: 'lumiverse_world_book', home: `${HOME.join('.')}.${index}` };
    const entry: OriginalEntry = { raw: books[index], unmapped };
    return {
      schemaVersion: SCHEMA_VERSION,
      kind: 'lorebook',
      id: ids[index] ?? '',
      body,
      original: { [ESCROW]: entry },
    };
  });
}

/** A world book file keeps its own keys in an archive. */
function wireOf({ body, original }: EntityOf<'lorebook'>): Wire {
  const raw = original?.[ESCROW]?.raw;
  return isRecord(raw) ? put(worldBookFields, raw, body) : freshWorldBook(body);
}

function close(wire: Wire, books: readonly EntityOf<'lorebook'>[], twin: Wire | undefined): Wire | undefined {
  if (wire.carrier !== 'charx') return undefined;
  const old = booksIn(twin);
  if (old.length === 0 && (books.length === 0 || (twin !== undefined && books.length === 1))) return undefined;
  const now = books.map(wireOf);
  if (now.length === old.length && now.every((book, index) => book === old[index])) return wire;
  const draft = openDraft(wire);
  if (now.length === 0) draft.delete(HOME);
  else draft.set(HOME, now);
  const home = bookHome(wire.card, cardBook, HOMES);
  const copy = home && valueAt(wire.card, home);
  const bodies = books.map(({ body }) => body);
  if (now.length === 0) {
    if (home) draft.delete(['card', ...home]);
  } else if (home && isRecord(copy)) draft.set(['card', ...home], inStep(copy, old.map(bodyOf), bodies));
  else if (twin === undefined) draft.set(['card', ...keysOf('data.character_book')], freshBook(bodies));
  return draft.wire;
}

/** The merged copy with the same edits. Its rows pair with the entries of the books by order; where they do not, it is made anew. */
function inStep(copy: Wire, before: readonly LorebookBody[], now: readonly LorebookBody[]): Wire {
  const body = get(characterBookFields, copy, emptyLorebook());
  const old = before.flatMap(({ entries }, book) => entries.map((entry) => [`${book} ${entry.id}`, entry] as const));
  if (old.length !== body.entries.length) return freshBook(now);
  const rows = new Map(old.map(([key, entry], index) => [key, { entry, row: body.entries[index] }]));
  const entries = now.flatMap((one, book) =>
    one.entries.map((entry): LorebookEntry => {
      const known = rows.get(`${book} ${entry.id}`);
      return known?.row ? { ...known.row, ...changes(known.entry, entry) } : { ...entry, id: '' };
    }),
  );
  const [first, was] = [now[0], before[0]];
  const head =
    now.length === 1 && before.length === 1 && first && was
      ? changes({ ...was, entries: [] }, { ...first, entries: [] })
      : {};
  return put(characterBookFields, copy, { ...body, ...head, entries });
}

/** The slots of `now` that say something else than `before`. */
function changes<T extends object>(before: T, now: T): Partial<T> {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(now)])] as (keyof T)[];
  const changed = keys.filter((key) => key !== 'id' && !same(before[key], now[key]));
  return Object.fromEntries(changed.map((key) => [key, now[key]])) as Partial<T>;
}

/** The place for books beside the card. */
export const worldBookShelf: BookShelf = { open, close };
