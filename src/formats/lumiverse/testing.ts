/** What the tests of this family share. */
import { readdirSync, readFileSync } from 'node:fs';
import { isRecord, keysOf, openDraft, valueAt, type Wire } from '../../core/draft.ts';
import { type Source, sourceOf } from '../../core/source.ts';
import { createEngine } from '../../engine.ts';
import sillytavern from '../sillytavern/index.ts';
import lumiverse from './index.ts';

const SAMPLES = new URL('../../../samples/lumiverse/', import.meta.url);

/** Both families, so that one can be converted to the other. */
export const engine = createEngine([...sillytavern, ...lumiverse]);

export const sampleNames: readonly string[] = readdirSync(SAMPLES).filter((name) => !name.endsWith('.md'));
export const sampleBytes = (name: string): Uint8Array => new Uint8Array(readFileSync(new URL(name, SAMPLES)));
export const sampleJson = (name: string): Wire => parse(sampleBytes(name));

export const parse = (bytes: Uint8Array | undefined): Wire => JSON.parse(new TextDecoder().decode(bytes));
export const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
export const source = (value: unknown): Source => sourceOf(value instanceof Uint8Array ? value : encode(value));

/** The object with one value changed, or taken away where it is undefined. */
export function withValue(wire: Wire, path: string, value: unknown): Wire {
  const draft = openDraft(wire);
  if (value === undefined) draft.delete(keysOf(path));
  else draft.set(keysOf(path), value);
  return draft.wire;
}

/** Takes a slot out of a body. */
export function clearAt(body: object, path: string): void {
  const keys = keysOf(path);
  const holder = valueAt(body, keys.slice(0, -1));
  if (isRecord(holder)) delete (holder as Record<string, unknown>)[keys.at(-1) ?? ''];
}

/** Paths at which two parsed files differ; lists and objects are walked. */
export function differences(a: unknown, b: unknown, path = ''): string[] {
  if (JSON.stringify(a) === JSON.stringify(b)) return [];
  const both = typeof a === 'object' && typeof b === 'object' && a !== null && b !== null;
  if (!both || Array.isArray(a) !== Array.isArray(b)) return [path];
  const keys = new Set([...Object.keys(a as object), ...Object.keys(b as object)]);
  return [...keys].flatMap((key) =>
    differences((a as Wire)[key], (b as Wire)[key], path === '' ? key : `${path}.${key}`),
  );
}
