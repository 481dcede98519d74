import type { AccountResult, Claim } from '../../core/account.ts';
import { type Entity, type OriginalEntry, SCHEMA_VERSION } from '../../core/canonical.ts';
import { accountOf } from '../../core/coverage.ts';
import { isRecord, type Keys, same, valueAt, type Wire } from '../../core/draft.ts';
import { canonicalId } from '../../core/ids.ts';
import { claimsOf, get, type Lens, put } from '../../core/lens.ts';
import type { EntityOf } from '../../entities/kinds.ts';
import { emptyLorebook, type LorebookBody } from '../../entities/lorebook/schema.ts';

/** How a family of apps spells the book that travels inside a card. */
export interface BookDialect {
  /** Key of the book's twin in `original`; named after the dialect, not after the app that hosts the card. */
  readonly escrow: string;
  readonly fields: readonly Lens<LorebookBody>[];
  /** Wire keys that say what the book is, not what is in it. */
  readonly structure?: readonly Claim[];
  /** A book without a twin; several books become the one that the slot can hold. */
  fresh(books: readonly LorebookBody[]): Wire;
  /** The wire object under the fields, from what stands at a home of the card; absent: an object as it is. */
  open?(held: unknown): Wire | undefined;
  /** What is put at the home for a wire object; the inverse of `open`, and `===` for an untouched one. */
  close?(wire: Wire): unknown;
  /** What an emptied home holds where the card needs the key; absent: the key is deleted. */
  readonly blank?: unknown;
  /** What a book of another file lays into this card, where its twin may move; absent: it is written fresh. */
  transplant?(entry: OriginalEntry): Wire | undefined;
}

/** A home of the card and what is to stand there; undefined deletes the key. */
export type BookEdit = readonly [home: Keys, value: unknown];

const opened = (dialect: BookDialect, held: unknown): Wire | undefined => {
  if (dialect.open) return dialect.open(held);
  return isRecord(held) ? held : undefined;
};
const closed = (dialect: BookDialect, wire: Wire): unknown => dialect.close?.(wire) ?? wire;

/** The home in this card that really holds a book. */
export const bookHome = (card: unknown, dialect: BookDialect, homes: readonly Keys[]): Keys | undefined =>
  homes.find((keys) => opened(dialect, valueAt(card, keys)) !== undefined);

/** The book of a card as an entity of its own. The card's twin and the book's share their objects. */
export function extractBook(
  card: unknown,
  dialect: BookDialect,
  homes: readonly Keys[],
): EntityOf<'lorebook'> | undefined {
  const home = bookHome(card, dialect, homes);
  const raw = home && valueAt(card, home);
  const wire = opened(dialect, raw);
  if (!home || !wire) return undefined;
  const body = get(dialect.fields, wire, emptyLorebook());
  return {
    schemaVersion: SCHEMA_VERSION,
    kind: 'lorebook',
    id: canonicalId(body.name, 'lorebook'),
    body,
    original: { [dialect.escrow]: { raw, unmapped: { home: home.join('.') } } },
  };
}

/**
 * The edits that put these books into the one slot of a card. Unresolved: none. No books: every home emptied.
 * A single book that came from this card is put over its own twin, so that an unedited one changes nothing.
 */
export function embedBooks(
  card: Wire,
  dialect: BookDialect,
  homes: readonly Keys[],
  books: readonly Entity<LorebookBody>[] | undefined,
): readonly BookEdit[] {
  if (books === undefined) return [];
  if (books.length === 0) {
    const taken = homes.filter((keys) => opened(dialect, valueAt(card, keys)) !== undefined);
    return taken
      .map((keys): BookEdit => [keys, dialect.blank])
      .filter(([keys, next]) => !same(next, valueAt(card, keys)));
  }
  const home = bookHome(card, dialect, homes);
  const held = home && valueAt(card, home);
  const next = closed(dialect, wireOf(dialect, books, held));
  const place = home ?? homes[0];
  return next === held || !place ? [] : [[place, next]];
}

/** The wire object for these books where `held` stands in the slot. */
function wireOf(dialect: BookDialect, books: readonly Entity<LorebookBody>[], held: unknown): Wire {
  const [only] = books;
  const entry = books.length === 1 ? only?.original?.[dialect.escrow] : undefined;
  const mine = entry && same(entry.raw, held) ? opened(dialect, held) : undefined;
  const twin = mine ?? (entry && dialect.transplant?.(entry));
  return twin && only ? put(dialect.fields, twin, only.body) : dialect.fresh(books.map(({ body }) => body));
}

/** What the reader of an embedded book left in escrow, from its twin. */
export function accountOfBook(dialect: BookDialect, entity: Entity<LorebookBody>): AccountResult {
  const wire = opened(dialect, entity.original?.[dialect.escrow]?.raw);
  return wire
    ? accountOf([...claimsOf(dialect.fields as never, wire), ...(dialect.structure ?? [])], wire)
    : accountOf([], undefined);
}
