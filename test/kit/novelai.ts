/** Samples and edits of the NovelAI tests. */
import { readFileSync } from 'node:fs';
import { keysOf, valueAt, type Wire } from '../../src/core/draft.ts';
import { createEngine } from '../../src/engine.ts';
import type { AnyAdapter, EntityOf } from '../../src/entities/kinds.ts';
import {
  emptyEntry,
  emptyLorebook,
  type LorebookBody,
  type LorebookEntry,
} from '../../src/entities/lorebook/schema.ts';
import agnai from '../../src/formats/agnai/index.ts';
import novelai from '../../src/formats/novelai/index.ts';
import { novelaiLorebook } from '../../src/formats/novelai/lorebook.ts';
import sillytavern from '../../src/formats/sillytavern/index.ts';
import * as adapter from './adapter.ts';

const SAMPLES = new URL('../../samples/novelai/', import.meta.url);
export const engine = createEngine([...novelai, ...sillytavern, ...agnai] as AnyAdapter[]);
export const sample = (what: string) => new Uint8Array(readFileSync(new URL(`novelai-lorebook.${what}`, SAMPLES)));
export const harbour = adapter.parse(sample('harbour.lorebook'));
export const first = adapter.parse(sample('first.lorebook'));
export const scenario = adapter.parse(sample('ferry.scenario'));
export const story = adapter.parse(sample('crossing.story'));
export const read = (value: unknown): EntityOf<'lorebook'> => adapter.readAs(novelaiLorebook, value);
export const written = (entity: EntityOf<'lorebook'>) => novelaiLorebook.fromCanonical([entity], {});
export const edited = (value: unknown, edit: (body: LorebookBody) => void): Wire =>
  adapter.edited(novelaiLorebook, value, edit);
export const fresh = (edit: (body: LorebookBody) => void): Wire => {
  const body = emptyLorebook();
  edit(body);
  return adapter.fresh(novelaiLorebook, body);
};

export const freshEntryOf = (edit: (entry: LorebookEntry) => void): Wire => {
  const entry = emptyEntry('0');
  edit(entry);
  const wire = fresh((body) => {
    body.entries = [entry];
  });
  return row(wire, 0);
};

export const rowsOf = (wire: unknown, home = 'entries') => valueAt(wire, keysOf(home)) as Wire[];
export const row = (wire: unknown, index: number, home?: string): Wire => rowsOf(wire, home)[index]!;

/** A book of one entry with these keys. */
export const one = (entry: Wire, more: Wire = {}): Wire => ({ lorebookVersion: 6, entries: [entry], ...more });
export const left = (value: unknown) => adapter.left(novelaiLorebook, value);
export const codes = (value: unknown) => (novelaiLorebook.account(read(value)).warnings ?? []).map(({ code }) => code);
export const entryOf = (value: unknown, index = 0): LorebookEntry => read(value).body.entries[index]!;
