/**
 * Every ordered pair of formats of one kind: a maximal entity in a file of the first is converted to the second. What
 * does not cross has to be in the report, and nothing else, by a check that shares no code with the engine's own.
 */
import { afterAll, describe, expect, test } from 'vitest';
import type { BunzaiError } from '../src/core/errors.ts';
import type { Loss } from '../src/core/report.ts';
import { createEngine } from '../src/engine.ts';
import type { AnyAdapter, AnyEntity } from '../src/entities/kinds.ts';
import { formats } from '../src/formats/index.generated.ts';
import { maximalCharacter, maximalLorebook } from './entities/maximal.ts';
import { maximalPersona, maximalPreset, maximalRegex } from './entities/maximal-more.ts';
import { findingsOf } from './kit/second-path.ts';
import { record } from './kit/summary.ts';

const engine = createEngine(formats as readonly AnyAdapter[]);
const tally = { pairs: 0, paths: 0, losses: 0 };
afterAll(() => {
  const { pairs, paths, losses } = tally;
  record('fullest entities', { 'pairs checked': pairs, 'populated paths': paths, 'losses verified': losses });
});

/** Holds what went in against what reads back, and the report against both. */
function verify(
  label: string,
  before: readonly AnyEntity[],
  after: readonly AnyEntity[],
  losses: readonly Loss[],
): void {
  const { silent, untrue, paths, losses: verified } = findingsOf(before, after, losses);
  tally.pairs++;
  tally.paths += paths;
  tally.losses += verified;
  expect(silent, `${label}: lost and not reported`).toEqual([]);
  expect(untrue, `${label}: reported, yet it reads back equal`).toEqual([]);
}

interface Written {
  readonly files: readonly { readonly bytes: Uint8Array; readonly format: string }[];
}

/** All entities of all written files. */
async function readAll({ files }: Written): Promise<AnyEntity[]> {
  const read = await Promise.all(files.map(({ bytes, format }) => engine.read(bytes, { format })));
  return read.flatMap(({ entities }) => entities);
}

const SETS = {
  character: () => [maximalCharacter(), maximalLorebook()],
  lorebook: () => [maximalLorebook()],
  persona: () => [maximalPersona()],
  regex: () => [maximalRegex()],
  preset: () => [maximalPreset()],
} satisfies Record<string, () => AnyEntity[]>;

/** Quick replies take nothing but their own files. */
const CLOSED = new Set(['sillytavern-quickreply']);

describe.each(['character', 'lorebook', 'persona', 'regex', 'preset'] as const)('%s formats', (kind) => {
  const ids = engine.registry.adapters.flatMap((adapter) =>
    adapter.kind === kind && !CLOSED.has(adapter.id) ? [adapter.id] : [],
  );

  describe.each(ids)('from %s', (from) => {
    test.each(ids)('to %s', async (to) => {
      const source = await engine.write(SETS[kind](), from);
      const [main] = source.files;
      const before = await engine.read(main!.bytes);
      expect(before.format).toBe(from);
      const result = await engine.convert(main!.bytes, to);
      verify(`${from} to ${to}`, before.entities, await readAll(result), result.report.losses);
    });
  });

  test.each(ids)('the maximal entity itself to %s, in each container', async (to) => {
    const adapter = engine.registry.named(to);
    for (const [index, { name }] of adapter.containers.entries()) {
      const result = await engine.write(SETS[kind](), to, { container: name }).catch((error: BunzaiError) => {
        // A container may want a picture that there is not; the one that is chosen first may not.
        if (index === 0 || error.code !== 'container.unsupported') throw error;
      });
      if (!result) continue;
      expect(result.files[0]?.bytes.length).toBeGreaterThan(0);
      verify(`model to ${to} (${name})`, SETS[kind](), await readAll(result), result.report.losses);
    }
  });
});

test('the check itself sees a loss that is hidden, and one that is made up', async () => {
  const { files, report } = await engine.write(SETS.character(), 'pygmalion');
  const back = await readAll({ files });
  const hidden = report.losses.filter(({ path }) => path !== 'persona.appearance');
  expect(hidden).toHaveLength(report.losses.length - 1);
  expect(() => verify('hidden', SETS.character(), back, hidden)).toThrow(/persona\.appearance/);
  const madeUp = { ...(report.losses[0] as Loss), path: 'persona.scenario' };
  expect(() => verify('made up', SETS.character(), back, [...report.losses, madeUp])).toThrow(/persona\.scenario/);
});
