import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: 'test/setup-build.ts',
    setupFiles: ['test/setup-seed.ts'],
    maxWorkers: 2,
    testTimeout: 60_000,
  },
});
