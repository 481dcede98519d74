/**
 * Bombs of a megabyte in a process of their own: each door answers, and the peak of memory stays near that of an idle
 * process. With `node:zlib` and as in a runtime that has none.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { text, v2 } from '../cases/rest-kit.ts';
import { record } from '../kit/summary.ts';
import { bombs } from './bombs.ts';

const LIBRARY = fileURLToPath(new URL('../../dist/index.js', import.meta.url));
const MAX_GROWN_MB = 150;
const files = bombs();
const folder = mkdtempSync(join(tmpdir(), 'bunzai-bombs-'));
const worst = { what: 'none', mb: 0 };
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  record('bombs', { bombs: Object.keys(files).length * 2, largest: `${worst.what}, ${worst.mb} MB above idle` });
});

/** Loads the library, reads a small card, and only then the bomb. */
const CHILD = `
if (process.argv[3] === 'without') Object.defineProperty(process, 'getBuiltinModule', { value: undefined });
const { detect, label, inspect, convert } = await import(${JSON.stringify(LIBRARY)});
const { readFileSync } = await import('node:fs');
await convert(process.argv[4], 'agnai');
const bytes = readFileSync(process.argv[2]);
const idle = process.resourceUsage().maxRSS;
const codes = [];
for (const door of [detect, label, inspect, (it) => convert(it, 'agnai')])
  await door(bytes).catch((error) => codes.push(error.code ?? String(error)));
console.log(JSON.stringify({ grown: (process.resourceUsage().maxRSS - idle) / 1024, codes }));
`;
writeFileSync(join(folder, 'child.mjs'), CHILD);

describe.each(['with', 'without'])('%s node:zlib', (zlib) => {
  test.each(Object.keys(files))('%s', (name) => {
    const bomb = files[name] as Uint8Array;
    expect(bomb.length).toBeLessThan(1_200_000);
    const path = join(folder, 'bomb');
    writeFileSync(path, bomb);
    const run = spawnSync(process.execPath, [join(folder, 'child.mjs'), path, zlib, text(v2())], { encoding: 'utf8' });
    expect(run.stderr).toBe('');
    const { grown, codes } = JSON.parse(run.stdout) as { grown: number; codes: string[] };
    if (process.env.SHOW) console.log(zlib, name, Math.round(grown), codes.join(' '));
    if (grown > worst.mb) Object.assign(worst, { what: `${name}, ${zlib} node:zlib`, mb: Math.round(grown) });
    expect(grown, codes.join()).toBeLessThan(MAX_GROWN_MB);
    for (const code of codes) expect(code).toMatch(/^(zip|card|input|format)\./);
    expect(codes.length).toBeGreaterThan(0);
  });
});
