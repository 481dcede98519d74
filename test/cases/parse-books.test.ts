/** Real-world cases RW-001 to RW-008: books that readers refuse or mangle. */
import { describe, expect, test } from 'vitest';
import { again, book, bookCard, character, converted, engine, type Json, opened, parsed } from './making.ts';

const row = (id: number, more: Json = {}): Json => ({
  id,
  keys: [`key ${id}`],
  content: `text ${id}`,
  extensions: {},
  enabled: true,
  insertion_order: 10 * id,
  ...more,
});

test('RW-001: an embedded book with a keyed object of entries has them all, in the order of the keys', async () => {
  const list = await book(bookCard([row(0), row(1), row(10)]));
  const keyed = bookCard({ 10: row(10), 0: row(0), 1: row(1) });
  expect((await book(keyed)).entries).toEqual(list.entries);
  expect(await again(keyed, 'sillytavern')).toEqual(keyed);
});

test('RW-001: the rows of such a book may carry the names of a world info', async () => {
  const rows = { 0: { uid: 0, key: ['bell'], content: 'It rings.', disable: true, order: 7, position: 4, depth: 2 } };
  const [entry] = (await book(bookCard(rows))).entries;
  expect(entry).toMatchObject({ content: 'It rings.', enabled: false, sortOrder: 7, position: 'depth', depth: 2 });
  expect(entry?.triggers.map(({ keyword }) => keyword)).toEqual(['bell']);
});

test('RW-002: a number, also as text, is a position of the SillyTavern table', async () => {
  const positions = [0, 1, 4, '1', '4', 'after_char'];
  const { entries } = await book(bookCard(positions.map((position, id) => row(id, { position }))));
  const expected = ['world', 'character', 'depth', 'character', 'depth', 'character'];
  expect(entries.map(({ position }) => position)).toEqual(expected);
});

test('RW-002: the extension counts where the portable position contradicts it, and only then it is said', async () => {
  const of = (position: unknown, fine: number) => bookCard([row(0, { position, extensions: { position: fine } })]);
  const contrary = await opened(of('before_char', 1));
  expect(contrary.books[0]?.entries[0]?.position).toBe('character');
  expect(contrary.said.filter((line) => line.includes('contradicts'))).toHaveLength(1);
  expect((await opened(of('after_char', 4))).said).toEqual([]);
  expect((await book(of('before_char', 4))).entries[0]?.position).toBe('depth');
});

test('RW-003: book settings written as text are read, and stay text', async () => {
  const source = bookCard([row(0)], { scan_depth: '10', token_budget: '512', recursive_scanning: 'true' });
  const { books, said } = await opened(source);
  expect(books[0]).toMatchObject({ globalScanDepth: 10, tokenBudget: 512, globalRecursion: true });
  expect(said).toHaveLength(3);
  expect(await again(source, 'sillytavern')).toEqual(source);
});

describe('RW-004: the linked book', () => {
  const linked = (world: unknown) => {
    const source = bookCard([]);
    const data = source.data as Json;
    delete data.character_book;
    return { ...source, data: { ...data, extensions: { world } } };
  };

  test('is a link where it is a name', async () => {
    const { books, body, said } = await character(linked('Harbour Book'));
    expect([books, body.worldName]).toEqual([[], 'Harbour Book']);
    expect(said).toEqual(['worldName: the book "Harbour Book" is linked by name and is not in the file']);
    expect((await converted(linked('Harbour Book'), 'agnai')).lost).toContain('worldName');
  });

  test('is read as a book where it is an object, and is absent where it is null', async () => {
    expect((await book(linked({ name: 'Harbour', entries: [row(1)] }))).entries).toHaveLength(1);
    const { books, body, said } = await character(linked(null));
    expect([books, body.worldName, said]).toEqual([[], undefined, []]);
  });
});

describe('RW-005: keys', () => {
  const words = async (entry: Json): Promise<string[]> => {
    const [first] = (await book(bookCard([{ content: 'x', ...entry }]))).entries;
    return [...(first?.triggers ?? []), ...(first?.secondaryTriggers ?? [])].map(({ keyword }) => keyword);
  };

  test('that are numbers become text, null and empty ones are dropped', async () => {
    expect(await words({ keys: ['a', 7, null, ''] })).toEqual(['a', '7']);
  });

  test('are found in every spelling, and a lone text is one key', async () => {
    expect(await words({ key: 'single text, with a comma' })).toEqual(['single text, with a comma']);
    for (const name of ['keysecondary', 'secondary_keys', 'secondaryKeys'])
      expect(await words({ keys: ['a'], [name]: ['b'] })).toEqual(['a', 'b']);
    const world = { entries: { 0: { keys: ['a'], secondary_keys: ['b'], content: 'x' } } };
    expect((await book(world)).entries[0]).toMatchObject({
      triggers: [{ keyword: 'a' }],
      secondaryTriggers: [{ keyword: 'b' }],
    });
  });
});

test('RW-006: malformed entries do not sink a book: they are named and stay', async () => {
  const good = (uid: number) => ({ uid, key: [`key ${uid}`], content: `text ${uid}` });
  const rows = { 0: good(0), 1: good(1), 2: null, 3: 'odd', 4: good(4) };
  const { books, said } = await opened({ entries: rows });
  expect(books[0]?.entries.map(({ content }) => content)).toEqual(['text 0', 'text 1', 'text 4']);
  expect(said).toEqual(['entries: no records, kept and not read: row 2, 3']);
  expect(await again({ entries: rows }, 'sillytavern')).toEqual({ entries: rows });
  const { report } = await converted({ entries: rows }, 'risu');
  expect(report.escrowed).toMatchObject([{ path: 'entries[*]', count: 2 }]);
});

describe('RW-007: entries with the same id', () => {
  test('all survive in a keyed world book, with keys of their own', async () => {
    const source = { name: 'Harbour', entries: [row(1), row(1, { content: 'second' }), row(2)] };
    const { entities } = await opened(bookCard(source.entries));
    const { files } = await engine.write(entities.slice(1), 'sillytavern');
    const world = parsed(files[0]!.bytes);
    const rows = Object.values(world.entries as Record<string, Json>);
    expect(rows.map(({ content }) => content).sort()).toEqual(['second', 'text 1', 'text 2']);
    expect(new Set(rows.map(({ uid }) => uid)).size).toBe(3);
    expect(rows.every(({ uid }) => Number.isInteger(uid))).toBe(true);
  });

  test('survive without any id', async () => {
    const source = { name: 'Harbour', entries: [1, 2, 3].map((id) => row(id, { id: null })) };
    const { books } = await opened(source);
    expect(new Set(books[0]?.entries.map(({ id }) => id)).size).toBe(3);
  });
});

test('RW-008: zero is a real id, order, depth, probability and scan depth', async () => {
  const zero = { insertion_order: 0, extensions: { depth: 0, probability: 0, scan_depth: 0, position: 4 } };
  const source = { name: 'Harbour', entries: [row(1), row(0, zero), row(2)] };
  const { books } = await opened(source);
  expect(books[0]?.entries.map(({ id }) => id)).toEqual(['1', '0', '2']);
  expect(books[0]?.entries[1]).toMatchObject({ sortOrder: 0, depth: 0, probability: 0, scanDepth: 0 });
  const { value } = await converted((await converted(source, 'rolecall')).file.bytes, 'sillytavern');
  const zeroth = Object.values(value.entries as Record<string, Json>).find(({ content }) => content === 'text 0');
  expect(zeroth).toMatchObject({ order: 0, depth: 0, probability: 0, scanDepth: 0 });
});
