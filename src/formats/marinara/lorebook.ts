import { type Codec, flag, list, number, required, text } from '../../core/codec.ts';
import { derivedUuid } from '../../core/derived-id.ts';
import { isRecord } from '../../core/draft.ts';
import type { Warning } from '../../core/errors.ts';
import { create, type Lens } from '../../core/lens.ts';
import { at, lensesFor } from '../../core/lenses.ts';
import { lorebook } from '../../entities/lorebook/lenses.ts';
import {
  emptyEntry,
  type LorebookBody,
  type LorebookCategory,
  type LorebookEntry,
} from '../../entities/lorebook/schema.ts';
import { defineJsonBook } from '../_shared/json-book.ts';
import { ENVELOPE, freshExport, isExport } from './envelope.ts';
import { entryFields, freshEntry } from './lore-entry.ts';
import { idMarks, owned, restingKeys } from './marks.ts';
import { ownId } from './row-ids.ts';

const BOOK = 'data.lorebook';
const home = (key: string) => at(`${BOOK}.${key}`);

type BookType = NonNullable<LorebookBody['lorebookType']>;
const TYPE_OF: ReadonlyMap<unknown, BookType> = new Map([
  ['world', 'world'],
  ['character', 'character'],
  ['npc', 'character'],
  ['spellbook', 'rules'],
  ['uncategorized', 'other'],
]);

/** What the book is about. The first word of a type is the one that is written. */
const category: Codec<BookType> = {
  shape: [...TYPE_OF.keys()].join(', '),
  lossy: true,
  read: (raw) => TYPE_OF.get(raw),
  write: (value) => [...TYPE_OF].find(([, type]) => type === value)?.[0] ?? 'uncategorized',
};

const folder = lensesFor<LorebookCategory>();
const folderFields = [
  folder.field('name', at('name'), required(text(), ''), { absent: '' }),
  folder.field('sortOrder', at('order'), number(), { absent: 0 }),
  folder.field('enabled', at('enabled'), flag()),
  idMarks<LorebookCategory>('id', 'lorebookId'),
] as readonly Lens<LorebookCategory>[];

const entries = lorebook.rows('entries', at('data.entries'), {
  lenses: entryFields,
  shape: 'list',
  blank: emptyEntry,
  id: ({ id }: LorebookEntry) => id,
  idOf: ({ id }) => (typeof id === 'string' && id !== '' ? id : undefined),
  fresh: freshEntry,
  mint: (entry, taken) => ownId(entry.id, [entry.title, entry.content], taken),
});

/** Folders keep the ids that entries point at. */
const folders = lorebook.rows('categories', at('data.folders'), {
  lenses: folderFields,
  shape: 'list',
  blank: (id): LorebookCategory => ({ id, name: '', sortOrder: 0 }),
  id: ({ id }: LorebookCategory) => id,
  idOf: ({ id }) => (typeof id === 'string' && id !== '' ? id : undefined),
  fresh: (id) => ({ id, name: '', enabled: true, parentFolderId: null, order: 0 }),
  mint: (one, taken) => ownId(one.id, ['folder', one.name], taken),
});

/** The table of a book. */
export const lorebookFields = [
  lorebook.field('name', home('name'), required(text(), ''), { absent: '' }),
  lorebook.field('description', home('description'), required(text(), '')),
  lorebook.field('lorebookType', home('category'), category, { note: 'a word for the nearest kind of book' }),
  lorebook.field('tags', home('tags'), required(list(text()), [])),
  lorebook.field('enabled', home('enabled'), flag()),
  lorebook.field('globalScanDepth', home('scanDepth'), number()),
  lorebook.field('tokenBudget', home('tokenBudget'), number()),
  lorebook.field('entryBudget', home('entryLimit'), number()),
  lorebook.field('globalRecursion', home('recursiveScanning'), flag()),
  owned(entries, 'data.entries', `${BOOK}.id`, 'lorebookId'),
  owned(folders, 'data.folders', `${BOOK}.id`, 'lorebookId'),
  idMarks<LorebookBody>(`${BOOK}.id`),
  restingKeys<LorebookBody>({
    [`${BOOK}.maxRecursionDepth`]: 3,
    [`${BOOK}.isGlobal`]: false,
    [`${BOOK}.scope`]: { mode: 'all', chatIds: [] },
    [`${BOOK}.excludeFromVectorization`]: false,
    [`${BOOK}.hiddenFromLibrary`]: false,
  }),
] as readonly Lens<LorebookBody>[];

/** A book without a twin. The app fills in its own numbers where a book brings none. */
function fresh(body: LorebookBody) {
  const id = derivedUuid(JSON.stringify(['marinara-lorebook', body.name, body.entries.map(({ title }) => title)]));
  const base = freshExport('marinara_lorebook', { lorebook: { id, description: '' }, entries: [], folders: [] });
  return create(lorebookFields, base, body);
}

/** Filters by id mean something in one account only. */
function doubts(raw: unknown): Warning[] {
  const rows = isRecord(raw) && isRecord(raw.data) && Array.isArray(raw.data.entries) ? raw.data.entries : [];
  const filtered = (row: unknown) =>
    isRecord(row) && Array.isArray(row.characterFilterIds) && row.characterFilterIds.length > 0;
  const count = rows.filter(filtered).length;
  if (count === 0) return [];
  const message = `${count} of the entries are for characters by their ids in one account: elsewhere nobody has these names`;
  return [{ code: 'marinara.account-ids', path: 'data.entries[*].characterFilterIds', message }];
}

/** An export with one book, its entries and their folders. */
export const marinaraLorebook = defineJsonBook({
  id: 'marinara-lorebook',
  family: 'marinara',
  label: 'Marinara lorebook',
  shapes: [
    {
      dialect: 'marinara_lorebook',
      fields: lorebookFields,
      structure: ENVELOPE,
      recognize: (value) =>
        isExport(value, 'marinara_lorebook') && (isRecord(value.data.lorebook) || Array.isArray(value.data.entries))
          ? 1
          : 0,
    },
  ],
  fresh,
  doubts,
});
