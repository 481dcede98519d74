/** What producer and workers agree on. */
import { createHash } from 'node:crypto';
import { Redis } from 'ioredis';

export const QUEUE = 'bunzai';

/** A connection to Redis; BullMQ wants to wait for it, however long. */
export const connect = () =>
  new Redis(process.env.REDIS_URL ?? 'redis://127.0.0.1:6379', { maxRetriesPerRequest: null });

export const sha256 = (...pieces) => {
  const hash = createHash('sha256');
  for (const piece of pieces) hash.update(piece);
  return hash.digest('hex');
};

/** The id of a job: the same bytes with the same options are the same job, whatever the file is called. */
export const jobId = (digest, options) => sha256(digest, JSON.stringify(options));
