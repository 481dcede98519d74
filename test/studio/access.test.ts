/** By keyboard alone, for a screen reader, on a phone, in another language, and light to load. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { downloaded, drop, expectQuiet, imported, openStudio, sample, serious, useBrowser } from './page.ts';
import { STUDIO } from './static-server.ts';

useBrowser();

const FILES = ['sillytavern/sillytavern.mira.png', 'novelai/novelai-lorebook.harbour.lorebook'];

test('the whole way by keyboard: search, open, rename, undo, save, choose a target, download', async () => {
  const opened = await openStudio();
  const { page } = opened;
  await drop(page, FILES.map(sample));
  await imported(page);
  const press = (key: string) => page.keyboard.press(key);
  await press('/');
  await page.keyboard.type('mira');
  await expect.poll(() => page.locator('[role=option]').count()).toBe(1);
  await press('Escape');
  await press('ArrowDown');
  expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('listbox');
  await press('Enter');
  await page.locator('[data-doc]').waitFor();
  await page.locator('[data-name]').focus();
  await page.keyboard.type('!');
  await press('Control+z');
  expect(await page.locator('[data-name]').inputValue()).toBe('Mira Vale');
  await page.keyboard.type('?');
  await press('Control+s');
  await expect.poll(() => page.locator('[role=option] .name').innerText()).toContain('?');
  await page.locator('[data-outlook="done"]').waitFor();
  await press('Control+Enter');
  expect(await page.evaluate(() => document.activeElement?.closest('[data-target]') !== null)).toBe(true);
  await press('Enter');
  const { bytes } = await downloaded(page, () => press('Control+Enter'));
  expect(bytes.byteLength).toBeGreaterThan(100);
  await page.locator('.brand').click();
  await press('Escape');
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await press('?');
  await page.locator('dialog[open]').waitFor();
  await press('Escape');
  await expect.poll(() => page.locator('dialog[open]').count()).toBe(0);
  expectQuiet(opened);
  await opened.context.close();
});

test.each(['dark', 'light'] as const)('axe finds nothing serious, %s', async (theme) => {
  const { page, context } = await openStudio({ theme });
  expect(await serious(page)).toEqual([]);
  await drop(page, [...FILES.map(sample), { name: 'bad.json', bytes: Buffer.from('{') }]);
  await imported(page);
  expect(await serious(page)).toEqual([]);
  await page.locator('[role=option]', { hasText: 'Mira' }).click();
  await page.locator('[data-outlook="done"] [data-target="agnai"] > button').click();
  await page.locator('[data-target="agnai"] summary').first().click();
  for (const tab of [undefined, ...(await page.locator('[role=tab]').all())]) {
    await tab?.click();
    await page.waitForTimeout(150);
    expect(await serious(page)).toEqual([]);
  }
  await page
    .locator('[role=option]')
    .first()
    .click({ modifiers: ['Control'] });
  expect(await serious(page)).toEqual([]);
  await context.close();
});

test('on a phone three steps fill the screen, nothing is cut off, and targets are large enough', async () => {
  const { page, context } = await openStudio({ width: 390, height: 844, touch: true });
  await drop(page, FILES.map(sample));
  await imported(page);
  /** What reaches beyond the right edge of the screen; the row of tabs is moved sideways. */
  const beyond = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('body *')]
        .filter((one) => one.checkVisibility() && !one.closest('[role=tab]'))
        .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
        .map((one) => one.outerHTML.slice(0, 120)),
    );
  await page.locator('nav.steps button').first().click();
  expect(await beyond()).toEqual([]);
  await page.locator('[role=option]', { hasText: 'Mira' }).click();
  await page.locator('[data-doc]').waitFor();
  expect(await page.locator('[data-search]').isVisible()).toBe(false);
  expect(await beyond()).toEqual([]);
  await page.locator('nav.steps button').last().click();
  await page.locator('[data-outlook="done"] [data-target="agnai"] > button').click();
  expect(await beyond()).toEqual([]);
  const small = await page.evaluate(() =>
    [...document.querySelectorAll('button, select, input:not(.hidden)')]
      .filter((one) => one.checkVisibility() && !one.closest('.share'))
      .map((one) => ({ height: one.getBoundingClientRect().height, html: one.outerHTML.slice(0, 80) }))
      .filter(({ height }) => height > 0 && height < 40),
  );
  expect(small).toEqual([]);
  expect(await serious(page)).toEqual([]);
  await context.close();
});

test('the page speaks Chinese and Japanese and remembers the choice', async () => {
  const { page, context } = await openStudio({ language: 'zh-CN' });
  expect(await page.locator('h1').innerText()).toContain('拖入');
  expect(await page.locator('html').getAttribute('lang')).toBe('zh');
  await page.locator('header select').selectOption('ja');
  expect(await page.locator('h1').innerText()).toContain('ドロップ');
  await page.reload();
  expect(await page.locator('h1').innerText()).toContain('ドロップ');
  await context.close();
});

test('an engine that does not start says what to try', async () => {
  const { page, context } = await openStudio();
  await context.route(/assets\/main-.*\.js/, (route) => route.abort());
  await page.reload();
  await page.locator('[role=alert]', { hasText: 'did not start' }).waitFor();
  expect(await page.locator('[role=alert]').innerText()).toContain('Reload the page');
  await context.close();
});

/** Largest first load, in bytes of gzip. */
const MAX_FIRST_LOAD = 350 * 1024;

test('the first load stays below 350 KB gzip', async () => {
  const opened = await openStudio();
  const { page } = opened;
  const loaded = await page.evaluate(() => [
    location.pathname,
    ...performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
  ]);
  // The engine worker is not among the page's own resources, and what it loads neither.
  const engine = readdirSync(join(STUDIO, 'assets')).filter((name) => /^(?:main|validate)-/.test(name));
  const files = new Set([
    ...loaded.map((path) => (path === '/' ? 'index.html' : path.slice(1))),
    ...engine.map((name) => `assets/${name}`),
  ]);
  expect(engine.length).toBeGreaterThan(0);
  const sizes = [...files].map((file) => gzipSync(readFileSync(join(STUDIO, file))).byteLength);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  expect(total).toBeGreaterThan(50_000);
  expect(total).toBeLessThan(MAX_FIRST_LOAD);
  await opened.context.close();
});
