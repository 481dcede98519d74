/** The library runs in browsers: its bundle asks for no built-in of Node and for nothing else from outside, and stays small. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'tsdown';
import { expect, test } from 'vitest';

const at = (file: string) => fileURLToPath(new URL(`../${file}`, import.meta.url));
const index = at('src/index.ts');

/** A browser bundle: its code, what it loads from outside, and its size in kB (1,000 bytes) gzipped. */
async function bundled(entry: string) {
  const bundles = await build({
    config: false,
    entry: { index: entry },
    platform: 'browser',
    format: 'esm',
    write: false,
    clean: false,
    dts: false,
    minify: true,
    logLevel: 'silent',
    deps: { alwaysBundle: [/./], onlyBundle: false },
  });
  const chunks = bundles.flatMap((one) => one.chunks).flatMap((chunk) => (chunk.type === 'chunk' ? [chunk] : []));
  const own = new Set(chunks.map(({ fileName }) => fileName));
  const outside = chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports]);
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const atOnce = new Set<string>();
  const load = (name: string) => {
    if (atOnce.has(name)) return;
    atOnce.add(name);
    byName.get(name)?.imports.forEach(load);
  };
  for (const { isEntry, isDynamicEntry, fileName } of chunks) if (isEntry && !isDynamicEntry) load(fileName);
  const weigh = (some: typeof chunks) => some.reduce((sum, { code }) => sum + gzipSync(code).length / 1000, 0);
  return {
    outside: outside.filter((name) => !own.has(name)),
    code: chunks.map(({ code }) => code).join('\n'),
    atOnce: weigh(chunks.filter(({ fileName }) => atOnce.has(fileName))),
    whole: weigh(chunks),
  };
}

test('the browser bundle loads nothing from outside', async () => {
  const { outside, code, atOnce, whole } = await bundled(index);
  expect(outside).toEqual([]);
  expect(code.match(/.{0,60}(?:\brequire\(|\bprocess\.|\bBuffer\.).{0,20}/g)).toBeNull();
  expect(atOnce).toBeLessThan(117);
  expect(whole).toBeLessThan(147);
});

test.each([
  ['pygmalion', 34, 67],
  ['sillytavern', 42, 75],
])('an engine with %s alone loads no more than it needs', async (format, mostAtOnce, most) => {
  const folder = mkdtempSync(join(tmpdir(), 'bunzai-bundle-'));
  try {
    const entry = join(folder, 'entry.ts');
    // As the package has it: what stands in one of its files is loaded together.
    const from = (name: string) => JSON.stringify(at(`dist/${name}.js`));
    writeFileSync(
      entry,
      `import { createEngine } from ${from('engine')};
       import { ${format} } from ${from(`formats/${format}`)};
       export const engine = createEngine([${format}]);`,
    );
    const { atOnce, whole } = await bundled(entry);
    expect(atOnce).toBeLessThan(mostAtOnce);
    expect(whole).toBeLessThan(most);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a built-in of Node would be seen', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bunzai-bundle-'));
  try {
    const entry = join(folder, 'entry.ts');
    writeFileSync(entry, "import { readFileSync } from 'node:fs';\nexport const read = () => readFileSync('x');\n");
    const { outside } = await bundled(entry);
    expect(outside).toContain('node:fs');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
