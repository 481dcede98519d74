/** Agnai's memory book, alone in a file or as a character's `characterBook`. Source: Agnai `common/types/memory.ts`. */
import type { Claim } from '../../core/account.ts';
import { type Codec, flag, list, number, required, text } from '../../core/codec.ts';
import { isRecord, type Wire } from '../../core/draft.ts';
import { create, type Lens, marks, varied } from '../../core/lens.ts';
import { at } from '../../core/lenses.ts';
import { mergedBook } from '../../entities/lorebook/compare.ts';
import { lorebook, loreEntry } from '../../entities/lorebook/lenses.ts';
import {
  emptyEntry,
  emptyLorebook,
  type LorebookBody,
  type LorebookEntry,
  type LorePosition,
} from '../../entities/lorebook/schema.ts';
import { characterBookFields, isCharacterBook, mintNumber, rowId, SOURCE_BOOKS } from '../_shared/character-book.ts';
import type { BookDialect } from '../_shared/embedded-book.ts';
import { defineJsonBook } from '../_shared/json-book.ts';
import { logicNumber, plainTrigger, position, positionOf, positionWord } from '../_shared/lore-codecs.ts';

const keywords = () => list(plainTrigger(), { lone: 'comma list' });
const PLAIN = 'whole words without regex: a regex key leaves as its pattern';

/** `before_char` or `after_char`; the number that a SillyTavern import leaves here stays a number. */
const place: Codec<LorePosition> = {
  shape: 'before_char or after_char, 0 to 7 after an import',
  lossy: true,
  read: positionOf,
  write: (value, previous) => {
    const numbered = positionOf(previous) !== undefined && previous !== 'before_char' && previous !== 'after_char';
    return numbered ? position().write(value, previous) : positionWord(value);
  },
};

/** The chance behind a switch; Agnai keeps both and uses neither. */
const probability = loreEntry.joint(['probability'], {
  wire: ['probability', 'useProbability'],
  shape: 'number 0 to 100 behind a switch',
  read(wire) {
    const chance = number().read(wire.probability);
    const used = flag().read(wire.useProbability) ?? true;
    return { probability: used && chance !== undefined ? Math.min(100, Math.max(0, chance)) : 100 };
  },
  write({ twin, set }, { probability: now = 100 }) {
    set(['probability'], number().write(now, twin.probability));
    if (flag().read(twin.useProbability) === false) set(['useProbability'], flag().write(true, twin.useProbability));
  },
  claims: (wire) => [
    ...(number().read(wire.probability) === undefined ? [] : [{ keys: ['probability'] }]),
    ...(flag().read(wire.useProbability) === undefined ? [] : [{ keys: ['useProbability'] }]),
  ],
});

const storedLogic = loreEntry.field('selectiveLogic', at('selectiveLogic'), logicNumber(), {
  absent: 'and_any',
  note: 'left over from a SillyTavern import: edited where an entry of the book came from Agnai, never put on a new one',
});
/** `before` is there exactly when the entry has a twin: a new entry gains no logic that Agnai would never write. */
const logic: typeof storedLogic = varied(storedLogic, {
  lossy: true,
  write: (draft, now, before) => before !== undefined && storedLogic.write(draft, now, before),
});

/** `id` tells rows apart and says nothing else. */
const rowMark = marks<LorebookEntry>(['id'], 'tells rows apart');

/** Second spellings stand in books that some tools write in both shapes at once. */
const entryFields: readonly Lens<LorebookEntry>[] = [
  loreEntry.field('title', at('name'), required(text(), ''), { absent: '' }),
  loreEntry.field('content', at('entry', 'content'), required(text(), ''), { absent: '' }),
  loreEntry.field('comment', at('comment'), text()),
  loreEntry.field('enabled', at('enabled'), flag(), { absent: true }),
  loreEntry.field('constant', at('constant'), flag(), { absent: false }),
  loreEntry.field('selective', at('selective'), flag()),
  loreEntry.field('triggers', at('keywords', 'keys'), required(keywords(), []), { absent: [], note: PLAIN }),
  loreEntry.field('secondaryTriggers', at('secondaryKeys', 'secondary_keys'), keywords(), { absent: [], note: PLAIN }),
  logic,
  loreEntry.field('position', at('position'), place, {
    absent: 'character',
    note: 'before or after the character: every other place becomes the nearer of the two',
  }),
  loreEntry.field('sortOrder', at('weight', 'insertion_order'), number(), { absent: 100 }),
  loreEntry.field('priority', at('priority'), number(), { absent: 100 }),
  probability,
  loreEntry.field('excludeRecursion', at('excludeRecursion'), flag(), { absent: false }),
  rowMark,
];

/** The six keys without which Agnai's importer refuses an entry, and a number. */
const freshEntry = (id: string): Wire => ({
  name: '',
  entry: '',
  keywords: [],
  priority: 100,
  weight: 100,
  enabled: true,
  id: Number(id),
});

/** The table of a memory book. */
export const memoryFields: readonly Lens<LorebookBody>[] = [
  lorebook.field('name', at('name'), required(text(), ''), { absent: '' }),
  lorebook.field('description', at('description'), text()),
  lorebook.field('globalScanDepth', at('scanDepth'), number()),
  lorebook.field('tokenBudget', at('tokenBudget'), number()),
  lorebook.field('globalRecursion', at('recursiveScanning'), flag()),
  lorebook.rows('entries', at('entries'), {
    lenses: entryFields,
    shape: 'list',
    blank: emptyEntry,
    id: ({ id }) => id,
    idOf: (row) => rowId(row.id),
    fresh: freshEntry,
    mint: mintNumber,
  }),
];

function freshMemory(books: readonly LorebookBody[]): Wire {
  const boundaries = books.map(({ name, entries }) => ({ name, entryCount: entries.length }));
  const extensions = books.length > 1 ? { extensions: { [SOURCE_BOOKS]: boundaries } } : {};
  const base: Wire = { kind: 'memory', name: '', entries: [], ...extensions };
  return create(memoryFields, base, mergedBook(books) ?? emptyLorebook());
}

const structure: readonly Claim[] = [{ keys: ['kind'] }, { keys: ['extensions', SOURCE_BOOKS] }];

/** The book inside a character: the very shape of a memory book file, so the twin of one may become the other. */
export const memoryBook: BookDialect = {
  escrow: 'agnai-lorebook',
  fields: memoryFields,
  structure,
  fresh: freshMemory,
  transplant: ({ raw, unmapped }) => (isRecord(raw) && unmapped?.dialect !== 'character-book' ? raw : undefined),
};

/** The mark, or rows in Agnai's own words where there is none. */
function isMemory(value: unknown): number {
  if (!isRecord(value)) return 0;
  const { kind, entries } = value;
  if (kind === 'memory') return entries === undefined || Array.isArray(entries) ? 1 : 0;
  if (kind !== undefined || !Array.isArray(entries)) return 0;
  const [first]: unknown[] = entries;
  return isRecord(first) && typeof first.entry === 'string' && Array.isArray(first.keywords) ? 0.9 : 0;
}

export const agnaiLorebook = defineJsonBook({
  id: 'agnai-lorebook',
  family: 'agnai',
  label: 'Agnai Memory Book',
  shapes: [
    { dialect: 'memory', fields: memoryFields, structure, recognize: isMemory },
    {
      dialect: 'character-book',
      fields: characterBookFields,
      recognize: (value) => (isCharacterBook(value) ? 0.7 : 0),
    },
  ],
  fresh: (body) => freshMemory([body]),
});
