/** `bunzai studio` in a real browser: the library is a folder, and two tabs and the disk agree. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ItemSummary } from '../../src/ui/item/model.ts';
import { TOKEN_HEADER } from '../../src/ui/library/wire.ts';
import { type Studio, startStudio } from '../../src/ui/server.ts';
import { drop, imported, openStudio, SAMPLES, sample, useBrowser } from './page.ts';
import { STUDIO } from './static-server.ts';

useBrowser();

const folder = mkdtempSync(join(tmpdir(), 'bunzai-own-'));
let studio: Studio;
let context: BrowserContext;

beforeAll(async () => {
  studio = await startStudio({ library: folder, site: STUDIO, port: 0 });
  ({ context } = await openStudio());
});
afterAll(async () => {
  await context?.close();
  await studio?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A tab at an address of the local server, and what it complained of. */
async function tab(address: string): Promise<{ page: Page; complaints: string[] }> {
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(address);
  await page.locator('[data-ready]').waitFor();
  return { page, complaints };
}
const listed = async () => {
  const headers = { [TOKEN_HEADER]: new URL(studio.address).hash.slice(1) };
  const answer = await fetch(new URL('/api/library/items', studio.address), { headers });
  return (await answer.json()) as ItemSummary[];
};
const originals = () => readdirSync(folder).filter((name) => name !== '.bunzai');
const shows = (page: Page, name: string) => page.locator('body', { hasText: name }).waitFor({ timeout: 20_000 });

test('a dropped file lies in the folder, and everything is there after a reload and in a second tab', async () => {
  const { page, complaints } = await tab(studio.address);
  // The token left the address bar, and with it the history.
  expect(page.url()).toBe(new URL('/', studio.address).href);
  await drop(page, [sample('risu/risu.mira.charx')]);
  await imported(page);
  expect(originals()).toEqual(['risu.mira.charx']);
  const bytes = readFileSync(join(SAMPLES, 'risu/risu.mira.charx'));
  expect(readFileSync(join(folder, 'risu.mira.charx')).equals(bytes)).toBe(true);
  await page.reload();
  await page.locator('[data-ready]').waitFor();
  await shows(page, 'Mira Vale');
  const second = await tab(new URL('/', studio.address).href);
  await shows(second.page, 'Mira Vale');
  // A program puts a card into the folder: both tabs show it, with a cover that one of them draws.
  const stranger = { spec: 'chara_card_v2', spec_version: '2.0', data: { name: 'Ren Ashdown', first_mes: 'Hello.' } };
  writeFileSync(join(folder, 'ren.json'), JSON.stringify(stranger));
  writeFileSync(join(folder, 'portrait.png'), readFileSync(join(SAMPLES, 'sillytavern/sillytavern.mira.png')));
  await shows(page, 'Ren Ashdown');
  await shows(second.page, 'Ren Ashdown');
  const cover = async () => (await listed()).find(({ file }) => file === 'portrait.png')?.thumbnail;
  await expect.poll(cover, { timeout: 20_000 }).toMatch(/^[0-9a-f]{64}$/);
  expect(readdirSync(join(folder, '.bunzai/blobs'))).toContain(await cover());
  // Covers are drawn from what the server sends, although it sends nothing with the type of a picture.
  const widths = () =>
    page.locator('img').evaluateAll((all) => all.map((one) => (one as HTMLImageElement).naturalWidth));
  await expect.poll(widths, { timeout: 20_000 }).toContain(240);
  expect([...complaints, ...second.complaints]).toEqual([]);
});

test('without the token of this launch the page says which address to open, and shows nothing', async () => {
  const { page } = await tab(`${new URL('/', studio.address).href}#of-another-launch`);
  await shows(page, 'open the address that bunzai studio printed');
  expect(await page.locator('body').textContent()).not.toContain('Mira Vale');
  // Such a link does not lock the person out.
  await page.goto(new URL('/', studio.address).href);
  await page.reload();
  await shows(page, 'Mira Vale');
});
