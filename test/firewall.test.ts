/**
 * Every sample goes to one adapter, whatever the order in which adapters are registered and whatever the file is
 * called, and no other adapter is equally sure. The same holds for the files of the shared corpus.
 * A sample is called `<adapter>.<what>.<extension>`: its name says where it belongs.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { createRegistry } from '../src/core/registry.ts';
import { sourceOf } from '../src/core/source.ts';
import type { AnyAdapter } from '../src/entities/kinds.ts';
import { formats } from '../src/formats/index.generated.ts';
import { type CorpusRow, corpusFile, corpusIsThere, corpusRows, NO_CORPUS } from './kit/corpus.ts';
import { record } from './kit/summary.ts';

const adapters = formats as readonly AnyAdapter[];
const samples = fileURLToPath(new URL('../samples/', import.meta.url));
const files = readdirSync(samples, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.includes('/') && /\.[a-z]+$/i.test(name) && !name.endsWith('.md'))
  .sort();
const expectedOf = (path: string): string => path.replace(/^.*\//, '').replace(/\..*$/, '');

const SHUFFLES = 20;

/** A generator of numbers below `n`, the same on every run. */
function numbers(seed: number): (n: number) => number {
  let state = seed >>> 0;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

function shuffled<T>(items: readonly T[], below: (n: number) => number): T[] {
  const out = [...items];
  for (let i = out.length - 1; i > 0; i--) {
    const j = below(i + 1);
    [out[i], out[j]] = [out[j] as T, out[i] as T];
  }
  return out;
}

const registries = Array.from({ length: SHUFFLES }, (_, seed) => createRegistry(shuffled(adapters, numbers(seed + 1))));
const inOrder = createRegistry(adapters);

/** The adapters that share the highest score of 0.5 or more. */
function topOf(bytes: Uint8Array, filename: string): string[] {
  const scores = inOrder.scores(sourceOf(bytes, filename));
  return scores.filter(({ score }) => score === scores[0]?.score).map(({ adapter }) => adapter.id);
}

afterAll(() => {
  record('detection', { samples: files.length, orders: SHUFFLES, adapters: adapters.length });
});

describe('samples', () => {
  test('each registered adapter has one', () => {
    const shown = new Set(files.map(expectedOf));
    expect(adapters.map(({ id }) => id).filter((id) => !shown.has(id))).toEqual([]);
  });

  test('the orders really differ', () => {
    const orders = registries.map((registry) => registry.adapters.map(({ id }) => id).join(' '));
    expect(new Set(orders).size).toBeGreaterThan(SHUFFLES / 2);
  });

  test.each(files)('%s', (path) => {
    const bytes = new Uint8Array(readFileSync(samples + path));
    const expected = expectedOf(path);
    expect(topOf(bytes, path)).toEqual([expected]);
    for (const registry of registries) {
      expect(registry.detect(sourceOf(bytes, path))?.adapter.id).toBe(expected);
    }
    for (const name of ['upload.bin', 'card.json', 'picture.png']) {
      expect(inOrder.detect(sourceOf(bytes, name))?.adapter.id, `called ${name}`).toBe(expected);
    }
  });
});

if (!corpusIsThere) console.log(NO_CORPUS);
describe.skipIf(!corpusIsThere)('corpus', () => {
  test.each(corpusRows())('no tie over $path', (row: CorpusRow) => {
    expect(topOf(corpusFile(row), row.path).length).toBeLessThan(2);
  });
});
