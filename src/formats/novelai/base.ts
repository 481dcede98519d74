/** What NovelAI writes where nobody says otherwise: every key of version 6. No clock: an entry was never edited. */
import { derivedUuid, freeUuid, isUuid } from '../../core/derived-id.ts';
import type { Wire } from '../../core/draft.ts';
import type { LorebookEntry } from '../../entities/lorebook/schema.ts';

/** The newest version whose keys are all known. */
export const LOREBOOK_VERSION = 6;

const contextConfig: Wire = {
  prefix: '',
  suffix: '\n',
  tokenBudget: 1,
  reservedTokens: 0,
  budgetPriority: 400,
  trimDirection: 'trimBottom',
  insertionType: 'newline',
  maximumTrimType: 'sentence',
  insertionPosition: -1,
};

/** An entry with nothing but its id, and with what it says of its insertion: an empty suffix is not the usual one. */
export const freshEntry = (id: string, entry?: LorebookEntry): Wire => ({
  text: '',
  contextConfig: { ...contextConfig, ...entry?.contextConfig },
  lastUpdatedAt: 0,
  displayName: '',
  id,
  keys: [],
  searchRange: 1000,
  enabled: true,
  forceActivation: false,
  keyRelative: false,
  nonStoryActivatable: false,
  category: '',
  loreBiasGroups: [],
  hidden: false,
  advancedConditions: [],
});

/** An entry as a template, under the name that NovelAI gives new ones. */
const template = (id: string): Wire => ({ ...freshEntry(id), displayName: 'New Lorebook Entry' });

/** A folder with nothing but its id: no block of its own, no template for new entries. */
export const freshCategory = (id: string): Wire => ({
  name: '',
  id,
  enabled: true,
  createSubcontext: false,
  subcontextSettings: template(derivedUuid(`${id} subcontext`)),
  useCategoryDefaults: false,
  categoryDefaults: template(derivedUuid(`${id} defaults`)),
  categoryBiasGroups: [],
  open: true,
  settings: {},
  order: [],
});

/** A book without entries. */
export const freshBook = (): Wire => ({
  lorebookVersion: LOREBOOK_VERSION,
  entries: [],
  settings: { orderByKeyLocations: false },
  categories: [],
  order: [],
});

const contentOf = ({ id, title, content }: LorebookEntry, book: string): string =>
  JSON.stringify([book, id, title, content]);

/** The id of an entry in a book of this name: its own where it is a UUID, else one made from what it says. */
export const uuidOf = (entry: LorebookEntry, book: string): string =>
  isUuid(entry.id) ? entry.id : derivedUuid(contentOf(entry, book));

/** An id that no row of the file has. */
export const mintUuid = (entry: LorebookEntry, taken: ReadonlySet<string>): string =>
  isUuid(entry.id) && !taken.has(entry.id) ? entry.id : freeUuid(contentOf(entry, ''), taken);
