/**
 * A SillyTavern world info to each other lorebook format and back again: whatever is not the same afterwards stands in
 * one of the two reports. The sample has one entry for each position, all four kinds of logic, probabilities,
 * recursion and groups.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Loss } from '../src/core/report.ts';
import { createEngine } from '../src/engine.ts';
import type { AnyAdapter, AnyEntity, EntityOf } from '../src/entities/kinds.ts';
import type { LorebookEntry } from '../src/entities/lorebook/schema.ts';
import { formats } from '../src/formats/index.generated.ts';

const engine = createEngine(formats as readonly AnyAdapter[]);
const sample = new Uint8Array(
  readFileSync(new URL('../samples/sillytavern/sillytavern-lorebook.world.json', import.meta.url)),
);
const books = engine.formats().filter(({ kind, native }) => kind === 'lorebook' && !native);

const bookOf = (entities: readonly AnyEntity[]): EntityOf<'lorebook'> => {
  const book = entities.find(({ kind }) => kind === 'lorebook');
  if (book?.kind !== 'lorebook') throw new Error('no book');
  return book;
};

/** Positions, logic and the rest as the numbers of the file say them. */
test('the numbers of the file mean what SillyTavern means', async () => {
  const { entities } = await engine.read(sample);
  const rows = bookOf(entities).body.entries;
  expect(rows.map(({ position }) => position)).toEqual([
    'world',
    'character',
    'author_note_top',
    'author_note_bottom',
    'depth',
    'before_example',
    'after_example',
    'outlet',
  ]);
  expect(rows.slice(0, 4).map(({ selectiveLogic }) => selectiveLogic)).toEqual([
    'and_any',
    'not_all',
    'not_any',
    'and_all',
  ]);
  expect(rows.map(({ probability }) => probability)).toEqual([100, 99, 98, 97, 96, 95, 94, 93]);
  expect(rows[3]?.delayUntilRecursion).toBe(1);
  expect(rows[4]).toMatchObject({ depth: 2, role: 'user' });
  expect(rows[7]?.outletName).toBe('tide');
  expect([rows[1]?.groupName, rows[1]?.groupWeight]).toEqual(['bells', 100]);
});

describe.each(books.map(({ id }) => id))('by way of %s', (id) => {
  test('every difference at the end stands in one of the two reports', async () => {
    const start = bookOf((await engine.read(sample)).entities);
    const there = await engine.convert(sample, id);
    const file = there.files[0]?.bytes ?? new Uint8Array();
    const middle = await engine.read(file, { format: id });
    const back = await engine.write(
      middle.entities.map(({ original: _, ...entity }) => entity as AnyEntity),
      'sillytavern',
    );
    const end = bookOf((await engine.read(back.files[0]?.bytes ?? '')).entities);
    const slot = ({ path }: Loss) => /^entries\[\d+\]\.([A-Za-z]+)/.exec(path)?.[1] ?? path;
    const named = new Set([...there.report.losses, ...back.report.losses].map(slot));
    const partner = (entry: LorebookEntry) => end.body.entries.find(({ content }) => content === entry.content);
    for (const entry of start.body.entries) {
      const other = partner(entry);
      if (!other) {
        expect(
          there.report.losses.some(({ path }) => /^entries\[\d+\]$/.test(path)),
          `${entry.title} is gone`,
        ).toBe(true);
        continue;
      }
      for (const key of Object.keys(entry) as (keyof LorebookEntry)[]) {
        if (key === 'id' || key === 'selective') continue;
        const [was, now] = [JSON.stringify(entry[key] ?? null), JSON.stringify(other[key] ?? null)];
        const silent = was !== now && !['null', '""', '[]', 'false'].includes(was) && !named.has(key);
        expect(silent ? `${entry.title}: ${key} ${was} -> ${now}` : '').toBe('');
      }
    }
  });
});
