/** What happens to a dropped file: one line in plain words, and nothing is lost or doubled silently. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bytesOf } from '../../src/core/bytes.ts';
import { loadDeflate } from '../../src/formats/_shared/inflate.ts';
import { writeZip } from '../../src/formats/_shared/zip.ts';
import { drop, expectQuiet, imported, openStudio, SAMPLES, sample, useBrowser } from './page.ts';

useBrowser();

const card = (name: string, more: object = {}) => ({
  name: `${name}.json`,
  bytes: Buffer.from(
    JSON.stringify({
      spec: 'chara_card_v2',
      spec_version: '2.0',
      data: { name, description: 'Keeps the lamp.', personality: '', first_mes: 'Hello.', ...more },
    }),
  ),
});

test('a dropped card is opened, with every part of it counted and what every app would keep (RW-107)', async () => {
  const opened = await openStudio();
  const { page } = opened;
  await drop(page, [sample('risu/risu.mira.charx')]);
  const text = await (await imported(page)).first().innerText();
  const parts = ['3 greetings', '1 group greeting', '3 pictures and sounds', '3 lorebook entries', '1 regex rule'];
  for (const part of ['Mira Vale', 'Card from RisuAI', ...parts, 'never run', 'on the web'])
    expect(text).toContain(part);
  await expect.poll(() => page.locator('[data-name]').inputValue()).toBe('Mira Vale');
  await page.locator('[data-outlook="done"] [data-target="sillytavern"]').waitFor();
  expectQuiet(opened);
  await opened.context.close();
});

test('every container is taken: PNG, EXIF, JSON, CHARX, BYAF, RISUM, a story, personas, presets, rules', async () => {
  const opened = await openStudio();
  const { page } = opened;
  const files = [
    'sillytavern/sillytavern.mira.png',
    'backyard/backyard.exif.png',
    'sillytavern/sillytavern.v3.json',
    'risu/risu.front.charx',
    'byaf/byaf.lampkeeper.byaf',
    'risu/risu-module.bay.risum',
    'novelai/novelai-lorebook.crossing.story',
    'novelai/novelai-lorebook.lantern.png',
    'rolecall/rolecall-persona.ida.png',
    'sillytavern/sillytavern-preset.harbour.json',
    'marinara/marinara-regex.tidy.json',
  ];
  await drop(page, files.map(sample));
  const rows = await imported(page);
  expect(await rows.evaluateAll((all) => all.map((row) => row.getAttribute('data-row')))).toEqual(
    files.map(() => 'added'),
  );
  await expect.poll(() => page.locator('[data-count]').innerText()).toBe(`${files.length} items`);
  expect(await page.locator('[data-intake]').innerText()).toContain('Holds a key or password');
  expectQuiet(opened);
  await opened.context.close();
});

test('a zip of cards gives a row for each, and a bad file stands beside them with a reason and what to try', async () => {
  const opened = await openStudio();
  const { page } = opened;
  await loadDeflate();
  const files = ['sillytavern/sillytavern.mira.png', 'agnai/agnai.nagi.json'];
  const zip = writeZip([
    ...files.map((path) => ({ name: path, content: bytesOf(readFileSync(join(SAMPLES, path))) })),
    { name: 'read me.txt', content: bytesOf(Buffer.from('hello')) },
    { name: 'broken.json', content: bytesOf(Buffer.from('{"spec": "chara_card_v2", "data": {')) },
  ]);
  await drop(page, [
    { name: 'cards.zip', bytes: zip },
    { name: 'notes.pdf', bytes: Buffer.from('%PDF-1.7 nothing') },
  ]);
  const rows = await imported(page);
  const states = await rows.evaluateAll((all) => all.map((row) => row.getAttribute('data-row')));
  expect(states).toEqual(['bad', 'bad', 'added', 'added']);
  const text = await page.locator('[data-intake]').innerText();
  for (const part of ['broken.json', 'the JSON is broken', 'notes.pdf', 'What to try', '2 added · 2 could not be read'])
    expect(text).toContain(part);
  await opened.context.close();
});

test('the same file is left out and can be kept all the same', async () => {
  const { page, context } = await openStudio();
  await drop(page, [sample('agnai/agnai.nagi.json')]);
  await imported(page);
  await page.locator('[data-intake] button', { hasText: 'Done' }).click();
  await drop(page, [sample('agnai/agnai.nagi.json')]);
  const rows = await imported(page);
  expect(await rows.first().getAttribute('data-row')).toBe('here');
  expect(await page.locator('[data-count]').innerText()).toBe('1 item');
  await rows.first().locator('button', { hasText: 'Add it all the same' }).click();
  await expect.poll(() => page.locator('[data-count]').innerText()).toBe('2 items');
  await context.close();
});

test('cards of one name are kept apart; one can take the place of another and keeps its picture (RW-108, RW-109)', async () => {
  const { page, context } = await openStudio();
  await drop(page, [card('Mira Vale', { scenario: 'one' }), card('Mira Vale', { scenario: 'two' })]);
  expect(await (await imported(page)).count()).toBe(2);
  expect(await page.locator('[data-intake]').innerText()).toContain('It is not the same');
  await page.locator('[data-intake] button', { hasText: 'Undo this import' }).click();
  await expect.poll(() => page.locator('[role=option]').count()).toBe(0);

  await drop(page, [sample('sillytavern/sillytavern.mira.png')]);
  await imported(page);
  await page.locator('[data-intake] button', { hasText: 'Done' }).click();
  await drop(page, [card('Mira Vale', { description: 'Newer words.' })]);
  const rows = await imported(page);
  expect(await page.locator('[data-count]').innerText()).toBe('2 items');
  await rows.first().locator('button', { hasText: 'Use it instead' }).click();
  await expect.poll(() => page.locator('[data-count]').innerText()).toBe('1 item');
  await page.locator('[data-doc] .overview', { hasText: 'Newer words.' }).waitFor();
  await page.locator('[data-doc] .portrait img').waitFor();
  await page.locator('[data-notice-undo]').click();
  await expect.poll(() => page.locator('[data-count]').innerText()).toBe('2 items');
  await context.close();
});

test('JSON can be pasted, and text that is nothing says so', async () => {
  const { page, context } = await openStudio();
  await page.locator('[data-paste]').click();
  await page.locator('#paste-text').fill(card('Nok').bytes.toString());
  await page.locator('dialog .primary').click();
  await imported(page);
  await expect.poll(() => page.locator('[data-name]').inputValue()).toBe('Nok');
  await page.locator('[data-paste]').click();
  await page.locator('#paste-text').fill('just words');
  await page.locator('dialog .primary').click();
  const rows = await imported(page);
  await expect.poll(() => rows.first().getAttribute('data-row')).toBe('bad');
  await context.close();
});

test('a long intake shows where it is, can be stopped, and keeps what is done', async () => {
  const { page, context } = await openStudio();
  await drop(
    page,
    Array.from({ length: 400 }, (_, index) => card(`Card ${index}`)),
  );
  await page.locator('[data-intake="running"] progress').waitFor();
  await expect.poll(() => page.locator('[role=option]').count()).toBeGreaterThan(0);
  await page.locator('[data-intake] button', { hasText: 'Stop' }).click();
  await imported(page);
  expect(await page.locator('[data-intake]').innerText()).toContain('What is done stays done');
  const kept = Number.parseInt(await page.locator('[data-count]').innerText(), 10);
  expect(kept).toBeGreaterThan(0);
  expect(kept).toBeLessThan(400);
  await context.close();
});
