/** Samples and edits of the tests of Chub’s dialect. */
import { readFileSync } from 'node:fs';
import { createEngine } from '../../src/engine.ts';
import type { MediaAsset } from '../../src/entities/character/schema.ts';
import type { AnyAdapter, EntityOf } from '../../src/entities/kinds.ts';
import sillytavern, { sillytavern as cards } from '../../src/formats/sillytavern/index.ts';
import { parse, readAs } from './adapter.ts';

export const SAMPLES = new URL('../../samples/sillytavern/', import.meta.url);
export const engine = createEngine(sillytavern as readonly AnyAdapter[]);
export const orla = parse(readFileSync(new URL('sillytavern.chub.json', SAMPLES)));
export const BLOCK = 'data.extensions.chub';
export const MAP = `${BLOCK}.expressions.expressions`;
export const url = (name: string) => `https://pictures.example/orla/${name}.webp`;
export const read = (card: unknown): EntityOf<'character'> => readAs(cards, card);
export const emotion = (label: string, ref: string): MediaAsset => ({ role: 'emotion', label, ref });
