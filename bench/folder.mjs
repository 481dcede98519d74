/** A folder of 2,000 small PNG cards, read by worker threads that keep the library. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { card, png } from './inputs.mjs';
import { median } from './measure.mjs';

const COUNT = 2000;
const SIZE = 60_000;
const ROUNDS = 7;

if (!isMainThread) {
  const { read } = await import('../dist/index.js');
  const floor = (bytes, copy) => {
    copy.set(bytes);
    const at = bytes.indexOf('ccv3\0') + 5;
    const text = bytes.latin1Slice(at, at - 5 + bytes.readUInt32BE(at - 13));
    return JSON.parse(Buffer.from(text, 'base64').toString('utf8'));
  };
  parentPort.on('message', async ({ folder, names, work }) => {
    const copy = new Uint8Array(2 * SIZE);
    for (const name of names) {
      const bytes = readFileSync(join(folder, name));
      if (work === 'read') await read(bytes);
      else floor(bytes, copy);
    }
    parentPort.postMessage('done');
  });
}

const told = (worker, message) =>
  new Promise((resolve, reject) => {
    worker.removeAllListeners('error').once('error', reject);
    worker.once('message', resolve);
    worker.postMessage(message);
  });

/** One worker against its floor in CPU time; two workers against one in wall time, which a busy machine spoils. */
export async function folderOfCards() {
  const folder = mkdtempSync(join(tmpdir(), 'bunzai-bench-'));
  const workers = [0, 1].map(() => new Worker(fileURLToPath(import.meta.url)));
  try {
    for (let i = 0; i < COUNT; i++) writeFileSync(join(folder, `${i}.png`), png(SIZE, card(0, `Mira ${i}`)));
    const names = readdirSync(folder);
    const halves = [names.slice(0, COUNT / 2), names.slice(COUNT / 2)];
    const job = (all, work) => ({ folder, names: all, work });
    const cpu = async (work) => {
      const before = process.cpuUsage();
      await told(workers[0], job(names, work));
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    };
    const wall = async (shares, work) => {
      const before = performance.now();
      await Promise.all(shares.map((share, i) => told(workers[i], job(share, work))));
      return performance.now() - before;
    };
    const twice = async (work) => (await wall([names], work)) / (await wall(halves, work));
    for (const worker of workers) for (const work of ['read', 'floor']) await told(worker, job(names, work));
    const [own, low, two, lowTwo] = [[], [], [], []];
    for (let i = 0; i < ROUNDS; i++) {
      low.push(await cpu('floor'));
      own.push(await cpu('read'));
      two.push(await twice('read'));
      lowTwo.push(await twice('floor'));
    }
    return {
      row: {
        name: 'read a folder in one worker, files included',
        input: `${COUNT} PNG cards of ${SIZE / 1000} kB`,
        floor: 'read the file, parse, decode, copy',
        bound: 1.3,
        ms: median(own),
        floorMs: median(low),
        ratio: median(own.map((value, i) => value / low[i])),
      },
      twoWorkers: { ratio: median(two), floor: median(lowTwo) },
    };
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
    rmSync(folder, { recursive: true });
  }
}
