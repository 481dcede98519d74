import { describe, expect, test } from 'vitest';
import { createEngine } from '../../engine.ts';
import type { AnyAdapter, EntityOf } from '../../entities/kinds.ts';
import { emptyEntry, emptyLorebook, type LorebookEntry } from '../../entities/lorebook/schema.ts';
import { formats } from '../index.generated.ts';

const engine = createEngine(formats as readonly AnyAdapter[]);
const entry = (id: string, content: string): LorebookEntry => ({
  ...emptyEntry(id),
  content,
  triggers: [{ keyword: content, isRegex: false }],
});
const bookOf = (...entries: LorebookEntry[]): EntityOf<'lorebook'> => ({
  schemaVersion: '1',
  kind: 'lorebook',
  id: 'harbour',
  body: { ...emptyLorebook(), entries },
});
interface Row {
  readonly uid: number;
  readonly content: string;
  readonly displayIndex: number;
}
async function written(book: EntityOf<'lorebook'>) {
  const { files, report } = await engine.write([book], 'sillytavern-lorebook');
  const { entries } = JSON.parse(new TextDecoder().decode(files[0]?.bytes)) as { entries: Record<string, Row> };
  return { rows: Object.values(entries), report };
}

describe('the order of entries', () => {
  test('a smaller id counts on from the greatest, so that rows stay in their order', async () => {
    const { rows, report } = await written(bookOf(entry('7', 'семь'), entry('3', '三'), entry('12', 'twelve')));
    expect(rows.map(({ uid, content }) => [uid, content])).toEqual([
      [7, 'семь'],
      [8, '三'],
      [12, 'twelve'],
    ]);
    expect(report.losses).toEqual([]);
  });

  test('the list of SillyTavern shows fresh entries in the order of the book', async () => {
    const { rows } = await written(bookOf(entry('41', 'a'), entry('b', 'b'), entry('50', 'c')));
    expect(rows.map(({ displayIndex }) => displayIndex)).toEqual([0, 1, 2]);
    const own = await written(bookOf({ ...entry('41', 'a'), displayIndex: 9 }, entry('42', 'b')));
    expect(own.rows.map(({ displayIndex }) => displayIndex)).toEqual([9, 1]);
  });

  test('an entry added to a file comes after its rows, and they stay as they were', async () => {
    const file = { entries: { 2: { uid: 2, key: ['a'], content: 'a' }, 5: { uid: 5, key: ['b'], content: 'b' } } };
    const [book] = (await engine.read(new TextEncoder().encode(JSON.stringify(file)))).entities;
    if (book?.kind !== 'lorebook') throw new Error('no book');
    const { rows } = await written({
      ...book,
      body: { ...book.body, entries: [...book.body.entries, entry('3', 'c')] },
    });
    expect(rows.slice(0, 2)).toEqual(Object.values(file.entries));
    expect(rows[2]).toMatchObject({ uid: 6, content: 'c', displayIndex: 2 });
  });
});
