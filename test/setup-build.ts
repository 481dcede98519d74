import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const INPUTS = ['src', 'package.json', 'tsdown.config.ts'];
const OUTPUTS = ['dist/cli.cjs', 'dist/index.js', 'dist/node.js'];

/** Time of the last change below a path; 0 where there is nothing. Tests and hidden files are not built. */
export function changed(path: string): number {
  if (!existsSync(path)) return 0;
  if (!statSync(path).isDirectory()) return /\.test\.ts$/.test(path) ? 0 : statSync(path).mtimeMs;
  const names = readdirSync(path).filter((name) => !name.startsWith('.'));
  return Math.max(statSync(path).mtimeMs, ...names.map((name) => changed(join(path, name))));
}

/** Builds `dist` once before the tests when the sources are newer. Runs of tests that need no build are not held up. */
export default function setup(project: TestProject): void {
  const asked = (project.vitest as { filenamePattern?: string[] }).filenamePattern ?? [];
  if (asked.length > 0 && !asked.some((part) => /bundle|cli|node|readme|dist|studio|^test\/?$/.test(part))) return;
  const oldest = Math.min(
    ...OUTPUTS.map((name) => (existsSync(join(ROOT, name)) ? statSync(join(ROOT, name)).mtimeMs : 0)),
  );
  if (INPUTS.every((name) => changed(join(ROOT, name)) <= oldest)) return;
  const built = spawnSync(process.execPath, [join(ROOT, 'node_modules/tsdown/dist/run.mjs'), '--no-clean'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  // Only the tests that run the build fail without it, and they say so.
  if (built.status !== 0) console.error(`The build failed:\n${built.stdout}\n${built.stderr}`);
}
