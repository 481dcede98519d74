import fc from 'fast-check';
import type { Lens } from '../../src/core/lens.ts';
import type { Engine, RowModel, Says, Table } from './harness.ts';
import { silent, type Tree } from './tree.ts';
import { bookValues, characterValues, entryValues, someMedia } from './values.ts';
import { anyText, type Hints } from './wires.ts';

/** The modules that tables are built from: the engine's own, or a copy with a planted fault. */
export interface Modules {
  readonly account: typeof import('../../src/core/account.ts');
  readonly bytes: typeof import('../../src/core/bytes.ts');
  readonly codec: typeof import('../../src/core/codec.ts');
  readonly compare: typeof import('../../src/core/compare.ts');
  readonly lens: typeof import('../../src/core/lens.ts');
  readonly lenses: typeof import('../../src/core/lenses.ts');
  readonly spelling: typeof import('../../src/core/spelling.ts');
  readonly characterCompare: typeof import('../../src/entities/character/compare.ts');
  readonly characterSchema: typeof import('../../src/entities/character/schema.ts');
  readonly lorebookCompare: typeof import('../../src/entities/lorebook/compare.ts');
  readonly lorebookSchema: typeof import('../../src/entities/lorebook/schema.ts');
}

/** The engine as the laws see it. */
export const engineOf = ({ account, bytes, compare, lens, spelling }: Modules): Engine => ({
  ...lens,
  ...bytes,
  ...compare,
  ...spelling,
  get: lens.get as Engine['get'],
  put: lens.put as Engine['put'],
  create: lens.create as Engine['create'],
  unread(lenses, wire) {
    const out = account.emptyAccount();
    account.accountFor(lens.claimsOf(lenses, wire), wire, '', out);
    return out.left;
  },
});

const everyText = (value: unknown, says: (text: string) => boolean): boolean =>
  Array.isArray(value) && value.every((one) => typeof one === 'string' && says(one));
const noBlanks = (value: unknown): boolean => everyText(value, (text) => text.trim() === text && text !== '');

/** A Tavern table over the opened file; `data` is where its fields stand. */
export function tavernTable(
  modules: Modules,
  label: string,
  lenses: readonly Lens<never>[],
  data: string,
  bases: readonly Tree[],
  more: Partial<Table> = {},
): Table {
  const media = someMedia(modules.bytes);
  const [png, other, jpeg] = media;
  const carriers: Tree[] = [
    { carrier: 'json' },
    { carrier: 'png', picture: png },
    { carrier: 'png' },
    { carrier: 'webp', picture: jpeg },
    { carrier: 'png', picture: other, files: { 'a.png': png } },
    { carrier: 'charx', files: { 'assets/icon/a.png': png, 'assets/other/b.jpg': jpeg } },
  ];
  const uri = fc.constantFrom<unknown>(
    'embeded://assets/icon/a.png',
    '__asset:a.png',
    'embeded://lost.png',
    'ccdefault:',
    'https://example.org/a.png',
    `data:image/png;base64,${Buffer.from((other as { bytes(): Uint8Array }).bytes()).toString('base64')}`,
    7,
  );
  const assetRow = fc.record(
    {
      type: fc.constantFrom<unknown>('icon', 'emotion', 'expression', 'Background', 'x-risu-asset', 'user_icon', 1),
      uri,
      name: fc.constantFrom('main', 'Main', 'happy', ''),
      ext: fc.constantFrom('png', 'JPG', 'unknown'),
      zz: fc.integer(),
    },
    { requiredKeys: [] },
  );
  return {
    label,
    lenses,
    rules: modules.characterCompare.characterRules,
    values: characterValues(modules.bytes),
    empty: modules.characterSchema.emptyCharacter,
    bases: bases.flatMap((card) => [
      { carrier: 'json', card },
      { carrier: 'png', card, picture: png },
      { carrier: 'charx', card, files: {} },
    ]),
    carriers,
    hints: { [`${data}.assets`]: fc.array(fc.oneof(assetRow, assetRow, anyText), { maxLength: 4, size: 'max' }) },
    says: tavernSays,
    spreads: new Set(['prompts.depthInjections', 'media.portrait', 'media.assets']),
    ...more,
  };
}

/** Bare texts: greetings without titles, one plain injection, no blank tags. */
export const tavernSays: Says = (path, value) => {
  if (value === undefined) return true;
  if (path.endsWith('Greetings')) return (value as Tree[]).every(({ text, title }) => text !== '' && silent(title));
  if (path === 'prompts.depthInjections') {
    const rows = value as { text: string; enabled?: boolean }[];
    return rows.length === 1 && rows[0]?.enabled === undefined && rows[0]?.text.trim() !== '';
  }
  if (path === 'discovery.tags') return noBlanks(value);
  if (path.endsWith('At')) return Number.isInteger(value) && (value as number) > 0;
  return !path.startsWith('media.');
};

