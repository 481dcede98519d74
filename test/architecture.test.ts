/**
 * Imports point one way: core <- entities <- formats <- src/*.ts <- ui <- the local server <- cli. A family never imports another, and only
 * the parts that run under Node may import Node.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../src/', import.meta.url));
const IMPORT =
  /(?:^|[\s;}])(?:import|export)\s*(?:type\s+)?(?:[\w*{}\s,$]+?\s+from\s*)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g;

/** The shipped source: tests and what they share (`testing.ts` of a family) may import anything. */
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => /\.(?:ts|svelte)$/.test(name) && !/(\.test|[\\/]testing)\.ts$/.test(name))
  .sort();

/** What a file imports, as it says it. */
const importsIn = (text: string): string[] =>
  [...text.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(IMPORT)].map(([, one, two]) =>
    // A bundler's question mark says how a file is taken in, not which one.
    ((one ?? two) as string).replace(/\?.*$/, ''),
  );

/** The part of the source tree that a file belongs to. */
function partOf(file: string): string {
  const [top = '', family = '', ...rest] = file.split('/');
  if (file === 'cli.ts' || top === 'cli') return 'cli';
  // The command line starts the local server, and knows nothing else of the studio.
  if (file === 'ui/server.ts') return 'server';
  if (top === 'ui') return 'ui';
  if (top === 'core' || top === 'entities') return top;
  if (top !== 'formats') return 'library';
  return rest.length === 0 ? 'roster' : `formats/${family}`;
}

/** Whether a file of `from` may import a file of `to`. */
function allowed(from: string, to: string): boolean {
  if (from === to) return true;
  switch (from) {
    case 'core':
      return false;
    case 'entities':
      return to === 'core';
    case 'roster':
      return to.startsWith('formats/');
    case 'library':
      return to !== 'cli' && to !== 'ui' && to !== 'server';
    case 'cli':
      return to !== 'ui';
    case 'ui':
      return to !== 'cli' && to !== 'server';
    case 'server':
      return to !== 'cli';
    default:
      return to === 'core' || to === 'entities' || to === 'formats/_shared';
  }
}

const edges = files.flatMap((file) =>
  importsIn(readFileSync(join(root, file), 'utf8')).map((specifier) => ({ file, specifier })),
);
/** The page asks its builder where a sample will lie: nothing of it is imported. */
const isAddress = (file: string, specifier: string): boolean =>
  partOf(file) === 'ui' && /^(?:\.\.\/)+samples\//.test(specifier);
const isNode = (specifier: string): boolean =>
  specifier.startsWith('node:') || builtinModules.includes(specifier.split('/')[0] as string);

test('the source tree is read', () => {
  expect(files.length).toBeGreaterThan(50);
  expect(edges.length).toBeGreaterThan(200);
  expect(
    importsIn("import type { A } from './a.ts';\nexport { b,\n c } from './b.ts'; await import('./c.ts'); import 'd';"),
  ).toEqual(['./a.ts', './b.ts', './c.ts', 'd']);
});

test('imports point one way, and no family imports another', () => {
  const wrong = edges.flatMap(({ file, specifier }) => {
    if (!specifier.startsWith('.') || isAddress(file, specifier)) return [];
    const target = posix.normalize(posix.join(dirname(file), specifier));
    if (target === '../package.json' && partOf(file) === 'cli') return [];
    if (target.startsWith('..')) return [`${file} imports ${specifier}`];
    return allowed(partOf(file), partOf(target)) ? [] : [`${file} imports ${target}`];
  });
  expect(wrong).toEqual([]);
});

test('only the command line, the studio and src/node.ts import Node', () => {
  const wrong = edges.filter(
    ({ file, specifier }) => isNode(specifier) && file !== 'node.ts' && !['cli', 'ui', 'server'].includes(partOf(file)),
  );
  expect(wrong).toEqual([]);
});

test('the page and its library run in a browser: they import no Node and nothing of the local server', () => {
  const inBrowser = (file: string) => /^ui\/(?:page|item|library)\//.test(file);
  const wrong = edges.filter(({ file, specifier }) => {
    if (!inBrowser(file)) return false;
    const target = posix.normalize(posix.join(dirname(file), specifier));
    return isNode(specifier) || (specifier.startsWith('.') && target.startsWith('ui/') && !inBrowser(target));
  });
  expect(wrong).toEqual([]);
});

test('relative imports name an existing file with its extension', () => {
  const known = new Set(files);
  const wrong = edges.filter(({ file, specifier }) => {
    if (!specifier.startsWith('.') || /\.(?:json|css)$/.test(specifier) || isAddress(file, specifier)) return false;
    return !known.has(relative(root, join(root, dirname(file), specifier)).replaceAll('\\', '/'));
  });
  expect(wrong).toEqual([]);
});

test('core names no format and no app', () => {
  const family = readdirSync(join(root, 'formats')).filter((name) => !/^_|\./.test(name));
  const wrong = files
    .filter((file) => partOf(file) === 'core')
    .flatMap((file) => {
      const code = readFileSync(join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
      return family
        .filter((name) => new RegExp(`['"\`]${name}['"\`]`).test(code))
        .map((name) => `${file} names ${name}`);
    });
  expect(wrong).toEqual([]);
});

test('no adapter works out its table of fields before somebody looks at it', async () => {
  const { formats } = await import('../src/formats/index.generated.ts');
  const eager = formats
    .filter((adapter) => !('native' in adapter && adapter.native))
    .filter((adapter) => Object.getOwnPropertyDescriptor(adapter, 'coverage')?.get === undefined);
  expect(eager.map(({ id }) => id)).toEqual([]);
});

test('every format of pictures loads what puts cards into them before a write', async () => {
  const { formats } = await import('../src/formats/index.generated.ts');
  const { sealing } = await import('../src/formats/_shared/card-carriers.ts');
  const ofPictures = formats.filter((adapter) => 'reads' in adapter && adapter.reads?.includes('png'));
  expect(ofPictures.length).toBeGreaterThan(7);
  for (const adapter of ofPictures) {
    sealing.forget();
    await adapter.prepare?.('write');
    expect(sealing.loaded, adapter.id).not.toThrow();
  }
});
