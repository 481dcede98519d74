/** A short run of `npm run fuzz` with cases that never change: every target, samples alone. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { record } from '../kit/summary.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const node = (...args: string[]) => spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
const CONFIG = ['--config', 'test/fuzz/build.config.ts', '--logLevel', 'error'];

test('a few changed files for each container and adapter: a result or a coded error', { timeout: 300_000 }, () => {
  const built = node('node_modules/tsdown/dist/run.mjs', ...CONFIG);
  expect(built.status, built.stderr).toBe(0);
  const options = ['--samples', '--seed', '20240506', '--rounds', '8', '--seconds', '240'];
  const { stdout, stderr, status } = node('node_modules/.cache/bunzai-fuzz/start.js', ...options);
  const said = /(\d+) inputs fuzzed in (\d+) targets, seed 20240506; slowest (.*), largest (.*); 0 findings/.exec(
    stdout,
  );
  const [, inputs, targets, slowest = '', largest = ''] = said ?? [];
  expect(Number(targets), stdout + stderr).toBeGreaterThan(40);
  expect(Number(inputs)).toBe(8 * Number(targets));
  expect(status).toBe(0);
  record('fuzz', { 'inputs fuzzed': Number(inputs), targets: Number(targets), slowest, largest });
});
