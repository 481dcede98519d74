import { isBytes } from './bytes.ts';
import { isRecord, type Keys, saysNothing, type Wire } from './draft.ts';
import type { Warning } from './errors.ts';

/** Collects what a reader did not take as it stood: facts it left behind and spellings it repaired. */
export interface Account {
  /** A wire value that no field reads: it stays in escrow. */
  unread(path: string, value: unknown): void;
  /** A value that was read although it is not spelled as the format says. */
  repaired(path: string, what: string): void;
}

/** An account kept as lists. */
export interface AccountResult extends Account {
  readonly left: readonly { readonly path: string; readonly value: unknown }[];
  readonly repairs: readonly { readonly path: string; readonly what: string }[];
  /** What the reader noticed about the file as a whole. */
  readonly warnings?: readonly Warning[];
}

export function emptyAccount(): AccountResult {
  const left: { path: string; value: unknown }[] = [];
  const repairs: { path: string; what: string }[] = [];
  return {
    left,
    repairs,
    unread: (path, value) => void left.push({ path, value }),
    repaired: (path, what) => void repairs.push({ path, what }),
  };
}

/** One wire home that a lens took, with a closer look inside where the value has parts. */
export interface Claim {
  readonly keys: Keys;
  /** Absent: the whole value was read. */
  readonly inside?: (value: unknown, path: string, out: Account) => void;
}

/** Claims sorted by their keys. */
export interface ClaimTree {
  readonly children: Map<string, ClaimTree>;
  claim?: Claim;
}

const SIMPLE_KEY = /^[^.[\]]+$/;

/** `a.b`, and `a["b.c"]` where the key itself holds a dot. */
export const joinPath = (path: string, key: string): string => {
  if (!SIMPLE_KEY.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
};

/** Reports every part of `wire` that no claim covers, by the topmost key. */
export const accountFor = (claims: Iterable<Claim>, wire: unknown, path: string, out: Account): void =>
  walk(treeOf(claims), wire, path, out);

export function treeOf(claims: Iterable<Claim>): ClaimTree {
  const root: ClaimTree = { children: new Map() };
  for (const claim of claims) {
    let node = root;
    for (const key of claim.keys) {
      let child = node.children.get(key);
      if (!child) {
        child = { children: new Map() };
        node.children.set(key, child);
      }
      node = child;
    }
    node.claim = claim;
  }
  return root;
}

/** Reports every part of `value` that the tree does not cover. */
export function walk(node: ClaimTree, value: unknown, path: string, out: Account): void {
  if (node.claim) {
    node.claim.inside?.(value, path, out);
    return;
  }
  if (node.children.size === 0 || !isRecord(value)) {
    if (!isEmpty(value)) out.unread(path, value);
    return;
  }
  for (const key of Object.keys(value)) {
    const child = node.children.get(key);
    if (child?.claim && !child.claim.inside) continue;
    if (child) walk(child, value[key], joinPath(path, key), out);
    else if (!isEmpty(value[key])) out.unread(joinPath(path, key), value[key]);
  }
}

/** An object of nothing but empty values says nothing either. */
const isEmpty = (value: unknown): boolean =>
  saysNothing(value) || (isRecord(value) && !isBytes(value) && Object.values(value).every(isEmpty));

/** A value as a short line of text, at most 80 characters; bytes by their size. */
export function preview(value: unknown): string {
  const text = typeof value === 'string' ? value : shortJson(value);
  const line = text.replace(/\s+/g, ' ').trim();
  return [...line.slice(0, 200)].length > 80 ? `${[...line.slice(0, 200)].slice(0, 79).join('')}…` : line;
}

function shortJson(value: unknown): string {
  let budget = 40;
  const shrink = (_key: string, held: unknown): unknown => {
    if (budget-- < 0) return undefined;
    return typeof held === 'string' && held.length > 100 ? held.slice(0, 100) : held;
  };
  const spell = (node: unknown): unknown => {
    if (isBytes(node)) return `<${node.mime ?? 'bytes'}, ${node.size} bytes>`;
    if (Array.isArray(node)) return node.slice(0, 20).map(spell);
    if (!isRecord(node)) return node;
    return Object.fromEntries(
      Object.entries(node as Wire)
        .slice(0, 20)
        .map(([key, held]) => [key, spell(held)]),
    );
  };
  const spelled = spell(value);
  return typeof spelled === 'string' ? spelled : (JSON.stringify(spelled, shrink) ?? '');
}
