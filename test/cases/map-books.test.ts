/** Real-world cases RW-033 to RW-045: what entries mean, between formats. */
import { describe, expect, test } from 'vitest';
import type { AnyEntity, EntityOf } from '../../src/entities/kinds.ts';
import { again, book, bookCard, card, character, converted, engine, type Json, opened, parsed } from './making.ts';

const world = (rows: readonly Json[], more: Json = {}): Json => ({
  ...more,
  entries: Object.fromEntries(
    rows.map((row, uid) => [
      uid,
      { uid, key: [`key ${uid}`], comment: `Entry ${uid}`, content: `text ${uid}`, ...row },
    ]),
  ),
});
const entriesOf = (value: Json): Json[] => Object.values(value.entries as Record<string, Json>);

/** A book that has never seen SillyTavern: through another format's file. */
const foreign = async (source: unknown) => (await converted(source, 'rolecall')).file.bytes;

describe('RW-033: positions', () => {
  const places = ['world', 'character', 'author_note_top', 'author_note_bottom', 'depth', 'before_example'];
  const expected = [...places, 'after_example', 'outlet'];
  const source = world(
    expected.map((_, position) => ({ position, ...(position === 7 ? { outletName: 'quay' } : {}) })),
  );

  test('each has a value of its own', async () => {
    expect((await book(source)).entries.map(({ position }) => position)).toEqual(expected);
  });

  test('at a depth keep depth and role', async () => {
    const { entries } = await book(world([0, 1, 2].map((role) => ({ position: 4, depth: 2, role }))));
    expect(entries.map(({ position, depth, role }) => [position, depth, role])).toEqual([
      ['depth', 2, 'system'],
      ['depth', 2, 'user'],
      ['depth', 2, 'assistant'],
    ]);
  });

  test('stand in a card book and in a world info alike, the default of the target too', async () => {
    const row = (position?: string) => ({ keys: ['k'], content: `at ${position}`, ...(position ? { position } : {}) });
    const rows = [row('before_char'), row('after_char'), row()];
    const [, inCard] = (await opened(bookCard(rows))).entities;
    const file = (await engine.write([inCard as AnyEntity], 'sillytavern')).files[0]?.bytes as Uint8Array;
    expect(entriesOf(parsed(file)).map(({ position }) => position)).toEqual([0, 1, 1]);

    const [book] = (await opened(source)).entities;
    const [main] = (await opened(card())).entities as [EntityOf<'character'>];
    const linked = { ...main, body: { ...main.body, knowledgeRefs: ['book'] } };
    const { files, report } = await engine.write([linked, { ...book, id: 'book' } as AnyEntity], 'sillytavern');
    const { entries } = (parsed(files[0]?.bytes as Uint8Array).data as { character_book: { entries: Json[] } })
      .character_book;
    expect(entries.map((one) => (one.extensions as Json).position)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(entries.every(({ position }) => /^(?:before|after)_char$/.test(String(position)))).toBe(true);
    expect(report.losses).toEqual([]);
  });

  test('that a target does not have become the nearest, and the report names entry, old and new', async () => {
    const { report } = await converted(source, 'lumiverse');
    const { losses } = (await converted(source, 'agnai')).report;
    const moved = losses.filter(({ path }) => path.endsWith('.position'));
    expect(moved.map(({ value }) => value).sort()).toEqual(expect.arrayContaining(['author_note_top', 'outlet']));
    expect([...moved, ...report.losses].every(({ path }) => /^entries\[\d+\]\./.test(path))).toBe(true);
  });
});

test('RW-034: 0 is any, 1 not all, 2 not any, 3 all; an empty list or a switch is no gate', async () => {
  const gated = [0, 1, 2, 3].map((selectiveLogic) => ({
    selectiveLogic,
    keysecondary: ['fog', 'rain'],
    selective: true,
  }));
  const { entries } = await book(
    world([
      ...gated,
      { selectiveLogic: 3, keysecondary: [], selective: true },
      { selective: false, keysecondary: ['fog'] },
    ]),
  );
  expect(entries.slice(0, 4).map(({ selectiveLogic }) => selectiveLogic)).toEqual([
    'and_any',
    'not_all',
    'not_any',
    'and_all',
  ]);
  expect(entries[4]?.secondaryTriggers).toEqual([]);
  expect(entries[5]).toMatchObject({ selective: false, secondaryTriggers: [{ keyword: 'fog' }] });
});

test('RW-035: recursion flags are read in both spellings, and written as the target writes them', async () => {
  const camel = { excludeRecursion: true, preventRecursion: true, delayUntilRecursion: 2 };
  const snake = { exclude_recursion: true, prevent_recursion: true, delay_until_recursion: 2 };
  const row = { keys: ['a'], content: 'A' };
  for (const source of [
    world([camel]),
    world([{ extensions: snake }]),
    bookCard([{ ...row, extensions: snake }]),
    bookCard([{ ...row, extensions: camel }]),
    bookCard([{ ...row, ...camel }]),
  ]) {
    expect((await book(source)).entries[0]).toMatchObject(camel);
    expect(await again(source, 'sillytavern')).toEqual(source);
  }
  const { value } = await converted(await foreign(world([camel])), 'sillytavern');
  expect(entriesOf(value)[0]).toMatchObject({ excludeRecursion: true, preventRecursion: true });
});

test('RW-036: a missing or null probability is 100, zero stays zero, a switched-off one is 100 and stays on the wire', async () => {
  const source = world([
    {},
    { probability: null },
    { probability: 0, useProbability: true },
    { probability: 40, useProbability: false },
  ]);
  expect((await book(source)).entries.map(({ probability }) => probability)).toEqual([100, 100, 0, 100]);
  expect(await again(source, 'sillytavern')).toEqual(source);
});

test('RW-037: null is inherit and stays null, zero and false are values', async () => {
  const source = world([
    { scanDepth: null, caseSensitive: null, matchWholeWords: null },
    { scanDepth: 0, caseSensitive: false, matchWholeWords: false },
    { scanDepth: 3, caseSensitive: true, matchWholeWords: true },
  ]);
  const { entries } = await book(source);
  expect(
    entries.map(({ scanDepth, caseSensitive, matchWholeWords }) => [scanDepth, caseSensitive, matchWholeWords]),
  ).toEqual([
    [undefined, undefined, undefined],
    [0, false, false],
    [3, true, true],
  ]);
  expect(await again(source, 'sillytavern')).toEqual(source);
  for (const target of ['rolecall', 'lumiverse', 'marinara']) {
    const { value } = await converted((await converted(source, target)).file.bytes, 'sillytavern');
    const [inherits] = entriesOf(value);
    expect([target, inherits?.scanDepth ?? null]).toEqual([target, null]);
  }
});

test('RW-038: a book from another app is written as SillyTavern itself would save it', async () => {
  const marks = { excludeRecursion: true, preventRecursion: true, vectorized: true };
  const source = world([{ ...marks, key: ['/tide(s)?/i', 'quay'], position: 4, depth: 3, role: 2 }]);
  const { entries } = (await engine.read(new TextEncoder().encode(JSON.stringify(source)))).entities[0]!.body as never;
  const entity = { schemaVersion: '1', kind: 'lorebook', id: 'x', body: { name: 'Harbour', entries } } as const;
  const { files, report } = await engine.write([entity], 'sillytavern');
  expect(entriesOf(JSON.parse(new TextDecoder().decode(files[0]!.bytes)))).toMatchObject([
    { uid: 0, key: ['/tide(s)?/i', 'quay'], position: 4, depth: 3, role: 2, ...marks },
  ]);
  expect(report.losses.filter(({ path }) => path !== 'name')).toEqual([]);
});

test('RW-039: titles stay titles through every format, and a private note is kept or named', async () => {
  const card = bookCard([{ keys: ['a'], name: 'Bell', comment: 'keep vague', content: 'It rings.', extensions: {} }]);
  const source = await engine.read(new TextEncoder().encode(JSON.stringify(card)));
  const [found] = source.entities.filter(({ kind }) => kind === 'lorebook');
  if (found?.kind !== 'lorebook') throw new Error('no book');
  expect(found.body.entries[0]).toMatchObject({ title: 'Bell', comment: 'keep vague' });
  for (const { id } of engine.formats().filter(({ kind, native }) => kind === 'lorebook' && !native)) {
    const { files, report } = await engine.write([found], id);
    const [entry] = (await book(files[0]!.bytes)).entries;
    expect([id, entry?.title]).toEqual([id, 'Bell']);
    const named = report.losses.some(({ path }) => path === 'entries[0].comment');
    expect([id, entry?.comment === 'keep vague' || named]).toEqual([id, true]);
  }
});

test('RW-039: no label is invented over an empty one', async () => {
  const source = world([{ comment: '' }, { comment: 'Bell' }]);
  for (const { id } of engine.formats().filter(({ kind, native }) => kind === 'lorebook' && !native)) {
    const { entries } = await book((await converted(source, id)).file.bytes);
    expect([id, entries.map(({ title }) => title)]).toEqual([id, ['', 'Bell']]);
  }
});

test('RW-040: a key with a comma is carried or named, never silently two keys', async () => {
  const keys = ['Smith, John', '/a{2,3}/i', 'plain'];
  const source = world([{ key: keys }]);
  const before = (await book(source)).entries[0]!.triggers;
  for (const { id } of engine.formats().filter(({ kind, native }) => kind === 'lorebook' && !native)) {
    const { file, lost } = await converted(source, id);
    const after = (await book(file.bytes)).entries[0]!.triggers;
    const same = JSON.stringify(after) === JSON.stringify(before);
    expect([id, same || lost.some((path) => path.startsWith('entries[0].triggers'))]).toEqual([id, true]);
  }
});

describe('RW-041: order and priority', () => {
  test('are two axes', async () => {
    const memory = {
      kind: 'memory',
      name: 'M',
      entries: [{ name: 'a', entry: 'A', keywords: ['a'], priority: 10, weight: 90, enabled: true }],
    };
    expect((await book(memory)).entries[0]).toMatchObject({ priority: 10, sortOrder: 90 });
    const row = { keys: ['a'], content: 'A', extensions: {}, enabled: true, insertion_order: 5, priority: 50 };
    expect((await book(bookCard([row]))).entries[0]).toMatchObject({ sortOrder: 5, priority: 50 });
    const novel = {
      lorebookVersion: 6,
      entries: [{ text: 'A', displayName: 'a', keys: ['a'], contextConfig: { budgetPriority: 800 } }],
    };
    expect((await book(novel)).entries[0]).toMatchObject({ sortOrder: 800 });
    const risu = { type: 'risu', ver: 1, data: [{ key: 'a', content: 'A', insertorder: 30, mode: 'normal' }] };
    expect((await book(risu)).entries[0]).toMatchObject({ sortOrder: 30 });
  });

  test('a format with one of them fills that one, and the other is named', async () => {
    const memory = {
      kind: 'memory',
      name: 'M',
      entries: [{ name: 'a', entry: 'A', keywords: ['a'], priority: 10, weight: 90, enabled: true }],
    };
    for (const target of ['sillytavern', 'risu']) {
      const { file, lost } = await converted(memory, target);
      expect((await book(file.bytes)).entries[0]).toMatchObject({ sortOrder: 90, priority: 100 });
      expect(lost).toContain('entries[0].priority');
    }
  });
});

test('RW-042: secondary keys, weights and the off state of Agnai entries reach the world info', async () => {
  const memory = {
    kind: 'memory',
    name: 'M',
    entries: [
      {
        name: 'a',
        entry: 'A',
        keywords: ['a'],
        secondaryKeys: ['fog'],
        selective: true,
        priority: 1,
        weight: 7,
        enabled: false,
      },
      { name: 'b', entry: 'B', keywords: ['b'], priority: 2, weight: 8, enabled: true },
    ],
  };
  const { value } = await converted(memory, 'sillytavern');
  expect(entriesOf(value)).toMatchObject([
    { key: ['a'], keysecondary: ['fog'], order: 7, disable: true },
    { key: ['b'], order: 8, disable: false },
  ]);
});

test('RW-043: entries that are off do not become active where there is no off switch', async () => {
  const { value, report } = await converted(world([{ disable: true }, {}, { disable: true }]), 'risu');
  const rows = value.data as Json[];
  const fires = (row: Json) => row.alwaysActive === true || (typeof row.key === 'string' && row.key !== '');
  expect(rows.filter(({ content }) => content !== 'text 1').filter(fires)).toEqual([]);
  expect(report.losses.some(({ path }) => path.startsWith('entries[0]'))).toBe(true);
  expect(report.losses.some(({ path }) => path.startsWith('entries[2]'))).toBe(true);
});

test('RW-044: roles are matched without case and blanks, numbers by the table, others are kept and named', async () => {
  const roles = ['assistant ', 'Narrator', 3, '1', null];
  const source = world(roles.map((role) => ({ position: 4, role })));
  const { entries } = await book(source);
  expect(entries.map(({ role }) => role)).toEqual(['assistant', 'system', 'system', 'user', 'system']);
  expect(await again(source, 'sillytavern')).toEqual(source);
  const { report } = await converted(source, 'rolecall');
  expect(report.escrowed).toContainEqual(expect.objectContaining({ path: 'entries[*].role', count: 2 }));
});

test('RW-044: the role of a depth prompt too', async () => {
  for (const [role, expected] of [
    ['assistant ', 'assistant'],
    ['USER', 'user'],
    ['1', 'user'],
    ['Narrator', undefined],
    [3, undefined],
    [null, undefined],
  ] as const) {
    const source = card({ extensions: { depth_prompt: { prompt: 'Rain.', depth: 2, role } } });
    const { body } = await character(source);
    expect(body.prompts.depthInjections?.map((one) => one.role)).toEqual([expected]);
    expect(await again(source, 'sillytavern')).toEqual(source);
    if (expected !== undefined || role === null) continue;
    const { report } = await converted(source, 'agnai');
    expect(report.escrowed.map(({ path }) => path)).toContain('data.extensions.depth_prompt.role');
  }
});

test('RW-045: what extensions hang on entries survives in a card book and in a world info', async () => {
  const extensions = { someTool: { a: [1] } };
  for (const source of [world([{ extensions }]), bookCard([{ keys: ['a'], content: 'A', extensions }])])
    expect(await again(source, 'sillytavern')).toEqual(source);
});
