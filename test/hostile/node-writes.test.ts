/**
 * Writes that are cut off: by a kill, a full disk, a folder that may not be written. Afterwards each file is the old one
 * or the new one, whole, and nothing of ours lies about but what a kill left, under a name that says so.
 */
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const NODE = fileURLToPath(new URL('../../dist/node.js', import.meta.url));
const LEFTOVER = /^\.bunzai-\d+-\d+\.tmp$/;
const SIZE = 3_000_000;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bunzai-writes-'));
  chmodSync(folder, 0o755);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Writes `card.json` and `book.json`, each all of one letter, and prints the code of a refusal. */
const WRITE = `
const { writeFiles } = await import(process.argv[1]);
const [, , folder, letters, size, overwrite] = process.argv;
process.stdout.write('begin\\n');
for (const letter of letters) {
  const bytes = Buffer.alloc(Number(size), letter);
  const files = ['card.json', 'book.json'].map((name) => ({ name, bytes }));
  await writeFiles(folder, files, { overwrite: overwrite === 'true' }).catch((error) => {
    process.stdout.write(error.code + ': ' + error.detail + '; ' + error.hint + '\\n');
  });
}
process.stdout.write('end\\n');
`;
const script = () => {
  const path = join(folder, '..', `bunzai-write-${process.pid}.mjs`);
  writeFileSync(path, WRITE.replace('process.argv[1]', JSON.stringify(NODE)));
  chmodSync(path, 0o644);
  return path;
};
const args = (where: string, letters: string, overwrite: boolean, size = SIZE) => [
  script(),
  where,
  letters,
  `${size}`,
  `${overwrite}`,
];

/** The letter that a file is all of; undefined where it is anything else than a whole one. */
function letterOf(path: string, size = SIZE): string | undefined {
  const bytes = readFileSync(path);
  const letter = String.fromCharCode(bytes[0] ?? 0);
  return bytes.length === size && bytes.every((byte) => byte === bytes[0]) ? letter : undefined;
}

/** Lets a process write until it is killed. */
function killed(after: number, letters: string, overwrite: boolean): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args(folder, letters, overwrite), { stdio: ['ignore', 'pipe', 'ignore'] });
    child.stdout.once('data', () => setTimeout(() => child.kill('SIGKILL'), after));
    child.on('exit', () => resolve());
  });
}

test('a kill at any moment leaves the old file or the new one, and names that say what is left', {
  timeout: 120_000,
}, async () => {
  for (const name of ['card.json', 'book.json']) writeFileSync(join(folder, name), Buffer.alloc(SIZE, 'o'));
  for (let n = 0; n < 20; n++) {
    await killed(n * 2, 'abcdefghijklmnabcdefghijklmnabcdefghijklmn', true);
    for (const name of ['card.json', 'book.json']) expect(letterOf(join(folder, name)), `kill ${n}`).toMatch(/[a-o]/);
    const rest = readdirSync(folder).filter((name) => !/^(card|book)\.json$/.test(name));
    expect(rest.filter((name) => !LEFTOVER.test(name))).toEqual([]);
  }
  const { stdout } = spawnSync(process.execPath, args(folder, 'z', true), { encoding: 'utf8' });
  expect([stdout, letterOf(join(folder, 'card.json'))]).toEqual(['begin\nend\n', 'z']);
});

test('a kill during first writes leaves each file whole or not there', { timeout: 120_000 }, async () => {
  for (let n = 0; n < 12; n++) {
    const inner = join(folder, `${n}`);
    mkdirSync(inner);
    const child = spawn(process.execPath, args(inner, 'a', false), { stdio: ['ignore', 'pipe', 'ignore'] });
    await new Promise<void>((resolve) => {
      child.stdout.once('data', () => setTimeout(() => child.kill('SIGKILL'), n));
      child.on('exit', () => resolve());
    });
    for (const name of readdirSync(inner)) if (!LEFTOVER.test(name)) expect(letterOf(join(inner, name))).toBe('a');
  }
});

const afterFailure = (where: string) => {
  expect(readdirSync(where).sort()).toEqual(['book.json', 'card.json']);
  for (const name of ['card.json', 'book.json']) expect(letterOf(join(where, name), 1000)).toBe('o');
};
const oldFiles = (where: string) => {
  for (const name of ['card.json', 'book.json']) writeFileSync(join(where, name), Buffer.alloc(1000, 'o'));
};

const isWindows = process.platform === 'win32';

test.skipIf(isWindows)('a write that the system cuts off leaves what was there, and no temporary files', () => {
  oldFiles(folder);
  // The bound of a shell on written files, with its signal ignored: the write fails in the middle, as on a full disk.
  const line = 'trap "" XFSZ; ulimit -f 800; exec "$@"';
  const run = spawnSync('bash', ['-c', line, 'bash', process.execPath, ...args(folder, 'n', true)], {
    encoding: 'utf8',
  });
  expect(run.stdout).toMatch(/^begin\noutput\.failed: the file is larger than .*; choose another folder.*\nend\n$/);
  afterFailure(folder);
});

/** A disk of 2 MB at `where`; false where the system does not let us. */
const mounted = (where: string): boolean =>
  process.platform === 'linux' && spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', where]).status === 0;

test('a full disk leaves what was there, and no temporary files', ({ skip }) => {
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  if (!mounted(disk))
    skip('mounting a small disk takes root on Linux: the test before this one cuts a write off all the same');
  try {
    oldFiles(disk);
    const run = spawnSync(process.execPath, args(disk, 'n', true), { encoding: 'utf8' });
    expect(run.stdout).toBe(
      'begin\noutput.failed: the disk is full; make room, or choose another folder with -o\nend\n',
    );
    afterFailure(disk);
    // The first file fits, the second one does not.
    const second = spawnSync(process.execPath, args(disk, 'n', true, 1_400_000), { encoding: 'utf8' });
    expect(second.stdout).toContain('output.failed');
    afterFailure(disk);
  } finally {
    spawnSync('umount', [disk]);
  }
});

test.skipIf(isWindows)('a folder that may not be written is refused, and stays as it was', () => {
  const locked = join(folder, 'locked');
  mkdirSync(locked);
  oldFiles(locked);
  chmodSync(locked, 0o555);
  // Root may write anywhere: nobody takes its place.
  const as = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const run = spawnSync(process.execPath, args(locked, 'n', true), { encoding: 'utf8', ...as });
  expect(run.stdout + run.stderr).toBe(
    'begin\noutput.failed: writing there is not permitted; choose another folder with -o\nend\n',
  );
  chmodSync(locked, 0o755);
  afterFailure(locked);
});

test('a name that is taken is refused, and the old file stays whole', () => {
  oldFiles(folder);
  const run = spawnSync(process.execPath, args(folder, 'n', false), { encoding: 'utf8' });
  expect(run.stdout).toContain('output.exists');
  afterFailure(folder);
  expect(existsSync(join(folder, 'card.json'))).toBe(true);
});
