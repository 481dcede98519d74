import { describe, expect, test } from 'vitest';
import {
  changes,
  corpus,
  hasCorpus,
  NO_CORPUS,
  read,
  sample,
  source,
  tokens,
  value,
  written,
} from '../../../test/formats/files.ts';
import { encode, engine, parse } from '../../../test/risu/kit.ts';
import { keysOf, openDraft, valueAt, type Wire } from '../../core/draft.ts';
import { emptyEntry, emptyLorebook, type LorebookBody, type LorebookEntry } from '../../entities/lorebook/schema.ts';
import { risuLorebook } from './lorebook.ts';

type Rows = readonly Wire[];
const harbour = parse<Wire>(sample('risu', 'risu-lorebook.harbour.json').bytes);
const rowsOf = (wire: unknown): Rows => (Array.isArray(wire) ? wire : (valueAt(wire, ['data']) as Rows));
const open = (wire: unknown) => read(risuLorebook, wire)[0];
const bookOf = (wire: unknown): LorebookBody => open(wire).body;
const edit = (wire: unknown, change: (body: LorebookBody) => void): unknown => {
  const entity = open(wire);
  const body = structuredClone(entity.body);
  change(body);
  return value(risuLorebook, { ...entity, body });
};
const fresh = (body: Partial<LorebookBody>): Rows =>
  rowsOf(
    value(risuLorebook, {
      schemaVersion: '1',
      kind: 'lorebook',
      id: 'b',
      body: { ...emptyLorebook(), ...body },
    } as never),
  );
const entry = (change: Partial<LorebookEntry>): LorebookEntry => ({ ...emptyEntry('e'), ...change });
const word = (keyword: string) => ({ keyword, isRegex: false });
const left = (wire: unknown) => risuLorebook.account(open(wire)).left.map(({ path }) => path);
const withRow = (index: number, path: string, said: unknown): Wire => {
  const draft = openDraft(rowsOf(harbour)[index] as Wire);
  if (said === undefined) draft.delete(keysOf(path));
  else draft.set(keysOf(path), said);
  return { ...harbour, data: rowsOf(harbour).map((row, at) => (at === index ? draft.wire : row)) };
};

describe('detection', () => {
  const score = (wire: unknown) => risuLorebook.detect(source(wire));
  test('the envelope is certain, bare rows are nearly so, a card book is the plain reader’s', async () => {
    expect(score(harbour)).toBe(1);
    expect(score(rowsOf(harbour))).toBe(0.9);
    const book = {
      name: 'b',
      entries: [{ keys: ['a'], content: 'c', extensions: {}, enabled: true, insertion_order: 1 }],
    };
    expect(score(book)).toBe(0.75);
    expect((await engine.detect(encode(book)))?.format).toBe('sillytavern-lorebook');
  });
  test.each([
    ['an empty list', []],
    ['rows without a name of RisuAI', [{ key: 'a', content: 'b' }]],
    ['a list of keys', [{ key: ['a'], content: 'b', mode: 'normal' }]],
    ['rules', [{ in: 'a', out: 'b', type: 'editinput' }]],
    ['another envelope', { type: 'regex', data: [] }],
    ['a world info', { entries: { 0: { key: ['a'], content: 'b' } } }],
  ])('%s is none', (_, wire) => expect(score(wire)).toBe(0));
});

