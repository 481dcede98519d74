/** The editors of an open item: what a person changes, sees and takes back. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { type Dropped, drop, expectQuiet, openStudio, sample, serious, useBrowser } from './page.ts';

useBrowser();

const HOSTILE = '<img src=x onerror="window.ran=1"><script>window.ran=1</script><svg onload="window.ran=1">';
const json = (name: string, value: unknown): Dropped => ({ name, bytes: Buffer.from(JSON.stringify(value)) });

const card = (over: object = {}): Dropped =>
  json('mira.json', {
    spec: 'chara_card_v3',
    spec_version: '3.0',
    data: {
      name: '灯台守のミラ',
      description: 'Keeper of the lamp.',
      personality: 'Quiet.',
      scenario: '',
      first_mes: 'First.',
      mes_example: '',
      alternate_greetings: ['Second.', 'مرحبا بك في المنارة', HOSTILE],
      tags: ['海'],
      creator: 'Wave',
      creator_notes: '',
      system_prompt: '',
      post_history_instructions: '',
      character_version: '1',
      group_only_greetings: [],
      extensions: {
        regex_scripts: [
          { id: 'r', scriptName: HOSTILE, findRegex: '/lamp/gi', replaceString: 'light', placement: [2] },
        ],
      },
      character_book: {
        name: 'Pier',
        extensions: {},
        entries: [1, 2].map((id) => ({
          id,
          keys: [`key ${id}`],
          content: `Text ${id}`,
          enabled: true,
          insertion_order: id,
          extensions: {},
          use_regex: false,
        })),
      },
      ...over,
    },
  });

const book = (count: number, name = 'Harbour'): Dropped =>
  json(`${name}.json`, {
    name,
    entries: Object.fromEntries(
      Array.from({ length: count }, (_, uid) => [
        uid,
        {
          uid,
          key: [`pier ${uid}`],
          keysecondary: [],
          comment: `Pier ${uid}`,
          content: `It lies ${uid % 2 ? 'west' : 'east'}.`,
          constant: false,
          selective: true,
          order: 100,
          position: 0,
          depth: 4,
          probability: 100,
          useProbability: true,
          disable: false,
        },
      ]),
    ),
  });

const rules = json('rules.json', [
  {
    id: 'a',
    scriptName: 'Nods',
    findRegex: '/\\*(.+?)\\*/g',
    replaceString: '<b onclick="window.ran=1">$1</b>',
    trimStrings: [],
    placement: [2],
    disabled: false,
  },
  {
    id: 'b',
    scriptName: 'Runs away',
    findRegex: '/^(a+)+$/',
    replaceString: '',
    trimStrings: [],
    placement: [2],
    disabled: false,
  },
]);

async function opened(files: readonly Dropped[], tab: string) {
  const studio = await openStudio();
  const { page } = studio;
  await drop(page, files);
  await page.locator('[data-doc]').waitFor();
  await page.getByRole('tab', { name: tab, exact: true }).click();
  return {
    page,
    async close() {
      expect(await page.evaluate(() => (globalThis as { ran?: number }).ran)).toBeUndefined();
      expectQuiet(studio);
      await studio.context.close();
    },
  };
}

const undo = (page: Page) => page.locator('[data-undo]').click();
const field = (page: Page, path: string) => page.locator(`[data-path="${path}"] :is(input, textarea, select)`).first();

async function paste(page: Page, text: string) {
  await page.evaluate((given) => {
    const data = new DataTransfer();
    data.setData('text/plain', given);
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    );
  }, text);
}

test('a field is edited, undone and done again', async () => {
  const { page, close } = await opened([card()], 'Edit');
  await field(page, 'identity.tagline').fill('青い灯');
  await undo(page);
  expect(await field(page, 'identity.tagline').inputValue()).toBe('');
  await page.locator('[data-redo]').click();
  expect(await field(page, 'identity.tagline').inputValue()).toBe('青い灯');
  await page.locator('[data-path="discovery.tags"] input').fill('灯台');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('[data-path="discovery.tags"] li').count()).toBe(2);
  await page.getByRole('tab', { name: '±', exact: true }).click();
  await page.locator('[data-changes]').waitFor();
  expect(
    await page.locator('[data-change]').evaluateAll((all) => all.map((one) => one.getAttribute('data-change'))),
  ).toEqual(['identity.tagline', 'discovery.tags']);
  await close();
});

test('RW-116 a greeting becomes the first message, and undo takes it back; RW-091 its markup is inert', async () => {
  const { page, close } = await opened([card()], 'Edit');
  await page.locator('[data-greeting="3"] summary').click();
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.locator('.preview').waitFor();
  await page.getByRole('button', { name: 'Make it the first message' }).click();
  const glance = (at: number) => page.locator(`[data-greeting="${at}"] .glance`).textContent();
  await expect.poll(() => glance(0)).toContain('<img');
  expect(await glance(1)).toBe('First.');
  await undo(page);
  await expect.poll(() => glance(0)).toBe('First.');
  expect(await glance(2)).toContain('المنارة');
  await close();
});

