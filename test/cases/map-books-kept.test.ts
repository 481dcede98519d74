/** Real-world cases RW-046 to RW-051: books in several places, and what nobody set. */
import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import type { AnyEntity } from '../../src/entities/kinds.ts';
import { sample } from '../formats/files.ts';
import {
  again,
  book,
  bookCard,
  card,
  character,
  converted,
  engine,
  type Json,
  json,
  opened,
  parsed,
  zip,
} from './making.ts';

const linked = (main: AnyEntity, ...ids: string[]): AnyEntity =>
  ({ ...main, body: { ...main.body, knowledgeRefs: ids } }) as AnyEntity;

test('RW-046: folders and modes of RisuAI rows are the same in a file, an archive and a picture', async () => {
  const row = { secondkey: '', insertorder: 100, alwaysActive: false, selective: false, bookVersion: 2 };
  const rows = [
    { ...row, key: 'folder:f1', comment: 'Quay', content: '', mode: 'folder' },
    { ...row, key: 'bell', comment: 'Bell', content: 'It rings.', mode: 'normal', folder: 'folder:f1' },
    { ...row, key: '', comment: 'Tide', content: 'It turns.', mode: 'constant', alwaysActive: true },
  ];
  const { entities, books } = await opened({ type: 'risu', ver: 1, data: rows });
  const { main } = await opened(card());
  const told = ({ entries, categories }: (typeof books)[number]) => ({
    categories: categories?.map(({ name }) => name),
    entries: entries.map((entry) => ({
      title: entry.title,
      constant: entry.constant,
      folder: categories?.find(({ id }) => id === entry.categoryId)?.name,
    })),
  });
  const expected = told(books[0]!);
  expect(expected).toMatchObject({ categories: ['Quay'], entries: [{ folder: 'Quay' }, { constant: true }] });
  for (const container of ['charx', 'png']) {
    const { files } = await engine.write([linked(main, entities[0]!.id), ...entities], 'risu', { container });
    expect([container, told(await book(files[0]!.bytes))]).toEqual([container, expected]);
  }
});

test('RW-047: a book that an archive holds twice is one book, the module counts, a difference is said', async () => {
  const { bytes } = sample('risu', 'risu.module.charx');
  const members = unzipSync(bytes);
  const whole = await opened(bytes);
  expect(whole.books).toHaveLength(1);
  const inCard = parsed(members['card.json']!);
  const held = (inCard.data as Json).character_book as Json;
  const stale = { ...held, entries: (held.entries as Json[]).slice(1) };
  const changed = { ...inCard, data: { ...(inCard.data as Json), character_book: stale } };
  const { books, said } = await opened(zip({ ...members, 'card.json': json(changed) }));
  expect(books).toHaveLength(1);
  expect(books[0]?.entries).toEqual(whole.books[0]?.entries);
  expect(said.join()).toMatch(/module/);
});

test('RW-048 and RW-051: scan depth and budget that nobody set are set by nobody, null is not zero', async () => {
  const entries = { 0: { uid: 0, key: ['a'], comment: 'A', content: 'A' } };
  for (const source of [{ entries }, { entries, scan_depth: null, token_budget: null }]) {
    const before = await book(source);
    expect([before.globalScanDepth, before.tokenBudget, before.globalRecursion]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(await again(source, 'sillytavern')).toEqual(source);
    for (const { id } of engine.formats().filter(({ kind, native }) => kind === 'lorebook' && !native)) {
      const there = await converted(source, id);
      const { value } = await converted(there.file.bytes, 'sillytavern');
      const back = await book(value);
      expect([id, back.globalScanDepth, back.tokenBudget]).toEqual([id, undefined, undefined]);
      expect([id, back.entries[0]?.scanDepth]).toEqual([id, undefined]);
    }
  }
});

test('RW-049: each book of a character goes along once, in order, and no other', async () => {
  const { main } = await opened(card());
  const made = async (name: string) =>
    (await engine.read(json({ name, entries: { 0: { uid: 0, key: [name], comment: name, content: name } } })))
      .entities[0]!;
  const [quay, pier, other] = [await made('Quay'), await made('Pier'), await made('Other')];
  const all = [linked(main, quay.id, pier.id), quay, pier];
  const { files } = await engine.write([...all, other], 'sillytavern');
  const card1 = await opened(files[0]!.bytes);
  expect(card1.books[0]?.entries.map(({ title }) => title)).toEqual(['Quay', 'Pier']);
  expect(files.slice(1).map(({ entities }) => entities)).toEqual([[other.id]]);
});

test('RW-049: a book that is embedded and linked by name is in the file once', async () => {
  const source = bookCard([{ keys: ['a'], content: 'A', extensions: {} }]);
  const data = { ...(source.data as Json), extensions: { world: 'Harbour' } };
  const { books, body } = await character({ ...source, data });
  expect([books.length, body.knowledgeRefs?.length, body.worldName]).toEqual([1, 1, 'Harbour']);
  const { files } = await converted({ ...source, data }, 'sillytavern');
  expect(files).toHaveLength(1);
});

test('RW-050: a link without a target is said', async () => {
  const { main } = await opened(card());
  const { report } = await engine.write([linked(main, 'nowhere')], 'sillytavern');
  expect([...report.warnings, ...report.losses].map((line) => JSON.stringify(line)).join()).toContain('nowhere');
});
