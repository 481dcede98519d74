/**
 * The laws on many new cases: `npm run laws`, or `npm run laws risu tables` for some of their files.
 * `RUNS` is the number of cases of each law (3000), `SEED` repeats a run; a new one is printed.
 */
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { fileURLToPath } from 'node:url';

const FILES = ['laws.test.ts', 'test/laws/tables.test.ts'];

const { RUNS = '3000', SEED = String(randomInt(2 ** 31)) } = process.env;
const parts = process.argv.slice(2);
const files = parts.length === 0 ? FILES : parts.map((part) => (part === 'tables' ? FILES[1] : `${part}/laws.test.ts`));
const again = `SEED=${SEED} RUNS=${RUNS} npm run laws ${parts.join(' ')}`.trim();
console.log(`${RUNS} cases of each law; the same again: ${again}`);

const vitest = fileURLToPath(new URL('./vitest.mjs', import.meta.resolve('vitest/package.json')));
const { status } = spawnSync(process.execPath, [vitest, 'run', '--reporter=dot', '--testTimeout=600000', ...files], {
  env: { ...process.env, RUNS, SEED },
  stdio: 'inherit',
});
if (status !== 0) console.log(`failed; the same again: ${again}`);
process.exitCode = status ?? 1;
