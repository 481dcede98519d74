/** Generated files are committed; this holds them against their generators. `npm run generate` writes them. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { casesPage, casesWithoutTest } from '../scripts/cases.ts';
import { errorsPage, formatPage, supportPage } from '../scripts/docs.ts';
import { renderFormatsIndex } from '../scripts/formats-index.ts';
import { measureSupport } from '../scripts/measured.ts';
import type { AnyAdapter } from '../src/entities/kinds.ts';
import { formats } from '../src/formats/index.generated.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const adapters = formats as readonly AnyAdapter[];
const families = `${root}src/formats/`;
const folders = readdirSync(families).filter(
  (name) => !name.startsWith('_') && existsSync(`${families}${name}/index.ts`),
);

/** Compares a committed file with its generator, or writes it when asked to. */
function holds(path: string, fresh: string): void {
  if (process.env.BUNZAI_WRITE) {
    mkdirSync(dirname(root + path), { recursive: true });
    writeFileSync(root + path, fresh);
  }
  expect(readFileSync(root + path, 'utf8'), 'run `npm run generate`').toBe(fresh);
}

/** The hand-written quirks of an adapter, wherever its family lies. */
function notesOf(id: string): string {
  const file = folders.map((folder) => `${families}${folder}/${id}.notes.md`).find(existsSync);
  return file ? readFileSync(file, 'utf8').replace(/^#+ Quirks\n+/, '') : '';
}

test('src/formats/index.generated.ts has one import for each format folder', () => {
  holds('src/formats/index.generated.ts', renderFormatsIndex(folders));
});

test('a long list of formats takes a line each', () => {
  const many = renderFormatsIndex(Array.from({ length: 20 }, (_, index) => `format-${index}`));
  expect(many).toContain('import format0 from');
  expect(many).toContain('[\n  ...format0,\n');
});

describe('docs/formats has a page for each adapter', () => {
  test.each(adapters.map((adapter) => [adapter.id, adapter] as const))('%s', (id, adapter) => {
    holds(`docs/formats/${id}.md`, formatPage(adapter, notesOf(id)));
  });
});

test('docs/errors.md lists every code', () => holds('docs/errors.md', errorsPage()));

test('docs/real-world-cases.md lists the tests of each case', () => holds('docs/real-world-cases.md', casesPage(root)));

test('every real-world case has a test', () => expect(casesWithoutTest(root)).toEqual([]));

test('docs/FORMAT-SUPPORT.md says what was measured', async () => {
  holds('docs/FORMAT-SUPPORT.md', supportPage(await measureSupport(adapters)));
});
