/**
 * node produce.mjs <folder> <format>
 * Puts a job into the queue for each file of a folder, and prints a line for each: file and job. Jobs hold the key of
 * the file, never its bytes. What is in the queue already, done or not, is not put there again.
 */
import { Queue } from 'bullmq';
import { connect, jobId, QUEUE, sha256 } from './queue.mjs';
import { folderStore } from './store.mjs';

const BULK = 500;
const [folder, to] = process.argv.slice(2);
if (!folder || !to) {
  console.error('node produce.mjs <folder> <format>');
  process.exit(2);
}
const store = folderStore(folder);
const connection = connect();
const queue = new Queue(QUEUE, { connection });
const options = { to };

const keys = store.list();
for (let at = 0; at < keys.length; at += BULK) {
  const jobs = [];
  for (const key of keys.slice(at, at + BULK)) {
    const digest = sha256(await store.get(key));
    const id = jobId(digest, options);
    console.log(JSON.stringify({ file: key, job: id }));
    // Done jobs stay: their ids say what need not be done again.
    const opts = { jobId: id, removeOnComplete: false, removeOnFail: false };
    jobs.push({ name: 'convert', data: { key, digest, options }, opts });
  }
  await queue.addBulk(jobs);
}
await queue.close();
connection.disconnect();
