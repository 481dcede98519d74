/** The built studio as files that may be served: exactly those that are there, under exactly their names. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MiddlewareHandler } from 'hono';
import { getMimeType } from 'hono/utils/mime';
import { BunzaiError } from '../../core/errors.ts';
import { refuse } from './guard.ts';

export interface Site {
  /** The policy that the page states, for every answer. */
  readonly policy: string;
  readonly serve: MiddlewareHandler;
}

/** Opens the built studio. `library` is where its page finds the library. Throws `studio.missing`. */
export function openSite(folder: string, library: string): Site {
  const files = new Map<string, string>();
  let html: string;
  try {
    html = readFileSync(join(folder, 'index.html'), 'utf8');
    for (const row of readdirSync(folder, { withFileTypes: true, recursive: true })) {
      // `parentPath` came with Node 20.12.
      const parent = row.parentPath ?? (row as unknown as { path: string }).path;
      const full = join(parent, row.name);
      if (row.isFile()) files.set(full.slice(join(folder, '/').length - 1).replaceAll('\\', '/'), full);
    }
  } catch (cause) {
    throw new BunzaiError('studio.missing', { file: folder, hint: 'run npm run build once', cause });
  }
  const policy = /http-equiv="Content-Security-Policy"\s+content="([^"]+)"/.exec(html)?.[1];
  if (!policy) throw new BunzaiError('studio.missing', { file: folder, detail: 'its page states no policy' });
  const page = html.replace('<meta charset', `<meta name="bunzai-library" content="${library}" />\n    <meta charset`);

  return {
    policy: `${policy}; frame-ancestors 'none'`,
    serve: async (c) => {
      c.header('Cache-Control', 'no-cache');
      const { path } = c.req;
      if (path === '/' || path === '/index.html') return c.html(page);
      const full = files.get(path);
      if (full === undefined) return refuse(c, 404, 'http.path', 'there is no such page');
      return c.body(readFileSync(full), 200, { 'Content-Type': getMimeType(full) ?? 'application/octet-stream' });
    },
  };
}
