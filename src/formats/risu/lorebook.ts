/** Lorebook files: RisuAI's envelope, the bare rows, and card books that stand alone. Facts: RisuAI 166.3.3, section 7. */
import { existsAt, isRecord, type Wire } from '../../core/draft.ts';
import { create, type Lens } from '../../core/lens.ts';
import type { LorebookBody } from '../../entities/lorebook/schema.ts';
import { isCharacterBook } from '../_shared/character-book.ts';
import { defineJsonBook } from '../_shared/json-book.ts';
import { LIST_KEY } from '../_shared/json-file.ts';
import { risuBookFields } from './card-book.ts';
import { ownRows } from './lore-entry.ts';
import { loreRows } from './lore-rows.ts';

/** A book is its rows: its name, scan depth and budget live on the character. */
export const risuLoreFields = (path: string): readonly Lens<LorebookBody>[] => [loreRows(path, ownRows)];

const OWN_KEYS = ['insertorder', 'alwaysActive', 'secondkey', 'mode'] as const;

/** Rows of RisuAI: a text `key`, and one of the names that no other app has; at least one of them has a content. */
function areRows(rows: unknown): boolean {
  if (!Array.isArray(rows) || rows.length === 0) return false;
  const ours = (row: unknown): row is Wire =>
    isRecord(row) && typeof row.key === 'string' && OWN_KEYS.some((key) => existsAt(row, [key]));
  return rows.every(ours) && rows.some((row: Wire) => typeof row.content === 'string');
}

const envelope = risuLoreFields('data');

/** RisuAI's lorebook. */
export const risuLorebook = defineJsonBook({
  id: 'risu-lorebook',
  family: 'risu',
  label: 'RisuAI Lorebook',
  shapes: [
    {
      dialect: 'risu',
      fields: envelope,
      structure: [{ keys: ['type'] }, { keys: ['ver'] }],
      recognize: (value) => (isRecord(value) && value.type === 'risu' && Array.isArray(value.data) ? 1 : 0),
    },
    {
      dialect: 'list',
      fields: risuLoreFields(LIST_KEY),
      recognize: (value) => (areRows(value) ? 0.9 : 0),
    },
    {
      dialect: 'character-book',
      fields: risuBookFields,
      recognize: (value) => (isCharacterBook(value) ? 0.75 : 0),
    },
  ],
  indent: 0,
  fresh: (body) => create(envelope, { type: 'risu', ver: 1, data: [] }, body),
});
