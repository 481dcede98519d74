/** A headless Chromium for tests: the one that CHROMIUM_PATH names, the bundled one on Linux x64, or one of the system. */
import { mkdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright-core';

const CACHE = fileURLToPath(new URL('../../.cache/', import.meta.url));
const PACKED = new URL('../../node_modules/@sparticuz/chromium/package.json', import.meta.url);

/** Our own switches only: the bundled package's list turns web security off. */
const ARGS = ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];

/** Launches it. Throws with what to do where there is none. */
export async function launchChromium(): Promise<Browser> {
  const named = process.env.CHROMIUM_PATH;
  if (named) return chromium.launch({ executablePath: named, args: ARGS });
  if (process.platform === 'linux' && process.arch === 'x64') return bundled();
  for (const channel of ['chromium', 'chrome', 'msedge']) {
    const browser = await chromium.launch({ channel, args: ARGS }).catch(() => undefined);
    if (browser) return browser;
  }
  throw new Error('no Chromium: set CHROMIUM_PATH, or run `npx playwright-core install chromium`');
}

/** The browser inside @sparticuz/chromium, unpacked into a cache folder named by its version. */
async function bundled(): Promise<Browser> {
  const folder = `${CACHE}chromium-${JSON.parse(readFileSync(PACKED, 'utf8')).version}`;
  mkdirSync(folder, { recursive: true });
  const before = { ...process.env };
  // Both are looked at while the package is imported: where to unpack, and that its own system libraries are wanted.
  Object.assign(process.env, { TMPDIR: folder, AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x' });
  try {
    const { default: packed } = await import('@sparticuz/chromium');
    const executablePath = await packed.executablePath();
    const env = { ...before, LD_LIBRARY_PATH: process.env.LD_LIBRARY_PATH ?? '' };
    return await chromium.launch({ executablePath, args: ARGS, env });
  } finally {
    for (const key of Object.keys(process.env)) if (!(key in before)) delete process.env[key];
    Object.assign(process.env, before);
  }
}