describe('the field map', () => {
  test('rows are entries, folder rows are categories', () => {
    const body = bookOf(harbour);
    expect(body.name).toBe('');
    expect(body.categories).toEqual([{ id: rowsOf(harbour)[0]?.key, name: '港の人々', sortOrder: 0 }]);
    expect(body.entries).toEqual([
      entry({
        id: '1',
        title: 'Buoy ⚓',
        content: '@@depth 2\nIt answers.',
        triggers: [word('buoy'), word('bell'), word('鐘')],
        secondaryTriggers: [word('fog'), word('안개')],
        selective: true,
        caseSensitive: true,
        sortOrder: 120,
        categoryId: rowsOf(harbour)[0]?.key as string,
      }),
      entry({
        id: '2',
        title: '조수',
        content: '물이 들어온다.',
        triggers: [{ keyword: 'tide(s){1,2}|밀물', isRegex: true, flags: 'i' }],
        selective: false,
        sortOrder: 80,
        probability: 40,
      }),
      entry({
        id: '5c0e0b3e-7f0a-4b62-8a86-1d2f3a4b5c6d',
        title: '灯台',
        content: 'いつも灯っている。',
        constant: true,
        selective: false,
        sortOrder: 999,
      }),
    ]);
  });

  const FIELDS: [path: keyof LorebookEntry, wire: string, said: unknown, on: unknown][] = [
    ['title', 'comment', '부표', '부표'],
    ['content', 'content', 'x', 'x'],
    ['constant', 'alwaysActive', true, true],
    ['selective', 'selective', false, false],
    ['caseSensitive', 'extentions.risu_case_sensitive', false, false],
    ['sortOrder', 'insertorder', 7, 7],
    ['probability', 'activationPercent', 5, 5],
    ['role', 'role', 'user', 'user'],
    ['categoryId', 'folder', 'elsewhere', 'elsewhere'],
    ['triggers', 'key', [word('a'), word('b')], 'a, b'],
    ['secondaryTriggers', 'secondkey', [word('c')], 'c'],
  ];
  test.each(FIELDS)('%s stands at %s, and an edit touches nothing else', (path, wire, said, on) => {
    const after = edit(harbour, ({ entries }) => Object.assign(entries[0] ?? {}, { [path]: said }));
    expect(changes(harbour, after)).toEqual([`data.1.${wire}`]);
    expect(valueAt(rowsOf(after)[1], keysOf(wire))).toEqual(on);
    expect(bookOf(after).entries[0]?.[path]).toEqual(said);
  });
  test.each<[keyof LorebookEntry, string, unknown]>([
    ['caseSensitive', 'extentions.risu_case_sensitive', undefined],
    ['categoryId', 'folder', undefined],
    ['triggers', 'key', ''],
    ['secondaryTriggers', 'secondkey', ''],
  ])('%s is cleared', (path, wire, on) => {
    const empty = path === 'triggers' || path === 'secondaryTriggers' ? [] : undefined;
    const after = edit(harbour, ({ entries }) => Object.assign(entries[0] ?? {}, { [path]: empty }));
    expect(changes(harbour, after)).toEqual([`data.1.${wire}`]);
    expect(valueAt(rowsOf(after)[1], keysOf(wire))).toEqual(on);
  });
  test('what is not read is named', () => {
    expect(left(harbour)).toEqual([
      'data[1].extentions.someTool',
      'data[2].loreCache',
      'data[3].mode',
      'data[3].newer',
    ]);
    expect(left(withRow(1, 'key', 7))).toContain('data[1].key');
  });
});

describe('unedited', () => {
  test.each(['harbour', 'rows'])('%s goes back as it was', (name) => {
    const file = sample('risu', `risu-lorebook.${name}.json`);
    expect(tokens(written(risuLorebook, open(file.bytes)))).toEqual(tokens(file.text));
  });
  test('absent stays absent', () => {
    const bare = [{ key: 'a', content: 'b', mode: 'normal' }];
    expect(value(risuLorebook, open(bare))).toEqual(bare);
    expect(
      changes(
        bare,
        edit(bare, ({ entries }) => Object.assign(entries[0] ?? {}, { content: 'c' })),
      ),
    ).toEqual(['0.content']);
  });
});

