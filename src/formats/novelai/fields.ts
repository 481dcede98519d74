/** The tables of a book and its entries, wherever the book stands in a file. */
import { type Codec, flag, list, number, required, text } from '../../core/codec.ts';
import { type Lens, varied } from '../../core/lens.ts';
import { at, lensesFor } from '../../core/lenses.ts';
import type { Rows } from '../../core/rows.ts';
import { lorebook, loreEntry } from '../../entities/lorebook/lenses.ts';
import {
  emptyEntry,
  type LorebookBody,
  type LorebookCategory,
  type LorebookEntry,
  type Trigger,
} from '../../entities/lorebook/schema.ts';
import { inlineTrigger } from '../_shared/lore-codecs.ts';
import { freshCategory, freshEntry, mintUuid } from './base.ts';
import { biasGroup } from './bias.ts';

/** Flags that NovelAI knows; `g` and the like only steer a search and are left out of a new key. */
const FLAGS = /[^imus]/g;

/** A plain key, or `/pattern/flags`. Keys with `$` in front or ` & ` inside stay one plain text. */
const key: Codec<Trigger> = {
  ...inlineTrigger(),
  write({ flags, ...trigger }, previous) {
    const known = flags?.replace(FLAGS, '');
    return inlineTrigger().write(known ? { ...trigger, flags: known } : trigger, previous);
  },
};

/** An empty text is no folder. */
const folder: Codec<string> = {
  ...required(text(), ''),
  read: (raw) => (typeof raw === 'string' && raw !== '' ? raw : undefined),
};

/** Row ids tell rows apart and say nothing else. */
const rowMark: Lens<never> = {
  canonical: [],
  wire: ['id'],
  shape: 'text',
  lossy: false,
  read: () => undefined,
  write: () => undefined,
  pick: () => undefined,
  place: () => undefined,
  part: () => undefined,
  claims: () => [{ keys: ['id'] }],
};

const idOf = ({ id }: { readonly id?: unknown }): string | undefined =>
  typeof id === 'string' && id !== '' ? id : typeof id === 'number' ? String(id) : undefined;

/** How often `budgetPriority` is meant where it is missing. */
const USUAL_PRIORITY = 400;

/** An entry. `searchRange` counts characters, `scanDepth` messages: the one is never taken for the other. */
const entryFields = [
  loreEntry.field('title', at('displayName'), required(text(), ''), { absent: '' }),
  loreEntry.field('content', at('text'), required(text(), ''), { absent: '' }),
  loreEntry.field('enabled', at('enabled'), flag(), { absent: true }),
  loreEntry.field('constant', at('forceActivation'), flag(), { absent: false }),
  loreEntry.field('triggers', at('keys'), required(list(key), []), {
    absent: [],
    note: 'a regex keeps the flags i, m, u and s',
  }),
  loreEntry.field('sortOrder', at('contextConfig.budgetPriority'), number(), { absent: USUAL_PRIORITY }),
  loreEntry.field('contextConfig.prefix', at('contextConfig.prefix'), text()),
  loreEntry.field('contextConfig.suffix', at('contextConfig.suffix'), text()),
  loreEntry.field('contextConfig.tokenBudget', at('contextConfig.tokenBudget'), number()),
  loreEntry.field('contextConfig.reservedTokens', at('contextConfig.reservedTokens'), number()),
  loreEntry.field('contextConfig.trimDirection', at('contextConfig.trimDirection'), text()),
  loreEntry.field('contextConfig.insertionType', at('contextConfig.insertionType'), text()),
  loreEntry.field('contextConfig.maximumTrimType', at('contextConfig.maximumTrimType'), text()),
  loreEntry.field('contextConfig.insertionPosition', at('contextConfig.insertionPosition'), number()),
  loreEntry.field('keyRelative', at('keyRelative'), flag()),
  loreEntry.field('nonStoryActivatable', at('nonStoryActivatable'), flag()),
  loreEntry.field('categoryId', at('category'), folder),
  loreEntry.field('loreBiasGroups', at('loreBiasGroups'), list(biasGroup)),
  rowMark,
] as Lens<LorebookEntry>[];

/** How the list of entries is read and written. */
export const entryRows: Rows<LorebookEntry> = {
  lenses: entryFields,
  shape: 'list',
  blank: emptyEntry,
  id: ({ id }) => id,
  idOf,
  fresh: freshEntry,
  mint: mintUuid,
};

const category = lensesFor<LorebookCategory>();

/** The folders of a book. Their order is their place in the list; an emptied list stays as an empty one. */
function categories(home: string): Lens<LorebookBody> {
  const rows = lorebook.rows('categories', at(home), {
    lenses: [
      category.field('name', at('name'), required(text(), ''), { absent: '' }),
      category.field('enabled', at('enabled'), flag()),
      rowMark,
    ] as Lens<LorebookCategory>[],
    shape: 'list',
    blank: (id) => ({ id, name: '', sortOrder: 0 }),
    id: ({ id }) => id,
    idOf,
    fresh: freshCategory,
    mint: ({ id }, taken) => (taken.has(id) ? undefined : id),
  });
  const lens: typeof rows = varied(rows, {
    lossy: true,
    note: 'the order of folders is their place in the list',
    read: (wire) => rows.read(wire)?.map((one, index) => ({ ...one, sortOrder: index })),
    write: (draft, now = [], before) =>
      rows.write(
        draft,
        [...now].sort((a, b) => a.sortOrder - b.sortOrder),
        before,
      ),
  });
  return lens as Lens<LorebookBody>;
}

/** A book that stands at `home`, e.g. `content.lorebook`; without one it is the file itself. It has no name. */
export function bookFields(home?: string): readonly Lens<LorebookBody>[] {
  const inside = (name: string) => (home === undefined ? name : `${home}.${name}`);
  return [
    lorebook.rows('entries', at(inside('entries')), entryRows) as Lens<LorebookBody>,
    categories(inside('categories')),
  ];
}
