import { defineConfig } from 'vitest/config';
import { summary } from './test/kit/summary-reporter.ts';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    reporters: ['default', summary],
    globalSetup: ['test/setup-build.ts', 'test/setup-studio.ts'],
    setupFiles: ['test/setup-seed.ts', 'test/setup-writers.ts'],
    maxWorkers: 2,
    testTimeout: 60_000,
  },
});
