import { type Account, accountFor, type Claim, type ClaimTree, treeOf, walk } from './account.ts';
import type { Keys, Wire } from './draft.ts';
import { claimsOf, get, type Lens } from './lens.ts';

/** Shapes that are kept for one table; rows of further shapes are read the plain way. */
const MAX_SHAPES = 64;
const NO_KEYS: string[] = [];

/** The keys of an object, and those of the objects below it that the table looks into. */
type Shape = readonly (readonly string[])[];

/** What there is to do for rows of one shape. */
interface Plan<B> {
  readonly shape: Shape;
  readonly steps: readonly { readonly lens: Lens<B>; readonly read: (wire: Wire) => unknown }[];
  readonly claims: readonly ((wire: Wire) => readonly Claim[])[];
  /** What the lenses claimed of the row before. */
  seen: { readonly tree: ClaimTree | undefined; readonly claimed: (readonly Claim[])[] };
}

/** A table at work on the rows of files. */
export interface RowTable<B> {
  /** As `get`. */
  get(wire: Wire, body: B): B;
  /** As `accountFor` with the claims of the table. */
  account(wire: Wire, path: string, out: Account): void;
}

/**
 * Does for the rows of a file what `get` and `accountFor` do. Most rows of a file have the same keys, so which homes are
 * there is worked out once for all rows of one shape. Law "shapes: what is read by shape is what is read one by one".
 */
export function rowTable<B>(lenses: readonly Lens<B>[]): RowTable<B> {
  const plans = new Map<string, Plan<B>>();
  let last: Plan<B> | undefined;
  let inner: readonly string[] | undefined;

  const shapeOf = (wire: Wire): Shape => {
    inner ??= outerKeys(lenses);
    const shape: string[][] = [Object.keys(wire)];
    for (const key of inner) {
      const held = Object.hasOwn(wire, key) ? wire[key] : undefined;
      shape.push(typeof held === 'object' && held !== null ? Object.keys(held) : NO_KEYS);
    }
    return shape;
  };
  const hasShape = (wire: Wire, [top = NO_KEYS, ...below]: Shape): boolean =>
    hasKeys(wire, top) &&
    (inner ?? []).every((key, i) => hasKeys(Object.hasOwn(wire, key) ? wire[key] : undefined, below[i] ?? NO_KEYS));
  const planFor = (wire: Wire): Plan<B> | undefined => {
    if (last && hasShape(wire, last.shape)) return last;
    const shape = shapeOf(wire);
    const key = JSON.stringify(shape);
    last = plans.get(key);
    if (last || plans.size >= MAX_SHAPES) return last;
    last = planOf(lenses, inner ?? [], shape);
    plans.set(key, last);
    return last;
  };
  return {
    get(wire, body) {
      const plan = planFor(wire);
      if (!plan) return get(lenses, wire, body);
      for (const { lens, read } of plan.steps) {
        const value = read(wire);
        if (value !== undefined) lens.place(body, value);
      }
      return body;
    },
    account(wire, path, out) {
      const plan = planFor(wire);
      if (!plan) return accountFor(claimsOf(lenses as never, wire), wire, path, out);
      // Most rows are claimed as the one before: their lenses give the very same lists.
      let { tree, claimed } = plan.seen;
      plan.claims.forEach((claims, i) => {
        const list = claims(wire);
        if (sameList(list, claimed[i])) return;
        if (tree) claimed = [...claimed];
        claimed[i] = list;
        tree = undefined;
      });
      tree ??= treeOf(claimed.flat());
      plan.seen = { tree, claimed };
      walk(tree, wire, path, out);
    },
  };
}

const sameList = (a: readonly Claim[], b: readonly Claim[] | undefined): boolean =>
  a === b || (b !== undefined && a.length === b.length && a.every((claim, i) => claim === b[i]));

/** Keys of a row below which the table has homes. */
const outerKeys = (lenses: readonly Lens<never>[]): readonly string[] => {
  const homes = lenses.flatMap(({ wire }) => wire.map((name) => name.split('.')));
  return [...new Set(homes.flatMap(([first = '', second]) => (second === undefined ? [] : [first])))];
};

function planOf<B>(lenses: readonly Lens<B>[], inner: readonly string[], shape: Shape): Plan<B> {
  const [top = new Set<string>(), ...below] = shape.map((keys) => new Set(keys));
  const there = ([first = '', second]: Keys): boolean =>
    top.has(first) && (second === undefined || second === '*' || below[inner.indexOf(first)]?.has(second) === true);
  const steps = lenses.flatMap((lens) => {
    const read = lens.narrowRead ? lens.narrowRead(there) : (wire: Wire) => lens.read(wire);
    const idle = !lens.wire.some((name) => there(name.split('.'))) && lens.read({}) === undefined;
    return read === undefined || idle ? [] : [{ lens, read }];
  });
  const claims = lenses.map((lens) => lens.narrowClaims?.(there) ?? ((wire: Wire) => lens.claims(wire)));
  return { shape, steps, claims, seen: { tree: undefined, claimed: [] } };
}

/** Whether these are the keys of `value`, in this order; makes no list of them, as most rows are like the one before. */
function hasKeys(value: unknown, keys: readonly string[]): boolean {
  if (typeof value !== 'object' || value === null) return keys.length === 0;
  let i = 0;
  for (const key in value) if (key !== keys[i++]) return false;
  return i === keys.length;
}
