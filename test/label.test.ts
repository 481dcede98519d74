/** `label` and `inspect` on every sample: the app that the sample is of, and the format and kind that it is in. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { createEngine } from '../src/engine.ts';
import type { AnyAdapter } from '../src/entities/kinds.ts';
import { formats } from '../src/formats/index.generated.ts';

const engine = createEngine(formats as readonly AnyAdapter[]);
const samples = fileURLToPath(new URL('../samples/', import.meta.url));
const files = readdirSync(samples, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.includes('/') && !name.endsWith('.md'))
  .sort();

/** How the labeler calls the family of a sample; absent: any answer: the shape is shared by several apps, or the file tells of the app it first came from. */
const APP: Readonly<Record<string, RegExp>> = {
  agnai: /Agnai/,
  backyard: /Backyard/,
  byaf: /Backyard/,
  lumiverse: /Lumiverse/,
  marinara: /Marinara/,
  novelai: /NovelAI/,
  pygmalion: /Pygmalion|example editor/,
  rolecall: /RoleCall/,
};

describe.each(files)('%s', (name) => {
  const bytes = new Uint8Array(readFileSync(samples + name));
  const [family = ''] = name.split('/');
  const id = name.replace(/^.*\//, '').replace(/\..*$/, '');

  test('inspect names its format, its kind and what it holds', async () => {
    const seen = await engine.inspect({ bytes, filename: name });
    expect(seen.format).toBe(id);
    expect(seen.kind).toBe(engine.registry.named(id).kind);
    expect(seen.entities.length).toBeGreaterThan(0);
  });

  test('label names the app, or says nothing rather than something wrong', async () => {
    const { likelyOrigin, container } = await engine.label({ bytes, filename: name });
    const app = APP[family];
    if (app && likelyOrigin !== undefined) expect(likelyOrigin).toMatch(app);
    expect(container).not.toBe('unknown');
  });
});
