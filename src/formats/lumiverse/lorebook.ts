/** World books. Facts: Lumiverse's public source, mid-2026. */
import { type Codec, flag, number, required, text } from '../../core/codec.ts';
import { derivedUuid } from '../../core/derived-id.ts';
import { isRecord, type Wire } from '../../core/draft.ts';
import { create, type Lens, marks } from '../../core/lens.ts';
import { at } from '../../core/lenses.ts';
import { lorebook, loreEntry } from '../../entities/lorebook/lenses.ts';
import { emptyEntry, type LorebookBody, type LorebookEntry } from '../../entities/lorebook/schema.ts';
import { rowId } from '../_shared/character-book.ts';
import { defineJsonBook } from '../_shared/json-book.ts';
import { looseRole } from '../_shared/lore-codecs.ts';
import { negated } from '../_shared/regex-codecs.ts';
import { entryKeys } from './lore-keys.ts';
import { entryPlace } from './lore-place.ts';

/** Yes or no: levels of recursion are not told apart. */
const delayed: Codec<number> = {
  shape: 'flag',
  lossy: true,
  read(raw) {
    const level = number().read(raw);
    return level === undefined ? (flag().read(raw) === undefined ? undefined : Number(flag().read(raw))) : level;
  },
  write: (value) => value > 0,
};

/** The chance of an entry: a chance that is switched off is certain, its number stays on the wire. */
const probability = loreEntry.joint(['probability'], {
  wire: ['probability', 'use_probability'],
  shape: 'number 0 to 100 behind a switch',
  read: (wire) => ({
    probability: flag().read(wire.use_probability) === false ? 100 : (number().read(wire.probability) ?? 100),
  }),
  write({ twin, set }, { probability: now = 100 }) {
    set(['probability'], number().write(now, twin.probability));
    if (flag().read(twin.use_probability) === false) set(['use_probability'], flag().write(true, twin.use_probability));
  },
  claims: (wire) => [
    ...(number().read(wire.probability) === undefined ? [] : [{ keys: ['probability'] }]),
    ...(flag().read(wire.use_probability) === undefined ? [] : [{ keys: ['use_probability'] }]),
  ],
});

const off = { absent: false } as const;
const zero = { absent: 0 } as const;

/** The table of an entry. */
export const worldEntryFields = [
  loreEntry.field('title', at('comment'), required(text(), ''), {
    absent: '',
    note: 'one label an entry: a private note beside it has no place',
  }),
  loreEntry.field('content', at('content'), required(text(), ''), { absent: '' }),
  loreEntry.field('enabled', at('disabled'), negated(flag()), { absent: true }),
  loreEntry.field('constant', at('constant'), flag(), off),
  loreEntry.field('selective', at('selective'), flag(), off),
  entryKeys,
  loreEntry.field('caseSensitive', at('case_sensitive'), flag()),
  loreEntry.field('matchWholeWords', at('match_whole_words'), flag()),
  loreEntry.field('scanDepth', at('scan_depth'), required(number(), null)),
  entryPlace,
  loreEntry.field('outletName', at('outlet_name'), required(text(), null)),
  loreEntry.field('depth', at('depth'), number(), { absent: 4 }),
  loreEntry.field('role', at('role'), looseRole(), { absent: 'system' }),
  loreEntry.field('sortOrder', at('order_value'), number(), { absent: 100 }),
  loreEntry.field('priority', at('priority'), number(), { absent: 10 }),
  loreEntry.field('sticky', at('sticky'), number(), zero),
  loreEntry.field('cooldown', at('cooldown'), number(), zero),
  loreEntry.field('delay', at('delay'), number(), zero),
  loreEntry.field('groupName', at('group_name'), required(text(), '')),
  loreEntry.field('groupWeight', at('group_weight'), number(), { absent: 100 }),
  loreEntry.field('groupOverride', at('group_override'), flag()),
  probability,
  loreEntry.field('excludeRecursion', at('exclude_recursion'), flag(), off),
  loreEntry.field('preventRecursion', at('prevent_recursion'), flag(), off),
  loreEntry.field('delayUntilRecursion', at('delay_until_recursion'), delayed, {
    absent: 0,
    note: 'yes or no: levels of recursion are not told apart',
  }),
  loreEntry.field('vectorized', at('vectorized'), flag()),
  loreEntry.field('automationId', at('automation_id'), required(text(), null)),
  marks<LorebookEntry>(['uid']),
] as readonly Lens<LorebookEntry>[];

/** What the app writes for a new entry. */
const freshEntry = (uid: string): Wire => ({
  uid,
  key: [],
  keysecondary: [],
  content: '',
  comment: '',
  position: 0,
  depth: 4,
  role: null,
  order_value: 100,
  priority: 10,
  selective: false,
  selective_logic: 0,
  constant: false,
  disabled: false,
  probability: 100,
  use_probability: true,
  group_name: '',
  group_override: false,
  group_weight: 100,
  scan_depth: null,
  case_sensitive: false,
  match_whole_words: false,
  use_regex: false,
  prevent_recursion: false,
  exclude_recursion: false,
  delay_until_recursion: false,
  sticky: 0,
  cooldown: 0,
  delay: 0,
  automation_id: null,
  vectorized: false,
  outlet_name: null,
  wi_marker: null,
  wi_marker_side: null,
  extensions: {},
});

/** The id that an entry brings along, else one made from what it says; free among `taken`. */
export function mintUid({ id, title, content }: LorebookEntry, taken: ReadonlySet<string>): string {
  let uid = id;
  for (let n = 1; uid === '' || taken.has(uid); n++) uid = derivedUuid(JSON.stringify(['entry', title, content, n]));
  return uid;
}

/** The table of a world book. */
export const worldBookFields: readonly Lens<LorebookBody>[] = [
  lorebook.field('name', at('name'), required(text(), ''), { absent: '' }),
  lorebook.field('description', at('description'), required(text(), '')),
  lorebook.rows('entries', at('entries'), {
    lenses: worldEntryFields,
    shape: 'either',
    blank: emptyEntry,
    id: ({ id }) => id,
    idOf: ({ uid }) => rowId(uid),
    fresh: freshEntry,
    mint: mintUid,
  }),
];

/** Keys that say what the file is, and when it was written. */
export const BOOK_MARKS = ['version', 'type', 'exported_at'].map((key) => ({ keys: [key] }));

/** A world book without a twin. The app reads no date from it, so none is made up. */
export const freshWorldBook = (body: LorebookBody): Wire =>
  create(
    worldBookFields,
    { version: 1, type: 'lumiverse_world_book', name: '', description: '', metadata: {}, entries: [] },
    body,
  );

/** Lumiverse's world book. */
export const lumiverseLorebook = defineJsonBook({
  id: 'lumiverse-lorebook',
  family: 'lumiverse',
  label: 'Lumiverse World Book',
  shapes: [
    {
      dialect: 'lumiverse_world_book',
      fields: worldBookFields,
      structure: BOOK_MARKS,
      recognize: (value) => (isRecord(value) && value.type === 'lumiverse_world_book' ? 1 : 0),
    },
  ],
  fresh: freshWorldBook,
});