test('RW-114 a selection of a filtered table is changed with a preview, and undone in one step', async () => {
  const { page, close } = await opened([book(5_000)], 'Lore');
  await page.locator('[role=grid]').waitFor();
  expect(await page.locator('[role=row]').count()).toBeLessThan(80);
  await page.getByLabel('Filter entries').fill('west');
  await expect.poll(() => page.locator('.lore [data-count]').textContent()).toBe('2,500 of 5,000 entries');
  await page.getByRole('button', { name: /Choose all/ }).click();
  await page.getByRole('button', { name: 'Change …' }).click();
  await page.getByLabel('Add a setting').selectOption('probability');
  await page.locator('.bulk').getByLabel('Probability', { exact: true }).fill('55');
  await expect.poll(() => page.locator('[data-bulk-sum]').textContent()).toBe('2,500 changes in 2,500 entries');
  // Also beside the panel only the rows in sight are drawn.
  expect(await page.locator('[role=row]').count()).toBeLessThan(80);
  await page.getByRole('button', { name: 'Change them' }).click();
  const chances = () =>
    page.locator('[role=gridcell].probability').evaluateAll((all) => [...new Set(all.map((one) => one.textContent))]);
  await expect.poll(chances).toEqual(['55']);
  await undo(page);
  await expect.poll(chances).toEqual(['100']);
  await close();
});

test('RW-101 RW-105 a pasted list becomes keys; a key entered alone keeps its comma, also after composing', async () => {
  const { page, close } = await opened([book(3)], 'Lore');
  await page.locator('[role=grid]').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const keys = page.locator('[data-path="triggers"]');
  const chips = () => keys.locator('.tag bdi').allInnerTexts();
  await keys.locator('.entry input').focus();
  await paste(page, '灯台，港、船\tpier 1\nlamp');
  await expect.poll(chips).toEqual(['pier 1', '灯台', '港', '船', 'lamp']);
  await keys.locator('.entry input').fill('Smith, John');
  // Enter of an input method ends the word, not the field.
  await keys.locator('.entry input').dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true });
  expect(await chips()).toHaveLength(5);
  await page.keyboard.press('Enter');
  await expect.poll(chips).toEqual(['pier 1', '灯台', '港', '船', 'lamp', 'Smith, John']);
  await close();
});

test('RW-112 entries of a file are added with fresh ids, equal ones are left out', async () => {
  const { page, close } = await opened([book(2)], 'Lore');
  await page.locator('.menu summary').click();
  await page.getByRole('button', { name: 'Add entries from …' }).click();
  const other = book(3, 'Other');
  await page
    .locator('.from input[type=file]')
    .setInputFiles({ name: other.name, mimeType: 'application/json', buffer: Buffer.from(other.bytes) });
  await expect.poll(() => page.locator('[data-add-sum]').textContent()).toBe('1 will be added, 2 are here already.');
  await page.getByRole('button', { name: 'Add them' }).click();
  await expect.poll(() => page.locator('.lore [data-count]').textContent()).toBe('3 entries');
  await close();
});

test('a rule is tried out on a text, and a pattern that runs away is named and ended', async () => {
  const { page, close } = await opened([rules], 'Rules');
  await page.getByLabel('Text to try it on').fill('She *nods* at the *灯台*.');
  await page.locator('[data-tryout=done]').waitFor();
  expect(await page.locator('[data-found] mark').allInnerTexts()).toEqual(['*nods*', '*灯台*']);
  expect(await page.locator('[data-result]').textContent()).toBe(
    'She <b onclick="window.ran=1">nods</b> at the <b onclick="window.ran=1">灯台</b>.',
  );
  await page.getByRole('button', { name: 'Runs away' }).click();
  await page.getByLabel('Text to try it on').fill(`${'a'.repeat(40)}!`);
  await page.locator('[data-tryout=run-away]').waitFor();
  expect(await page.evaluate(() => 1 + 1)).toBe(2);
  await page.getByRole('button', { name: 'Nods' }).click();
  await page.getByLabel('Text to try it on').fill('*again*');
  await expect.poll(() => page.locator('[data-found] mark').allInnerTexts()).toEqual(['*again*']);
  await close();
});

test('± lists each difference, and one line is put back while the others stay', async () => {
  const { page, close } = await opened([card()], 'Edit');
  await field(page, 'identity.description').fill('Keeper of the blue lamp.');
  await field(page, 'persona.personality').fill('Loud.');
  await page.getByRole('tab', { name: '±', exact: true }).click();
  const line = page.locator('[data-change="identity.description"]');
  expect(await line.locator('ins').textContent()).toContain('blue');
  await line.getByRole('button', { name: 'Put back' }).click();
  await expect.poll(() => page.locator('[data-changes]').getAttribute('data-changes')).toBe('1');
  await page.locator('[data-change="persona.personality"] button').click();
  await page.getByText('Nothing differs from the original file.').waitFor();
  await page.getByRole('tab', { name: 'Source', exact: true }).click();
  await expect.poll(() => page.locator('.code .cm-content').textContent()).toContain('chara_card_v3');
  await page.getByRole('button', { name: 'Difference' }).click();
  await page.locator('[data-same]').waitFor();
  await close();
});

