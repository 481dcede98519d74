/** A card is from a stranger: nothing in it runs, loads, or holds the page up. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { bytesOf } from '../../src/core/bytes.ts';
import { loadDeflate } from '../../src/formats/_shared/inflate.ts';
import { writeZip } from '../../src/formats/_shared/zip.ts';
import { downloaded, drop, expectQuiet, imported, openStudio, useBrowser } from './page.ts';

useBrowser();

const ran = (page: Page) => page.evaluate(() => (globalThis as { ran?: unknown }).ran);
const RUN = 'globalThis.ran=1';
const ATTACKS = [
  `<script>${RUN}</script>`,
  `<img src=x onerror="${RUN}">`,
  `<svg onload="${RUN}"><script>${RUN}</script></svg>`,
  `<iframe srcdoc="<script>parent.ran=1</script>"></iframe>`,
  `<a href="javascript:${RUN}">press</a>`,
  `[press](javascript:${RUN})`,
  `<style>*{display:none!important}</style>`,
  `<div style="position:fixed;inset:0;background:red">over</div>`,
  `<form action="https://example.invalid/"><button>send</button></form>`,
  `<math><mtext><table><mglyph><style><img src=x onerror="${RUN}">`,
  `![seen](https://example.invalid/track.png)`,
  `<img srcset="https://example.invalid/a.png 1x" src="https://example.invalid/b.png">`,
  `<video poster="https://example.invalid/p.png" src="https://example.invalid/v.mp4" autoplay>`,
  `<div style="background:url(https://example.invalid/css.png)">`,
  `<link rel="stylesheet" href="https://example.invalid/x.css">`,
  `<meta http-equiv="refresh" content="0;url=https://example.invalid/">`,
  `<base href="https://example.invalid/">`,
  '<input id="app"><img name="body"><a id="constructor" name="__proto__">',
];

const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="${RUN}"><script>${RUN}</script><image href="https://example.invalid/i.png"/></svg>`;

test('script in name, greeting and notes, an SVG portrait and remote pictures neither run nor load', async () => {
  const opened = await openStudio();
  const { page } = opened;
  const text = ATTACKS.join('\n\n');
  const data = {
    name: `<img src=x onerror="${RUN}">\u202e evil`,
    description: text,
    personality: text,
    scenario: text,
    first_mes: text,
    mes_example: text,
    creator_notes: text,
    creator: ATTACKS[0],
    alternate_greetings: ATTACKS,
    tags: ATTACKS.slice(0, 4),
    extensions: { regex_scripts: [{ scriptName: ATTACKS[1], findRegex: '/(a+)+$/', replaceString: ATTACKS[0] }] },
    assets: [{ type: 'icon', name: 'main', ext: 'svg', uri: `data:image/svg+xml;base64,${btoa(svg)}` }],
    character_book: {
      name: ATTACKS[1],
      extensions: {},
      entries: [{ keys: [ATTACKS[0]], content: text, extensions: {}, enabled: true, insertion_order: 1 }],
    },
  };
  const card = { spec: 'chara_card_v3', spec_version: '3.0', data: { ...data, __proto__: undefined } };
  await drop(page, [{ name: `${ATTACKS[1]}.json`, bytes: Buffer.from(JSON.stringify(card)) }]);
  await imported(page);
  await page.locator('[data-doc] .read').first().waitFor();
  for (const chip of await page.locator('[data-doc] .choices .chip').all()) await chip.click();
  await page.locator('[data-outlook="done"]').waitFor();
  for (const target of await page.locator('[data-target] > button').all()) await target.click();
  for (const tab of await page.locator('[role=tab]').all()) {
    await tab.click();
    await page.waitForTimeout(150);
  }
  await page.waitForTimeout(300);
  expect(await ran(page)).toBeUndefined();
  expect(
    await page.locator('.read script, .read style, .read iframe, .read form, .read svg, .read [style]').count(),
  ).toBe(0);
  expect(await page.locator('header .brand').isVisible()).toBe(true);
  expect(await page.locator('[data-doc] a[href^="javascript"]').count()).toBe(0);
  expectQuiet(opened);
  await opened.context.close();
});

test('the preview is inert while the stored text is unchanged (RW-091)', async () => {
  const { page, context } = await openStudio();
  const notes =
    '<style>body{display:none}</style><img src=x onerror="globalThis.ran=1"> [a](javascript:globalThis.ran=1)';
  const data = { name: 'Nok', description: 'x', first_mes: 'Hello.', creator_notes: notes };
  await drop(page, [
    { name: 'a.json', bytes: Buffer.from(JSON.stringify({ spec: 'chara_card_v2', spec_version: '2.0', data })) },
  ]);
  await imported(page);
  await page.locator('[data-outlook="done"] [data-target="sillytavern"] > button').click();
  const { bytes } = await downloaded(page, () => page.locator('[data-download]').click());
  expect(JSON.parse(bytes.toString()).data.creator_notes).toBe(notes);
  expect(await ran(page)).toBeUndefined();
  await context.close();
});

test('a book of 20,000 entries is read and opened while the page answers', async () => {
  const { page, context } = await openStudio();
  const entries = Object.fromEntries(
    Array.from({ length: 20_000 }, (_, uid) => [
      uid,
      { uid, key: [`key ${uid}`], comment: `Entry ${uid}`, content: `Text of ${uid}.`, order: uid, position: 0 },
    ]),
  );
  await page.evaluate(() => {
    const scope = globalThis as unknown as { longest: number };
    scope.longest = 0;
    let last = performance.now();
    const beat = () => {
      const now = performance.now();
      scope.longest = Math.max(scope.longest, now - last);
      last = now;
      setTimeout(beat, 10);
    };
    beat();
  });
  await drop(page, [{ name: 'huge.json', bytes: Buffer.from(JSON.stringify({ name: 'Huge', entries })) }]);
  await imported(page);
  await page.locator('[data-doc] .overview').waitFor({ timeout: 30_000 });
  expect(await page.locator('[data-doc]').innerText()).toContain('20,000 lorebook entries');
  // One pause may be the dropped file itself; a page that froze would stand for many seconds.
  expect(await page.evaluate(() => (globalThis as unknown as { longest: number }).longest)).toBeLessThan(3_000);
  await context.close();
});

test('archives that lie are refused with a reason, and the library stays as it was', async () => {
  const { page, context } = await openStudio();
  await loadDeflate();
  const zeros = writeZip([{ name: 'card.json', content: bytesOf(new Uint8Array(100 * 1024 * 1024)) }]);
  const outside = Buffer.from(writeZip([{ name: 'aa/card.json', content: bytesOf(Buffer.from('{}')) }]))
    .toString('latin1')
    .replaceAll('aa/card.json', '../card.json');
  await drop(page, [
    { name: 'zeros.charx', bytes: zeros },
    { name: 'escape.zip', bytes: Buffer.from(outside, 'latin1') },
    { name: 'deep.json', bytes: Buffer.from(`{"spec":"chara_card_v2","data":${'['.repeat(100_000)}`) },
    { name: 'empty.png', bytes: Buffer.alloc(0) },
  ]);
  const rows = await imported(page);
  expect(await rows.evaluateAll((all) => all.map((row) => row.getAttribute('data-row')))).toEqual([
    'bad',
    'bad',
    'bad',
    'bad',
  ]);
  for (const row of await rows.all()) expect(await row.innerText()).toContain('What to try');
  expect(await page.locator('[role=option]').count()).toBe(0);
  await context.close();
});
