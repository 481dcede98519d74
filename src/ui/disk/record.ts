/** The files beside the originals: what is kept of an item, a draft, and the index. All of them are plain JSON. */
import * as v from 'valibot';
import { parseJson } from '../../core/json.ts';
import type { Edits, ItemSummary } from '../item/model.ts';

const names = v.array(v.string());
const counts = v.record(v.string(), v.number());
const KINDS = v.picklist(['character', 'lorebook', 'persona', 'regex', 'preset']);

export const summarySchema = v.looseObject({
  id: v.string(),
  revision: v.number(),
  kind: KINDS,
  name: v.string(),
  creator: v.optional(v.string()),
  tags: names,
  format: v.string(),
  container: v.string(),
  counts,
  pieces: v.array(v.looseObject({ kind: KINDS, name: v.string(), counts })),
  cautions: names,
  file: v.string(),
  source: v.string(),
  size: v.number(),
  thumbnail: v.optional(v.string()),
  blobs: names,
  edited: v.boolean(),
  addedAt: v.number(),
  changedAt: v.number(),
});

export const editsSchema = v.looseObject({
  entities: v.array(
    v.looseObject({ kind: KINDS, id: v.string(), from: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))) }),
  ),
});

const itemSchema = v.looseObject({
  bunzai: v.literal('item'),
  version: v.literal(1),
  path: v.string(),
  mark: v.string(),
  imported: v.boolean(),
  saves: v.number(),
  summary: summarySchema,
  edits: v.optional(editsSchema),
});

const draftSchema = v.looseObject({
  bunzai: v.literal('draft'),
  version: v.literal(1),
  saves: v.number(),
  edits: editsSchema,
});

const rowSchema = v.looseObject({ ...v.omit(itemSchema, ['bunzai', 'version', 'edits']).entries });

/** What is known of an item without its edits; one line of the index. */
export interface Row {
  /** Its original inside the folder, with `/` between names. */
  readonly path: string;
  /** The state of the original that the summary tells of. */
  readonly mark: string;
  /** The studio wrote the original, and may delete it. False: a person put it there, and it is never touched. */
  readonly imported: boolean;
  /** Saves so far: a draft of an older number was ended by a save. */
  readonly saves: number;
  readonly summary: ItemSummary;
  /** The state of its record; absent: it has none, everything follows from the original. */
  readonly record?: string;
  /** No cover can be drawn of it. */
  readonly coverless?: boolean;
}

/** The record of an item, `items/<id>.json`. */
export interface ItemRecord extends Omit<Row, 'record' | 'coverless'> {
  readonly edits?: Edits;
}

/** A draft, `drafts/<id>.json`. */
export interface Draft {
  readonly saves: number;
  readonly edits: Edits;
}

const encoder = new TextEncoder();
const lineOf = (value: unknown): string => `${JSON.stringify(value)}\n`;

export const writtenItem = ({ path, mark, imported, saves, summary, edits }: ItemRecord): Uint8Array =>
  encoder.encode(lineOf({ bunzai: 'item', version: 1, path, mark, imported, saves, summary, edits }));

export const writtenDraft = ({ saves, edits }: Draft): Uint8Array =>
  encoder.encode(lineOf({ bunzai: 'draft', version: 1, saves, edits }));

/** JSON of a stranger: bounded in depth, of the shape that is asked for; undefined for anything else. */
function checked<T>(text: string, schema: v.GenericSchema): T | undefined {
  try {
    const { value } = parseJson(text);
    return v.is(schema, value) ? (value as T) : undefined;
  } catch {
    return undefined;
  }
}

export const readItem = (text: string): ItemRecord | undefined => checked(text, itemSchema);
export const readDraft = (text: string): Draft | undefined => checked(text, draftSchema);

/** What the index says: the rows, and the marks of files that are no items. */
export interface Index {
  readonly rows: readonly Row[];
  readonly others: ReadonlyMap<string, string>;
}

const otherSchema = v.looseObject({ other: v.string(), mark: v.string() });

export const writtenIndex = ({ rows, others }: Index): Uint8Array =>
  encoder.encode([...rows.map(lineOf), ...[...others].map(([other, mark]) => lineOf({ other, mark }))].join(''));

/** Reads an index. A line that is broken is left out: what it said is found out again. */
export function readIndex(text: string): Index {
  const rows: Row[] = [];
  const others = new Map<string, string>();
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const row = checked<Row>(line, rowSchema);
    if (row) rows.push(row);
    const other = row ? undefined : checked<{ other: string; mark: string }>(line, otherSchema);
    if (other) others.set(other.other, other.mark);
  }
  return { rows, others };
}
