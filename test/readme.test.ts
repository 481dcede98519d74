/** The first screen of the README shows what the command line really prints. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runCli } from './kit/cli.ts';

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const SHOWN = /```console\n\$ bunzai (convert mira\.png --to agnai)\n([\s\S]*?)\n```/;

test('the output in the README is that of the sample, at 80 columns', () => {
  const [, line = '', output] = SHOWN.exec(readFileSync(at('README.md'), 'utf8')) ?? [];
  const folder = mkdtempSync(join(tmpdir(), 'bunzai-readme-'));
  try {
    copyFileSync(at('samples/sillytavern/sillytavern.mira.png'), join(folder, 'mira.png'));
    const { out } = runCli(folder, line.split(' '), { COLUMNS: '80' });
    expect(out.replace(/ +$/gm, '').trim()).toBe(output);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
