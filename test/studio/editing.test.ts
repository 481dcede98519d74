/** Changes to an item: undone, kept through reload and crash, saved once and whole. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { drop, expectQuiet, imported, openPage, openStudio, sample, useBrowser } from './page.ts';

useBrowser();

const name = (page: Page) => page.locator('[data-name]');

async function withMira() {
  const opened = await openStudio();
  await drop(opened.page, [sample('sillytavern/sillytavern.mira.png')]);
  await imported(opened.page);
  await name(opened.page).waitFor();
  return opened;
}

/** Waits until the draft of the open item lies in the library. */
const draftKept = (page: Page) =>
  expect
    .poll(() =>
      page.evaluate(
        () =>
          new Promise<number>((done) => {
            const open = indexedDB.open('bunzai');
            open.onsuccess = () => {
              const count = open.result.transaction('drafts').objectStore('drafts').count();
              count.onsuccess = () => {
                done(count.result);
                open.result.close();
              };
            };
          }),
      ),
    )
    .toBe(1);

test('typing is one step of undo, and undo back to the start leaves nothing unsaved', async () => {
  const opened = await withMira();
  const { page } = opened;
  await name(page).fill('');
  await name(page).pressSequentially('Orla');
  await page.locator('[data-save]').waitFor();
  await name(page).press('Control+z');
  expect(await name(page).inputValue()).toBe('Mira Vale');
  await expect.poll(() => page.locator('[data-save]').count()).toBe(0);
  await page.locator('[data-redo]').click();
  expect(await name(page).inputValue()).toBe('Orla');
  expectQuiet(opened);
  await opened.context.close();
});

test('unsaved changes survive a reload and a closed tab, and a save ends the draft', async () => {
  const { page, context } = await withMira();
  await name(page).fill('灯台の Orla');
  await draftKept(page);
  await page.reload();
  await page.locator('[role=option]').click();
  await expect.poll(() => name(page).inputValue()).toBe('灯台の Orla');
  await page.locator('[data-save]').waitFor();

  await page.close({ runBeforeUnload: false });
  const { page: next } = await openPage(context);
  await next.locator('[role=option]').click();
  await expect.poll(() => name(next).inputValue()).toBe('灯台の Orla');
  await next.keyboard.press('Control+s');
  await expect.poll(() => next.locator('[data-save]').count()).toBe(0);
  await expect.poll(() => next.locator('[role=option] .name').innerText()).toBe('灯台の Orla');
  await next.reload();
  await next.locator('[role=option]').click();
  await expect.poll(() => name(next).inputValue()).toBe('灯台の Orla');
  expect(await next.locator('[data-save]').count()).toBe(0);
  await context.close();
});

test('two tabs: the later save over an older state is refused, says so, and loses nothing', async () => {
  const { page, context } = await withMira();
  const { page: other } = await openPage(context);
  await other.locator('[role=option]').click();
  await name(other).fill('Theirs');
  await other.keyboard.press('Control+s');
  await expect.poll(() => page.locator('[role=option] .name').innerText()).toBe('Theirs');
  await name(page).fill('Mine');
  await page.keyboard.press('Control+s');
  await page.locator('[data-doc] [role=alert]', { hasText: 'another tab' }).waitFor();
  expect(await name(page).inputValue()).toBe('Mine');
  await page.locator('[data-doc] [role=alert] button', { hasText: 'copy' }).click();
  await expect
    .poll(async () => (await page.locator('[role=option] .name').allInnerTexts()).sort())
    .toEqual(['Mine', 'Theirs']);
  await context.close();
});

test('a full disk leaves the library as it was and the change on the screen', async () => {
  const { page, context } = await withMira();
  const [worker] = page.workers();
  await worker?.evaluate(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('no space', 'QuotaExceededError');
    };
  });
  await name(page).fill('No room');
  await page.locator('[data-doc] [role=alert]', { hasText: 'no room' }).waitFor();
  expect(await name(page).inputValue()).toBe('No room');
  await page.keyboard.press('Control+s');
  await page.locator('[data-save]:not([disabled])').waitFor();
  await page.reload();
  await page.locator('[role=option]').click();
  await expect.poll(() => name(page).inputValue()).toBe('Mira Vale');
  await context.close();
});

test('removed items come back', async () => {
  const { page, context } = await withMira();
  await page.locator('[role=option]').click({ modifiers: ['Control'] });
  await page.locator('button', { hasText: 'Remove' }).click();
  await expect.poll(() => page.locator('[role=option]').count()).toBe(0);
  await page.locator('[data-notice-undo]').click();
  await page.locator('[role=option]', { hasText: 'Mira Vale' }).waitFor();
  await context.close();
});
