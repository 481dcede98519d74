/** Files of the Marinara tests. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Wire } from '../../src/core/draft.ts';
import { parse } from './adapter.ts';
import { CORPUS } from './corpus.ts';

const SAMPLES = new URL('../../samples/marinara/', import.meta.url);

export const sample = (name: string): Wire => parse(readFileSync(new URL(name, SAMPLES)));
export const sampleNames = (): string[] => readdirSync(SAMPLES).filter((name) => name.endsWith('.json'));

/** The files of a folder of the corpus; none where the corpus is not there. */
export function corpus(folder: string): { readonly name: string; readonly bytes: Uint8Array }[] {
  const base = new URL(`${folder}/`, CORPUS);
  if (!existsSync(base)) return [];
  return readdirSync(base).map((name) => ({ name: `${folder}/${name}`, bytes: readFileSync(new URL(name, base)) }));
}
