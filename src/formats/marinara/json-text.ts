import { define, isRecord, type Keys, keysOf, type Wire } from '../../core/draft.ts';
import { parseJson } from '../../core/json.ts';
import { printJson } from '../../core/json-print.ts';
import { carrySpelling } from '../../core/spelling.ts';
import type { FileParts } from '../_shared/json-file.ts';

/** The JSON text that a parsed object was unpacked from, so that an untouched one goes back letter by letter. */
const texts = new WeakMap<object, string>();

/** An object or list from its JSON text; an empty text is an empty object. Anything else stays as it is. */
function unpack(raw: unknown): unknown {
  if (typeof raw !== 'string') return raw;
  const value = raw.trim() === '' ? {} : parsed(raw);
  if (typeof value !== 'object' || value === null) return raw;
  texts.set(value, raw);
  return value;
}

function parsed(raw: string): unknown {
  try {
    return parseJson(raw).value;
  } catch {
    return undefined;
  }
}

/** The value at `keys` of every row changed; `*` steps through a list. Whatever stays the same is shared. */
function mapAt(node: unknown, keys: Keys, change: (held: unknown) => unknown): unknown {
  const [key, ...rest] = keys;
  if (key === undefined) return change(node);
  if (key === '*') {
    if (!Array.isArray(node)) return node;
    const rows = node.map((row) => mapAt(row, rest, change));
    return rows.every((row, index) => row === node[index]) ? node : rows;
  }
  if (!isRecord(node) || !Object.hasOwn(node, key)) return node;
  const held = mapAt(node[key], rest, change);
  if (held === node[key]) return node;
  const copy: Record<string, unknown> = { ...node };
  carrySpelling(node, copy);
  define(copy, key, held);
  return copy;
}

/** True when the file has a real value, not a text, somewhere at this home. */
function isPlain(raw: unknown, keys: Keys): boolean {
  let plain = false;
  mapAt(raw, keys, (held) => {
    plain ||= typeof held === 'object' && held !== null;
    return held;
  });
  return plain;
}

/**
 * A file in which some homes hold JSON as text, seen by fields as the values themselves. What changed goes back as
 * text, or as a value where the file has values there; a fresh file has what `fresh` says. `*` in a home steps
 * through rows.
 */
export function withJsonText<B>(
  homes: readonly string[],
  open: (raw: unknown) => Wire | undefined,
  {
    close = (wire: Wire): unknown => wire,
    fresh = 'text',
  }: { readonly close?: (wire: Wire) => unknown; readonly fresh?: 'text' | 'value' } = {},
): FileParts<B> {
  const keys = homes.map((home) => keysOf(home));
  const views = new WeakMap<object, Wire>();
  const view = (raw: object): Wire | undefined => {
    const known = views.get(raw);
    if (known) return known;
    const wire = open(raw);
    if (!wire) return undefined;
    const seen = keys.reduce<unknown>((node, home) => mapAt(node, home, unpack), wire) as Wire;
    views.set(raw, seen);
    return seen;
  };
  return {
    split(raw) {
      const wire = typeof raw === 'object' && raw !== null ? view(raw) : undefined;
      return wire ? [{ row: '', wire }] : [];
    },
    join(raw, parts) {
      const [part] = parts;
      if (!part) return raw;
      const before = open(raw);
      const packed = keys.reduce<unknown>((node, home) => {
        const plain = before === undefined ? fresh === 'value' : isPlain(before, home);
        return mapAt(node, home, (held) => {
          if (typeof held !== 'object' || held === null) return held;
          return texts.get(held) ?? (plain ? held : printJson(held, 0));
        });
      }, part.wire);
      return close(packed as Wire);
    },
  };
}
