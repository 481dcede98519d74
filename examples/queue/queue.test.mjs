/** The real thing: a Redis server of our own on loopback, several worker processes, one of them killed in the middle. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { folderStore } from './store.mjs';

const CARDS = 2000;
const here = fileURLToPath(new URL('.', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'bunzai-queue-'));
const [cards, results] = [join(folder, 'cards'), join(folder, 'results')];
let redis;
let url;

before(async () => {
  const port = await freePort();
  url = `redis://127.0.0.1:${port}`;
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder];
  redis = spawn('redis-server', options, { stdio: 'ignore' });
  redis.on('error', () => {});
  for (let n = 0; n < CARDS; n++) {
    const sub = join(cards, String(n % 10));
    mkdirSync(sub, { recursive: true });
    const data = {
      name: `Lamplighter ${n}`,
      description: `Keeps lamp ${n}. 灯台の番人。`,
      personality: '',
      scenario: '',
      first_mes: 'Hm.',
      mes_example: '',
    };
    writeFileSync(join(sub, `${n}.json`), JSON.stringify({ spec: 'chara_card_v2', spec_version: '2.0', data }));
  }
});
after(async () => {
  if (redis?.exitCode === null) {
    redis.kill();
    await once(redis, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
});

test('2,000 cards, four workers, one killed: every card is converted, and done exactly once', async () => {
  const produced = produce();
  assert.equal(produced.length, CARDS);
  assert.equal(new Set(produced.map(({ job }) => job)).size, CARDS);

  const done = [];
  const workers = [1, 2, 3, 4].map(() => startWorker(done));
  const connection = new Redis(url, { maxRetriesPerRequest: null });
  const queue = new Queue('bunzai', { connection });
  await until(() => done.length > 200);
  workers[0].kill('SIGKILL');
  await once(workers[0], 'exit');
  assert.ok((await queue.getJobCounts('completed')).completed < CARDS, 'the kill came too late to prove anything');

  await until(async () => (await queue.getJobCounts('completed')).completed === CARDS);
  assert.deepEqual(await queue.getJobCounts('completed', 'failed', 'active', 'waiting'), {
    completed: CARDS,
    failed: 0,
    active: 0,
    waiting: 0,
  });

  // No job was ended twice. The killed worker may have taken what it said last with it.
  assert.equal(new Set(done).size, done.length);
  const keys = folderStore(results).list();
  assert.equal(keys.length, CARDS);
  const names = new Set();
  for (const key of keys) names.add(JSON.parse(readFileSync(join(results, key), 'utf8')).name);
  assert.equal(names.size, CARDS);
  for (const { file, job } of produced) assert.ok(keys.includes(`${job}/${file.split('/')[1]}`), file);

  // The same again is no work at all.
  produce();
  assert.deepEqual(await queue.getJobCounts('completed', 'waiting'), { completed: CARDS, waiting: 0 });
  for (const worker of workers.slice(1)) worker.kill('SIGTERM');
  await Promise.all(workers.slice(1).map((worker) => worker.exitCode ?? once(worker, 'exit')));
  await queue.close();
  connection.disconnect();
});

test('a file that is refused fails once, with the code, and stops nobody', async () => {
  writeFileSync(join(cards, 'broken.json'), '{"spec": ');
  writeFileSync(
    join(cards, 'last.json'),
    JSON.stringify({ spec: 'chara_card_v2', spec_version: '2.0', data: { name: 'Last', description: 'x' } }),
  );
  produce();
  const said = [];
  const worker = startWorker(said);
  const connection = new Redis(url, { maxRetriesPerRequest: null });
  const queue = new Queue('bunzai', { connection });
  await until(async () => (await queue.getJobCounts('completed')).completed === CARDS + 1);
  await until(async () => (await queue.getJobCounts('failed')).failed === 1);
  const [failed] = await queue.getFailed();
  assert.equal(failed.data.key, 'broken.json');
  assert.match(failed.failedReason, /^json\.syntax: /);
  assert.equal(failed.attemptsMade, 1);
  worker.kill('SIGTERM');
  await once(worker, 'exit');
  await queue.close();
  connection.disconnect();
});

function produce() {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['produce.mjs', cards, 'agnai'], {
    cwd: here,
    env: { ...process.env, REDIS_URL: url },
    maxBuffer: 1 << 26,
  });
  assert.equal(status, 0, stderr.toString());
  return stdout
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

function startWorker(done) {
  const env = { ...process.env, REDIS_URL: url, LOCK_MS: '3000' };
  const worker = spawn(process.execPath, ['work.mjs', cards, results], {
    cwd: here,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  createInterface(worker.stdout).on('line', (line) => {
    const { done: id } = JSON.parse(line);
    if (id) done.push(id);
  });
  return worker;
}

async function until(holds, seconds = 120) {
  const end = Date.now() + seconds * 1000;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error('it did not come to this in time');
    await new Promise((later) => setTimeout(later, 50));
  }
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