test('two items of different formats are compared field by field', async () => {
  const { page, close } = await opened([card()], '±');
  await page.getByRole('button', { name: 'Another item or file' }).click();
  const other = sample('risu/risu.mira.charx');
  await page
    .locator('input[type=file][aria-label="A file …"]')
    .setInputFiles({ name: other.name, mimeType: '', buffer: Buffer.from(other.bytes) });
  await page.locator('[data-compared]').waitFor();
  const row = page.locator('tr', { hasText: 'Description' }).first();
  expect(await row.locator('td').first().textContent()).toBe('Keeper of the lamp.');
  expect((await row.locator('td').nth(1).textContent())?.length).toBeGreaterThan(5);
  await close();
});

test('RW-108 RW-115 an update is shown first, keeps what was chosen, and is one step', async () => {
  const { page, close } = await opened([sample('sillytavern/sillytavern.mira.png')], 'Update');
  const newer = card({ name: 'Mira Vale', alternate_greetings: [] });
  await page
    .locator('input[type=file][aria-label="A file …"]')
    .setInputFiles({ name: newer.name, mimeType: '', buffer: Buffer.from(newer.bytes) });
  await page.locator('[data-update=replaced]').waitFor();
  const kept = await page.locator('[data-update=kept]').textContent();
  expect(kept).toContain('Portrait');
  const line = page.locator('[data-update=replaced] li', { hasText: 'Personality' });
  await line.getByLabel('Keep mine').check();
  await page.getByRole('button', { name: 'Update', exact: true }).click();
  await page.getByRole('tab', { name: 'Edit', exact: true }).click();
  await expect.poll(() => field(page, 'identity.description').inputValue()).toBe('Keeper of the lamp.');
  expect(await field(page, 'persona.personality').inputValue()).not.toBe('Quiet.');
  await page.getByRole('tab', { name: 'Media', exact: true }).click();
  await page.locator('[data-media="media.portrait"] img').waitFor();
  await undo(page);
  await page.getByRole('tab', { name: 'Edit', exact: true }).click();
  expect(await field(page, 'identity.description').inputValue()).not.toBe('Keeper of the lamp.');
  await close();
});

test('RW-117 a card becomes a persona as a new item, with what stays behind', async () => {
  const { page, close } = await opened([card()], 'Update');
  await page.getByRole('button', { name: 'Make a persona of this card …' }).click();
  await page.locator('[data-losses]').waitFor();
  expect(await page.locator('[data-losses]').textContent()).toContain('First message');
  await page.getByRole('button', { name: 'Make it', exact: true }).click();
  await page.locator('[data-recast] button').click();
  await expect.poll(() => page.locator('[data-doc] header').first().textContent()).toContain('Persona');
  await close();
});

test('RW-113 tokens are an estimate, at every turn and when keys come up', async () => {
  const { page, close } = await opened([card()], 'Tokens');
  expect(await page.locator('.tokens').textContent()).toContain('An estimate');
  for (const time of ['always', 'opening', 'triggered'])
    expect(await page.locator(`[data-tokens=${time}] dd`).textContent()).toMatch(/^≈ [1-9]/);
  await close();
});

test('media: an SVG is a file and never drawn, a picture becomes the portrait', async () => {
  const { page, close } = await opened([card()], 'Media');
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="window.ran=1"><script>window.ran=1</script></svg>';
  const png = Buffer.from(sample('sillytavern/sillytavern.mira.png').bytes);
  await page.locator('.media > input[type=file]').setInputFiles([
    { name: 'evil.png', mimeType: 'image/svg+xml', buffer: Buffer.from(svg) },
    { name: 'happy.png', mimeType: 'image/png', buffer: png },
  ]);
  await page.locator('[data-media][data-type=svg]').waitFor();
  expect(await page.locator('[data-media][data-type=svg] img').count()).toBe(0);
  const picture = page.locator('[data-media][data-type=png]');
  await picture.locator('img').waitFor();
  await picture.locator('summary').click();
  await picture.getByRole('button', { name: 'Make it the portrait' }).click();
  await page.locator('[data-media="media.portrait"] img').waitFor();
  await close();
});

test.each([
  ['dark', 390],
  ['light', 1440],
] as const)('axe finds nothing serious in any tab, %s at %i', async (theme, width) => {
  for (const files of [[card()], [rules]]) {
    const studio = await openStudio({ theme, width });
    const { page } = studio;
    await drop(page, files);
    await page.locator('[data-doc]').waitFor();
    for (const tab of await page.getByRole('tab').allTextContents()) {
      await page.getByRole('tab', { name: tab, exact: true }).click();
      await page.locator('#tab-panel > *').first().waitFor();
      const row = page.locator('#tab-panel [role=row][aria-rowindex="2"]');
      if (tab === 'Lore') await row.waitFor();
      expect(await serious(page), tab).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), tab).toBeLessThanOrEqual(width);
      if (tab !== 'Lore') continue;
      await row.click();
      await page.locator('[data-entry]').waitFor();
      expect(await serious(page), 'an entry').toEqual([]);
    }
    expectQuiet(studio);
    await studio.context.close();
  }
});
