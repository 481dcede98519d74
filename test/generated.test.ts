/** Generated files are committed; this holds them against their generator. `npm run generate` writes them. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { renderFormatsIndex } from '../scripts/formats-index.ts';

const folder = fileURLToPath(new URL('../src/formats/', import.meta.url));

test('src/formats/index.generated.ts has one import for each format folder', () => {
  const folders = readdirSync(folder).filter(
    (name) => !name.startsWith('_') && existsSync(`${folder}${name}/index.ts`),
  );
  const file = `${folder}index.generated.ts`;
  const fresh = renderFormatsIndex(folders);
  if (process.env.BUNZAI_WRITE) writeFileSync(file, fresh);
  expect(readFileSync(file, 'utf8'), 'run `npm run generate`').toBe(fresh);
});

test('a long list of formats takes a line each', () => {
  const many = renderFormatsIndex(Array.from({ length: 20 }, (_, index) => `format-${index}`));
  expect(many).toContain('import format0 from');
  expect(many).toContain('[\n  ...format0,\n');
});
