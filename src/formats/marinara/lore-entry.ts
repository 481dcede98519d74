import { flag, list, number, required, text } from '../../core/codec.ts';
import { same, type Wire } from '../../core/draft.ts';
import type { Lens } from '../../core/lens.ts';
import { at } from '../../core/lenses.ts';
import { loreEntry } from '../../entities/lorebook/lenses.ts';
import type { LorebookEntry } from '../../entities/lorebook/schema.ts';
import { roleWord } from '../_shared/lore-codecs.ts';
import { logicWord, position, recursionDelay, trigger } from './lore-codecs.ts';
import { characterFilter, generationTriggers, scanSources } from './lore-filters.ts';
import { idMarks, restingKeys } from './marks.ts';

type Keys = 'triggers' | 'secondaryTriggers';
const KEY_HOMES: readonly (readonly [Keys, string])[] = [
  ['triggers', 'keys'],
  ['secondaryTriggers', 'secondaryKeys'],
];
const isRegexEntry = (wire: Wire): boolean => flag().read(wire.useRegex) ?? false;
const keysAt = (wire: Wire, key: string) => list(trigger(isRegexEntry(wire))).read(wire[key]) ?? [];

/** Both lists of keys and the one switch that says whether they are patterns. */
const keys = loreEntry.joint(['triggers', 'secondaryTriggers'], {
  wire: ['keys', 'secondaryKeys', 'useRegex'],
  shape: 'two lists of text and a switch',
  lossy: true,
  note: 'all keys of an entry are patterns or none is: a plain key beside a pattern is escaped; flags have no place',
  read: (wire) => ({ triggers: keysAt(wire, 'keys'), secondaryTriggers: keysAt(wire, 'secondaryKeys') }),
  write(draft, now, before) {
    const { twin } = draft;
    const was = isRegexEntry(twin);
    const all = KEY_HOMES.flatMap(([path]) => now[path] ?? []);
    const regex = all.length === 0 ? was : all.some(({ isRegex }) => isRegex);
    if (regex !== was) draft.set(['useRegex'], flag().write(regex, twin.useRegex));
    for (const [path, key] of KEY_HOMES) {
      const next = now[path] ?? [];
      const settled = regex === was && same(next, before[path] ?? []);
      if (settled || (next.length === 0 && !Array.isArray(twin[key]))) continue;
      draft.set([key], list(trigger(regex)).write(next, twin[key]));
    }
  },
  claims: (wire) => [
    ...(flag().read(wire.useRegex) === undefined ? [] : [{ keys: ['useRegex'] }]),
    ...KEY_HOMES.filter(([, key]) => Array.isArray(wire[key])).map(([, key]) => ({
      keys: [key],
      inside: list(trigger(false)).account ?? (() => undefined),
    })),
  ],
});

const own = loreEntry.field;
const off = { absent: false } as const;
const zero = { absent: 0 } as const;

/** The fields of an entry. Null is absent for every number. */
export const entryFields = [
  own('title', at('name'), required(text(), ''), { absent: '' }),
  own('content', at('content'), required(text(), ''), { absent: '' }),
  own('comment', at('description'), required(text(), '')),
  own('enabled', at('enabled'), flag(), { absent: true }),
  own('constant', at('constant'), flag(), off),
  own('selective', at('selective'), flag(), off),
  keys,
  own('selectiveLogic', at('selectiveLogic'), logicWord(), { absent: 'and_any' }),
  own('caseSensitive', at('caseSensitive'), flag()),
  own('matchWholeWords', at('matchWholeWords'), flag()),
  own('scanDepth', at('scanDepth'), required(number(), null)),
  own('position', at('position'), position(), {
    absent: 'world',
    note: 'before, after, at a depth or an outlet: every other place becomes the one the app itself would choose',
  }),
  own('outletName', at('outletName'), required(text(), '')),
  own('depth', at('depth'), number(), { absent: 4 }),
  own('role', at('role'), roleWord(), { absent: 'system' }),
  own('sortOrder', at('order'), number(), { absent: 100 }),
  own('sticky', at('sticky'), number(), zero),
  own('cooldown', at('cooldown'), number(), zero),
  own('delay', at('delay'), number(), zero),
  own('groupName', at('group'), required(text(), '')),
  own('groupWeight', at('groupWeight'), number(), { absent: 100 }),
  own('categoryId', at('folderId'), required(text(), null)),
  own('probability', at('probability'), number(), { absent: 100 }),
  own('excludeRecursion', at('excludeRecursion'), flag(), off),
  own('preventRecursion', at('preventRecursion'), flag(), off),
  own('delayUntilRecursion', at('delayUntilRecursion'), recursionDelay(), {
    ...zero,
    note: 'a switch without levels',
  }),
  characterFilter,
  scanSources,
  generationTriggers,
  idMarks<LorebookEntry>('id', 'lorebookId'),
  restingKeys<LorebookEntry>({
    locked: false,
    excludeFromVectorization: false,
    characterFilterMode: 'any',
    characterTagFilterMode: 'any',
    generationTriggerFilterMode: 'any',
    decisionMode: 'off',
  }),
] as readonly Lens<LorebookEntry>[];

/** What the first release writes for a new entry. The app takes a missing `preventRecursion` for true. */
export const freshEntry = (id: string): Wire => ({
  id,
  name: '',
  content: '',
  description: '',
  keys: [],
  secondaryKeys: [],
  enabled: true,
  constant: false,
  selective: false,
  selectiveLogic: 'and',
  probability: null,
  scanDepth: null,
  matchWholeWords: false,
  caseSensitive: false,
  useRegex: false,
  position: 0,
  depth: 4,
  order: 100,
  role: 'system',
  sticky: null,
  cooldown: null,
  delay: null,
  ephemeral: null,
  group: '',
  groupWeight: null,
  folderId: null,
  locked: false,
  tag: '',
  preventRecursion: false,
  excludeRecursion: false,
  delayUntilRecursion: false,
});
