/** The local server of `bunzai studio`: the built page and a folder as its library, on this machine only. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import { BunzaiError } from '../core/errors.ts';
import { type DiskStore, openDiskStore } from './disk/disk-store.ts';
import { newToken, onlyMethods, onlyThisMachine, onlyWith } from './server/guard.ts';
import { openSite, type Site } from './server/site.ts';
import { engineRoutes } from './server-engine.ts';

/** The address of this machine that no other one reaches. */
const LOOPBACK = '127.0.0.1';
/** The port that is tried first when none was asked for, and how many after it. */
export const FIRST_PORT = 4780;
const PORTS_TRIED = 20;
/** Milliseconds that a running request may take to end after the server was told to stop. */
const LAST_REQUESTS = 2_000;

export interface StudioOptions {
  /** The folder of the library; it is made where it is missing. */
  readonly library: string;
  /** The built studio. */
  readonly site: string;
  /** Absent: the first free one from `FIRST_PORT` on. */
  readonly port?: number | undefined;
}

/** A studio that runs. */
export interface Studio {
  /** What to open, with the token of this launch. */
  readonly address: string;
  /** The library, links resolved. */
  readonly folder: string;
  readonly items: number;
  /** Ends it; everything that was saved is on the disk. */
  stop(): Promise<void>;
}

/** Starts the studio. Throws `studio.missing`, `studio.port`, `library.folder`, `library.in-use`. */
export async function startStudio({ library, site, port }: StudioOptions): Promise<Studio> {
  const built = openSite(site, './api/library');
  const store = await openDiskStore(library);
  const stopping = new AbortController();
  try {
    const token = newToken();
    const app = studioApp({ store, site: built, token, stopping: stopping.signal });
    const server = createServer(getRequestListener(app.fetch, { hostname: LOOPBACK }));
    const taken = await listen(server, port);
    const items = (await store.list()).length;
    return {
      address: `http://${LOOPBACK}:${taken}/#${token}`,
      folder: store.root,
      items,
      stop: () => {
        stopping.abort();
        return stop(server, store);
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

export interface StudioParts {
  readonly store: DiskStore;
  readonly site: Site;
  readonly token: string;
  /** Ends the connections that wait for changes. */
  readonly stopping: AbortSignal;
}

/** The answers to every request. */
export function studioApp({ store, site, token, stopping }: StudioParts): Hono {
  const app = new Hono();
  app.use(secureHeaders({ strictTransportSecurity: false, xXssProtection: false, xFrameOptions: 'DENY' }));
  app.use(async (c, next) => {
    await next();
    c.header('Content-Security-Policy', site.policy);
  });
  app.use(onlyThisMachine);
  app.use('/api/*', onlyMethods('GET', 'POST', 'PUT'), onlyWith(token), async (c, next) => {
    c.header('Cache-Control', 'no-store');
    await next();
  });
  app.route('/api', engineRoutes(store, stopping));
  app.all('/api/*', (c) => c.json({ error: { code: 'http.path', message: 'there is no such question' } }, 404));
  app.use(onlyMethods('GET', 'HEAD'), site.serve);
  return app;
}

async function listen(server: Server, port: number | undefined): Promise<number> {
  const ports = port === undefined ? Array.from({ length: PORTS_TRIED }, (_, index) => FIRST_PORT + index) : [port];
  for (const tried of ports) {
    try {
      await new Promise<void>((done, fail) => {
        server.once('error', fail);
        server.listen(tried, LOOPBACK, () => {
          server.off('error', fail);
          done();
        });
      });
      return (server.address() as AddressInfo).port;
    } catch (error) {
      const { code = String(error) } = error as NodeJS.ErrnoException;
      if (code === 'EADDRINUSE' && tried !== ports.at(-1)) continue;
      const detail =
        code === 'EADDRINUSE' ? 'another program uses it' : code === 'EACCES' ? 'it is not permitted' : code;
      const hint = port === undefined ? 'name one with --port' : 'name another with --port, or leave --port out';
      throw new BunzaiError('studio.port', { path: `port ${tried}`, detail, hint, cause: error });
    }
  }
  throw new BunzaiError('studio.port');
}

async function stop(server: Server, store: DiskStore): Promise<void> {
  const ended = new Promise((done) => server.close(done));
  server.closeIdleConnections();
  const last = setTimeout(() => server.closeAllConnections(), LAST_REQUESTS);
  await ended;
  clearTimeout(last);
  await store.close();
}
