import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { MAX_LIBRARY_FILES, walk } from './walk.ts';

const root = mkdtempSync(join(tmpdir(), 'bunzai-walk-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('MAX_LIBRARY_FILES files are all seen; of one more the folder says that it was not seen to its end', async () => {
  for (let n = 0; n < MAX_LIBRARY_FILES; n++) writeFileSync(join(root, `${n}.json`), '');
  const full = await walk(root);
  expect([full.files.size, full.blind]).toEqual([MAX_LIBRARY_FILES, []]);
  writeFileSync(join(root, 'one-more.json'), '');
  const over = await walk(root);
  expect([over.files.size, over.blind]).toEqual([MAX_LIBRARY_FILES, ['']]);
});
