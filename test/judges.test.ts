/**
 * Other people's checkers on everything that we write fresh: each V2 card passes `character-card-utils`, each V2 and
 * V3 card passes `@risuai/ccardlib`. Sources: every character in samples and corpus, and the maximal one.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CCardLib } from '@risuai/ccardlib';
import * as Cards from 'character-card-utils';
import { describe, expect, test } from 'vitest';
import { sourceOf } from '../src/core/source.ts';
import { createEngine } from '../src/engine.ts';
import type { AnyAdapter, AnyEntity } from '../src/entities/kinds.ts';
import { cardOf } from '../src/formats/_shared/card-io.ts';
import { zipOf } from '../src/formats/_shared/zip.ts';
import { formats } from '../src/formats/index.generated.ts';
import { maximalCharacter, maximalLorebook } from './entities/maximal.ts';
import { corpusFile, corpusIsThere, corpusRows } from './kit/corpus.ts';

const engine = createEngine(formats as readonly AnyAdapter[]);
const samples = fileURLToPath(new URL('../samples/', import.meta.url));

/** Characters of a file without their twins, so that they are written fresh. */
async function fresh(bytes: Uint8Array): Promise<AnyEntity[]> {
  const { entities } = await engine.read(bytes);
  if (entities[0]?.kind !== 'character') return [];
  return entities.map(({ original: _, ...entity }) => entity as AnyEntity);
}

const sampleFiles = readdirSync(samples, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /\.(json|png|charx|byaf)$/.test(name),
);
const bodies: [label: string, entities: () => Promise<AnyEntity[]>][] = [
  ['the maximal character', async () => [maximalCharacter(), maximalLorebook()]],
  ...sampleFiles.map(
    (name) => [name, () => fresh(new Uint8Array(readFileSync(samples + name)))] as [string, () => Promise<AnyEntity[]>],
  ),
  ...(corpusIsThere ? corpusRows() : [])
    .filter(({ format }) => ['sillytavern', 'pygmalion', 'agnai', 'backyard', 'byaf', 'risu'].includes(format))
    .map((row) => [row.path, () => fresh(new Uint8Array(corpusFile(row)))] as [string, () => Promise<AnyEntity[]>]),
];

/** A copy, because the checkers change what they look at. */
const copy = (value: unknown) => JSON.parse(JSON.stringify(value));

describe.each(bodies)('%s', (_, entitiesOf) => {
  test('is a sound V2 and V3 card when it is written fresh', async () => {
    const entities = await entitiesOf();
    if (entities.length === 0) return;
    for (const variant of ['v2', 'v3'] as const) {
      const json = await engine.write(entities, 'sillytavern', { container: 'json', variant });
      const card = JSON.parse(new TextDecoder().decode(json.files[0]?.bytes));
      expect(CCardLib.character.check(copy(card))).toBe(variant);
      if (variant === 'v2') expect(Cards.v2.safeParse(copy(card)).error?.issues ?? []).toEqual([]);
    }
    const png = await engine.write(entities, 'sillytavern', { container: 'png' });
    const outcome = cardOf(sourceOf(png.files[0]?.bytes ?? new Uint8Array()));
    if (!outcome || !('file' in outcome)) throw new Error('no card in the picture');
    expect(CCardLib.character.check(copy(outcome.file.card))).toBe('v3');
    expect(CCardLib.character.check(copy(outcome.file.others[0]?.value))).toBe('v2');
    const charx = await engine.write(entities, 'risu', { container: 'charx' });
    const zip = zipOf(sourceOf(charx.files[0]?.bytes ?? new Uint8Array()));
    if (!zip || zip instanceof Error) throw new Error('no archive');
    const text = new TextDecoder().decode(zip.get('card.json')?.content.bytes());
    expect(CCardLib.character.check(JSON.parse(text))).toBe('v3');
  });
});
