import { asBytes, equalBytes, isBytes } from './bytes.ts';
import { onAsk } from './on-ask.ts';
import { carrySpelling } from './spelling.ts';

/** A parsed foreign object. Nothing about its values is trusted. */
export type Wire = { readonly [key: string]: unknown };

/** A compiled path: own-property names, or decimal indexes into arrays. */
export type Keys = readonly string[];

/** A copy-on-write view of a twin. */
export interface Draft {
  /** What was parsed; never mutated. */
  readonly twin: Wire;
  /** The result so far: the twin itself (`===`) until the first write. */
  readonly wire: Wire;
  /**
   * Puts `value` at `keys`; an existing key keeps its position. Absent and null parents become objects.
   * Refused (and so reported by the read-back) where a text, a number or a list stands in the way.
   */
  set(keys: Keys, value: unknown): void;
  /** Removes the own property at `keys`, if any. Parents stay, even when left empty. */
  delete(keys: Keys): void;
}

type Tree = Record<string, unknown>;
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !isBytes(value);

/** A plain object, as opposed to a list, bytes or a scalar. */
export const isRecord = (value: unknown): value is Wire => isTree(value) && !Array.isArray(value);

/** `a.b` as keys; a key with a dot in it is given as keys. */
export const keysOf = (path: string | Keys): Keys => (typeof path === 'string' ? path.split('.') : path);

/** Own property at `keys`, or undefined. Never walks the prototype chain. */
export function valueAt(tree: unknown, keys: Keys): unknown {
  let node = tree;
  for (let i = 0; i < keys.length; i++) {
    if (typeof node !== 'object' || node === null) return undefined;
    const key = keys[i]!;
    const value = (node as Tree)[key];
    if (value === undefined || !Object.hasOwn(node, key)) return undefined;
    node = value;
  }
  return node;
}

/** True when the own property at `keys` exists, whatever it holds. */
export function existsAt(tree: unknown, keys: Keys): boolean {
  const holder = valueAt(tree, keys.slice(0, -1));
  return isTree(holder) && Object.hasOwn(holder, keys[keys.length - 1] ?? '');
}

/** Whether a value can be put at `keys`: no text, number or list stands above it. */
export function reachable(tree: unknown, keys: Keys): boolean {
  let node = tree;
  for (const key of keys.slice(0, -1)) {
    node = valueAt(node, [key]);
    if (node === undefined || node === null) return true;
    if (!isRecord(node)) return false;
  }
  return true;
}

/** Opens a draft. Each object on a written path is copied once; everything else is shared. */
export function openDraft(twin: Wire): Draft {
  let root: Tree = twin as Tree;
  const owned = new Set<unknown>();

  const own = (node: unknown): Tree => {
    if (owned.has(node)) return node as Tree;
    const copy: unknown = Array.isArray(node) ? [...node] : isTree(node) ? { ...node } : {};
    if (isTree(node)) carrySpelling(node, copy as object);
    owned.add(copy);
    return copy as Tree;
  };
  const parentOf = (keys: Keys): Tree => {
    root = own(root);
    let node = root;
    for (const key of keys.slice(0, -1)) {
      const child = own(valueAt(node, [key]));
      define(node, key, child);
      node = child;
    }
    return node;
  };

  const draft = {
    twin,
    set(keys: Keys, value: unknown) {
      if (reachable(root, keys)) define(parentOf(keys), keys[keys.length - 1] ?? '', value);
    },
    delete(keys: Keys) {
      if (reachable(root, keys) && existsAt(root, keys)) delete parentOf(keys)[keys[keys.length - 1] ?? ''];
    },
  };
  return onAsk(draft, 'wire', () => root);
}

/** Assigns an own data property, also for names such as `__proto__`. */
export function define(target: object, key: string, value: unknown): void {
  if (key !== '__proto__') (target as Tree)[key] = value;
  else Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
}

/** Structural equality of canonical or wire values; key order does not matter, an undefined value is an absent key. */
export function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' && typeof b !== 'object') return false;
  if (isBytes(a) || isBytes(b)) return sameBytes(a, b);
  if (!isTree(a) || !isTree(b) || Array.isArray(a) !== Array.isArray(b)) return false;
  if (Array.isArray(a)) {
    const list = b as unknown as unknown[];
    if (a.length !== list.length) return false;
    for (let i = 0; i < a.length; i++) if (!same(a[i], list[i])) return false;
    return true;
  }
  const keys = Object.keys(a);
  const others = Object.keys(b);
  let alike = keys.length === others.length;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!;
    alike &&= key === others[i];
    const held = a[key];
    if (held !== undefined && !((alike || Object.hasOwn(b, key)) && same(held, b[key]))) return false;
    if (alike && held === undefined && b[key] !== undefined) return false;
  }
  if (alike) return true;
  for (const key of others) if (b[key] !== undefined && (!Object.hasOwn(a, key) || a[key] === undefined)) return false;
  return true;
}

/** A `data:` text and the bytes it stands for are the same. */
function sameBytes(a: unknown, b: unknown): boolean {
  const left = asBytes(a);
  const right = asBytes(b);
  return left !== undefined && right !== undefined && equalBytes(left, right);
}

/** Absent, empty text and an empty list say the same to a reader. */
export const saysNothing = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Equal for the purpose of an overlay: the same value, or two ways of saying nothing. */
export const agree = (a: unknown, b: unknown): boolean => same(a, b) || (saysNothing(a) && saysNothing(b));
