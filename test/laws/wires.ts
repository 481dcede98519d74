import fc from 'fast-check';
import type { Lens } from '../../src/core/lens.ts';
import { dig, frozen, isTree, plant, type Tree, there } from './tree.ts';

/** Text with everything a converter may trip over. */
export const anyText = fc.constantFrom(
  '',
  ' ',
  'Ada',
  'Bob',
  '{{char}} nods',
  '{user} waves',
  '{character} and {char}',
  '#{user}: hi',
  '{{time}} x',
  '雪 🌨',
  'a\r\nb',
  'a, b',
  ' padded ',
  '/x+/i',
  '//',
  'true',
  '7',
  '0.5',
  '__proto__',
);

/** Words of the wires that mean something to some codec, right or misspelled. */
const words = fc.constantFrom(
  'before_char',
  'after_char',
  'system',
  ' User',
  'assistant',
  '2024-05-06T07:08:09.123Z',
  'False',
  'text',
  'attributes',
  'wpp',
);
const numbers = fc.oneof(
  fc.integer({ min: -3, max: 8 }),
  fc.constantFrom(0.5, 100, 1714980489, 1714980489123, -0, 1e21),
);
const scalar = fc.oneof(
  { weight: 4, arbitrary: anyText },
  { weight: 2, arbitrary: words },
  { weight: 3, arbitrary: numbers },
  { weight: 2, arbitrary: fc.boolean() },
  { weight: 1, arbitrary: fc.constant(null) },
);
const keys = fc.constantFrom('k', 'text', 'en', 'ko', '__proto__', 'toString', '0');
const tree = (value: fc.Arbitrary<unknown>): fc.Arbitrary<Tree> =>
  fc.array(fc.tuple(keys, value), { maxLength: 3 }).map((pairs) => {
    const out: Tree = {};
    for (const [key, held] of pairs) plant(out, key, held);
    return out;
  });

/** Any JSON value, shallow. */
export const anyJson: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: scalar },
  { weight: 3, arbitrary: fc.array(scalar, { maxLength: 4 }) },
  { weight: 1, arbitrary: fc.array(tree(scalar), { maxLength: 2 }) },
  { weight: 2, arbitrary: tree(scalar) },
);

/** What may stand at a home beside anything: a value that its codec can read. */
export type Hints = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** What a generator needs to know of a table. */
export interface WireShape {
  readonly lenses: readonly Lens<never>[];
  readonly hints?: Hints;
  /** Rows of a list of records: whether the wire has them as a list, a keyed object, or both. */
  readonly rowShape?: 'list' | 'map' | 'either';
  /** Row keys that carry an id. */
  readonly rowIds?: readonly string[];
}

/** Keys that no table names, some of them hostile. */
const strangers: readonly (readonly string[])[] = [
  ['zz'],
  ['10'],
  ['__proto__'],
  ['constructor'],
  ['zz', '__proto__', 'x'],
];

/** Every wire home of a lens: its spellings, and its copies. */
export const homesOf = (lens: Lens<never>): (readonly string[])[] => {
  const names = lens.wire.map((name) => name.split('.'));
  const copies = lens.claims({}).map(({ keys: home }) => home);
  const seen = new Set<string>();
  return [...names, ...copies].filter((home) => {
    const name = home.join('\n');
    return !seen.has(name) && seen.add(name) !== undefined;
  });
};

/** Keeps the spelling of a number, so that a lost one is seen. */
export type KeepSpelling = (holder: object, key: string, spelled: string) => void;

/** Objects that carry a random subset of a table's homes, holding anything, among keys that it does not know; frozen. */
export function anyWire(shape: WireShape, keepSpelling: KeepSpelling): fc.Arbitrary<Tree> {
  return anyTree(shape, keepSpelling).map(frozen);
}

const SPELLED: readonly (readonly [number, string])[] = [
  [1, '1.0'],
  [12345678901234567000, '12345678901234567890'],
  [1000, '1e3'],
];

/** Values at some of the homes of a lens. */
export function anySlots(
  { hints }: WireShape,
  lens: Lens<never>,
  inside?: fc.Arbitrary<unknown>,
): fc.Arbitrary<(readonly [home: readonly string[], value: unknown])[]> {
  const homes = homesOf(lens);
  const hint = hints?.[lens.wire[0] as string];
  const value = fc.oneof(
    { weight: 3, arbitrary: anyJson },
    ...(hint ? [{ weight: 6, arbitrary: hint }] : []),
    ...(inside ? [{ weight: 30, arbitrary: inside }] : []),
  );
  return fc
    .array(fc.tuple(fc.nat(Math.max(homes.length - 1, 0)), value), { maxLength: homes.length > 1 ? 3 : 1, size: 'max' })
    .map((picks) => picks.flatMap(([home, held]) => (homes[home] ? [[homes[home], held] as const] : [])));
}

