/** Files of the Lumiverse tests. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Wire } from '../../src/core/draft.ts';
import { createEngine } from '../../src/engine.ts';
import lumiverse from '../../src/formats/lumiverse/index.ts';
import sillytavern from '../../src/formats/sillytavern/index.ts';
import { parse } from './adapter.ts';

const SAMPLES = new URL('../../samples/lumiverse/', import.meta.url);

/** Both families, so that one can be converted to the other. */
export const engine = createEngine([...sillytavern, ...lumiverse]);

export const sampleNames: readonly string[] = readdirSync(SAMPLES).filter((name) => !name.endsWith('.md'));
export const sampleBytes = (name: string): Uint8Array => new Uint8Array(readFileSync(new URL(name, SAMPLES)));
export const sampleJson = (name: string): Wire => parse(sampleBytes(name));
