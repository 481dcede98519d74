/** Files and neighbours of the RoleCall tests. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { bytesOf } from '../../src/core/bytes.ts';
import type { Wire } from '../../src/core/draft.ts';
import { sourceOf } from '../../src/core/source.ts';
import { createEngine } from '../../src/engine.ts';
import type { AnyAdapter } from '../../src/entities/kinds.ts';
import { sealFreshPng } from '../../src/formats/_shared/card-seal.ts';
import { pngOf } from '../../src/formats/_shared/png.ts';
import { writeTextChunks } from '../../src/formats/_shared/png-write.ts';
import { formats } from '../../src/formats/index.generated.ts';
import rolecall from '../../src/formats/rolecall/index.ts';
import { encode, parse } from './adapter.ts';

export const SAMPLES = new URL('../../samples/', import.meta.url);

/** All adapters but this family's, and all of them together. */
export const neighbours: readonly AnyAdapter[] = formats.filter(({ family }) => family !== 'rolecall');
export const engine = createEngine([...neighbours, ...rolecall]);

export const bytesIn = (folder: URL, name: string): Uint8Array => new Uint8Array(readFileSync(new URL(name, folder)));
export const filesIn = (folder: URL): string[] => (existsSync(folder) ? readdirSync(folder).sort() : []);
export const sampleBytes = (name: string): Uint8Array => bytesIn(new URL('rolecall/', SAMPLES), name);
export const sample = (name: string): Wire => parse(sampleBytes(name));

/** The format that claims a value, or undefined. */
export const claimant = async (value: unknown): Promise<string | undefined> =>
  (await engine.detect(value instanceof Uint8Array ? value : encode(value)))?.format;

/** A bare picture of two by two pixels, and the same with a text in a chunk. */
export const tinyPng = (): Uint8Array => {
  const png = pngOf(sourceOf(sampleBytes('rolecall-persona.ida.png')));
  if (!png) throw new Error('the sample is no picture');
  return writeTextChunks(
    png,
    png.chunks.flatMap(({ type }, index) => (type === 'tEXt' ? [{ remove: index }] : [])),
  );
};
export const pngWith = (...payloads: Parameters<typeof sealFreshPng>[1]): Uint8Array =>
  sealFreshPng(bytesOf(tinyPng(), 'image/png'), payloads);
