import { describe, expect, test } from 'vitest';
import { differences, parse, withValue } from '../../../test/kit/adapter.ts';
import { engine } from '../../../test/kit/lumiverse.ts';
import { ananya, type Character, made, member, mira, modules } from '../../../test/kit/lumiverse-character.ts';
import { valueAt, type Wire } from '../../core/draft.ts';
import type { EntityOf } from '../../entities/kinds.ts';
import { emptyEntry, emptyLorebook } from '../../entities/lorebook/schema.ts';

type Book = EntityOf<'lorebook'>;

describe('world books in an archive', () => {
  const opened = () => engine.read(mira);
  test('every book is an entity, and the card points at all of them', async () => {
    const { entities } = await opened();
    expect(entities.map(({ kind }) => kind)).toEqual(['character', 'lorebook', 'lorebook']);
    expect((entities[0] as Character).body.knowledgeRefs).toEqual(entities.slice(1).map(({ id }) => id));
    expect(entities.slice(1).map((one) => (one as Book).body.name)).toEqual(['The Harbour ท่าเรือ', 'Tides']);
  });
  test('unedited, they are what they were', async () => {
    const { files, report } = await engine.write((await opened()).entities, 'lumiverse');
    expect(modules(files[0]?.bytes as Uint8Array)).toEqual(modules(mira));
    expect(member(files[0]?.bytes as Uint8Array, 'card.json')).toEqual(member(mira, 'card.json'));
    expect([report.losses, report.escrowed, report.escrowShadowed]).toEqual([[], [], []]);
  });
  test('an edit goes to the book and to the copy in the card', async () => {
    const { entities } = await opened();
    const tides = entities[2] as Book;
    const entries = tides.body.entries.map((entry) => ({ ...entry, content: 'The mud is gone.', title: 'Low' }));
    const { files, report } = await engine.write(
      [entities[0] as Character, entities[1] as Book, { ...tides, body: { ...tides.body, entries } }],
      'lumiverse',
    );
    const out = files[0]?.bytes as Uint8Array;
    expect(differences(modules(mira), modules(out))).toEqual([
      'world_books.1.entries.0.content',
      'world_books.1.entries.0.comment',
    ]);
    const book = 'data.character_book.entries.3';
    expect(differences(member(mira, 'card.json'), member(out, 'card.json'))).toEqual([
      `${book}.content`,
      `${book}.comment`,
    ]);
    expect(report.losses).toEqual([]);
  });
  test('a book that is not passed leaves the archive, and so does its copy', async () => {
    const { entities } = await opened();
    const card = entities[0] as Character;
    const alone = { ...card, body: { ...card.body, knowledgeRefs: [] } };
    const out = (await engine.write([alone], 'lumiverse')).files[0]?.bytes as Uint8Array;
    expect(modules(out)).not.toHaveProperty('world_books');
    expect(member(out, 'card.json').data).not.toHaveProperty('character_book');
  });
  test('a new archive holds several books whole, and one copy of them in the card', async () => {
    const book = (id: string): Book => ({
      schemaVersion: '1',
      kind: 'lorebook',
      id,
      body: { ...emptyLorebook(), name: id, entries: [{ ...emptyEntry('1'), title: id, content: id }] },
    });
    const card = made((body) => {
      body.knowledgeRefs = ['one', 'two'];
    });
    const { files, report } = await engine.write([card, book('one'), book('two')], 'lumiverse', { container: 'charx' });
    const out = files[0]?.bytes as Uint8Array;
    expect((modules(out).world_books as Wire[]).map(({ name }) => name)).toEqual(['one', 'two']);
    expect(valueAt(member(out, 'card.json'), ['data', 'character_book', 'entries'])).toHaveLength(2);
    expect(report.losses).toEqual([]);
  });
  test('a book in the card alone stays there', async () => {
    const card = withValue(ananya, 'data.character_book', {
      name: 'B',
      entries: [{ keys: ['a'], content: 'b', id: 0 }],
    });
    const { entities } = await engine.read(JSON.stringify(card));
    const { files } = await engine.write(entities, 'lumiverse');
    expect(parse(files[0]?.bytes)).toEqual(card);
  });
});
