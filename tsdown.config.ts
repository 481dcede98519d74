import { createHash } from 'node:crypto';
import { defineConfig } from 'tsdown';

const shared = {
  format: 'esm',
  target: 'node20',
  outDir: 'dist',
  outExtensions: () => ({ js: '.js', dts: '.d.ts' }),
} as const;

/** What every conversion needs goes into one chunk: each file more costs start-up time. */
const IN_ENGINE =
  /[\\/](?:src[\\/](?!cli\.ts|cli[\\/](?:help|code-cache)\.ts|.*validate\.ts|.*inflate-fallback\.ts|(?:content-hash|core[\\/]sha256)\.ts|entities[\\/]slots\.ts)|jsonc-parser)/;

/** Tells the starter which engine it belongs to, so that compiled code of another one is never taken for it. */
const engineMark = {
  name: 'engine-mark',
  generateBundle(_options: unknown, bundle: Record<string, { readonly type: string; code?: string }>) {
    const engine = bundle['cli/engine.cjs'];
    const starter = bundle['cli.cjs'];
    if (!engine?.code || !starter?.code?.includes('@engine@')) throw new Error('cli.cjs or cli/engine.cjs is missing');
    const mark = createHash('sha256').update(engine.code).digest('hex').slice(0, 12);
    starter.code = starter.code.replace('@engine@', mark);
  },
};

export default defineConfig([
  {
    ...shared,
    entry: { index: 'src/index.ts', edit: 'src/edit/index.ts', node: 'src/node.ts' },
    platform: 'neutral',
    dts: true,
    deps: { neverBundle: [/^node:/] },
  },
  {
    ...shared,
    // CommonJS, because it starts in half the time: no module loader to set up, no second face for each builtin.
    format: 'cjs',
    entry: { cli: 'src/cli.ts', 'cli/main': 'src/cli/main.ts' },
    outExtensions: () => ({ js: '.cjs' }),
    platform: 'node',
    dts: false,
    clean: false,
    minify: true,
    plugins: [engineMark],
    deps: { alwaysBundle: [/./], onlyBundle: false },
    // jsonc-parser's CommonJS build hides its imports from a bundler.
    inputOptions: { resolve: { mainFields: ['module', 'main'] } },
    outputOptions: {
      chunkFileNames: 'cli/[name].cjs',
      codeSplitting: { groups: [{ name: 'engine', test: IN_ENGINE }] },
    },
  },
]);
