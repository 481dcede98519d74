/** What the local server answers: the functions of the library over HTTP, and nothing of its own. */
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { stream } from 'hono/streaming';
import * as v from 'valibot';
import { BunzaiError, ERROR_TEXT } from '../core/errors.ts';
import { parseJson } from '../core/json.ts';
import { MAX_INPUT_BYTES } from '../core/source.ts';
import { convert, inspect } from '../index.ts';
import type { DiskStore } from './disk/disk-store.ts';
import { isPlainName, LibraryRefused, refused } from './disk/names.ts';
import { editsSchema, summarySchema } from './disk/record.ts';
import type { Edits } from './item/model.ts';
import { LibraryConflict, LibraryFull, type Put } from './library/store.ts';
import { unpacked } from './library/wire.ts';
import { refuse } from './server/guard.ts';

/** Largest body with content: an input, and edits and a cover beside it. */
export const MAX_CONTENT_BODY_BYTES = MAX_INPUT_BYTES + 64 * 1024 * 1024;
/** Largest body without content: ids, words. */
export const MAX_SMALL_BODY_BYTES = 4 * 1024 * 1024;
/** Milliseconds between two signs of life on the connection that tells of changes. */
const ALIVE = 15_000;

const limited = (maxSize: number, name: string) =>
  bodyLimit({ maxSize, onError: (c) => refuse(c, 413, 'input.too-large', `the limit is ${name} (${maxSize} bytes)`) });
const content = limited(MAX_CONTENT_BODY_BYTES, 'MAX_CONTENT_BODY_BYTES');
const small = limited(MAX_SMALL_BODY_BYTES, 'MAX_SMALL_BODY_BYTES');

const strings = v.array(v.string());
const putSchema = v.looseObject({
  item: v.looseObject({ summary: summarySchema, edits: v.optional(editsSchema) }),
  text: v.optional(v.string()),
  over: v.optional(v.number()),
});

/** The routes under `/api`. */
export function engineRoutes(store: DiskStore, stopping: AbortSignal): Hono {
  return new Hono().onError(answerTo).route('/library', libraryRoutes(store, stopping)).route('/', toolRoutes());
}

/** The engine for programs of this machine: bytes in, JSON out. */
function toolRoutes(): Hono {
  const input = async (c: Context) => {
    const filename = c.req.query('name');
    const bytes = new Uint8Array(await c.req.arrayBuffer());
    return { bytes, ...(filename === undefined ? {} : { filename }) };
  };
  return new Hono()
    .post('/inspect', content, async (c) => {
      const format = c.req.query('from');
      return c.json({ ...(await inspect(await input(c), format === undefined ? {} : { format })) });
    })
    .post('/convert', content, async (c) => {
      const { to = '', share, strict: _, name: __, ...options } = c.req.query();
      const given = {
        ...pick(options, 'from', 'container', 'variant'),
        ...(share === undefined ? {} : { share: true }),
      };
      const { files, entities: ___, ...result } = await convert(await input(c), to, given);
      const written = files.map(({ bytes, ...file }) => ({ ...file, base64: Buffer.from(bytes).toString('base64') }));
      return c.json({ ...result, files: written });
    });
}

const pick = (from: Record<string, string>, ...keys: readonly string[]): Record<string, string> =>
  Object.fromEntries(keys.flatMap((key) => (from[key] === undefined ? [] : [[key, from[key]]])));

