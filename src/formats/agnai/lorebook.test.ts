import { describe, expect, test } from 'vitest';
import { encode, parse, withValue } from '../../../test/kit/adapter.ts';
import { engine, harbour } from '../../../test/kit/agnai.ts';
import { valueAt, type Wire } from '../../core/draft.ts';
import { get, placeAt, put } from '../../core/lens.ts';
import { sourceOf } from '../../core/source.ts';
import type { EntityOf } from '../../entities/kinds.ts';
import { emptyEntry, emptyLorebook, type LorebookBody } from '../../entities/lorebook/schema.ts';
import { agnaiLorebook, memoryFields } from './lorebook.ts';

const bookOf = (wire: Wire): LorebookBody => get(memoryFields, wire, emptyLorebook());

const editedBook = (wire: Wire, edit: (body: LorebookBody) => void): Wire => {
  const body = structuredClone(bookOf(wire));
  edit(body);
  return put(memoryFields, wire, body);
};

const row = (wire: Wire, index: number): Wire => (wire.entries as Wire[])[index] as Wire;

describe('memory book', () => {
  test('unedited it is the twin itself', () => {
    expect(put(memoryFields, harbour, structuredClone(bookOf(harbour)))).toBe(harbour);
  });
  test('the field map', () => {
    const book = bookOf(harbour);
    expect(book).toMatchObject({
      name: 'Harbour of Østvik',
      description: 'Places and people around the quay.',
      globalScanDepth: 0,
      tokenBudget: 512,
      globalRecursion: false,
    });
    expect(book.entries[0]).toMatchObject({
      id: '7',
      title: 'Gulls',
      comment: 'keep short',
      sortOrder: 90,
      priority: 10,
      position: 'character',
      probability: 100,
      enabled: true,
    });
    expect(book.entries[0]?.triggers).toEqual([
      { keyword: 'gull*', isRegex: false },
      { keyword: 'seabird', isRegex: false },
    ]);
    expect(book.entries[1]).toMatchObject({
      selective: false,
      position: 'world',
      secondaryTriggers: [{ keyword: 'νύχτα', isRegex: false }],
    });
    expect(book.entries[2]).toMatchObject({
      selective: true,
      selectiveLogic: 'and_all',
      position: 'depth',
      probability: 35,
      excludeRecursion: true,
      enabled: false,
    });
  });
  const EDITS: readonly (readonly [path: string, value: unknown, home: string, wire: unknown])[] = [
    ['title', 'T', 'name', 'T'],
    ['content', 'C', 'entry', 'C'],
    ['comment', 'n', 'comment', 'n'],
    ['enabled', true, 'enabled', true],
    ['constant', true, 'constant', true],
    ['selective', false, 'selective', false],
    ['triggers', [{ keyword: 'boat', isRegex: false }], 'keywords', ['boat']],
    ['secondaryTriggers', [{ keyword: 'dawn', isRegex: false }], 'secondaryKeys', ['dawn']],
    ['selectiveLogic', 'not_any', 'selectiveLogic', 2],
    ['position', 'outlet', 'position', 7],
    ['sortOrder', 3, 'weight', 3],
    ['priority', 4, 'priority', 4],
    ['probability', 80, 'probability', 80],
    ['excludeRecursion', false, 'excludeRecursion', false],
  ];
  test('the edits below cover every field of an entry', () => {
    const rows = memoryFields.find(({ rows }) => rows)?.rows ?? [];
    expect(rows.flatMap(({ canonical }) => canonical).filter((path) => !EDITS.some(([one]) => one === path))).toEqual(
      [],
    );
  });
  test.each(EDITS)('entries[2].%s', (path, value, home, wire) => {
    const next = editedBook(harbour, (book) => placeAt(book.entries[2]!, [path], value));
    expect(row(next, 2)).toEqual({ ...row(harbour, 2), [home]: wire });
    expect(row(next, 0)).toBe(row(harbour, 0));
    expect(valueAt(bookOf(next).entries[2], [path])).toEqual(value);
  });
  test.each([
    ['name', 'X', 'name', 'X'],
    ['description', undefined, 'description', undefined],
    ['globalScanDepth', 3, 'scanDepth', 3],
    ['tokenBudget', undefined, 'tokenBudget', undefined],
    ['globalRecursion', true, 'recursiveScanning', true],
  ])('%s', (path, value, home, wire) => {
    const next = editedBook(harbour, (book) => placeAt(book, [path], value));
    expect(next).toEqual(withValue(harbour, home, wire));
    expect(next.entries).toBe(harbour.entries);
  });
  test('clearing keys that the importer needs leaves them empty', () => {
    const next = editedBook(harbour, (book) =>
      Object.assign(book.entries[0]!, { title: '', content: '', triggers: [], comment: undefined }),
    );
    const { comment: _, ...rest } = row(harbour, 0);
    expect(row(next, 0)).toEqual({ ...rest, name: '', entry: '', keywords: [] });
  });
  test('a new entry has the six keys that the importer needs, and a number', () => {
    const next = editedBook(harbour, (book) => book.entries.push(emptyEntry('fog-bank')));
    expect(row(next, 3)).toMatchObject({
      name: '',
      entry: '',
      keywords: [],
      priority: 100,
      weight: 100,
      enabled: true,
      id: 10,
    });
  });
  test('selectiveLogic is import residue: an edit of an Agnai entry writes it, a new entry never has it', () => {
    const next = editedBook(harbour, (book) => {
      book.entries[0]!.selectiveLogic = 'not_all';
      book.entries.push({ ...emptyEntry('x'), selectiveLogic: 'and_all' });
    });
    expect(row(next, 0).selectiveLogic).toBe(1);
    expect(row(next, 3)).not.toHaveProperty('selectiveLogic');
  });
  test('secondary keys that do not gate say selective: false', () => {
    const next = editedBook(harbour, (book) =>
      book.entries.push({
        ...emptyEntry('x'),
        selective: false,
        secondaryTriggers: [{ keyword: 'ice', isRegex: false }],
      }),
    );
    expect(row(next, 3)).toMatchObject({ selective: false, secondaryKeys: ['ice'] });
  });
  test('position is a word where it was a word or nothing, a number where it was a number', () => {
    const next = editedBook(harbour, (book) => {
      book.entries[0]!.position = 'world';
      book.entries[1]!.position = 'depth';
      book.entries[2]!.position = 'author_note_top';
    });
    expect([0, 1, 2].map((index) => row(next, index).position)).toEqual(['before_char', 'after_char', 2]);
  });
  test('a chance behind a switch that is off counts as certain, and is clamped', () => {
    const with_ = (more: object) =>
      bookOf({ entries: [{ entry: 'a', keywords: ['b'], ...more }] }).entries[0]?.probability;
    expect(with_({ probability: 20, useProbability: false })).toBe(100);
    expect(with_({ probability: 20 })).toBe(20);
    expect(with_({ probability: 900 })).toBe(100);
    expect(with_({ probability: -3 })).toBe(0);
    const off = { kind: 'memory', entries: [{ entry: 'a', keywords: ['b'], probability: 20, useProbability: false }] };
    expect(
      row(
        editedBook(off, (book) => (book.entries[0]!.probability = 60)),
        0,
      ),
    ).toMatchObject({ probability: 60, useProbability: true });
  });
  test('repeated ids are told apart, and reordered rows keep their own unknown keys', () => {
    const twin = {
      kind: 'memory',
      name: 'x',
      entries: [7, 7, '7-2'].map((id, n) => ({
        name: `n${n}`,
        entry: 'e',
        keywords: ['k'],
        priority: 1,
        weight: 1,
        enabled: true,
        id,
        own: n,
      })),
    };
    expect(bookOf(twin).entries.map(({ id }) => id)).toEqual(['7', '7-3', '7-2']);
    const next = editedBook(twin, (book) => {
      book.entries.reverse();
      book.entries[1]!.title = 'edited';
    });
    expect((next.entries as Wire[]).map(({ own, name }) => [own, name])).toEqual([
      [2, 'n2'],
      [1, 'edited'],
      [0, 'n0'],
    ]);
  });
  test('a regex key leaves as its pattern, and the report says so', async () => {
    const [entity] = agnaiLorebook.toCanonical(sourceOf(encode(harbour)));
    entity!.body.entries[0]!.triggers[0] = { keyword: 'gulls?', isRegex: true, flags: 'i' };
    const { report, files } = await engine.write([entity as EntityOf<'lorebook'>], 'agnai');
    expect(row(parse(files[0]!.bytes), 0).keywords).toEqual(['gulls?', 'seabird']);
    expect(report.losses.map(({ path }) => path)).toContain('entries[0].triggers[0].isRegex');
  });
  test('doubled spellings are kept in step where they agree, and named where they do not', () => {
    const twin = {
      kind: 'memory',
      entries: [{ entry: 'a', content: 'a', keywords: ['k'], keys: ['k'], weight: 1, insertion_order: 2 }],
    };
    const next = editedBook(twin, (book) => Object.assign(book.entries[0]!, { content: 'b', triggers: [] }));
    expect(row(next, 0)).toEqual({ entry: 'b', content: 'b', keywords: [], keys: [], weight: 1, insertion_order: 2 });
    const [entity] = agnaiLorebook.toCanonical(sourceOf(encode(twin)));
    expect(agnaiLorebook.account(entity as never).left.map(({ path }) => path)).toEqual(['entries[0].insertion_order']);
  });
  test('a card book read as the soft tier goes back in its own shape; without its twin it becomes a memory book', async () => {
    const book = {
      name: 'b',
      entries: [
        { keys: ['fog'], content: 'thick', insertion_order: 5, priority: 9, enabled: true, extensions: {}, id: 1 },
      ],
    };
    const { entities } = await engine.read(encode(book), { format: 'agnai-lorebook' });
    expect(parse((await engine.write(entities, 'agnai')).files[0]!.bytes)).toEqual(book);
    const bare = { ...entities[0]!, original: {} } as EntityOf<'lorebook'>;
    const out = parse((await engine.write([bare], 'agnai')).files[0]!.bytes);
    expect(out).toMatchObject({
      kind: 'memory',
      name: 'b',
      entries: [{ name: '', entry: 'thick', keywords: ['fog'], weight: 5, priority: 9, enabled: true, id: 1 }],
    });
  });
  test('unknown keys are named', () => {
    const [entity] = agnaiLorebook.toCanonical(sourceOf(encode(harbour)));
    expect(agnaiLorebook.account(entity as never).left.map(({ path }) => path)).toEqual([
      'entries[2].depthHint',
      'extensions.source',
    ]);
  });
});
