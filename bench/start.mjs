/**
 * The two bounds that a release must keep, measured in one run, best of nine:
 * a cold `bunzai convert` of a 1.5 MB PNG card against `node -e 0`, and reading a card from that PNG against its floor.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { read } from '../dist/index.js';
import { card, pngCard } from './inputs.mjs';

const ROUNDS = 9;
const cli = fileURLToPath(new URL('../dist/cli.cjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'bunzai-bench-'));
const file = join(folder, 'card.png');
const bytes = pngCard(1_500_000, card());
writeFileSync(file, bytes);

/** CPU seconds, user and system, of one command. */
function cpu(command) {
  const { stderr, status } = spawnSync('bash', [
    '-c',
    `TIMEFORMAT='%U %S'; time ${command} >/dev/null 2>"${join(folder, 'err')}"`,
  ]);
  if (status !== 0) throw new Error(`failed: ${command}`);
  return stderr
    .toString()
    .trim()
    .split(' ')
    .map(Number)
    .reduce((a, b) => a + b, 0);
}

const node = `"${process.execPath}"`;
let bare = Infinity;
let cold = Infinity;
for (let i = 0; i < ROUNDS; i++) {
  bare = Math.min(bare, cpu(`${node} -e 0`));
  cold = Math.min(
    cold,
    cpu(`${node} "${cli}" convert "${file}" --to pygmalion --container json -o "${join(folder, `out-${i}.json`)}"`),
  );
}

const payload = Buffer.from(JSON.stringify(card())).toString('base64');
const copy = new Uint8Array(bytes.length);
function floor() {
  copy.set(bytes);
  return JSON.parse(Buffer.from(payload, 'base64').toString('utf8'));
}
async function timed(work, times = 100) {
  const start = process.hrtime.bigint();
  for (let i = 0; i < times; i++) await work();
  return Number(process.hrtime.bigint() - start) / times / 1e6;
}
for (let i = 0; i < 300; i++) {
  floor();
  await read(bytes);
}
let low = Infinity;
let own = Infinity;
for (let i = 0; i < ROUNDS; i++) {
  low = Math.min(low, await timed(floor));
  own = Math.min(own, await timed(() => read(bytes)));
}
rmSync(folder, { recursive: true });

const line = (name, value, base, unit, bound) => {
  const ratio = value / base;
  console.log(
    `${name.padEnd(34)} ${value.toFixed(3)} ${unit}  floor ${base.toFixed(3)} ${unit}  ratio ${ratio.toFixed(2)}  bound ${bound}  ${ratio <= bound ? 'ok' : 'OVER'}`,
  );
  return ratio <= bound;
};
const ok = [
  line('cold convert of a 1.5 MB PNG, CPU', cold, bare, 's', 1.6),
  line('read a card from a 1.5 MB PNG', own, low, 'ms', 1.5),
];
process.exitCode = ok.every(Boolean) ? 0 : 1;
