/** Helpers of the law harness. None of them shares code with the engine that is on trial. */

export type Tree = Record<string, unknown>;

/** The bytes of an engine under test: a copy of the engine has a brand of its own. */
export interface ByteKit {
  isBytes(value: unknown): boolean;
  bytesOf(bytes: Uint8Array, mime?: string): unknown;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const looksLikeBytes = (value: object): value is { bytes(): Uint8Array } =>
  typeof (value as { bytes?: unknown }).bytes === 'function' && typeof (value as { size?: unknown }).size === 'number';

/** A plain object: no list, no bytes. */
export const isTree = (value: unknown): value is Tree =>
  isObject(value) && !Array.isArray(value) && !looksLikeBytes(value);

const hasOwn = (target: object, key: string): boolean => Object.hasOwn(target, key);

/** Own property at `keys`, or undefined. */
export function dig(tree: unknown, keys: readonly string[]): unknown {
  let node = tree;
  for (const key of keys) {
    if (!isObject(node) || looksLikeBytes(node) || !hasOwn(node, key)) return undefined;
    node = (node as Tree)[key];
  }
  return node;
}

/** Whether the own property at `keys` exists. */
export function there(tree: unknown, keys: readonly string[]): boolean {
  const holder = dig(tree, keys.slice(0, -1));
  return isObject(holder) && !looksLikeBytes(holder) && hasOwn(holder, keys[keys.length - 1] ?? '');
}

/** Puts an own data property, whatever its name. */
export function plant(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
}

/** A copy of `tree` with `value` at `keys`, or without that property when `value` is undefined. */
export function changed<T extends object>(tree: T, keys: readonly string[], value: unknown): T {
  const [key = '', ...rest] = keys;
  const copy: object = Array.isArray(tree) ? [...tree] : { ...tree };
  if (rest.length > 0) {
    const child = dig(tree, [key]);
    if (value === undefined && !isObject(child)) return tree;
    plant(copy, key, changed(isObject(child) ? child : {}, rest, value));
  } else if (value === undefined) {
    delete (copy as Tree)[key];
  } else plant(copy, key, value);
  return copy as T;
}

/** Freezes all the way down, so that a lens that mutates its twin throws. */
export function frozen<T>(value: T): T {
  if (isObject(value) && !looksLikeBytes(value) && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const child of Object.values(value)) frozen(child);
  }
  return value;
}

/** Equal content: an undefined value is an absent key, bytes count by what they hold. */
export function equal(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (!isObject(a) || !isObject(b)) return false;
  if (looksLikeBytes(a) || looksLikeBytes(b)) {
    if (!looksLikeBytes(a) || !looksLikeBytes(b)) return false;
    const [left, right] = [a.bytes(), b.bytes()];
    return left.length === right.length && left.every((byte, i) => byte === right[i]);
  }
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((row, i) => equal(row, b[i]));
  }
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => equal(dig(a, [key]), dig(b, [key])));
}

/** Nothing, empty text and an empty list say the same. */
export const silent = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

export const sayTheSame = (a: unknown, b: unknown): boolean => equal(a, b) || (silent(a) && silent(b));

/** How a number of a holder was spelled; undefined where nothing special is known. */
export type SpellingOf = (holder: unknown, key: string, held: number) => string | undefined;

/** Key paths on which two wires differ, in value or in the spelling of a number. Lists are leaves unless they share their length. */
export function differing(a: unknown, b: unknown, spelling: SpellingOf): string[][] {
  const out: string[][] = [];
  const walk = (left: unknown, right: unknown, at: string[]): void => {
    if (left === right) return;
    const lists = Array.isArray(left) && Array.isArray(right) && left.length === right.length;
    if (!lists && !(isTree(left) && isTree(right))) {
      if (!equal(left, right)) out.push(at);
      return;
    }
    for (const key of new Set([...Object.keys(left as object), ...Object.keys(right as object)])) {
      const [was, now] = [dig(left, [key]), dig(right, [key])];
      if (typeof was === 'number' && was === now && spelling(left, key, was) !== spelling(right, key, was)) {
        out.push([...at, key]);
      } else if (there(left, [key]) !== there(right, [key])) out.push([...at, key]);
      else walk(was, now, [...at, key]);
    }
  };
  walk(a, b, []);
  return out;
}

/** The first object whose kept keys changed their order, as a path; undefined when none did. */
export function reordered(a: unknown, b: unknown, at = ''): string | undefined {
  if (a === b || !isTree(a) || !isTree(b)) return undefined;
  const kept = (of: Tree, other: Tree) => Object.keys(of).filter((key) => hasOwn(other, key));
  const [before, after] = [kept(a, b), kept(b, a)];
  if (before.some((key, i) => key !== after[i])) return at === '' ? 'the top' : at;
  for (const key of before) {
    const inner = reordered(a[key], b[key], at === '' ? key : `${at}.${key}`);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** Whether `path` lies under `home`, or `home` under `path`. */
export const touches = (path: readonly string[], home: readonly string[]): boolean => {
  const shared = Math.min(path.length, home.length);
  for (let i = 0; i < shared; i++) if (path[i] !== home[i]) return false;
  return true;
};
