/** World info files, and card books that stand alone in a file. Facts: SillyTavern 1.19.0, sections 4 and 5. */
import { existsAt, isRecord, type Wire } from '../../core/draft.ts';
import { create, type Lens, marks } from '../../core/lens.ts';
import { at } from '../../core/lenses.ts';
import { lorebook } from '../../entities/lorebook/lenses.ts';
import { emptyEntry, type LorebookBody, type LorebookEntry } from '../../entities/lorebook/schema.ts';
import { characterBookFields, isCharacterBook, mintNumber, rowId } from '../_shared/character-book.ts';
import { defineJsonBook } from '../_shared/json-book.ts';
import { bookHead, entryFields } from '../_shared/lore-fields.ts';

/**
 * What SillyTavern itself writes for a new entry; fields overwrite what the model says. Its list shows entries by
 * `displayIndex`: the place in the book.
 */
const freshEntry = (uid: number, displayIndex: number): Wire => ({
  uid,
  key: [],
  keysecondary: [],
  comment: '',
  content: '',
  constant: false,
  vectorized: false,
  selective: true,
  selectiveLogic: 0,
  addMemo: true,
  order: 100,
  position: 0,
  disable: false,
  ignoreBudget: false,
  excludeRecursion: false,
  preventRecursion: false,
  matchPersonaDescription: false,
  matchCharacterDescription: false,
  matchCharacterPersonality: false,
  matchCharacterDepthPrompt: false,
  matchScenario: false,
  matchCreatorNotes: false,
  delayUntilRecursion: 0,
  probability: 100,
  useProbability: true,
  depth: 4,
  outletName: '',
  group: '',
  groupOverride: false,
  groupWeight: 100,
  scanDepth: null,
  caseSensitive: null,
  matchWholeWords: null,
  useGroupScoring: null,
  automationId: '',
  role: 0,
  sticky: null,
  cooldown: null,
  delay: null,
  triggers: [],
  displayIndex,
});

/** `uid` and the editor's memo switch carry nothing of their own. */
const entryMarks = marks<LorebookEntry>(['uid', 'id', 'addMemo'], 'marks of the editor');

/** Keys that are whole numbers stand in numeric order in any JSON object: a smaller id would change the order of rows. */
const mintAscending = (entry: LorebookEntry, taken: ReadonlySet<string>, top: number): string | undefined =>
  Number(entry.id) > top ? mintNumber(entry, taken) : undefined;

export const worldInfoFields: readonly Lens<LorebookBody>[] = [
  ...bookHead,
  lorebook.rows('entries', at('entries'), {
    lenses: [...entryFields('worldinfo'), entryMarks],
    shape: 'map',
    blank: emptyEntry,
    id: ({ id }) => id,
    idOf: (row) => rowId(row.uid) ?? rowId(row.id),
    fresh: (id, _, index) => freshEntry(Number(id), index),
    mint: mintAscending,
  }),
];

const BOOK_KEYS = new Set([
  'entries',
  'name',
  'description',
  'extensions',
  'originalData',
  'scan_depth',
  'token_budget',
  'recursive_scanning',
]);
const FOREIGN = ['lorebookVersion', 'type', 'spec', 'data', 'schemaVersion', 'gamestarted'];
const isForeign = (value: Wire): boolean => FOREIGN.some((key) => existsAt(value, [key]));

/** A keyed object of rows; an empty one counts where nothing but book keys stand beside it. */
function isWorldInfo(value: unknown): number {
  if (!isRecord(value) || !isRecord(value.entries) || isForeign(value)) return 0;
  const rows = Object.values(value.entries);
  if (rows.length === 0) return Object.keys(value).every((key) => BOOK_KEYS.has(key)) ? 0.6 : 0;
  const ours = (row: unknown) =>
    isRecord(row) && ['key', 'keys', 'keysecondary', 'comment', 'content'].some((key) => existsAt(row, [key]));
  return rows.some(ours) ? 0.9 : 0;
}

const hasNoEntries = (value: unknown): boolean =>
  isRecord(value) && isRecord(value.entries) && Object.keys(value.entries).length === 0 && !isForeign(value);

export const sillytavernLorebook = defineJsonBook({
  id: 'sillytavern-lorebook',
  family: 'sillytavern',
  label: 'SillyTavern World Info',
  generic: true,
  shapes: [
    { dialect: 'worldinfo', fields: worldInfoFields, recognize: isWorldInfo, onRequest: hasNoEntries },
    {
      dialect: 'character-book',
      fields: characterBookFields,
      recognize: (value) => (isCharacterBook(value) ? 0.85 : 0),
    },
    { dialect: 'lorebook_v3', fields: [], recognize: () => 0 },
  ],
  fresh: (body) => create(worldInfoFields, { entries: {} }, body),
});
