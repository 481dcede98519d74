/** One row of RisuAI's own lorebook. Facts: RisuAI 166.3.3, section 7. */
import { flag, number, required, text } from '../../core/codec.ts';
import type { Wire } from '../../core/draft.ts';
import type { Lens } from '../../core/lens.ts';
import { at } from '../../core/lenses.ts';
import { loreEntry } from '../../entities/lorebook/lenses.ts';
import type { LorebookCategory, LorebookEntry } from '../../entities/lorebook/schema.ts';
import { roleWord } from '../_shared/lore-codecs.ts';
import { loreKeys } from './lore-keys.ts';
import { folderLens, type RowDialect } from './lore-rows.ts';

const nonEmpty = (raw: unknown): string | undefined => (typeof raw === 'string' && raw !== '' ? raw : undefined);

/** Keys that say nothing where they hold what every row holds. */
const rowMarks = <B>(usual: Readonly<Record<string, unknown>>, ...always: readonly string[]): Lens<B> => ({
  canonical: [],
  wire: [...always, ...Object.keys(usual)],
  shape: 'mark',
  lossy: false,
  note: 'marks of the app',
  read: () => undefined,
  write: () => undefined,
  pick: () => undefined,
  place: () => undefined,
  part: () => undefined,
  claims: (wire) => [
    ...always.map((key) => ({ keys: [key] })),
    ...Object.keys(usual)
      .filter((key) => wire[key] === usual[key])
      .map((key) => ({ keys: [key] })),
  ],
});

/** The table of one entry. */
export const rowFields: readonly Lens<LorebookEntry>[] = [
  loreEntry.field('title', at('comment'), required(text(), ''), {
    absent: '',
    note: 'one label an entry: a private note beside it has no place',
  }),
  loreEntry.field('content', at('content'), required(text(), ''), { absent: '' }),
  loreKeys as Lens<LorebookEntry>,
  loreEntry.field('constant', at('alwaysActive'), flag(), { absent: false }),
  loreEntry.field('selective', at('selective'), flag(), { absent: false }),
  loreEntry.field('caseSensitive', at('extentions.risu_case_sensitive'), flag()),
  loreEntry.field('sortOrder', at('insertorder'), number(), { absent: 100 }),
  loreEntry.field('probability', at('activationPercent'), number(), { absent: 100 }),
  loreEntry.field('role', at('role'), roleWord(), { absent: 'system' }),
  loreEntry.field('categoryId', at('folder'), text()),
  rowMarks<LorebookEntry>({ mode: 'normal' }, 'id', 'bookVersion'),
];

/** The table of a folder row: its name, and marks that every folder has. */
export const folderFields: readonly Lens<LorebookCategory>[] = [
  folderLens.field('name', at('comment'), required(text(), ''), { absent: '' }),
  rowMarks<LorebookCategory>(
    { alwaysActive: false, selective: false, insertorder: 100, useRegex: false },
    'key',
    'mode',
    'bookVersion',
    'id',
  ),
];

/** What a row says before any field does. Without `bookVersion`, RisuAI still turns `activationPercent` into its decorator. */
const freshRow = (mode: string, key: string): Wire => ({
  key,
  secondkey: '',
  insertorder: 100,
  comment: '',
  content: '',
  mode,
  alwaysActive: false,
  selective: false,
});

/** RisuAI's own rows. */
export const ownRows: RowDialect = {
  entry: rowFields,
  folder: folderFields,
  entryId: ({ id }) => nonEmpty(id),
  folderKey: ({ key }) => nonEmpty(key),
  freshEntry: () => freshRow('normal', ''),
  freshFolder: (key) => freshRow('folder', key),
  off: false,
};
