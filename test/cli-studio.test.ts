/** `bunzai studio` as a process of its own, from the built command. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openHttpStore } from '../src/ui/library/http-store.ts';
import { itemOf } from '../src/ui/library/testing.ts';
import { TOKEN_HEADER } from '../src/ui/library/wire.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CLI = join(ROOT, 'dist/cli.cjs');
const MIRA = join(ROOT, 'samples/sillytavern/sillytavern.mira.png');
const base = mkdtempSync(join(tmpdir(), 'bunzai-studio-'));
const children = new Set<ChildProcess>();
let count = 0;

beforeAll(() => {
  if (existsSync(join(ROOT, 'dist/studio/index.html'))) return;
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
  spawnSync(process.execPath, [vite, 'build', '--logLevel', 'error'], { cwd: ROOT });
});
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(base, { recursive: true, force: true });
});

interface Running {
  readonly child: ChildProcess;
  readonly out: () => string;
  readonly address: string;
  readonly ended: Promise<number | null>;
}

async function start(args: readonly string[], env: Record<string, string> = {}): Promise<Running> {
  const child = spawn(process.execPath, [CLI, 'studio', ...args], { env: { ...process.env, NO_COLOR: '1', ...env } });
  children.add(child);
  let out = '';
  for (const side of [child.stdout, child.stderr]) {
    side.on('data', (text) => {
      out += text;
    });
  }
  const ended = new Promise<number | null>((done) => child.on('exit', done));
  await expect.poll(() => out, { timeout: 20_000 }).toMatch(/Ctrl-C|"ok"/);
  return { child, out: () => out, address: /http:\/\/\S+?(?=["\s])/.exec(out)?.[0] ?? '', ended };
}
const library = () => join(base, String(++count));
const endpointOf = (address: string) => address.replace('/#', '/api/library#');

test('prints the address, serves page and library, and stops on Ctrl-C with everything on the disk', async () => {
  const folder = library();
  const { child, out, address, ended } = await start([folder, '--port', '0']);
  for (const line of out().split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  expect(out().split('\n')).toContain(address);
  const page = await (await fetch(address)).text();
  expect(page).toContain('<meta name="bunzai-library"');
  const script = /src="\.\/(assets\/[^"]+\.js)"/.exec(page)?.[1] ?? '';
  expect((await fetch(new URL(script, address))).headers.get('content-type')).toContain('javascript');
  const store = await openHttpStore(endpointOf(address));
  await store.put({ item: itemOf('a'), blobs: { 'source-a': new Blob(['{}']) } });
  // A page that is open does not hold it up.
  child.kill('SIGINT');
  expect(await ended).toBe(0);
  store.close();
  expect(readdirSync(folder).sort()).toEqual(['.bunzai', 'a.json']);
  expect(existsSync(join(folder, '.bunzai/lock'))).toBe(false);
});

test('converts over HTTP to the very bytes that the command writes', async () => {
  const { child, address, ended } = await start([library(), '--port', '0', '--json']);
  const headers = { [TOKEN_HEADER]: new URL(address).hash.slice(1) };
  for (const [to, container] of [
    ['agnai', 'json'],
    ['risu', 'charx'],
    ['sillytavern', 'png'],
  ]) {
    const url = new URL(`/api/convert?name=mira.png&to=${to}&container=${container}`, address);
    const response = await fetch(url, { method: 'POST', headers, body: readFileSync(MIRA) });
    const { files } = (await response.json()) as { files: [{ base64: string }] };
    const line = ['convert', MIRA, '--to', to ?? '', '--container', container ?? '', '-o', '-'];
    const { stdout } = spawnSync(process.execPath, [CLI, ...line], { maxBuffer: 1 << 26 });
    expect(stdout.byteLength).toBeGreaterThan(100);
    expect(Buffer.from(files[0].base64, 'base64').equals(stdout)).toBe(true);
  }
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});

test('a process that is killed while it saves loses nothing that it saved', async () => {
  const folder = library();
  const { child, address, ended } = await start([folder, '--port', '0']);
  const store = await openHttpStore(endpointOf(address));
  const text = (n: number) => JSON.stringify({ n, text: '港'.repeat(20_000) });
  let saved = 0;
  setTimeout(() => child.kill('SIGKILL'), 700);
  try {
    for (let n = 1; ; n++) {
      await store.put({
        item: itemOf(`i${n}`, { file: 'same.json' }),
        blobs: { [`source-i${n}`]: new Blob([text(n)]) },
      });
      saved = n;
    }
  } catch {
    // It was killed.
  }
  store.close();
  await ended;
  expect(saved).toBeGreaterThan(3);
  expect(existsSync(join(folder, '.bunzai/lock'))).toBe(true);
  const second = await start([folder, '--port', '0']);
  const again = await openHttpStore(endpointOf(second.address));
  for (let n = 1; n <= saved; n++) {
    expect((await again.get(`i${n}`))?.summary.revision).toBe(1);
    expect(await (await again.blob(`source-i${n}`))?.text()).toBe(text(n));
  }
  // At most the one that was under way is there as well, and every file is whole.
  expect((await again.list()).length).toBeLessThanOrEqual(saved + 1);
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.json'))) {
    expect(JSON.parse(readFileSync(join(folder, name), 'utf8')).text).toHaveLength(20_000);
  }
  again.close();
  second.child.kill('SIGINT');
  expect(await second.ended).toBe(0);
});

test('the library is a folder among the documents; wrong calls are refused with what to try', async () => {
  const home = library();
  mkdirSync(join(home, 'Dokumente'), { recursive: true });
  mkdirSync(join(home, '.config'));
  writeFileSync(join(home, '.config/user-dirs.dirs'), '# words\nXDG_DOCUMENTS_DIR="$HOME/Dokumente"\n');
  const { child, out, ended } = await start(['--port', '0', '--json'], {
    HOME: home,
    USERPROFILE: home,
    XDG_CONFIG_HOME: join(home, '.config'),
  });
  expect(JSON.parse(out())).toMatchObject({ ok: true, items: 0, folder: expect.stringMatching(/bunzai$/) });
  const run = (args: readonly string[]) => spawnSync(process.execPath, [CLI, 'studio', ...args], { encoding: 'utf8' });
  const { folder } = JSON.parse(out()) as { folder: string };
  if (process.platform === 'linux') expect(folder).toMatch(/Dokumente.bunzai$/);
  const taken = run([folder, '--json']);
  expect([taken.status, JSON.parse(taken.stdout).error.code]).toEqual([1, 'library.in-use']);
  const port = run([library(), '--port', 'x', '--json']);
  expect([port.status, JSON.parse(port.stdout).error.code]).toEqual([2, 'usage.invalid']);
  expect(run(['a', 'b']).status).toBe(2);
  child.kill('SIGINT');
  expect(await ended).toBe(0);
});
