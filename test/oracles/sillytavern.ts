/** The published SillyTavern, installed into a cache folder of its own and started on loopback. It is never part of bunzai. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, cpSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const CACHE = fileURLToPath(new URL('../../.cache/oracles/', import.meta.url));

/** Installs the packages of `package-lock.json` beside this file into the cache, once a lock. Returns the folder. */
export function installed(): string {
  const lock = readFileSync(`${HERE}package-lock.json`, 'utf8');
  const mark = `${CACHE}installed.json`;
  if (existsSync(mark) && readFileSync(mark, 'utf8') === lock) return CACHE;
  mkdirSync(CACHE, { recursive: true });
  rmSync(mark, { force: true });
  for (const name of ['package.json', 'package-lock.json', '.npmrc']) cpSync(HERE + name, CACHE + name);
  const args = ['ci', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund', '--silent'];
  const { status, stderr } = spawnSync('npm', args, { cwd: CACHE, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm ci for the oracles failed:\n${stderr}`);
  writeFileSync(mark, lock);
  return CACHE;
}

/** The version of an installed package. */
export const versionOf = (name: string): string =>
  JSON.parse(readFileSync(`${CACHE}node_modules/${name}/package.json`, 'utf8')).version;

/** An ES module of an installed package, as the part of it that is used: its own types are not here. */
export const moduleOf = <T>(path: string): Promise<T> =>
  import(new URL(`../../.cache/oracles/node_modules/${path}`, import.meta.url).href);

/** A running server. */
export interface Server {
  readonly url: string;
  /** The folder of its only user: `characters`, `worlds`, `instruct` and so on. */
  readonly data: string;
  readonly stop: () => void;
}

/** No browser, no login, no token, no look at the network: each line of its own `config.yaml` that has to differ. */
const CHANGES: readonly (readonly [find: RegExp, put: string])[] = [
  [/^disableCsrfProtection: false/m, 'disableCsrfProtection: true'],
  [/^whitelistDockerHosts: true/m, 'whitelistDockerHosts: false'],
  [/^(browserLaunch:[\s\S]*?enabled:) true/m, '$1 false'],
  [/^(extensions:[\s\S]*?autoUpdate:) true/m, '$1 false'],
  [/^( {4}autoDownload:) true/m, '$1 false'],
  [/^enableDownloadableTokenizers: true/m, 'enableDownloadableTokenizers: false'],
  [/^enableServerPluginsAutoUpdate: true/m, 'enableServerPluginsAutoUpdate: false'],
];

/** Starts the server on a free port of 127.0.0.1, with a new user. Its bundle of browser code stays for the next run. */
export async function startServer(): Promise<Server> {
  const app = `${installed()}node_modules/sillytavern/`;
  const run = `${CACHE}run`;
  const data = `${run}/data`;
  rmSync(`${data}/default-user`, { recursive: true, force: true });
  mkdirSync(data, { recursive: true });
  const port = await freePort();
  let config = readFileSync(`${app}default/config.yaml`, 'utf8');
  for (const [find, put] of [
    [/^dataRoot: .*/m, `dataRoot: ${data}`],
    [/^port: 8000/m, `port: ${port}`],
    ...CHANGES,
  ] as const) {
    if (!find.test(config)) throw new Error(`config.yaml of SillyTavern has no ${find}`);
    config = config.replace(find, put);
  }
  writeFileSync(`${run}/config.yaml`, config);
  const log = openSync(`${run}/server.log`, 'w');
  const child = spawn(process.execPath, ['server.js', '--configPath', `${run}/config.yaml`], {
    cwd: app,
    stdio: ['ignore', log, log],
    // It asks git for its own revision; the repository around the cache is not its own.
    env: { ...process.env, GIT_CEILING_DIRECTORIES: CACHE },
  });
  const url = `http://127.0.0.1:${port}`;
  closeSync(log);
  await answering(url, child, `${run}/server.log`);
  return { url, data: `${data}/default-user`, stop: () => void child.kill() };
}

async function answering(url: string, child: ChildProcess, log: string): Promise<void> {
  for (let i = 0; i < 360; i++) {
    if (child.exitCode !== null) break;
    const ok = await fetch(`${url}/version`).then(
      (response) => response.ok,
      () => false,
    );
    if (ok) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  child.kill();
  throw new Error(`SillyTavern did not start:\n${readFileSync(log, 'utf8').slice(-2000)}`);
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
