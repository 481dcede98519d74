import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { defineConfig } from 'tsdown';
import packageJson from './package.json' with { type: 'json' };

const shared = {
  format: 'esm',
  target: 'node20',
  outDir: 'dist',
  outExtensions: () => ({ js: '.js', dts: '.d.ts' }),
} as const;

/** What every conversion needs goes into one chunk: each file more costs start-up time. */
const IN_ENGINE =
  /[\\/]src[\\/](?!cli\.ts|index\.ts|ui[\\/]|cli[\\/](?:help|code-cache|worker|dedupe|dedupe-unit|journal|pool|progress|studio)\.ts|.*validate\.ts|.*inflate-fallback\.ts|(?:content-hash|core[\\/]sha256)\.ts|entities[\\/]slots\.ts)/;

/** Letters beyond ASCII as escapes: in texts and patterns they mean the same, and the script is read in a third of the time. */
const asAscii = (code: string): string =>
  code.replace(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Tells the starter its version and which engine it belongs to, so that compiled code of another is never taken for it. */
const engineMark = {
  name: 'engine-mark',
  generateBundle(_options: unknown, bundle: Record<string, { readonly type: string; code?: string }>) {
    const engine = bundle['cli/engine.cjs'];
    const starter = bundle['cli.cjs'];
    if (!engine?.code || !starter?.code?.includes('@engine@')) throw new Error('cli.cjs or cli/engine.cjs is missing');
    engine.code = asAscii(engine.code);
    const mark = createHash('sha256').update(engine.code).digest('hex').slice(0, 12);
    starter.code = starter.code.replace('@engine@', mark).replace('@version@', packageJson.version);
  },
};

/** Piscina starts the script beside its own: in a bundle that is the one we put there. */
const poolWorker = {
  name: 'pool-worker',
  transform(code: string, id: string) {
    if (!/piscina[\\/]dist[\\/]index\.js$/.test(id)) return undefined;
    const own = "(__dirname, 'worker.js')";
    if (!code.includes(own)) throw new Error('piscina names its worker in another way');
    return code.replace(own, "(__dirname, 'pool-worker.cjs')");
  },
};

/** One entry for each format folder, for engines over a chosen few. */
const FORMATS = Object.fromEntries(
  readdirSync('src/formats', { withFileTypes: true })
    .filter((one) => one.isDirectory() && one.name !== '_shared')
    .map(({ name }) => [`formats/${name}`, `src/formats/${name}/index.ts`]),
);

/**
 * A chunk of its own for each adapter beside that of the cards: a bundler leaves out files that nobody uses, but not
 * what stands in one file with something used. No addresses of the package: `exports` names none of them.
 */
const ADAPTERS = Object.fromEntries(
  Object.keys(FORMATS).flatMap((format) =>
    ['lorebook', 'persona', 'preset', 'quickreply', 'regex']
      .map((part) => [format.replace('formats/', 'adapters/').concat('-', part), `src/${format}/${part}.ts`] as const)
      .filter(([, file]) => existsSync(file)),
  ),
);

export default defineConfig([
  {
    ...shared,
    entry: {
      index: 'src/index.ts',
      edit: 'src/edit/index.ts',
      engine: 'src/engine.ts',
      node: 'src/node.ts',
      ...FORMATS,
      ...ADAPTERS,
    },
    platform: 'neutral',
    dts: true,
    deps: { neverBundle: [/^node:/] },
  },
  {
    ...shared,
    // CommonJS, because it starts in half the time: no module loader to set up, no second face for each builtin.
    format: 'cjs',
    entry: {
      cli: 'src/cli.ts',
      'cli/main': 'src/cli/main.ts',
      'cli/worker': 'src/cli/worker.ts',
      'cli/pool-worker': 'node_modules/piscina/dist/worker.js',
    },
    outExtensions: () => ({ js: '.cjs' }),
    platform: 'node',
    dts: false,
    clean: false,
    minify: true,
    plugins: [engineMark, poolWorker],
    // An optional part of piscina with code for each system, which we never ask for.
    deps: { alwaysBundle: [/^(?!@napi-rs\/nice)/], onlyBundle: false },
    outputOptions: {
      chunkFileNames: 'cli/[name].cjs',
      codeSplitting: { groups: [{ name: 'engine', test: IN_ENGINE }] },
    },
  },
]);
