/** Files of apps without an adapter: nobody claims one. docs/not-read.md says why for each kind of them. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createEngine } from '../src/engine.ts';
import type { AnyAdapter } from '../src/entities/kinds.ts';
import { formats } from '../src/formats/index.generated.ts';
import { corpusFile, corpusIsThere, corpusRows, NO_CORPUS } from './kit/corpus.ts';

const engine = createEngine(formats as readonly AnyAdapter[]);
const known = new Set(engine.formats().map(({ id }) => id));
/** Names of the manifest for files that another adapter reads. */
const READ_AS: Readonly<Record<string, string>> = {
  'novelai-scenario': 'novelai-lorebook',
  'novelai-story': 'novelai-lorebook',
};
const rows = corpusRows().filter(({ format }) => !known.has(format));

describe.runIf(corpusIsThere)('files without an adapter of their own', () => {
  test.each(rows.map((row) => [row.path, row] as const))('%s', async (_, row) => {
    const hit = await engine.detect(new Uint8Array(corpusFile(row)));
    expect(hit?.format).toBe(READ_AS[row.format]);
  });
});

test('each kind of file that is not read has its line in docs/not-read.md', () => {
  if (!corpusIsThere) console.log(NO_CORPUS);
  const page = readFileSync(new URL('../docs/not-read.md', import.meta.url), 'utf8').toLowerCase();
  const words: Readonly<Record<string, string>> = {
    unknown: 'nativetavern',
    aidungeon: 'ai dungeon',
    'kobold-save': 'kobold',
    'janitorai-lorebook': 'janitor',
    'lumiverse-pack': 'lumiverse packs',
    'novelai-preset': 'novelai presets',
    'sillytavern-chat': 'sillytavern chats',
    'textgen-webui': 'text-generation-webui',
    voxta: 'voxta',
  };
  for (const format of new Set(rows.map((row) => row.format))) {
    if (format === 'none' || READ_AS[format]) continue;
    expect(page).toContain(words[format] ?? format);
  }
});