/** A table of a book and its entries. */
export function bookTable(
  modules: Modules,
  label: string,
  lenses: readonly Lens<never>[],
  rows: Pick<RowModel, 'shape' | 'ids'>,
  base: Tree,
  more: Partial<Table> = {},
): Table {
  const { emptyEntry, emptyLorebook } = modules.lorebookSchema;
  const { lorebookRules } = modules.lorebookCompare;
  const ofEntries = Object.entries(lorebookRules.defaults).filter(([path]) => path.startsWith('entries[*].'));
  const defaults = Object.fromEntries(ofEntries.map(([path, value]) => [path.slice('entries[*].'.length), value]));
  return {
    label,
    lenses,
    rules: lorebookRules,
    values: bookValues,
    empty: emptyLorebook,
    bases: [base],
    hints: entryHints,
    says: bookSays,
    spreads: new Set(['title', 'comment', 'enabled', 'position', 'probability', 'caseSensitive', 'characterFilter']),
    rows: { ...rows, values: entryValues, empty: emptyEntry, defaults },
    ...more,
  };
}

const entryHints: Hints = {
  characterFilter: fc.record({ names: fc.constant(['a']), tags: fc.constant([7, 'b']), isExclude: fc.boolean() }),
  'extensions.character_filter': fc.record({ names: fc.constant(['a']), isExclude: fc.constantFrom(0, true) }),
  disable: fc.boolean(),
  enabled: fc.boolean(),
};

/** Keys that no wire of the Tavern family tells apart from something else. */
export const bookSays: Says = (path, value, body) => {
  if (value === undefined) return true;
  const entry = body as { title?: string; comment?: string };
  if (path === 'triggers' || path === 'secondaryTriggers') {
    return (value as { keyword: string; isRegex: boolean; flags?: string }[]).every(
      ({ keyword, isRegex }) => keyword.trim() !== '' && (isRegex ? !keyword.includes('/') : !keyword.startsWith('/')),
    );
  }
  if (path === 'title') return value !== '' || silent(entry.comment);
  if (path === 'comment') return entry.title !== '' && value !== entry.title;
  if (path === 'position') return ['world', 'character', 'depth', 'before_example', 'outlet'].includes(value as string);
  if (path === 'characterFilter') {
    const { names, tags } = value as { names: string[]; tags: string[] };
    return names.length + tags.length > 0;
  }
  return true;
};

/** A made-up table whose wire keys are names that every object inherits: none of them may be found where it is not. */
export function hostileTable(modules: Modules): Table {
  const { lensesFor, at } = modules.lenses;
  const { bag, dictionary, list, number, required, text } = modules.codec;
  type Body = {
    plain: {
      name?: string;
      code?: number;
      deep?: string;
      tags?: string[];
      notes?: Record<string, string>;
      blank?: string;
      kept?: string;
      bag?: Record<string, unknown>;
    };
  };
  const body = lensesFor<Body>();
  return {
    label: 'inherited names',
    lenses: [
      body.field('plain.name', at('constructor.name', 'toString.name'), text()),
      body.field('plain.code', at('valueOf.length'), number()),
      body.field('plain.deep', at('__proto__.hidden.deep'), text()),
      body.field('plain.tags', at('__proto__.tags', 'hasOwnProperty'), list(text())),
      body.field('plain.notes', at('10.notes'), dictionary(text())),
      body.field('plain.blank', at('isPrototypeOf'), required(text(), ''), { copies: ['__proto__.copy'] }),
      body.field('plain.kept', at('shelf.kept'), text()),
      body.field('plain.bag', at('shelf.__proto__'), bag()),
    ] as unknown as Lens<never>[],
    rules: { defaults: {}, ignored: new Set(), rows: {} },
    values: {
      'plain.name': anyText,
      'plain.code': fc.nat(3),
      'plain.deep': anyText,
      'plain.tags': fc.array(anyText, { maxLength: 3 }),
      'plain.notes': fc.dictionary(fc.constantFrom('a', '__proto__', 'toString'), anyText),
      'plain.blank': anyText,
      'plain.kept': anyText,
      'plain.bag': fc.dictionary(fc.constantFrom('a', '__proto__'), anyText, { minKeys: 1 }),
    },
    empty: () => ({ plain: {} }),
    bases: [{}],
  };
}
