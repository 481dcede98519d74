import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { convert, inspect } from '../index.ts';
import { openHttpStore } from './library/http-store.ts';
import { itemOf, libraryContract } from './library/testing.ts';
import { TOKEN_HEADER } from './library/wire.ts';
import { isSameToken } from './server/guard.ts';
import { type Studio, startStudio } from './server.ts';
import { MAX_CONTENT_BODY_BYTES, MAX_SMALL_BODY_BYTES } from './server-engine.ts';

const base = mkdtempSync(join(tmpdir(), 'bunzai-server-'));
const site = join(base, 'site');
const SAMPLE = fileURLToPath(new URL('../../samples/sillytavern/sillytavern.mira.png', import.meta.url));
const POLICY = "default-src 'self'";
let count = 0;
const running: Studio[] = [];

beforeAll(() => {
  mkdirSync(join(site, 'assets'), { recursive: true });
  const policy = `<meta http-equiv="Content-Security-Policy" content="${POLICY}" />`;
  writeFileSync(join(site, 'index.html'), `<head><meta charset="utf-8" />${policy}</head>`);
  writeFileSync(join(site, 'assets/main.js'), 'export {};');
  writeFileSync(join(base, 'secret.txt'), 'secret');
});
afterAll(async () => {
  await Promise.all(running.map((one) => one.stop()));
  rmSync(base, { recursive: true, force: true });
});

const start = async (): Promise<Studio> => {
  const studio = await startStudio({ library: join(base, `library-${++count}`), site, port: 0 });
  running.push(studio);
  return studio;
};
const endpointOf = ({ address }: Studio): string => address.replace('/#', '/api/library#');

