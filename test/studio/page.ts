/** The studio in a browser, as tests drive it. */
import { mkdtempSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject } from 'vitest';

export const SAMPLES = fileURLToPath(new URL('../../samples/', import.meta.url));

/** A file as it is dropped. */
export interface Dropped {
  readonly name: string;
  readonly bytes: Uint8Array | string;
}

/** A sample by its path below `samples/`. */
export const sample = (path: string): Dropped => ({ name: basename(path), bytes: readFileSync(join(SAMPLES, path)) });

/** A fresh studio with an empty library, and everything it said. */
export interface Opened {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of the page and of its policy. */
  readonly complaints: string[];
  /** Addresses that were asked for, the studio's own left out. */
  readonly requests: string[];
}

export interface OpenOptions {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: 'dark' | 'light';
  readonly language?: string;
  readonly touch?: boolean;
}

/** What DOMPurify's own trial of a handler makes newer browsers say: nothing ran. */
const HARMLESS = /Executing inline event handler violates/;

let browser: Browser;

/** Connects the tests of a file to the browser. Without one they fail and say what to do. */
export function useBrowser(): void {
  beforeAll(async () => {
    const offered = inject('browser');
    if ('fault' in offered) throw new Error(offered.fault);
    browser = await chromium.connect(offered.endpoint);
  });
  afterAll(async () => {
    await browser?.close();
  });
}

/** Opens the studio in a profile of its own. */
export async function openStudio(options: OpenOptions = {}): Promise<Opened> {
  const { width = 1440, height = 900, theme = 'dark', language = 'en', touch = false } = options;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    locale: language,
    hasTouch: touch,
    reducedMotion: 'reduce',
    acceptDownloads: true,
  });
  return { context, ...(await openPage(context)) };
}

/** One more tab of the same profile. */
export async function openPage(context: BrowserContext): Promise<Omit<Opened, 'context'>> {
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !HARMLESS.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  const own = inject('studio');
  context.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(own) && !/^(?:blob|data):/.test(url)) requests.push(url);
  });
  await page.goto(own);
  await page.locator('[data-ready]').waitFor();
  return { page, complaints, requests };
}

/** Drops files on the page, as a person does. */
export async function drop(page: Page, files: readonly Dropped[]): Promise<void> {
  const plain = files.map(({ name, bytes }) => ({
    name,
    base64: Buffer.from(bytes as Uint8Array).toString('base64'),
  }));
  const transfer = await page.evaluateHandle((given) => {
    const data = new DataTransfer();
    for (const { name, base64 } of given)
      data.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], name));
    return data;
  }, plain);
  for (const type of ['dragenter', 'dragover', 'drop'])
    await page.dispatchEvent('body', type, { dataTransfer: transfer });
}

/** Waits until the import list says it is done and the library has drawn it, and gives its rows. */
export async function imported(page: Page): Promise<Locator> {
  await page.locator('[data-intake="done"]').waitFor({ timeout: 60_000 });
  await page.waitForTimeout(250);
  return page.locator('[data-intake] [data-row]');
}

/** The bytes of what a click downloads, and its name. */
export async function downloaded(page: Page, click: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), click()]);
  const path = join(mkdtempSync(join(tmpdir(), 'bunzai-')), 'file');
  await download.saveAs(path);
  return { name: download.suggestedFilename(), bytes: readFileSync(path) };
}

/** Nothing was complained of, and nothing was asked for elsewhere. */
export function expectQuiet({ complaints, requests }: Pick<Opened, 'complaints' | 'requests'>): void {
  expect(complaints).toEqual([]);
  expect(requests).toEqual([]);
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds that is serious, with the places. */
export async function serious(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const found = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(options: object): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>;
      };
    };
    return (await axe.run({ resultTypes: ['violations'] })).violations;
  });
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}
