/** The built command line, run as people run it, and looks at what it leaves. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const CLI = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url));

export type Line = Record<string, unknown> & { ok: boolean; file: string; error?: { code: string } };

/** One finished run. `lines`: standard output, parsed line by line. */
export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  readonly lines: () => Line[];
}

const environment = (env: Record<string, string> = {}): NodeJS.ProcessEnv => {
  const { FORCE_COLOR: _, ...rest } = process.env;
  return { ...rest, NO_COLOR: '', ...env };
};

/** Runs the command line in a folder. */
export function runCli(folder: string, args: readonly string[], env?: Record<string, string>): Ran {
  const done = spawnSync(process.execPath, [CLI, ...args], {
    cwd: folder,
    env: environment(env),
    input: '',
    maxBuffer: 1 << 28,
  });
  const out = done.stdout.toString();
  const lines = () =>
    out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Line);
  return { code: done.status, out, err: done.stderr.toString(), lines };
}

/** Starts the command line in a folder and lets it run. */
export const startCli = (folder: string, args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [CLI, ...args], { cwd: folder, env: environment(), stdio: 'ignore' });

export const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => void child.on('exit', resolve));

/** Writes a file, its folders made. Anything but text and bytes becomes JSON. */
export function put(folder: string, name: string, content: unknown): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  const plain = typeof content === 'string' || content instanceof Uint8Array;
  writeFileSync(join(folder, name), plain ? content : JSON.stringify(content));
}

/** Every visible file below a folder by its path, with its bytes as text; journals are hidden. */
export function tree(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const files = names.filter((name) => !/(^|\/)\./.test(name) && statSync(join(folder, name)).isFile());
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name), 'latin1')]));
}

/** Files that an interrupted write would leave. */
export const halfWritten = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tmp'));
