/** Sizes of what a page loads, minified and gzipped: at once with its import, and with everything that calls load later. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const dist = (name) => JSON.stringify(fileURLToPath(new URL(`../dist/${name}.js`, import.meta.url)));

async function sizeOf(entry) {
  // Loaded here: its objects would have to be walked by every collection while the other rows are measured.
  const { build } = await import('tsdown');
  const folder = mkdtempSync(join(tmpdir(), 'bunzai-bench-'));
  try {
    const file = join(folder, 'entry.mjs');
    writeFileSync(file, entry);
    const bundles = await build({
      config: false,
      entry: { index: file },
      platform: 'browser',
      format: 'esm',
      write: false,
      clean: false,
      dts: false,
      minify: true,
      logLevel: 'silent',
      deps: { alwaysBundle: [/./], onlyBundle: false },
    });
    const chunks = bundles.flatMap((one) => one.chunks).filter(({ type }) => type === 'chunk');
    const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
    const atOnce = new Set();
    const load = (name) => {
      if (atOnce.has(name)) return;
      atOnce.add(name);
      byName.get(name)?.imports.forEach(load);
    };
    for (const { isEntry, isDynamicEntry, fileName } of chunks) if (isEntry && !isDynamicEntry) load(fileName);
    const weigh = (some) => some.reduce((sum, { code }) => sum + gzipSync(code).length, 0);
    return { bytes: weigh(chunks.filter(({ fileName }) => atOnce.has(fileName))), whole: weigh(chunks) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export async function bundles() {
  const one = `import { createEngine } from ${dist('engine')};\nimport { pygmalion } from ${dist('formats/pygmalion')};\nexport const engine = createEngine([pygmalion]);\n`;
  const tavern = one.replaceAll('pygmalion', 'sillytavern');
  return [
    { name: 'library with the whole roster', bound: 120, ...(await sizeOf(`export * from ${dist('index')};`)) },
    { name: 'engine with one character format (Pygmalion)', bound: 25, ...(await sizeOf(one)) },
    { name: 'engine with one character format (SillyTavern)', ...(await sizeOf(tavern)) },
  ];
}
