/** The library runs in browsers: its bundle asks for no built-in of Node and for nothing else from outside. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'tsdown';
import { expect, test } from 'vitest';

const index = fileURLToPath(new URL('../src/index.ts', import.meta.url));

/** The chunks of a browser bundle, what they load from outside, and their size. */
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
  const size = (code: string) => gzipSync(code).length;
  return {
    outside: outside.filter((name) => !own.has(name)),
    code: chunks.map(({ code }) => code).join('\n'),
    first: chunks.filter(({ isDynamicEntry }) => !isDynamicEntry).reduce((sum, { code }) => sum + size(code), 0),
    whole: chunks.reduce((sum, { code }) => sum + size(code), 0),
  };
}

test('the browser bundle loads nothing from outside', async () => {
  const { outside, code, first, whole } = await bundled(index);
  expect(outside).toEqual([]);
  expect(code.match(/.{0,60}(?:\brequire\(|\bprocess\.|\bBuffer\.).{0,20}/g)).toBeNull();
  console.log(
    `browser bundle of all formats: ${(whole / 1024).toFixed(1)} kB gzipped, ${(first / 1024).toFixed(1)} kB of it at once`,
  );
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
