import { type Account, accountFor, type Claim } from '../../core/account.ts';
import { type Codec, required, text } from '../../core/codec.ts';
import { isRecord, type Keys, openDraft, saysNothing, valueAt, type Wire } from '../../core/draft.ts';
import { claimsOf, create, type Lens, varied } from '../../core/lens.ts';
import { at } from '../../core/lenses.ts';
import type { EntityOf } from '../../entities/kinds.ts';
import { mergedBook } from '../../entities/lorebook/compare.ts';
import { lorebook, loreEntry } from '../../entities/lorebook/lenses.ts';
import {
  emptyEntry,
  emptyLorebook,
  type LorebookBody,
  type LorebookEntry,
  type Trigger,
} from '../../entities/lorebook/schema.ts';
import { type BookDialect, embedBooks } from '../_shared/embedded-book.ts';
import { braces } from './dialect.ts';
import { dealt, ranks } from './lore-order.ts';

/** Escrow key of the rows that both formats keep a book as. */
const BYAF_LORE = 'byaf-lore';

const ITEMS = ['loreItems'];

/** One text with commas between the keys. A key that holds a comma cannot be said: it is left out, not split. */
const keyList: Codec<Trigger[]> = {
  shape: 'keys between commas',
  lossy: true,
  blank: '',
  read(raw) {
    if (typeof raw !== 'string') return undefined;
    const keys = raw.split(',').map((key) => key.trim());
    return keys.filter((key) => key !== '').map((keyword) => ({ keyword, isRegex: false }));
  },
  write: (triggers) =>
    triggers
      .map(({ keyword }) => keyword)
      .filter((keyword) => keyword.trim() !== '' && !keyword.includes(','))
      .join(', '),
};

/** How the two formats spell a row. */
interface LoreSpelling {
  readonly content: Codec<string>;
  /** Rows have an `id`, and an `order` text that sorts them; else only their place in the list does. */
  readonly marked: boolean;
}

const rowLenses = ({ content }: LoreSpelling): readonly Lens<LorebookEntry>[] => [
  loreEntry.field('triggers', at('key'), keyList, {
    note: 'literal keys without a comma; a regex leaves as its pattern',
  }) as Lens<LorebookEntry>,
  loreEntry.field('content', at('value'), required(content, ''), { absent: '' }) as Lens<LorebookEntry>,
];

/** The rows as entries. What sorts them is their `order` where every row has one, else their place. */
function entriesLens(spelling: LoreSpelling): Lens<LorebookBody> {
  const rows = lorebook.rows('entries', at('loreItems'), {
    lenses: rowLenses(spelling),
    shape: 'list',
    blank: emptyEntry,
    id: ({ id }) => id,
    idOf: ({ id }) => (spelling.marked && typeof id === 'string' && id !== '' ? id : undefined),
    fresh: (id) => (spelling.marked ? { id, key: '', value: '' } : { key: '', value: '' }),
    mint: ({ id }, taken) => (id !== '' && !taken.has(id) ? id : undefined),
  });
  const hasOrder = (wire: Wire): boolean => spelling.marked && recordsIn(wire).every(({ order }) => isText(order));
  const lens: Lens<LorebookBody, LorebookEntry[]> = varied(rows, {
    lossy: true,
    note: 'keys, text and the order of the rows; titles and switches have no place',
    read(wire) {
      const entries = rows.read(wire);
      const places = hasOrder(wire) ? ranks(recordsIn(wire), ({ order }) => String(order)) : undefined;
      return entries?.map((entry, index) => ({ ...entry, sortOrder: places?.[index] ?? index }));
    },
    write(draft, now = [], before) {
      if (hasOrder(draft.twin)) {
        rows.write(draft, now, before);
        const list = valueAt(draft.wire, ITEMS);
        if (Array.isArray(list))
          draft.set(
            ITEMS,
            dealt(
              list,
              ranks(now, ({ sortOrder }) => sortOrder),
            ),
          );
      } else rows.write(draft, arranged(now, before), before);
    },
  });
  return lens as Lens<LorebookBody>;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const recordsIn = (wire: unknown): readonly Wire[] => {
  const raw = valueAt(wire, ITEMS);
  return Array.isArray(raw) ? raw.filter(isRecord) : [];
};

/** Rows whose place is their order: where someone moved them in the list they stay there, else `sortOrder` decides. */
function arranged(now: readonly LorebookEntry[], before: readonly LorebookEntry[] = []): LorebookEntry[] {
  const held = new Set(now.map(({ id }) => id));
  const stood = before.filter(({ id }) => held.has(id)).map(({ id }) => id);
  const known = new Set(stood);
  const moved = now.filter(({ id }) => known.has(id)).some(({ id }, index) => id !== stood[index]);
  return moved ? [...now] : [...now].sort((a, b) => a.sortOrder - b.sortOrder);
}

/** A list of `loreItems` as a book; `blank` is what an emptied list becomes where the format requires the key. */
const loreDialect = (spelling: LoreSpelling, blank: readonly unknown[] | undefined): BookDialect => {
  const fields = [entriesLens(spelling)];
  return {
    escrow: BYAF_LORE,
    fields,
    open: (held) => (Array.isArray(held) && held.some(isRecord) ? { loreItems: held } : undefined),
    close: ({ loreItems }) => loreItems,
    fresh: (books) => create(fields, { loreItems: [] }, mergedBook(books) ?? emptyLorebook()),
    ...(blank ? { blank } : {}),
  };
};

const LEGACY: LoreSpelling = { content: braces, marked: true };
/** Rows of the older format: placeholders are converted, rows have ids and an order text. */
export const legacyLore = (isRequired: boolean): BookDialect => loreDialect(LEGACY, isRequired ? [] : undefined);
/** Rows of an archive: two verbatim texts and nothing else. */
export const archiveLore = loreDialect({ content: text(), marked: false }, []);

/** The file with these books in its one list. */
export function withLore(wire: Wire, dialect: BookDialect, home: Keys, books: readonly unknown[] | undefined): Wire {
  const card = isRecord(wire.card) ? wire.card : {};
  const edits = embedBooks(card, dialect, [home], books as readonly EntityOf<'lorebook'>[] | undefined);
  const draft = openDraft(wire);
  for (const [keys, value] of edits) {
    if (value === undefined) draft.delete(['card', ...keys]);
    else draft.set(['card', ...keys], value);
  }
  return draft.wire;
}

const ROW_MARKS: readonly Claim[] = [{ keys: ['id'] }, { keys: ['order'] }];

/** The claim of a card on its rows: keys beside trigger and text are named. */
export const loreClaim = (keys: Keys): Claim => ({
  keys,
  inside(raw: unknown, path: string, out: Account) {
    if (!Array.isArray(raw)) return saysNothing(raw) ? undefined : out.unread(path, raw);
    raw.forEach((row, index) => {
      const place = `${path}[${index}]`;
      if (!isRecord(row)) return out.unread(place, row);
      accountFor([...claimsOf(rowLenses(LEGACY) as never, row), ...ROW_MARKS], row, place, out);
    });
  },
});
