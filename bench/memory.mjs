/** Peak memory of reading one file, in a process of its own: `node bench/memory.mjs <file> [read]` prints bytes. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const self = fileURLToPath(import.meta.url);

if (process.argv[1] === self) {
  const [, , file, work] = process.argv;
  const { read } = await import('../dist/index.js');
  if (work === 'read') await read(readFileSync(file));
  if (work === 'parse') JSON.parse(readFileSync(file, 'utf8'));
  // Not `resourceUsage`: that counts the process this one was forked from too.
  console.log(Number(/VmHWM:\s*(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) * 1024);
}

function peak(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [self, ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return Number(stdout);
}

/** The peak above a process that only loads the library, in sizes of the file; the lower of three. */
export function memory(inputs) {
  const folder = mkdtempSync(join(tmpdir(), 'bunzai-bench-'));
  try {
    return inputs.map(({ name, bytes }) => {
      const file = join(folder, 'input');
      writeFileSync(file, bytes);
      const above = (work) => Math.min(...[0, 1, 2].map(() => peak(file, work) - peak(file))) / bytes.length;
      const parse = bytes[0] === 0x7b ? { parse: above('parse') } : {};
      return { name, size: bytes.length, ratio: above('read'), ...parse };
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