describe('keys', () => {
  test('an unchanged text keeps its commas and blanks', () => {
    const wire = withRow(1, 'key', ' buoy ,, bell,鐘 ');
    const after = edit(wire, ({ entries }) => Object.assign(entries[0] ?? {}, { content: 'x' }));
    expect(changes(wire, after)).toEqual(['data.1.content']);
  });
  test('commas without blanks stay without blanks', () => {
    const after = edit(withRow(1, 'key', 'a,b'), ({ entries }) => entries[0]?.triggers.push(word('c')));
    expect(rowsOf(after)[1]?.key).toBe('a,b,c');
  });
  test('a key with a comma is not written and never split', async () => {
    const body = {
      ...emptyLorebook(),
      entries: [entry({ content: 'x', triggers: [word('Smith, John'), word('plain')] })],
    };
    expect(fresh(body)[0]).toMatchObject({ key: 'plain' });
    const { report } = await engine.write([{ schemaVersion: '1', kind: 'lorebook', id: 'b', body }], 'risu');
    expect(report.losses.map(({ path, reason }) => [path, reason])).toEqual([
      ['entries[0].triggers[0]', expect.stringContaining('comma')],
    ]);
  });
  test('a regex is the one key of its row, with its commas', () => {
    const [row] = fresh({ entries: [entry({ triggers: [{ keyword: 'a{2,3}/b', isRegex: true, flags: 'i' }] })] });
    expect(row).toMatchObject({ key: '/a{2,3}\\/b/i', useRegex: true });
  });
  test('a regex beside words has no place, and the report says so', async () => {
    const body = {
      ...emptyLorebook(),
      entries: [entry({ content: 'x', triggers: [{ keyword: 'a+', isRegex: true }, word('b')] })],
    };
    expect(fresh(body)[0]).toMatchObject({ key: 'b' });
    const { report } = await engine.write([{ schemaVersion: '1', kind: 'lorebook', id: 'b', body }], 'risu');
    expect(report.losses.map(({ path }) => path)).toEqual(['entries[0].triggers[0]']);
  });
  test('a slash makes no regex without the switch', () => {
    expect(bookOf(withRow(2, 'useRegex', false)).entries[1]?.triggers).toEqual([word('/tide(s){1'), word('2}|밀물/i')]);
  });
  test('an edit of a regex keeps the switch; a word in its place turns it off', () => {
    const regex = edit(harbour, ({ entries }) => Object.assign(entries[1]?.triggers[0] ?? {}, { keyword: 'x,y' }));
    expect(changes(harbour, regex)).toEqual(['data.2.key']);
    const plain = edit(harbour, ({ entries }) => Object.assign(entries[1] ?? {}, { triggers: [word('tide')] }));
    expect(rowsOf(plain)[2]).toMatchObject({ key: 'tide', useRegex: false });
  });
});

describe('rows', () => {
  test('an entry that is off is left out, and the report names it', async () => {
    const entries = [
      entry({ id: '1', title: 'off', content: 'a', enabled: false }),
      entry({ id: '2', title: 'on', content: 'b' }),
    ];
    expect(fresh({ entries }).map(({ comment }) => comment)).toEqual(['on']);
    const { report } = await engine.write(
      [{ schemaVersion: '1', kind: 'lorebook', id: 'b', body: { ...emptyLorebook(), entries } }],
      'risu',
    );
    expect(report.losses.map(({ path }) => path)).toEqual(['entries[0]']);
  });
  test('a new folder is a row before its first member, under a key of RisuAI', () => {
    const [first, folder, member] = fresh({
      entries: [entry({ id: '1', content: 'a' }), entry({ id: '2', content: 'b', categoryId: 'c1' })],
      categories: [{ id: 'c1', name: 'Meer', sortOrder: 0 }],
    });
    expect(first?.folder).toBeUndefined();
    expect(folder).toMatchObject({ mode: 'folder', comment: 'Meer', content: '' });
    expect(folder?.key).toMatch(/^\uf000folder:[0-9a-f-]{36}$/);
    expect(member).toMatchObject({ content: 'b', folder: folder?.key });
  });
  test('a folder is renamed and removed where it stands', () => {
    const renamed = edit(harbour, ({ categories }) => Object.assign(categories?.[0] ?? {}, { name: 'Kai' }));
    expect(changes(harbour, renamed)).toEqual(['data.0.comment']);
    const removed = edit(harbour, (body) => void delete body.categories);
    expect(rowsOf(removed)).toEqual(rowsOf(harbour).slice(1));
  });
  test('rows are removed, moved and added; the others keep their object', () => {
    const moved = rowsOf(edit(harbour, ({ entries }) => void entries.reverse()));
    expect(moved).toEqual([0, 3, 2, 1].map((at) => rowsOf(harbour)[at]));
    const grown = rowsOf(edit(harbour, ({ entries }) => void entries.push(entry({ id: '1', content: 'new' }))));
    expect(grown.slice(0, 4)).toEqual(rowsOf(harbour));
    expect(grown[4]).toMatchObject({ content: 'new', mode: 'normal', key: '' });
  });
  test('a row that is no object keeps its place', () => {
    const wire = { ...harbour, data: [7, ...rowsOf(harbour)] };
    expect(rowsOf(edit(wire, ({ entries }) => void entries.shift()))).toEqual([
      7,
      ...[0, 2, 3].map((at) => rowsOf(harbour)[at]),
    ]);
    expect(left(wire)).toContain('data[0]');
  });
});

