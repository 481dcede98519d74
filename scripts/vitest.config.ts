import { defineConfig } from 'vitest/config';

/** Runs that are no tests: `npm run screenshots`, `npm run responsive`. They use the tests' browser and build. */
export default defineConfig({
  test: {
    include: ['scripts/**/*.run.ts'],
    globalSetup: ['test/setup-build.ts', 'test/setup-studio.ts'],
    testTimeout: 600_000,
    maxWorkers: 1,
  },
});
