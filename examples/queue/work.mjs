/**
 * node work.mjs <folder of files> <folder of results>
 * Takes jobs until it is told to stop (SIGTERM, Ctrl-C: the job at hand is ended first). Start as many as there are
 * cores, on as many machines as reach Redis and both folders. A worker that dies gives its job back after LOCK_MS.
 */
import { UnrecoverableError, Worker } from 'bullmq';
import { BunzaiError, convert } from './engine.mjs';
import { connect, QUEUE, sha256 } from './queue.mjs';
import { folderStore } from './store.mjs';

const LOCK_MS = Number(process.env.LOCK_MS ?? 30_000);
const [from, into] = process.argv.slice(2);
if (!from || !into) {
  console.error('node work.mjs <folder of files> <folder of results>');
  process.exit(2);
}
const files = folderStore(from);
const results = folderStore(into);

/** The unit of work: bytes and options in, files out. Run twice, it writes the same bytes to the same keys. */
async function work({ id, data: { key, digest, options } }) {
  const bytes = await files.get(key);
  if (sha256(bytes) !== digest) throw new UnrecoverableError(`input.changed: ${key}`);
  try {
    const { to, ...rest } = options;
    const { files: made, report } = await convert({ bytes, filename: key }, to, rest);
    const keys = made.map(({ name }) => `${id}/${name}`);
    for (const [index, file] of made.entries()) await results.put(keys[index], file.bytes);
    return { files: keys, losses: report.counts.losses };
  } catch (error) {
    // A file that is refused will be refused again; everything else may pass.
    if (error instanceof BunzaiError) throw new UnrecoverableError(`${error.code}: ${error.message}`);
    throw error;
  }
}

const connection = connect();
const worker = new Worker(QUEUE, work, {
  connection,
  lockDuration: LOCK_MS,
  stalledInterval: LOCK_MS / 2,
  maxStalledCount: 5,
});
worker.on('completed', ({ id }) => console.log(JSON.stringify({ done: id })));
worker.on('failed', (job, error) =>
  console.log(JSON.stringify({ failed: job?.id, file: job?.data.key, error: error.message })),
);
worker.on('error', (error) => console.error(error.message));
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, async () => {
    await worker.close();
    connection.disconnect();
  });
