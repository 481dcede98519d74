import { describe, expect, test } from 'vitest';
import { encode, parse } from '../../../test/kit/adapter.ts';
import { engine, harbour, irma, left, nagi, read } from '../../../test/kit/agnai.ts';
import type { Wire } from '../../core/draft.ts';
import type { EntityOf } from '../../entities/kinds.ts';
import { emptyEntry } from '../../entities/lorebook/schema.ts';
import { agnai } from './index.ts';
import { agnaiLorebook } from './lorebook.ts';

describe('the embedded book', () => {
  const pieces = async (card: Wire) => {
    const [main, book] = (await engine.read(encode(card))).entities;
    return { main: main as EntityOf<'character'>, book: book as EntityOf<'lorebook'> };
  };
  const written = async (...entities: Parameters<typeof engine.write>[0]) =>
    parse((await engine.write(entities, 'agnai')).files[0]!.bytes);
  const renamed = (book: EntityOf<'lorebook'>, name: string) => ({ ...book, body: { ...book.body, name } });

  test('it is read like a memory book file', async () => {
    const { main, book } = await pieces(nagi);
    const { entities } = await engine.read(encode(nagi.characterBook));
    expect(book.body).toEqual(entities[0]!.body);
    expect(main.body.knowledgeRefs).toEqual([book.id]);
    expect(book.original?.['agnai-lorebook']?.unmapped).toEqual({ home: 'characterBook' });
    expect(left(nagi).filter((path) => path.startsWith('characterBook'))).toEqual([]);
    expect(agnaiLorebook.account(book).left.map(({ path }) => path)).toEqual(['_id', 'userId']);
  });
  test('unedited, the card keeps its very book', async () => {
    const { main, book } = await pieces(nagi);
    expect(await written(main, book)).toEqual(nagi);
    expect(agnai.fromCanonical([main], { lorebooks: [book] }).bytes).toEqual(agnai.fromCanonical([main], {}).bytes);
  });
  test('an edit of one entry leaves the other entry and the keys of the book', async () => {
    const { main, book } = await pieces(nagi);
    const next = structuredClone(book.body);
    next.entries[1]!.content = '直した。';
    const twin = nagi.characterBook as Wire;
    const [first, second] = twin.entries as Wire[];
    expect(await written(main, { ...book, body: next })).toEqual({
      ...nagi,
      characterBook: { ...twin, entries: [first, { ...second, entry: '直した。' }] },
    });
  });
  test('unresolved it stays, resolved to none it goes, and none is made where there was none', async () => {
    const { main } = await pieces(nagi);
    expect(await written(main)).toEqual(nagi);
    const { characterBook: _, ...rest } = nagi;
    expect(await written({ ...main, body: { ...main.body, knowledgeRefs: [] } })).toEqual(rest);
    expect(await written(read(irma))).toEqual(irma);
  });
  test('a foreign book becomes a clean memory book', async () => {
    const { book } = await pieces(nagi);
    const foreign = { ...renamed(book, 'fog'), id: 'fog', original: {} };
    const card = await written({ ...read(irma), body: { ...read(irma).body, knowledgeRefs: ['fog'] } }, foreign);
    expect(card.characterBook).toMatchObject({
      kind: 'memory',
      name: 'fog',
      entries: [{ name: '急須', weight: 20, priority: 50 }, {}],
    });
    expect(card.characterBook).not.toHaveProperty('_id');
  });
  test('a memory book file keeps its own keys inside another card', async () => {
    const [book] = (await engine.read(encode(harbour))).entities as [EntityOf<'lorebook'>];
    const main = read(nagi);
    const card = await written({ ...main, body: { ...main.body, knowledgeRefs: [book.id] } }, book);
    expect(card).toEqual({ ...nagi, characterBook: harbour });
  });
  test('several books become one, with their boundaries', async () => {
    const { main, book } = await pieces(nagi);
    const [other] = (await engine.read(encode(harbour))).entities as [EntityOf<'lorebook'>];
    const card = await written({ ...main, body: { ...main.body, knowledgeRefs: [book.id, other.id] } }, book, other);
    const merged = card.characterBook as Wire;
    expect((merged.entries as Wire[]).map(({ name }) => name)).toEqual([
      '急須',
      '雨漏り',
      'Gulls',
      'Ο φάρος',
      'Imported',
    ]);
    expect(merged.extensions).toEqual({
      bunzai_source_books: [
        { name: '茶屋の覚え書き', entryCount: 2 },
        { name: 'Harbour of Østvik', entryCount: 3 },
      ],
    });
  });
  test('a book that says nothing but its entries leaves a line for its border', async () => {
    const { main, book } = await pieces(nagi);
    const entries = [{ ...emptyEntry('1'), content: 'It rings. 鳴る。' }];
    const plain = { ...book, id: 'plain', body: { name: '', entries }, original: {} };
    const body = { ...main.body, knowledgeRefs: [book.id, 'plain'] };
    const { report } = await engine.write([{ ...main, body }, book, plain], 'agnai');
    expect(report.losses).toMatchObject([{ entity: 'plain', path: 'entries', kind: 'changed' }]);
    const without = [{ ...main, body }, book, { ...plain, body: { name: '', entries: [] } }];
    expect((await engine.write(without, 'agnai')).report.losses).toEqual([]);
  });
  test('a book file of its own keeps what the embedded one had', async () => {
    const { book } = await pieces(nagi);
    expect(await written(book)).toEqual(nagi.characterBook);
  });
});
