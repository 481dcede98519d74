/**
 * Every sample and every corpus file, converted to every format of its kind that takes it, each in the container that
 * format chooses: what reads back different is in the report, and what the report names is different. The same for
 * generated entities, sparse and odd. Held by a check that shares no code with the engine's comparison.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { BunzaiError } from '../src/core/errors.ts';
import { createEngine } from '../src/engine.ts';
import type { AnyAdapter, AnyEntity } from '../src/entities/kinds.ts';
import { formats } from '../src/formats/index.generated.ts';
import { corpusFile, corpusIsThere, corpusRows, NO_CORPUS } from './kit/corpus.ts';
import { oddEntities } from './kit/odd.ts';
import { type Findings, findingsOf } from './kit/second-path.ts';
import { record } from './kit/summary.ts';

const engine = createEngine(formats as readonly AnyAdapter[]);
const targets = engine.registry.adapters;
const known = new Set(targets.map(({ id }) => id));

interface Source {
  readonly path: string;
  readonly bytes: () => Uint8Array;
}

const folder = fileURLToPath(new URL('../samples/', import.meta.url));
const samples = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => known.has(name.replace(/^.*\//, '').replace(/\..*$/, '')) && /\/.*\./.test(name))
  .sort()
  .map((path): Source => ({ path, bytes: () => new Uint8Array(readFileSync(folder + path)) }));
const corpus = corpusRows()
  .filter(({ format }) => known.has(format))
  .map((row): Source => ({ path: row.path, bytes: () => new Uint8Array(corpusFile(row)) }));

const tally = () => ({ files: 0, repeats: 0, pairs: 0, refusals: 0, paths: 0, losses: 0 });
const real = tally();
const made = tally();
const slowest = { what: 'none', ms: 0 };
const largest = { what: 'none', bytes: 0 };
const seen = new Map<string, string>();

/** Writes entities as `format`, reads the files back and holds the report against both; undefined: refused. */
async function crossing(entities: readonly AnyEntity[], format: string): Promise<Findings | undefined> {
  const written = await engine.write(entities, format).catch((error: unknown) => {
    // Formats that name their files by the name want one.
    const nameless = error instanceof BunzaiError && error.code === 'canonical.invalid' && error.path === 'name';
    if (nameless || (error instanceof BunzaiError && error.code === 'format.cannot-write')) return undefined;
    throw error;
  });
  if (!written) return undefined;
  const back: AnyEntity[] = [];
  for (const file of written.files) {
    back.push(...(await engine.read(file.bytes, { format: file.format })).entities);
  }
  return findingsOf(entities, back, written.report.losses);
}

/** Everything that any report on these entities gets wrong. */
async function faultsOf(entities: readonly AnyEntity[], what: string, count: typeof real): Promise<string[]> {
  const faults: string[] = [];
  for (const { id, kind } of targets) {
    if (kind !== entities[0]?.kind) continue;
    const start = performance.now();
    const found = await crossing(entities, id);
    const ms = performance.now() - start;
    if (ms > slowest.ms) Object.assign(slowest, { what: `${what} to ${id}`, ms });
    if (!found) {
      count.refusals++;
      continue;
    }
    count.pairs++;
    count.paths += found.paths;
    count.losses += found.losses;
    faults.push(...found.silent.map((path) => `${id}: lost and not reported: ${path}`));
    faults.push(...found.untrue.map((path) => `${id}: reported, yet not lost: ${path}`));
  }
  return faults;
}

async function check({ path, bytes }: Source): Promise<void> {
  const input = bytes();
  const sum = createHash('sha1').update(input).digest('hex');
  const twin = seen.get(sum);
  seen.set(sum, path);
  if (twin !== undefined) {
    real.repeats++;
    return;
  }
  real.files++;
  if (input.byteLength > largest.bytes) Object.assign(largest, { what: path, bytes: input.byteLength });
  const { entities } = await engine.read({ bytes: input, filename: path });
  expect(await faultsOf(entities, path, real)).toEqual([]);
}

afterAll(() => {
  const figures = ({ pairs, refusals, paths, losses }: typeof real) => ({
    'pairs checked': pairs,
    refused: refusals,
    'populated paths': paths,
    'losses verified': losses,
  });
  record('files to all targets', {
    files: real.files,
    'repeats left out': real.repeats,
    ...figures(real),
    slowest: `${slowest.what} (${Math.round(slowest.ms)} ms)`,
    largest: `${largest.what} (${Math.round(largest.bytes / 1024)} kB)`,
  });
  record('generated entities', figures(made));
});

test.each(samples)('sample $path', check);

if (!corpusIsThere) console.log(NO_CORPUS);
describe.skipIf(!corpusIsThere)('corpus', () => {
  test.each(corpus)('$path', check);
});

const numRuns = 100;
/** The same entities everywhere. */

describe('generated', () => {
  test.each(['character', 'lorebook', 'persona', 'regex', 'preset'] as const)('%s', async (kind) => {
    const property = fc.asyncProperty(oddEntities[kind], async (entities) => {
      expect(await faultsOf(entities, `a generated ${kind}`, made)).toEqual([]);
    });
    await fc.assert(property, { numRuns });
  });
});
