/** The book inside a RisuAI card: a V3 card book whose rows also say mode and folder. Facts: RisuAI 166.3.3, section 3.3. */
import { required, text } from '../../core/codec.ts';
import { isRecord, type Wire } from '../../core/draft.ts';
import { create, type Lens, marks, varied } from '../../core/lens.ts';
import { at } from '../../core/lenses.ts';
import { mergedBook } from '../../entities/lorebook/compare.ts';
import { loreEntry } from '../../entities/lorebook/lenses.ts';
import {
  emptyLorebook,
  type LorebookBody,
  type LorebookCategory,
  type LorebookEntry,
  type Trigger,
} from '../../entities/lorebook/schema.ts';
import { cardBook, characterBookFields, freshBook, rowId } from '../_shared/character-book.ts';
import type { BookDialect } from '../_shared/embedded-book.ts';
import { regexOf } from './lore-keys.ts';
import { folderLens, loreRows, type RowDialect } from './lore-rows.ts';

/** The entries of any card book, as a list or as a keyed object. */
const plainRows = characterBookFields.find(({ canonical }) => canonical[0] === 'entries') as Lens<LorebookBody>;

const modeMark: Lens<LorebookEntry> = varied(
  marks<LorebookEntry>(['mode'], 'what RisuAI calls every row that is no folder'),
  { claims: ({ mode }) => (mode === 'normal' ? [{ keys: ['mode'] }] : []) },
);

/** A regex whose commas RisuAI took for the ends of keys, in one piece again. */
const inOnePiece = ({ keys, use_regex: regex }: Wire): Trigger | undefined => {
  if (regex !== true || !Array.isArray(keys) || keys.length < 2 || typeof keys[0] !== 'string') return undefined;
  return keys[0].startsWith('/') && regexOf(keys[0]) === undefined ? regexOf(keys.join(',')) : undefined;
};

/** Keys of any card book, and RisuAI's torn ones. */
const rowKeys = (lens: Lens<LorebookEntry>): Lens<LorebookEntry> =>
  varied(lens, {
    read(wire) {
      const whole = inOnePiece(wire);
      return whole ? [whole] : lens.read(wire);
    },
  });

const folderKey = ({ keys }: Wire): string | undefined => {
  const [key]: unknown[] = Array.isArray(keys) ? keys : [];
  return typeof key === 'string' && key !== '' ? key : undefined;
};

/** Rows of a card book with RisuAI's folders among them. */
const cardRows: RowDialect = {
  entry: [
    ...(plainRows.rows as readonly Lens<LorebookEntry>[]).map((lens) =>
      lens.canonical[0] === 'triggers' ? rowKeys(lens) : lens,
    ),
    loreEntry.field('categoryId', at('folder'), text()),
    modeMark,
  ],
  folder: [
    folderLens.field('name', at('name', 'comment'), required(text(), ''), { absent: '', together: true }),
    marks<LorebookCategory>(
      [
        ...['keys', 'mode', 'id', 'enabled', 'constant', 'selective', 'case_sensitive', 'use_regex'],
        ...['insertion_order', 'extensions', 'secondary_keys'],
      ],
      'what RisuAI writes on every folder',
    ),
  ],
  entryId: (row) => rowId(row.id) ?? rowId(row.uid),
  folderKey,
  freshEntry: () => ({ keys: [], content: '', extensions: {}, enabled: true, insertion_order: 100, use_regex: false }),
  freshFolder: (key) => ({
    keys: [key],
    content: '',
    extensions: {},
    enabled: true,
    insertion_order: 100,
    constant: false,
    selective: false,
    name: '',
    comment: '',
    case_sensitive: false,
    use_regex: false,
    mode: 'folder',
  }),
  off: true,
};

type RowsValue = { readonly entries?: unknown; readonly categories?: unknown };
const withFolders = loreRows('entries', cardRows);
const keyed = (wire: Wire): boolean => isRecord(wire.entries);

/** Folders are rows of a list: a keyed object has none, and is read as in any other card. */
const bookRows: Lens<LorebookBody> = {
  ...withFolders,
  read(wire) {
    if (!keyed(wire)) return withFolders.read(wire);
    const entries = plainRows.read(wire);
    return entries === undefined ? undefined : { entries };
  },
  write(draft, now, before) {
    if (!keyed(draft.twin)) withFolders.write(draft, now, before);
    else plainRows.write(draft, (now as RowsValue | undefined)?.entries, (before as RowsValue | undefined)?.entries);
  },
  claims: (wire) => (keyed(wire) ? plainRows : withFolders).claims(wire),
};

/** The table of a book in a RisuAI card. */
export const risuBookFields: readonly Lens<LorebookBody>[] = characterBookFields.map((lens) =>
  lens === plainRows ? bookRows : lens,
);

/** The book of a RisuAI card. One without folders is a card book like any other. */
export const risuBook: BookDialect = {
  ...cardBook,
  fields: risuBookFields,
  fresh(books) {
    const body = mergedBook(books) ?? emptyLorebook();
    const plain = freshBook(books);
    if ((body.categories ?? []).length === 0) return plain;
    const rows = create(risuBookFields, { entries: [] }, { ...emptyLorebook(), ...pickRows(body) }).entries;
    return { ...plain, entries: Array.isArray(rows) ? rows.map(marked) : [] };
  },
};

const pickRows = ({ entries, categories = [] }: LorebookBody): Pick<LorebookBody, 'entries' | 'categories'> => ({
  entries,
  categories,
});

/** `use_regex` is true where every key of a row is a regex. */
const marked = (row: Wire): Wire => {
  const keys: unknown[] = Array.isArray(row.keys) ? row.keys : [];
  const regex = keys.length > 0 && keys.every((key) => typeof key === 'string' && /^\/.+\/[a-z]*$/s.test(key));
  return regex ? { ...row, use_regex: true } : row;
};
