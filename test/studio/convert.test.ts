/** What the right pane promises is what the download holds, byte for byte what the command line writes. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { sourceOf } from '../../src/core/source.ts';
import { openZip } from '../../src/formats/_shared/zip.ts';
import { convert } from '../../src/index.ts';
import { downloaded, drop, expectQuiet, imported, openStudio, SAMPLES, sample, useBrowser } from './page.ts';

useBrowser();

const CLI = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url));

function cli(...words: string[]): string {
  const run = spawnSync(process.execPath, [CLI, ...words], { encoding: 'utf8' });
  expect(run.stderr).not.toContain('failed');
  return run.stdout;
}

/** What the command line writes of a sample, its main file. */
function written(path: string, format: string, container: string): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'bunzai-'));
  cli('convert', join(SAMPLES, path), '--to', format, '--container', container, '-o', `${folder}/`);
  const names = readdirSync(folder);
  const main = names.find((name) => !/\.[^.]+\.[^.]+\.[^.]+$/.test(name)) ?? names[0] ?? '';
  return readFileSync(join(folder, names.length === 1 ? (names[0] ?? '') : main));
}

async function opened(path: string): Promise<{ page: Page; quiet: () => void; close: () => Promise<void> }> {
  const studio = await openStudio();
  await drop(studio.page, [sample(path)]);
  await imported(studio.page);
  await studio.page.locator('[data-outlook="done"]').waitFor();
  return { page: studio.page, quiet: () => expectQuiet(studio), close: () => studio.context.close() };
}

const choose = async (page: Page, format: string) => {
  await page.locator(`[data-target="${format}"] > button`).click();
};

test('the ranking and its losses are those of the command line, and a loss opens to value, place and reason', async () => {
  const path = 'risu/risu.mira.charx';
  const { page, quiet, close } = await opened(path);
  const { targets } = JSON.parse(cli('targets', join(SAMPLES, path), '--json'));
  const shown = await page
    .locator('[data-target]')
    .evaluateAll((all) =>
      all.map((one) => [
        one.getAttribute('data-target'),
        one.querySelector('[aria-hidden=true]:not(svg)')?.textContent,
      ]),
    );
  const said = targets.map(({ format, carried, populated }: Record<string, unknown>) => [
    format,
    `${carried}/${populated}`,
  ]);
  expect(shown.filter(([format]) => format !== 'vaud-json').sort()).toEqual(said.sort());
  const ratios = shown.slice(0, -1).map(([, text]) => Number.parseInt(text ?? '', 10));
  expect(ratios).toEqual([...ratios].sort((a, b) => b - a));

  await choose(page, 'agnai');
  const lost = targets.find(({ format }: { format: string }) => format === 'agnai').lost;
  expect(await page.locator('[data-lost]').getAttribute('data-lost')).toBe(String(lost.length));
  const line = page.locator('[data-target="agnai"] details', { hasText: 'nickname' }).first();
  await line.locator('summary').click();
  const text = await line.innerText();
  for (const part of ['Value', 'Mira', 'Place', 'identity.nickname', 'Why']) expect(text).toContain(part);
  quiet();
  await close();
});

test.each([
  ['risu/risu.mira.charx', 'sillytavern', 'png'],
  ['risu/risu.mira.charx', 'risu', 'charx'],
  ['sillytavern/sillytavern.mira.png', 'agnai', 'json'],
  ['sillytavern/sillytavern.mira.png', 'byaf', 'byaf'],
  ['byaf/byaf.lampkeeper.byaf', 'risu', 'charx'],
  ['novelai/novelai-lorebook.harbour.lorebook', 'sillytavern-lorebook', 'json'],
  ['marinara/marinara-preset.lantern.json', 'sillytavern-preset', 'json'],
])('%s as %s in %s downloads the bytes of the command line', async (path, format, container) => {
  const { page, quiet, close } = await opened(path);
  await choose(page, format);
  const chip = page.locator(`[data-target="${format}"] label.chip`, { hasText: container.toUpperCase() });
  if ((await chip.count()) > 0) await chip.click();
  const { bytes } = await downloaded(page, () => page.locator('[data-download]').click());
  expect(bytes.equals(written(path, format, container))).toBe(true);
  quiet();
  await close();
});

test('another container is measured before the click', async () => {
  const { page, close } = await opened('risu/risu.mira.charx');
  await choose(page, 'sillytavern');
  const target = page.locator('[data-target="sillytavern"]');
  const container = await target.getAttribute('data-measured');
  const other = container === 'png' ? 'json' : 'png';
  await target.locator('label.chip', { hasText: other.toUpperCase() }).click();
  await page.locator(`[data-target="sillytavern"][data-measured="${other}"]`).waitFor();
  const { report } = await convert(readFileSync(join(SAMPLES, 'risu/risu.mira.charx')), 'sillytavern', {
    container: other,
  });
  expect(await target.locator('[data-lost]').getAttribute('data-lost')).toBe(String(report.losses.length));
  await close();
});

test('"Original file" gives the bytes as they came, also after an edit', async () => {
  const { page, close } = await opened('sillytavern/sillytavern.mira.png');
  await page.locator('[data-name]').fill('Someone else');
  const { bytes, name } = await downloaded(page, () => page.locator('[data-original]').click());
  expect(name).toBe('sillytavern.mira.png');
  expect(bytes.equals(readFileSync(join(SAMPLES, 'sillytavern/sillytavern.mira.png')))).toBe(true);
  await close();
});

test('an edit changes what every target keeps, without a click', async () => {
  const { page, close } = await opened('sillytavern/sillytavern.mira.png');
  const keeps = () => page.locator('[data-target="pygmalion"] .numbers [aria-hidden]').innerText();
  const before = await keeps();
  await page.locator('[data-name]').fill('');
  await expect.poll(keeps, { timeout: 10_000 }).not.toBe(before);
  await page.keyboard.press('Control+z');
  await expect.poll(keeps, { timeout: 10_000 }).toBe(before);
  await close();
});

test('many items go into one zip with one report', async () => {
  const studio = await openStudio();
  const { page } = studio;
  const paths = [
    'sillytavern/sillytavern.mira.png',
    'agnai/agnai.nagi.json',
    'novelai/novelai-lorebook.harbour.lorebook',
  ];
  await drop(page, paths.map(sample));
  await imported(page);
  await page
    .locator('[role=option]')
    .first()
    .click({ modifiers: ['Control'] });
  await page.locator('[role=listbox]').focus();
  await page.keyboard.press('Control+a');
  await page.locator('section select[aria-label="Take it to"]').selectOption('risu');
  const { bytes, name } = await downloaded(page, () => page.locator('[data-batch]').click());
  expect(name).toBe('bunzai-risu.zip');
  const zip = openZip(sourceOf(bytes));
  const names = zip?.members.map((member) => member.name) ?? [];
  expect(names.length).toBe(paths.length + 1);
  const report = JSON.parse(Buffer.from(zip?.get('report.json')?.content.bytes() ?? []).toString());
  expect(report.items.map(({ files }: { files: string[] }) => files.length)).toEqual([1, 1, 1]);
  for (const { name: item, files, lost } of report.items) {
    expect(names).toContain(files[0]);
    if (item !== 'Mira Vale') continue;
    const direct = await convert(readFileSync(join(SAMPLES, paths[0] ?? '')), 'risu');
    expect(Buffer.from(zip?.get(files[0])?.content.bytes() ?? []).equals(direct.files[0]?.bytes ?? Buffer.of())).toBe(
      true,
    );
    expect(lost.length).toBe(direct.report.losses.length);
  }
  expectQuiet(studio);
  await studio.context.close();
});
