/** Real files: routed here, round-tripped unedited, edited in one place, with no wire key undecided. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CORPUS } from '../../../test/kit/corpus.ts';
import type { Wire } from '../../core/draft.ts';
import { sourceOf } from '../../core/source.ts';
import { createEngine } from '../../engine.ts';
import type { AnyAdapter } from '../../entities/kinds.ts';
import agnai from '../agnai/index.ts';
import pygmalion from '../pygmalion/index.ts';
import sillytavern from '../sillytavern/index.ts';
import vaudJson from '../vaud-json/index.ts';
import novelai from './index.ts';
import { novelaiLorebook } from './lorebook.ts';

const roster = [...agnai, ...novelai, ...pygmalion, ...sillytavern, ...vaudJson] as AnyAdapter[];
const engines = [createEngine(roster), createEngine([...roster].reverse())];

const filesIn = (folder: string): (readonly [name: string, bytes: Uint8Array])[] => {
  const at = new URL(`${folder}/`, CORPUS);
  if (!existsSync(at)) return [];
  return readdirSync(at).map((name) => [`${folder}/${name}`, new Uint8Array(readFileSync(new URL(name, at)))] as const);
};
const files = ['novelai-lorebook', 'novelai-scenario', 'novelai-story'].flatMap(filesIn);
const parse = (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(bytes));

/** Wire keys that ride in the twin, each for a reason of its own. */
const ESCROW = new Set([
  // Units, times and editor state without a slot.
  'entries[*].searchRange',
  'entries[*].lastUpdatedAt',
  'settings',
]);

describe.skipIf(files.length === 0)('corpus', () => {
  test.each(files)('%s', async (name, bytes) => {
    for (const engine of engines) expect((await engine.detect(bytes))?.format).toBe('novelai-lorebook');
    const engine = engines[0]!;
    const { entities } = await engine.read({ bytes, filename: name });
    const { files: out, report } = await engine.write(entities, 'novelai');
    expect(report.losses).toEqual([]);
    expect(parse(out[0]!.bytes)).toEqual(parse(bytes));
    const [book] = novelaiLorebook.toCanonical(sourceOf(bytes));
    const left = novelaiLorebook.account(book!).left.map(({ path }) => path.replace(/\[\d+\]/g, '[*]'));
    const inBook = left.flatMap((path) => {
      if (name.includes('novelai-lorebook/')) return [path];
      return /(?:^|\.)lorebook\.(.*)/.exec(path)?.[1] ?? [];
    });
    expect([...new Set(inBook)].filter((path) => !ESCROW.has(path))).toEqual([]);
  });
  test.each(files)('%s edited', (_, bytes) => {
    const [book] = novelaiLorebook.toCanonical(sourceOf(bytes));
    const last = book!.body.entries.length - 1;
    if (last < 0) return;
    const entries = book!.body.entries.map((entry, i) => (i === last ? { ...entry, content: 'edited' } : entry));
    const sealed = novelaiLorebook.fromCanonical([{ ...book!, body: { ...book!.body, entries } }], {});
    const after = parse(sealed.bytes);
    const rows = (whole: unknown) => {
      const file = whole as Wire & { lorebook?: Wire; content?: { lorebook: Wire } };
      return (file.lorebook ?? file.content?.lorebook ?? file).entries as Record<string, unknown>[];
    };
    expect(rows(after)[last]?.text).toBe('edited');
    rows(after)[last]!.text = rows(parse(bytes))[last]!.text;
    expect(after).toEqual(parse(bytes));
  });
  test('sampler presets are not claimed', () => {
    for (const [name, bytes] of filesIn('novelai-preset'))
      expect(novelaiLorebook.detect(sourceOf(bytes)), name).toBe(0);
  });
  test('nothing else in the corpus is claimed', () => {
    const strangers = readdirSync(CORPUS, { withFileTypes: true })
      .filter((one) => one.isDirectory() && !one.name.startsWith('novelai-'))
      .flatMap((one) => filesIn(one.name));
    expect(strangers.filter(([, bytes]) => novelaiLorebook.detect(sourceOf(bytes)) > 0).map(([name]) => name)).toEqual(
      [],
    );
  });
});