interface Asked {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** One request with exactly these headers and this path: `fetch` would put them right. */
function ask(
  studio: Studio,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
) {
  const { hostname, port } = new URL(studio.address);
  const { method = 'GET', headers = {}, body } = options;
  return new Promise<Asked>((done, fail) => {
    const sent = request({ hostname, port, path, method, headers }, (response) => {
      let text = '';
      response.on('data', (piece) => {
        text += piece;
      });
      response.on('end', () => done({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
    });
    sent.on('error', fail);
    sent.end(body);
  });
}
const withToken = (studio: Studio, more: Record<string, string> = {}) => ({
  [TOKEN_HEADER]: new URL(studio.address).hash.slice(1),
  ...more,
});
const codeOf = ({ body }: Asked) => (JSON.parse(body) as { error: { code: string } }).error.code;

describe('the library over HTTP', () => {
  libraryContract(async () => {
    const studio = await start();
    const open = () => openHttpStore(endpointOf(studio));
    return { store: await open(), again: open };
  });

  test('a page that lost the server for a while is told what it missed', async () => {
    const library = join(base, `library-${++count}`);
    const first = await startStudio({ library, site, port: 0 });
    const port = Number(new URL(first.address).port);
    const store = await openHttpStore(endpointOf(first));
    const heard: string[] = [];
    store.watch(({ put, removed }) => heard.push(...put.map(({ id }) => id), ...removed.map((id) => `-${id}`)));
    await store.put({ item: itemOf('a'), blobs: { 'source-a': new Blob(['{}']) } });
    await expect.poll(() => heard).toEqual(['a']);
    await first.stop();
    await expect(store.list()).rejects.toThrow('open the address that it prints');
    const second = await startStudio({ library, site, port });
    running.push(second);
    // The token is one of another launch: the old page is told where to go.
    await expect(store.list()).rejects.toThrow('open the address that bunzai studio printed');
    store.close();
    const fresh = await openHttpStore(endpointOf(second));
    expect((await fresh.list()).map(({ id }) => id)).toEqual(['a']);
    fresh.close();
  });

  test('however many tabs are open, each one hears of every change and can ask', async () => {
    const studio = await start();
    const tabs = await Promise.all(Array.from({ length: 9 }, () => openHttpStore(endpointOf(studio))));
    const heard = tabs.map(() => new Set<string>());
    tabs.forEach((tab, index) => {
      tab.watch(({ put }) => {
        for (const { id } of put) heard[index]?.add(id);
      });
    });
    for (const id of ['a', 'b']) {
      await tabs[0]?.put({ item: itemOf(id), blobs: { [`source-${id}`]: new Blob(['{}']) } });
    }
    await expect
      .poll(() => heard.map((ids) => [...ids].sort()), { timeout: 15_000 })
      .toEqual(tabs.map(() => ['a', 'b']));
    for (const tab of tabs) tab.close();
  });

  test('RW-095 a book of 300 entries is saved by one request, all of it or nothing', async () => {
    const studio = await start();
    const store = await openHttpStore(endpointOf(studio));
    const entries = Array.from({ length: 300 }, (_, n) => ({ id: `e${n}`, content: `Tide table, page ${n}. 潮汐` }));
    const edits = { entities: [{ kind: 'lorebook', id: 'tides', body: { entries } }] };
    const item = itemOf('book', { kind: 'lorebook' }, edits as never);
    await store.put({ item, blobs: { 'source-book': new Blob(['{}']) } });
    const kept = await store.get('book');
    expect(kept?.edits).toEqual(edits);
    await expect(
      store.put({ item: { ...item, edits: { entities: [{ kind: 'x' }] } as never }, over: 1 }),
    ).rejects.toThrow('message.item.edits.entities.0');
    expect(await store.get('book')).toEqual(kept);
    store.close();
  });
});

describe('who may ask', () => {
  test('the page says that its library is a folder, and has the policy of the static site', async () => {
    const studio = await start();
    for (const path of ['/', '/index.html', '/?x=1']) {
      const { status, headers, body } = await ask(studio, path);
      expect(status).toBe(200);
      expect(body).toContain('<meta name="bunzai-library" content="./api/library" />');
      expect(body).not.toContain(new URL(studio.address).hash.slice(1));
      expect(headers).toMatchObject({
        'content-security-policy': `${POLICY}; frame-ancestors 'none'`,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
      });
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
    expect((await ask(studio, '/assets/main.js')).headers['content-type']).toMatch('javascript');
  });

  test('a request to another name than this machine is refused, whatever it asks for', async () => {
    const studio = await start();
    const { port } = new URL(studio.address);
    for (const host of ['evil.example', `evil.example:${port}`, '127.0.0.1.evil.example', '0.0.0.0', `[::1]:${port}`]) {
      for (const path of ['/', '/api/library/items']) {
        const answer = await ask(studio, path, { headers: withToken(studio, { host }) });
        expect([host, path, answer.status]).toEqual([host, path, 403]);
      }
    }
    expect(await declare(studio, '/api/inspect', withToken(studio, { host: '' }))).toMatch(/ 40[03] /);
    const local = await ask(studio, '/api/library/items', {
      headers: withToken(studio, { host: `localhost:${port}` }),
    });
    expect(local.status).toBe(200);
  });

  test("another site's page is refused, with the token as without", async () => {
    const studio = await start();
    const { port } = new URL(studio.address);
    const others = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `http://127.0.0.1:${Number(port) + 1}` },
    ];
    for (const more of [...others, { 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }]) {
      const headers = withToken(studio, more as Record<string, string>);
      const answer = await ask(studio, '/api/library/remove', { method: 'POST', headers, body: '["a"]' });
      expect([more, answer.status, codeOf(answer)]).toEqual([more, 403, 'http.origin']);
    }
    const preflight = await ask(studio, '/api/library/items', { method: 'OPTIONS', headers: withToken(studio) });
    expect(preflight.status).toBe(405);
    const own = await ask(studio, '/api/library/items', {
      headers: withToken(studio, { origin: `http://127.0.0.1:${port}`, 'sec-fetch-site': 'same-origin' }),
    });
    expect(own.status).toBe(200);
    // A link opens the page, which is nothing without the token.
    const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    expect((await ask(studio, '/', { headers: link })).status).toBe(200);
  });

  test('without the token of this launch nothing under /api answers', async () => {
    const studio = await start();
    const token = new URL(studio.address).hash.slice(1);
    for (const given of [undefined, '', 'x', token.slice(1), `${token}x`, token.toLowerCase()]) {
      const headers = given === undefined ? {} : { [TOKEN_HEADER]: given };
      for (const path of ['/api/library/items', '/api/library/changes', '/api/nothing', '/api/inspect']) {
        const answer = await ask(studio, path, { headers });
        expect([path, given, answer.status]).toEqual([path, given, 401]);
      }
    }
    expect(token.length).toBeGreaterThanOrEqual(43);
    expect((await ask(studio, `/api/library/items?token=${token}`)).status).toBe(401);
    expect((await start()).address).not.toContain(token);
    expect(isSameToken(token, token)).toBe(true);
  });

  test('methods that nothing has are refused by name', async () => {
    const studio = await start();
    for (const method of ['DELETE', 'PATCH', 'TRACE']) {
      expect((await ask(studio, '/api/library/items', { method, headers: withToken(studio) })).status).toBe(405);
      expect((await ask(studio, '/', { method })).status).toBe(405);
    }
    expect((await ask(studio, '/', { method: 'POST' })).headers.allow).toBe('GET, HEAD');
    expect((await ask(studio, '/', { method: 'HEAD' })).status).toBe(200);
  });

  test('only files of the site are served, however the path is spelled', async () => {
    const studio = await start();
    const paths = [
      '/../secret.txt',
      '/..%2fsecret.txt',
      '/%2e%2e/secret.txt',
      '/assets/../../secret.txt',
      '/assets/..%5c..%5csecret.txt',
      '//secret.txt',
      '/assets',
      '/assets/',
      '/./index.htm',
      '/%00',
      `/${SAMPLE}`,
      '/.bunzai/index.jsonl',
      '/__proto__',
    ];
    for (const path of paths) {
      const answer = await ask(studio, path);
      expect([path, answer.status]).toEqual([path, expect.toBeOneOf([400, 404])]);
      expect(answer.body).not.toContain('secret\n');
    }
  });

  test('a body above its limit is refused by its length, and one that hides its length as it grows', async () => {
    const studio = await start();
    const declared = { 'content-length': String(MAX_CONTENT_BODY_BYTES + 1) };
    for (const path of ['/api/inspect', '/api/convert', '/api/library/items']) {
      const answer = await declare(studio, path, withToken(studio, declared));
      expect([path, answer]).toEqual([path, expect.stringContaining('413')]);
    }
    const chunked = await ask(studio, '/api/library/remove', {
      method: 'POST',
      headers: withToken(studio, { 'transfer-encoding': 'chunked' }),
      body: `["${'a'.repeat(MAX_SMALL_BODY_BYTES)}"]`,
    });
    expect([chunked.status, codeOf(chunked)]).toEqual([413, 'input.too-large']);
    expect(chunked.body).toContain('MAX_SMALL_BODY_BYTES');
    const under = await ask(studio, '/api/library/remove', {
      method: 'POST',
      headers: withToken(studio, { 'content-type': 'application/json' }),
      body: `["${'a'.repeat(MAX_SMALL_BODY_BYTES - 4)}"]`,
    });
    expect(under.status).not.toBe(413);
  });

  test('ids that are paths and bodies of another shape are refused and change nothing', async () => {
    const studio = await start();
    const store = await openHttpStore(endpointOf(studio));
    for (const id of ['../evil', '..', 'a/b', 'a\\b', 'con', 'A', '.hidden', 'a'.repeat(200), '']) {
      const put = store.put({ item: itemOf(id), blobs: { [`source-${id}`]: new Blob(['{}']) } });
      await expect(put, id).rejects.toThrow('not an id');
      await expect(store.putDraft(id || '%', { entities: [] })).rejects.toThrow();
      expect(await store.get(id || '%')).toBeUndefined();
      expect(await store.blob(id || '%')).toBeUndefined();
    }
    await expect(store.put({ item: itemOf('a'), blobs: { '../x': new Blob(['{}']) } })).rejects.toThrow('not an id');
    for (const body of ['{', 'null', '{"a":1}', `${'['.repeat(600)}${']'.repeat(600)}`]) {
      const answer = await ask(studio, '/api/library/remove', { method: 'POST', headers: withToken(studio), body });
      expect([body.slice(0, 9), answer.status]).toEqual([body.slice(0, 9), expect.toBeOneOf([400, 422])]);
    }
    expect(readdirSync(studio.folder)).toEqual(['.bunzai']);
    expect(await store.list()).toEqual([]);
    store.close();
  });
});

/** The first line of the answer to a request whose body is announced and never sent. */
function declare(studio: Studio, path: string, headers: Record<string, string>): Promise<string> {
  const { hostname, port, host } = new URL(studio.address);
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}`);
  return new Promise((done, fail) => {
    const socket = connect(Number(port), hostname);
    socket.on('error', fail);
    socket.once('data', (bytes) => {
      done(bytes.toString().split('\r\n')[0] ?? '');
      socket.destroy();
    });
    socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  });
}

describe('the engine over HTTP', () => {
  const send = async (studio: Studio, path: string, body: Uint8Array) => {
    const url = new URL(path, studio.address);
    const response = await fetch(url, {
      method: 'POST',
      headers: withToken(studio),
      body: body as Uint8Array<ArrayBuffer>,
    });
    return { status: response.status, value: (await response.json()) as Record<string, never> };
  };

  test('inspects and converts as the library does, byte for byte', async () => {
    const studio = await start();
    const bytes = readFileSync(SAMPLE);
    const inspected = await send(studio, '/api/inspect?name=mira.png', bytes);
    expect(inspected.value).toEqual(JSON.parse(JSON.stringify(await inspect({ bytes, filename: 'mira.png' }))));
    for (const [to, container] of [
      ['agnai', 'json'],
      ['risu', 'charx'],
      ['sillytavern', 'png'],
    ] as const) {
      const { value } = await send(studio, `/api/convert?name=mira.png&to=${to}&container=${container}`, bytes);
      const own = await convert({ bytes, filename: 'mira.png' }, to, { container });
      const files = value.files as unknown as { name: string; base64: string }[];
      expect(files.map(({ name }) => name)).toEqual(own.files.map(({ name }) => name));
      files.forEach(({ base64 }, index) => {
        expect(Buffer.from(base64, 'base64').equals(own.files[index]?.bytes ?? new Uint8Array())).toBe(true);
      });
      expect(value.report).toEqual(JSON.parse(JSON.stringify(own.report)));
    }
  });

  test('refuses with the code, the place and what to try', async () => {
    const studio = await start();
    const { status, value } = await send(studio, '/api/convert?to=agnai&name=a.json', Buffer.from('{"name": "Mira",'));
    expect(status).toBe(422);
    expect(value.error).toMatchObject({ code: 'json.syntax', path: 'line 1 column 17', hint: expect.any(String) });
    const unknown = await send(studio, '/api/convert?to=nowhere', readFileSync(SAMPLE));
    expect(unknown.value.error).toMatchObject({ code: 'format.unknown' });
  });
});

test('a port in use is named, and without --port the next one is taken', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => other.once('listening', done));
  const { port } = other.address() as { port: number };
  const library = join(base, `library-${++count}`);
  await expect(startStudio({ library, site, port })).rejects.toMatchObject({
    code: 'studio.port',
    path: `port ${port}`,
    hint: expect.stringContaining('--port'),
  });
  other.close();
  // The refusal let the library go.
  const [one, two] = [await startStudio({ library, site }), await startStudio({ library: `${library}-b`, site })];
  running.push(one, two);
  expect(new URL(two.address).port).not.toBe(new URL(one.address).port);
  expect(new URL(one.address).hostname).toBe('127.0.0.1');
});

test('one library is open once, and a site that was not built is refused', async () => {
  const studio = await start();
  await expect(startStudio({ library: studio.folder, site, port: 0 })).rejects.toMatchObject({
    code: 'library.in-use',
  });
  const missing = startStudio({ library: join(base, 'x'), site: join(base, 'nowhere'), port: 0 });
  await expect(missing).rejects.toMatchObject({ code: 'studio.missing', hint: 'run npm run build once' });
});

test('docs/limits.md says what the code does', async () => {
  const page = readFileSync(new URL('../../docs/limits.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `(ui\/[^`]+)` \| `(\w+)` \| ([\d,]+)(?: (MiB))? \|/gm)];
  expect(rows).toHaveLength(7);
  for (const [, place, name, digits, unit] of rows) {
    const code = await import(new URL(`../${place}`, import.meta.url).href);
    expect([name, code[name ?? '']]).toEqual([name, Number(digits?.replaceAll(',', '')) * (unit ? 1024 * 1024 : 1)]);
  }
});
