/** Parts of a run by themselves: the pool, the bar, the sentences at the end. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { inShard, shardOf } from './inputs.ts';
import { openPool } from './pool.ts';
import { openProgress, progressLine } from './progress.ts';
import { emptyTally, grouped, lasting, summaryLines } from './tally.ts';
import type { Side } from './terminal.ts';
import { cutStart } from './text.ts';
import type { Task } from './work.ts';

const folder = mkdtempSync(join(tmpdir(), 'bunzai-pool-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const same = (text: string) => text;
const paint = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same };
const side: Side = { paint, columns: 80, isTerminal: true, line: () => {}, bytes: () => {} };

test('a worker that ends, hangs or throws is replaced, and its file has failed', async () => {
  const script = join(folder, 'worker.mjs');
  writeFileSync(
    script,
    `export default async ({ path }) => {
      if (path === 'exit') process.exit(3);
      if (path === 'hang') for (;;);
      if (path === 'throw') throw new Error('broken');
      return { parts: [{ data: path }] };
    };`,
  );
  const pool = await openPool({ jobs: 2, timeout: 5, script });
  const names = ['a', 'exit', 'b', 'c', 'hang', 'throw', 'd', 'e', 'exit', 'f'];
  const answers = await Promise.all(names.map((path) => pool.run({ unit: 'label', path, options: {} } as Task)));
  await pool.close();
  const told = answers.map(({ parts: [part] }) => part?.data ?? part?.fault?.code);
  expect(told).toEqual(['a', 'work.ended', 'b', 'c', 'work.too-long', 'work.ended', 'd', 'e', 'work.ended', 'f']);
}, 120_000);

test('shards are disjoint and complete, and files that lead to one name are in one of them', () => {
  const items = Array.from({ length: 500 }, (_, n) => ({ path: `cards/${n}.png`, folder: n % 2 ? 'a' : '' }));
  for (const of of [1, 2, 7]) {
    const parts = Array.from({ length: of }, (_, index) =>
      items.filter((item) => inShard(item, shardOf(`${index + 1}/${of}`))),
    );
    expect(parts.flat()).toHaveLength(500);
    expect(new Set(parts.flat()).size).toBe(500);
    for (const part of parts) expect(part.length).toBeGreaterThan(500 / of / 2);
  }
  const shard = shardOf('3/7');
  for (const item of items)
    expect(inShard({ ...item, path: item.path.replace('.png', '.JSON') }, shard)).toBe(inShard(item, shard));
});

test('the bar says how far a run is, within the line, and goes away', async () => {
  const tally = { ...emptyTally(), files: 1234, losses: 56789, failed: 3 };
  const line = progressLine(tally, 8000, 10, 80);
  expect(line).toBe('██░░░░░░░░░░░░░░ 1,234 of 8,000 · 123/s · 56,789 lost · 3 failed · 55 s left');
  expect(line.length).toBeLessThanOrEqual(80);
  expect(progressLine(emptyTally(), 0, 0, 80)).toContain('0 of 0 · 0/s');
  let written = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      written += String(chunk);
      done();
    },
  });
  const tty = Object.assign(stream, {
    isTTY: true,
    columns: 80,
    cursorTo: () => true,
    clearLine: () => true,
    moveCursor: () => true,
  });
  const bar = await openProgress(side, 2, tty);
  bar.at({ ...emptyTally(), files: 1 });
  bar.above(() => {
    written += 'a line\n';
  });
  await new Promise((later) => setTimeout(later, 250));
  bar.stop();
  expect(written).toContain('1 of 2');
  expect(written).toContain('\u001b[2Ka line\n');
});

test('the summary names what failed, within the line', () => {
  const named = Array.from({ length: 20 }, (_, n) => ({
    file: `${'deep/'.repeat(20)}${n}.json`,
    code: 'input.unknown',
  }));
  const tally = { files: 2030, done: 2000, skipped: 5, failed: 25, losses: 1, lossy: 1, named };
  const lines = summaryLines(side, tally, 75, 'converted', true);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  const text = lines.join('\n');
  for (const part of [
    '✗ 2,030 files in 1 min 15 s',
    '2,000 converted',
    '5, as they were',
    '1 fact in 1 file',
    '19.json',
    '… and 5 more',
    'stopped',
  ])
    expect(text).toContain(part);
  expect(summaryLines(side, { ...emptyTally(), files: 1, done: 1 }, 0.123, 'read', false)).toEqual([
    '',
    '✓ 1 file in 0.12 s',
    '  done     1 read',
  ]);
});

test('numbers, times and paths for people', () => {
  expect([1, 999, 1000, 1234567].map(grouped)).toEqual(['1', '999', '1,000', '1,234,567']);
  expect([0.5, 9, 59, 61, 7300].map(lasting)).toEqual(['0.50 s', '9.0 s', '59 s', '1 min 1 s', '2 h 1 min']);
  expect(cutStart('cards/灯台/mira.json', 12)).toBe('…/mira.json');
  expect(cutStart('mira.json', 12)).toBe('mira.json');
});