describe('between apps', () => {
  test('to SillyTavern: what has no place there is named', async () => {
    const { report, files } = await engine.convert(encode(harbour), 'sillytavern');
    const entries = Object.values(parse<{ entries: Record<string, Wire> }>(files[0]?.bytes).entries);
    expect(entries.map(({ comment, order, constant }) => [comment, order, constant])).toEqual([
      ['Buoy ⚓', 120, false],
      ['조수', 80, false],
      ['灯台', 999, true],
    ]);
    expect(entries[1]).toMatchObject({ key: ['/tide(s){1,2}|밀물/i'], probability: 40 });
    expect(report.losses.map(({ path }) => path)).toEqual(expect.arrayContaining(['categories[0]']));
    expect(report.escrowed.map(({ path }) => path)).toContain('data[*].loreCache');
  });
  test('a world info comes in, and what RisuAI cannot say is named', async () => {
    const world = {
      entries: {
        0: {
          uid: 0,
          key: ['a', 'b, c'],
          keysecondary: ['d'],
          comment: 'T',
          content: 'C',
          order: 5,
          position: 4,
          depth: 2,
          disable: false,
          selective: true,
        },
      },
    };
    const { report, files } = await engine.convert(encode(world), 'risu-lorebook');
    expect(parse(files[0]?.bytes)).toMatchObject({
      type: 'risu',
      ver: 1,
      data: [{ key: 'a', secondkey: 'd', selective: true, insertorder: 5, comment: 'T', content: 'C' }],
    });
    expect(report.losses.map(({ path }) => path).sort()).toEqual([
      'entries[0].depth',
      'entries[0].position',
      'entries[0].triggers[1]',
    ]);
  });
  test('a card book that stands alone goes back in its own shape', () => {
    const book = {
      name: 'b',
      entries: [
        {
          keys: ['\uf000folder:1'],
          content: '',
          name: 'F',
          comment: 'F',
          mode: 'folder',
          extensions: {},
          enabled: true,
          insertion_order: 100,
        },
        {
          keys: ['a'],
          content: 'c',
          extensions: {},
          enabled: true,
          insertion_order: 1,
          mode: 'normal',
          folder: '\uf000folder:1',
        },
      ],
    };
    expect(bookOf(book)).toMatchObject({ categories: [{ name: 'F' }], entries: [{ categoryId: '\uf000folder:1' }] });
    expect(value(risuLorebook, open(book))).toEqual(book);
    const after = edit(book, ({ categories }) => Object.assign(categories?.[0] ?? {}, { name: 'G' }));
    expect(changes(book, after)).toEqual(['entries.0.name', 'entries.0.comment']);
  });
});

describe.skipIf(!hasCorpus)(`real files (${NO_CORPUS})`, () => {
  test.each(corpus('risu-lorebook'))('$name', async ({ bytes, text, expected }) => {
    expect((await engine.detect(bytes))?.format).toBe(expected);
    expect(tokens(written(risuLorebook, open(bytes)))).toEqual(tokens(text));
  });
});
