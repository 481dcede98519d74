import { expect, test } from 'vitest';
import { text } from '../../core/codec.ts';
import type { Wire } from '../../core/draft.ts';
import { create, type Lens } from '../../core/lens.ts';
import { at } from '../../core/lenses.ts';
import type { EntityOf } from '../../entities/kinds.ts';
import { lorebook } from '../../entities/lorebook/lenses.ts';
import type { LorebookBody } from '../../entities/lorebook/schema.ts';
import { type BookDialect, embedBooks, extractBook } from './embedded-book.ts';

const fields: readonly Lens<LorebookBody>[] = [lorebook.field('name', at('title'), text(), { absent: '' })];
const plain: BookDialect = {
  escrow: 'plain-lore',
  fields,
  fresh: ([body]) => create(fields, {}, body ?? { name: '', entries: [] }),
};
/** A slot that holds a bare list. */
const listed: BookDialect = {
  ...plain,
  open: (held) => (Array.isArray(held) ? { title: held[0], rest: held } : undefined),
  close: (wire) => {
    const { title, rest } = wire as { title: unknown; rest?: readonly unknown[] };
    return rest && rest[0] === title ? rest : [title, ...(rest ?? []).slice(1)];
  },
  blank: [],
};
const homes = [['book'], ['more', 'book']];
const named = (book: EntityOf<'lorebook'> | undefined, name: string) =>
  [{ ...book, body: { ...book?.body, name } }] as EntityOf<'lorebook'>[];

test('the first home that holds a book is read, and its objects are shared', () => {
  const card: Wire = { book: 'none', more: { book: { title: 'Fog' } } };
  const book = extractBook(card, plain, homes);
  expect(book).toMatchObject({ id: 'fog', kind: 'lorebook', body: { name: 'Fog' } });
  expect(book?.original?.['plain-lore']).toEqual({ raw: { title: 'Fog' }, unmapped: { home: 'more.book' } });
  expect(book?.original?.['plain-lore']?.raw).toBe((card.more as Wire).book);
  expect(extractBook({}, plain, homes)).toBeUndefined();
});
test('an unedited book is no edit, also after its escrow went through JSON', () => {
  const card: Wire = { book: { title: 'Fog', own: 1 } };
  const book = extractBook(card, plain, homes)!;
  expect(embedBooks(card, plain, homes, [book])).toEqual([]);
  expect(embedBooks(card, plain, homes, JSON.parse(JSON.stringify([book])))).toEqual([]);
});
test('an edited book keeps its own keys and its home', () => {
  const card: Wire = { more: { book: { title: 'Fog', own: 1 } } };
  const books = named(extractBook(card, plain, homes), 'Mist');
  expect(embedBooks(card, plain, homes, books)).toEqual([[['more', 'book'], { title: 'Mist', own: 1 }]]);
});
test('unresolved books are no edit, none empties every home', () => {
  const card: Wire = { book: { title: 'a' }, more: { book: { title: 'b' } } };
  expect(embedBooks(card, plain, homes, undefined)).toEqual([]);
  expect(embedBooks(card, plain, homes, [])).toEqual(homes.map((home) => [home, undefined]));
  expect(embedBooks({}, plain, homes, [])).toEqual([]);
});
test('a book of another card is written fresh where its twin may not move', () => {
  const book = extractBook({ book: { title: 'Fog', own: 1 } }, plain, homes)!;
  const other: Wire = { book: { title: 'Other', left: 2 } };
  expect(embedBooks(other, plain, homes, [book])).toEqual([[['book'], { title: 'Fog' }]]);
  const moving: BookDialect = { ...plain, transplant: ({ raw }) => raw as Wire };
  expect(embedBooks(other, moving, homes, [book])).toEqual([[['book'], { title: 'Fog', own: 1 }]]);
});
test('a slot of another shape is opened, closed and blanked', () => {
  const card: Wire = { book: ['Fog', 1] };
  const book = extractBook(card, listed, homes)!;
  expect(book.original?.['plain-lore']?.raw).toBe(card.book);
  expect(embedBooks(card, listed, homes, [book])).toEqual([]);
  expect(embedBooks(card, listed, homes, named(book, 'Mist'))).toEqual([[['book'], ['Mist', 1]]]);
  expect(embedBooks(card, listed, homes, [])).toEqual([[['book'], []]]);
  expect(embedBooks({ book: [] }, listed, homes, [])).toEqual([]);
});
