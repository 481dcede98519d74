/** The studio as a person uses it, in a real browser under its own policy. */
import { expect, test } from 'vitest';
import { drop, expectQuiet, imported, openStudio, sample, useBrowser } from './page.ts';

useBrowser();

test('a dropped card is opened, with what is in it and what every app would keep', async () => {
  const opened = await openStudio();
  const { page } = opened;
  await drop(page, [sample('risu/risu.mira.charx')]);
  const rows = await imported(page);
  expect(await rows.count()).toBe(1);
  const text = await rows.first().innerText();
  for (const part of ['Mira Vale', 'RisuAI', '3 greetings', '3 lorebook entries', '1 regex rule', 'never run'])
    expect(text).toContain(part);
  await page.locator('h1', { hasText: 'Mira Vale' }).waitFor();
  await page.locator('[data-outlook="done"] [data-target="sillytavern"]').waitFor();
  await page.screenshot({ path: '/tmp/shot1.png' });
  expectQuiet(opened);
});
