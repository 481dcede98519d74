import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Apart from the other tests: this run installs and starts real apps. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: { include: ['test/oracles/*.oracle.ts'], fileParallelism: false, hookTimeout: 600_000, testTimeout: 1_800_000 },
});
