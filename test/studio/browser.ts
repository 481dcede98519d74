/** A headless Chromium for the tests, from wherever this machine has one. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BrowserServer, chromium } from 'playwright-core';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const HELP = `No browser was found for the studio tests.
Linux x64 brings its own with "npm ci". On other machines set CHROMIUM_PATH to a Chromium, Chrome or Edge,
or run: npx playwright-core install chromium   (Debian, as root: apt-get install chromium)`;

interface Found {
  readonly path: string;
  readonly env?: Record<string, string>;
}

/** Starts a browser that tests connect to. Throws with what to do when there is none. */
export async function launchBrowser(): Promise<BrowserServer> {
  const faults: string[] = [];
  for (const find of [fromSetting, fromPackage, fromPlaywright]) {
    const found = await find();
    if (!found) continue;
    try {
      return await launch({ executablePath: found.path, ...(found.env ? { env: found.env } : {}) });
    } catch (error) {
      faults.push(`${found.path}: ${String(error).split('\n')[0]}`);
      if (find === fromSetting) break;
    }
  }
  if (!process.env.CHROMIUM_PATH) {
    for (const channel of ['chrome', 'chromium', 'msedge']) {
      try {
        return await launch({ channel });
      } catch {
        // Not installed: the next one.
      }
    }
  }
  throw new Error([HELP, ...faults].join('\n'));
}

const launch = (more: Parameters<typeof chromium.launchServer>[0]): Promise<BrowserServer> =>
  chromium.launchServer({
    headless: true,
    args: ['--disable-gpu', '--disable-dev-shm-usage', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    ...more,
  });

const fromSetting = async (): Promise<Found | undefined> =>
  process.env.CHROMIUM_PATH ? { path: process.env.CHROMIUM_PATH } : undefined;

/** The browser that `npm ci` brings along. It unpacks itself and the libraries it needs into a folder of its version. */
async function fromPackage(): Promise<Found | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const { version } = JSON.parse(readFileSync(join(ROOT, 'node_modules/@sparticuz/chromium/package.json'), 'utf8'));
  const folder = join(ROOT, 'node_modules/.cache', `chromium-${version}`);
  mkdirSync(folder, { recursive: true });
  const before = { ...process.env };
  try {
    // It reads these when it is imported and adds to LD_LIBRARY_PATH.
    process.env.TMPDIR = folder;
    process.env.AWS_LAMBDA_JS_RUNTIME = 'nodejs20.x';
    const { default: bundled } = await import('@sparticuz/chromium');
    const path = await bundled.executablePath();
    const env = Object.fromEntries(
      Object.entries(process.env).filter((entry): entry is [string, string] => !!entry[1]),
    );
    if (before.TMPDIR === undefined) delete env.TMPDIR;
    else env.TMPDIR = before.TMPDIR;
    return { path, env: { ...env, FONTCONFIG_PATH: withFonts(folder) } };
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  }
}

/** The settings that come with it name folders of another machine, and a page without any font ends the browser. */
function withFonts(folder: string): string {
  const place = join(folder, 'fontconfig');
  mkdirSync(place, { recursive: true });
  const settings = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${join(folder, 'fonts/fonts')}</dir>
  <cachedir>${place}</cachedir>
</fontconfig>
`;
  writeFileSync(join(place, 'fonts.conf'), settings);
  return place;
}

async function fromPlaywright(): Promise<Found | undefined> {
  const path = chromium.executablePath();
  return path && existsSync(path) ? { path } : undefined;
}
