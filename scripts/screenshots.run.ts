/** Pictures of the running studio, for the docs: `npm run screenshots`. Everything in them is invented. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { test } from 'vitest';
import { drop, imported, type OpenOptions, openStudio, sample, useBrowser } from '../test/studio/page.ts';
import { bigBook, cards, libraryOf, shelf } from './studio-scenes.ts';

useBrowser();

const OUT = process.env.SHOTS ?? fileURLToPath(new URL('../docs/images/', import.meta.url));
mkdirSync(OUT, { recursive: true });
/** Scenes to look at while the studio is made; the docs need the first ones only. */
const ALL = process.env.SHOTS !== undefined;

const PHONE: OpenOptions = { width: 390, height: 844, touch: true };

const shot = (page: Page, name: string) => page.screenshot({ path: join(OUT, `${name}.png`) });
const measured = (page: Page) => page.locator('[data-outlook="done"]').waitFor({ timeout: 120_000 });
const dismiss = async (page: Page) => {
  const done = page.locator('[data-intake] header button').last();
  if (await done.count()) await done.click();
};

/** Opens a studio with a shelf of cards in it. */
async function withShelf(options: OpenOptions): Promise<Page> {
  const { page } = await openStudio(options);
  await drop(page, await shelf(page));
  await imported(page);
  await dismiss(page);
  return page;
}

const open = async (page: Page, name: string) => {
  await page.locator('[data-search]').fill(name);
  await page.locator('[data-count]', { hasText: '/' }).waitFor();
  await page.locator('[role=option]', { hasText: name }).first().click();
  await page.locator('[data-doc]').waitFor();
  await page.locator('[data-search]').evaluate((input: HTMLInputElement) => {
    input.value = '';
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await page.locator('[data-count]').filter({ hasNotText: '/' }).waitFor({ state: 'attached' });
};

for (const theme of ['dark', 'light'] as const) {
  test(`desktop, ${theme}`, async () => {
    const page = await withShelf({ theme });
    await shot(page, `library-${theme}`);
    await open(page, 'Mira Vale');
    await measured(page);
    await page.locator('[data-target="sillytavern"] > button').click();
    await page.locator('[data-target="sillytavern"] details summary').first().click();
    await page.waitForTimeout(300);
    await shot(page, `item-${theme}`);
  });

  test(`phone, ${theme}`, async () => {
    const page = await withShelf({ theme, ...PHONE });
    await page.locator('nav.steps button').first().click();
    await shot(page, `phone-library-${theme}`);
    await open(page, 'Mira Vale');
    await page.waitForTimeout(300);
    await shot(page, `phone-item-${theme}`);
    await page.locator('nav.steps button').last().click();
    await measured(page);
    await page.locator('[data-target="sillytavern"] > button').click();
    await page.waitForTimeout(200);
    await shot(page, `phone-convert-${theme}`);
  });
}

test('the first minute', async () => {
  const { page } = await openStudio({ theme: 'dark' });
  await shot(page, 'welcome-dark');
  const [bad] = cards(1);
  await drop(page, [
    sample('risu/risu.mira.charx'),
    sample('novelai/novelai-lorebook.harbour.lorebook'),
    sample('sillytavern/sillytavern-preset.harbour.json'),
    { name: 'half a card.json', bytes: Buffer.from(bad?.bytes ?? '').subarray(0, 90) },
  ]);
  await imported(page);
  await shot(page, 'import-dark');
});

test.runIf(ALL)('scenes to look at', async () => {
  for (const [label, options] of [
    ['wide-dark', { theme: 'dark' }],
    ['wide-light', { theme: 'light' }],
    ['phone-dark', { theme: 'dark', ...PHONE }],
    ['phone-light', { theme: 'light', ...PHONE }],
  ] as const) {
    const { page } = await openStudio(options);
    await shot(page, `see-welcome-${label}`);
    await drop(page, [bigBook(5_000), ...(await shelf(page)), sample('agnai/agnai.nagi.json')]);
    await imported(page);
    await shot(page, `see-import-${label}`);
    await dismiss(page);
    await page
      .locator('nav.steps button')
      .first()
      .click({ force: true, timeout: 1000 })
      .catch(() => undefined);
    await open(page, '灯台守');
    await page.waitForTimeout(500);
    await shot(page, `see-japanese-${label}`);
    await page
      .locator('nav.steps button')
      .first()
      .click({ force: true, timeout: 1000 })
      .catch(() => undefined);
    await open(page, 'Great book');
    await page.waitForTimeout(1500);
    await shot(page, `see-book-${label}`);
    await page.context().close();
  }
  const { page } = await openStudio({ theme: 'dark' });
  await libraryOf(page, 2_000);
  await shot(page, 'see-2000-dark');
  await page.locator('[role=option]').nth(3).click();
  await page.waitForTimeout(1500);
  await shot(page, 'see-2000-open-dark');
  await page.locator('[role=listbox]').focus();
  await page.keyboard.press('Control+a');
  await page.waitForTimeout(300);
  await shot(page, 'see-batch-dark');
  await page.locator('[role=listbox]').focus();
  await page.keyboard.press('Delete');
  await page.waitForTimeout(200);
  await shot(page, 'see-ask-dark');
  const chinese = await openStudio({ theme: 'light', language: 'zh-CN' });
  await drop(chinese.page, await shelf(chinese.page));
  await imported(chinese.page);
  await dismiss(chinese.page);
  await open(chinese.page, '灯台守');
  await measured(chinese.page);
  await shot(chinese.page, 'see-chinese-light');
});
