/** Who may talk to the local server: this page, opened from the address that was printed, and nobody else. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler, Next } from 'hono';
import { TOKEN_HEADER } from '../library/wire.ts';

/** A new token of one launch: 256 random bits, in letters that an address takes. */
export const newToken = (): string => randomBytes(32).toString('base64url');

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares without telling by the time it takes where two texts part, or how long one is. */
export const isSameToken = (given: string, token: string): boolean => timingSafeEqual(digest(given), digest(token));

/** A refusal as JSON, in the shape of every other one. */
export const refuse = (c: Context, status: 400 | 401 | 403 | 404 | 405 | 413, code: string, message: string) =>
  c.json({ error: { code, message } }, status);

/**
 * Refuses requests that were sent to another name than this machine's (a web site whose name was pointed here), and
 * requests that another site's page sends.
 */
export const onlyThisMachine: MiddlewareHandler = async (c: Context, next: Next) => {
  const host = c.req.header('host') ?? '';
  if (!/^(?:127\.0\.0\.1|localhost)(?::\d{1,5})?$/.test(host)) {
    return refuse(c, 403, 'http.host', 'this server answers to 127.0.0.1 only');
  }
  const origin = c.req.header('origin');
  const site = c.req.header('sec-fetch-site');
  if ((origin !== undefined && origin !== `http://${host}`) || site === 'cross-site' || site === 'same-site') {
    // A link from elsewhere may open the page itself; it has no token then.
    const opens = c.req.header('sec-fetch-mode') === 'navigate' && c.req.method === 'GET' && origin === undefined;
    if (!opens) return refuse(c, 403, 'http.origin', 'this server answers to its own page only');
  }
  return next();
};

/** Refuses everybody who does not know the token. */
export const onlyWith =
  (token: string): MiddlewareHandler =>
  async (c, next) => {
    if (isSameToken(c.req.header(TOKEN_HEADER) ?? '', token)) return next();
    return refuse(c, 401, 'http.token', 'open the address that bunzai studio printed when it was started');
  };

/** Refuses methods that nothing here has. There is no answer to a preflight: no other site is ever allowed. */
export const onlyMethods =
  (...methods: readonly string[]): MiddlewareHandler =>
  async (c, next) => {
    if (methods.includes(c.req.method)) return next();
    c.header('Allow', methods.join(', '));
    return refuse(c, 405, 'http.method', `${c.req.method.slice(0, 20)} is not answered here`);
  };
