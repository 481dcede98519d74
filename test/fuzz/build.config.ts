import { fileURLToPath } from 'node:url';
import { defineConfig } from 'tsdown';

/** The fuzzer as two files that plain Node runs: it watches a child process, which no test runner has to survive. */
export default defineConfig({
  cwd: fileURLToPath(new URL('../..', import.meta.url)),
  entry: ['test/fuzz/start.ts', 'test/fuzz/worker.ts'],
  format: 'esm',
  platform: 'node',
  target: 'node20',
  outDir: 'node_modules/.cache/bunzai-fuzz',
  outExtensions: () => ({ js: '.js' }),
  dts: false,
});
