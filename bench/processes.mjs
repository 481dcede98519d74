/** CPU seconds of whole commands: what a start costs. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { card, png } from './inputs.mjs';
import { median } from './measure.mjs';

const ROUNDS = 15;

/** Milliseconds, user and system, of one command. */
function cpu(command, folder) {
  const script = `TIMEFORMAT='%U %S'; time ${command} >/dev/null 2>"${join(folder, 'err')}"`;
  const { stderr, status } = spawnSync('bash', ['-c', script]);
  if (status !== 0) throw new Error(`failed: ${command}`);
  const parts = stderr.toString().trim().split(' ').map(Number);
  return parts.reduce((a, b) => a + b, 0) * 1000;
}

/** A cold `--version` and a cold `convert` against `node -e 0`, in turn; medians. */
export function starts() {
  const folder = mkdtempSync(join(tmpdir(), 'bunzai-bench-'));
  try {
    const file = join(folder, 'card.png');
    writeFileSync(file, png(1_500_000, card()));
    const node = `"${process.execPath}"`;
    const cli = `${node} "${fileURLToPath(new URL('../dist/cli.cjs', import.meta.url))}"`;
    const times = { bare: [], version: [], convert: [] };
    for (let i = 0; i < ROUNDS; i++) {
      times.bare.push(cpu(`${node} -e 0`, folder));
      times.version.push(cpu(`${cli} --version`, folder));
      const out = join(folder, `out-${i}.json`);
      times.convert.push(cpu(`${cli} convert "${file}" --to pygmalion --container json -o "${out}"`, folder));
    }
    const floorMs = median(times.bare);
    const row = (name, bound, values) => {
      const ratio = median(values.map((value, i) => value / times.bare[i]));
      return { name, input: '', floor: 'node -e 0', bound, ms: median(values), floorMs, ratio };
    };
    return [
      row('bunzai --version, cold', 1.25, times.version),
      row('bunzai convert of a 1.5 MB card, cold', 1.5, times.convert),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