function libraryRoutes(store: DiskStore, stopping: AbortSignal): Hono {
  const listening = new Set<() => void>();
  stopping.addEventListener('abort', () => {
    for (const end of listening) end();
  });
  const found = <T>(c: Context, value: T | undefined) =>
    value === undefined ? refuse(c, 404, 'http.path', 'there is no such thing') : c.json(value as object);
  const ids = async (c: Context) => checked<string[]>(await c.req.text(), strings);

  return new Hono()
    .get('/items', async (c) => c.json(await store.list()))
    .get('/items/:id', async (c) => found(c, await store.get(c.req.param('id'))))
    .post('/items', content, async (c) => {
      const { message, blobs } = await taken<Put>(c, putSchema);
      return c.json(await store.put({ ...message, blobs }));
    })
    .post('/remove', small, async (c) => done(c, store.remove(await ids(c))))
    .post('/restore', small, async (c) => done(c, store.restore(await ids(c))))
    .post('/search', small, async (c) => c.json(await store.search(await ids(c))))
    .post('/sweep', small, async (c) => done(c, store.sweep(checked(await c.req.text(), v.number()))))
    .get('/blobs/:hash', (c) => {
      const file = store.blobFile(c.req.param('hash'));
      if (!file) return found(c, undefined);
      // Never a type that a browser would run, whatever the content is.
      const headers = { 'Content-Type': 'application/octet-stream', 'Content-Length': String(file.size) };
      return c.body(Readable.toWeb(createReadStream(file.path)) as ReadableStream, 200, headers);
    })
    .get('/drafts', async (c) => c.json(await store.drafts()))
    .get('/drafts/:id', async (c) => found(c, await store.draft(c.req.param('id'))))
    .put('/drafts/:id', content, async (c) => {
      const { message, blobs } = await taken<Edits | null>(c, v.nullable(editsSchema));
      return done(c, store.putDraft(c.req.param('id'), message ?? undefined, blobs));
    })
    .get('/coverless', async (c) => c.json(await store.coverless()))
    .put('/covers/:id', content, async (c) => {
      const { message, blobs } = await taken<string | null>(c, v.nullable(v.pipe(v.string(), v.check(isPlainName))));
      const hash = message ?? undefined;
      return done(c, store.putCover(c.req.param('id'), hash, blobs[hash ?? ''] ?? new Uint8Array()));
    })
    .get('/changes', (c) => changes(c, store, listening));
}

/** A browser opens six connections to one server, for all of its tabs: some have to stay free for questions. */
export const MAX_LISTENING = 4;

/** One line for each change, for as long as the page is there. The first line says that none is missed from now on. */
const changes = (c: Context, store: DiskStore, listening: Set<() => void>) =>
  stream(c, async (out) => {
    let leave = () => {};
    const gone = new Promise<void>((end) => {
      out.onAbort(end);
      // The one that has listened longest gives way. It asks again in a second, and catches up.
      if (listening.size >= MAX_LISTENING) for (const oldest of [...listening].slice(0, 1)) oldest();
      listening.add(end);
      leave = () => listening.delete(end);
    });
    const end = store.watch((change) => void out.writeln(JSON.stringify(change)));
    const alive = setInterval(() => void out.writeln(''), ALIVE);
    await out.writeln('open');
    await gone;
    leave();
    clearInterval(alive);
    end();
  });

async function done(c: Context, work: Promise<void>) {
  await work;
  return c.body(null, 204);
}

/** A packed request; its content lies in it. */
async function taken<T>(c: Context, schema: v.GenericSchema) {
  const head = v.looseObject({ message: schema, blobs: v.array(v.tuple([v.string(), SIZE])) });
  const bytes = new Uint8Array(await c.req.arrayBuffer());
  return unpacked<T>(bytes, (line) => checked<{ message: T; blobs: [string, number][] }>(line, head));
}

const SIZE = v.pipe(v.number(), v.integer(), v.minValue(0));

/** JSON of a request: bounded in depth, of the shape that is asked for. */
function checked<T>(text: string, schema: v.GenericSchema): T {
  const { value } = parseJson(text);
  const fault = v.safeParse(schema, value).issues?.[0];
  if (fault) throw refused(`${v.getDotPath(fault) ?? 'the message'}: ${fault.message}`);
  return value as T;
}

/** Any refusal as JSON: the code, and what the page or a program shows of it. */
function answerTo(error: unknown, c: Context) {
  if (error instanceof BunzaiError) {
    const { code, file, path, detail, hint } = error;
    const status = code === 'input.too-large' ? 413 : 422;
    return c.json(
      { error: { code, title: ERROR_TEXT[code], message: error.message, file, path, detail, hint } },
      status,
    );
  }
  const { name, message } = error as Error;
  if (name === LibraryConflict) return c.json({ error: { code: name, message } }, 409);
  if (name === LibraryFull) return c.json({ error: { code: name, message } }, 507);
  if (name === LibraryRefused || name === 'SyntaxError') return refuse(c, 400, 'http.body', message);
  return c.json({ error: { code: 'internal', message: String(error) } }, 500);
}