/** The key and value of an id that a row carries; undefined for none. */
type RowId = readonly [name: string, id: unknown] | undefined;

/** A new object on each run: shrinking maps the same parts again. */
function anyTree(
  shape: WireShape,
  keepSpelling: KeepSpelling,
  rowId: fc.Arbitrary<RowId> = fc.constant(undefined),
): fc.Arbitrary<Tree> {
  const named = shape.lenses.filter((lens) => lens.wire.length > 0);
  const slots = named.map((lens) =>
    anySlots(shape, lens, lens.rows && rowsOf({ ...shape, lenses: lens.rows }, keepSpelling)),
  );
  const filled = fc.array(
    fc.oneof(...slots.map((arbitrary, index) => ({ weight: named[index]?.rows ? 6 : 1, arbitrary }))),
    { maxLength: Math.min(9, named.length + 2), size: 'max' },
  );
  const homes = named.flatMap((lens) => homesOf(lens));
  const odd = fc.array(
    fc.tuple(fc.nat(homes.length + strangers.length * 3), fc.nat(strangers.length - 1), fc.oneof(scalar, tree(scalar))),
    { maxLength: 3 },
  );
  const spelled = fc.option(fc.tuple(fc.nat(homes.length + 4), fc.constantFrom(...SPELLED)), { nil: undefined });
  return fc.tuple(filled, odd, spelled, rowId).map(([parts, others, number, id]) => {
    const root: Tree = {};
    if (id) plant(root, id[0], id[1]);
    for (const [home, value] of parts.flat()) put(root, home, structuredCopy(value));
    for (const [beside, which, value] of others) {
      const parent = homes[beside]?.slice(0, -1) ?? [];
      put(root, [...parent, ...(strangers[which] as readonly string[])], structuredCopy(value));
    }
    if (number) {
      const [beside, [value, spelling]] = number;
      const parent = homes[beside]?.slice(0, -1) ?? [];
      put(root, [...parent, 'odd'], value);
      const holder = dig(root, parent);
      if (isTree(holder)) keepSpelling(holder, 'odd', spelling);
    }
    return root;
  });
}

/** A copy that keeps bytes and the spelling of numbers (rows are used once, so their trees are kept as they are). */
function structuredCopy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(structuredCopy);
  if (!isTree(value) || rowsMade.has(value)) return value;
  const out: Tree = {};
  for (const key of Object.keys(value)) plant(out, key, structuredCopy(value[key]));
  return out;
}
const rowsMade = new WeakSet<object>();

function put(root: Tree, home: readonly string[], value: unknown): void {
  let node: object = root;
  for (const key of home.slice(0, -1)) {
    const held = there(node, [key]) ? dig(node, [key]) : undefined;
    const inList = Array.isArray(held) && held.length > 0;
    if (!isTree(held) && !inList) plant(node, key, {});
    node = dig(node, [key]) as object;
  }
  const last = home[home.length - 1] as string;
  if (!Array.isArray(node) || Number(last) < node.length) plant(node, last, value);
}

/** Lists and keyed objects of rows: ids repeat, look like minted ones, lack, and some rows cannot be read at all. */
function rowsOf(shape: WireShape, keepSpelling: KeepSpelling): fc.Arbitrary<unknown> {
  const ids = fc.constantFrom<unknown>(7, '7', '7-2', 0, 1, null, 'x', '', '__proto__', undefined, undefined);
  const rowId = fc.tuple(fc.constantFrom(...(shape.rowIds ?? ['id'])), ids);
  const row = anyTree(
    shape,
    keepSpelling,
    rowId.map(([name, id]) => (id === undefined ? undefined : ([name, id] as const))),
  ).map((wire) => {
    rowsMade.add(wire);
    return wire;
  });
  const any = fc.oneof(
    { weight: 8, arbitrary: row as fc.Arbitrary<unknown> },
    { weight: 1, arbitrary: fc.constantFrom<unknown>(null, 3, 'row', [1]) },
  );
  const list = fc.array(any, { maxLength: 4, size: 'max' });
  const keyed = fc
    .uniqueArray(fc.tuple(fc.constantFrom('0', '1', '7', '12', 'x', '__proto__', 'b7'), any), {
      maxLength: 4,
      size: 'max',
      selector: ([key]) => key,
    })
    .map((pairs) => {
      const out: Tree = {};
      for (const [key, held] of pairs) plant(out, key, held);
      rowsMade.add(out);
      return out;
    });
  if (shape.rowShape === 'map') return keyed;
  return shape.rowShape === 'either' ? fc.oneof(list, keyed) : list;
}
