/** Lorebooks: the versioned export, one book a file, fields in groups. */
import { flag, list, number, required, text } from '../../core/codec.ts';
import { isRecord, valueAt, type Wire } from '../../core/draft.ts';
import { create, type Lens } from '../../core/lens.ts';
import { at } from '../../core/lenses.ts';
import { lorebook } from '../../entities/lorebook/lenses.ts';
import { emptyEntry, type LorebookBody } from '../../entities/lorebook/schema.ts';
import { defineJsonBook } from '../_shared/json-book.ts';
import { category, entryFields, freshEntry } from './lore-entry.ts';
import { word } from './lore-parts.ts';
import { mintText, orNull, textId } from './wire-rows.ts';

const VERSION = '1.0.0';
/** Stands where the export date belongs: the format asks for one, and a conversion knows none. */
const NO_DATE = new Date(0).toISOString();

const settings = (name: string) => at(`lorebook.settings.${name}`);
const metadata = (name: string) => at(`lorebook.metadata.${name}`);

/** The table of a book. */
export const rolecallLorebookFields = [
  lorebook.field('name', at('lorebook.name'), text(), { absent: '' }),
  lorebook.field('description', at('lorebook.description'), orNull(text())),
  lorebook.field(
    'lorebookType',
    settings('lorebookType'),
    word('world', 'character', 'scenario', 'rules', 'utility', 'other'),
  ),
  lorebook.field('globalCaseSensitive', settings('globalCaseSensitive'), flag()),
  lorebook.field('globalMatchWholeWords', settings('globalMatchWholeWords'), flag()),
  lorebook.field('globalScanDepth', settings('globalScanDepth'), number()),
  lorebook.field('globalRecursion', settings('globalRecursion'), flag()),
  lorebook.field('tokenBudget', settings('tokenBudget'), number()),
  lorebook.field('budgetMode', settings('budgetMode'), word('token', 'entry')),
  lorebook.field('entryBudget', settings('entryBudget'), number()),
  lorebook.field('genre', metadata('genre'), orNull(text())),
  lorebook.field('fandom', metadata('fandom'), orNull(text())),
  lorebook.field('tags', metadata('tags'), required(list(text()), [])),
  lorebook.rows('entries', at('lorebook.entries'), {
    lenses: entryFields,
    shape: 'list',
    blank: (id) => ({ ...emptyEntry(id), sortOrder: 0 }),
    id: ({ id }) => id,
    idOf: (row) => textId(row.id),
    fresh: freshEntry,
    mint: mintText,
  }),
  lorebook.rows('categories', at('lorebook.categories'), {
    lenses: category,
    shape: 'list',
    blank: (id) => ({ id, name: '', sortOrder: 0 }),
    id: ({ id }) => id,
    idOf: (row) => textId(row.id),
    fresh: (id) => ({ id, name: '', sortOrder: 0, enabled: true }),
    mint: mintText,
  }),
] as Lens<LorebookBody>[];

const versionOf = (value: unknown): string => {
  const version = isRecord(value) ? value.schemaVersion : undefined;
  return typeof version === 'string' ? version : '';
};

/** An empty book. Settings that nobody gave are not made up. */
const base = (): Wire => ({
  schemaVersion: VERSION,
  exportDate: NO_DATE,
  lorebook: {
    name: '',
    description: null,
    settings: {},
    metadata: { genre: null, fandom: null, tags: [] },
    entries: [],
  },
});

/** RoleCall's lorebook. */
export const rolecallLorebook = defineJsonBook({
  id: 'rolecall-lorebook',
  family: 'rolecall',
  label: 'RoleCall Lorebook',
  shapes: [
    {
      dialect: 'v1',
      fields: rolecallLorebookFields,
      structure: [{ keys: ['schemaVersion'] }],
      recognize: (value) =>
        versionOf(value).includes(VERSION) && Array.isArray(valueAt(value, ['lorebook', 'entries'])) ? 1 : 0,
    },
  ],
  fresh: (body) => create(rolecallLorebookFields, base(), body),
  doubts(raw) {
    const version = versionOf(raw);
    if (version === VERSION || version === '') return [];
    const message = `version ${version} is read as ${VERSION}; what it added is kept, not converted`;
    return [{ code: 'rolecall.version', path: 'schemaVersion', message }];
  },
});
