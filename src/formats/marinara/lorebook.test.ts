import { describe, expect, test } from 'vitest';
import { at, differences, edited, encode, fresh, left, parse, readAs, withValue } from '../../../test/kit/adapter.ts';
import { sample } from '../../../test/kit/marinara.ts';
import { createEngine } from '../../engine.ts';
import { emptyEntry, emptyLorebook, type LorebookBody, type LorebookEntry } from '../../entities/lorebook/schema.ts';
import sillytavern from '../sillytavern/index.ts';
import adapters, { marinaraLorebook as adapter } from './index.ts';

const lagoon = sample('marinara-lorebook.lagoon.json');
const body = readAs(adapter, lagoon).body;
const engine = createEngine([...adapters, ...sillytavern]);
const one = (edit: Partial<LorebookEntry>): LorebookBody => ({
  ...emptyLorebook(),
  entries: [{ ...emptyEntry('a'), ...edit }],
});
const row = (file: unknown, index = 0) => at(file as never, `data.entries.${index}`) as Record<string, unknown>;
const reread = (entry: Partial<LorebookEntry>) => readAs(adapter, fresh(adapter, one(entry))).body.entries[0];

describe('the field map', () => {
  test('a book and its budgets', () => {
    const { entries: _entries, categories: _categories, ...book } = body;
    expect(book).toEqual({
      name: 'Đầm phá Tam Giang',
      description: 'Người và nước. People and water.',
      lorebookType: 'character',
      tags: ['nước', 'lagoon'],
      enabled: true,
      globalScanDepth: 6,
      tokenBudget: 900,
      entryBudget: 40,
      globalRecursion: true,
    });
  });
  test('entries, folders and filters', () => {
    const [ferry, storm, market] = body.entries;
    expect(ferry).toMatchObject({
      id: 'e-1',
      title: 'Ông lái đò',
      comment: 'the ferryman',
      selective: true,
      selectiveLogic: 'and_all',
      probability: 80,
      position: 'character',
      sortOrder: 20,
      sticky: 3,
      cooldown: 2,
      delay: 1,
      groupName: 'boat',
      groupWeight: 60,
      categoryId: 'f-people',
      scanCharacterDescription: true,
      scanUserPersona: true,
      scanScenario: false,
      triggers: [
        { keyword: 'lái đò', isRegex: false },
        { keyword: 'ferryman', isRegex: false },
      ],
      secondaryTriggers: [
        { keyword: 'đêm', isRegex: false },
        { keyword: 'storm', isRegex: false },
      ],
    });
    expect(storm).toMatchObject({
      triggers: [
        { keyword: 'storms?\\b', isRegex: true },
        { keyword: 'bão\\s+lớn', isRegex: true },
      ],
      position: 'depth',
      depth: 2,
      role: 'assistant',
      scanDepth: 8,
      matchWholeWords: true,
      caseSensitive: true,
      delayUntilRecursion: 1,
      preventRecursion: true,
      generationTriggers: ['normal', 'swipe'],
      characterFilter: { names: [], tags: ['sailor'], isExclude: false },
    });
    expect(market).toMatchObject({
      constant: true,
      enabled: false,
      position: 'outlet',
      outletName: 'places',
      selectiveLogic: 'not_any',
      excludeRecursion: true,
      characterFilter: { names: ['acc_91'], tags: [], isExclude: true },
    });
    expect(body.categories).toEqual([
      { id: 'f-people', name: 'Người', sortOrder: 10, enabled: true },
      { id: 'f-storm', name: 'Weather', sortOrder: 20, enabled: false },
    ]);
  });
  test('what has no slot is named, what the app writes by itself is not', () => {
    const paths = left(adapter, lagoon);
    for (const path of [
      'data.entries[0].tag',
      'data.entries[0].relationships',
      'data.entries[1].schedule',
      'data.entries[2].ephemeral',
      'data.entries[2].locked',
      'data.entries[0].additionalMatchingSources[2]',
      'data.folders[1].parentFolderId',
      'data.lorebook.maxRecursionDepth',
    ])
      expect(paths).toContain(path);
    for (const path of [
      'data.entries[0].locked',
      'data.entries[0].lorebookId',
      'data.lorebook.scope',
      'data.entries[0].characterFilterMode',
    ])
      expect(paths).not.toContain(path);
  });
  test('ids of the account are read as names, with a warning', () => {
    const { warnings } = adapter.account(readAs(adapter, lagoon));
    expect(warnings).toMatchObject([{ code: 'marinara.account-ids', path: 'data.entries[*].characterFilterIds' }]);
  });
});

describe('edits', () => {
  test.each<[string, (entry: LorebookEntry) => unknown, string[]]>([
    ['content', (entry) => Object.assign(entry, { content: 'x' }), ['content']],
    ['a chance of always', (entry) => Object.assign(entry, { probability: 100 }), ['probability']],
    ['no folder', (entry) => void delete entry.categoryId, ['folderId']],
    ['another scan source', (entry) => Object.assign(entry, { scanScenario: true }), ['additionalMatchingSources.3']],
    ['no comment', (entry) => void delete entry.comment, ['description']],
    ['a position', (entry) => Object.assign(entry, { position: 'depth' }), ['position']],
  ])('%s touches its own key of its own entry', (_, edit, keys) => {
    const file = edited(adapter, lagoon, ({ entries }) => entries[0] && edit(entries[0]));
    expect(differences(lagoon, file)).toEqual(keys.map((key) => `data.entries.0.${key}`));
  });
  test('cleared slots keep the keys that the app always writes', () => {
    const file = edited(adapter, lagoon, ({ entries: [entry] }) => {
      delete entry?.categoryId;
      delete entry?.comment;
      delete entry?.groupName;
    });
    expect(row(file)).toMatchObject({ folderId: null, description: '', group: '' });
  });
  test('a new entry and a new folder say which book they belong to', () => {
    const file = edited(adapter, lagoon, (book) => {
      book.entries.push({ ...emptyEntry(''), title: 'New', categoryId: 'f-new' });
      book.categories?.push({ id: 'f-new', name: 'New', sortOrder: 30 });
    });
    expect(row(file, 3)).toMatchObject({
      lorebookId: 'lb-lagoon',
      name: 'New',
      folderId: 'f-new',
      preventRecursion: false,
    });
    expect(row(file, 3).id).toMatch(/^[0-9a-f]{8}-/);
    expect(at(file, 'data.folders.2')).toMatchObject({ id: 'f-new', lorebookId: 'lb-lagoon', name: 'New' });
    expect(row(file, 0)).toEqual(row(lagoon, 0));
  });
  test('an early file gains no later keys by an edit', () => {
    const early = [
      'folderId',
      'characterFilterMode',
      'characterFilterIds',
      'characterTagFilterMode',
      'characterTagFilters',
      'additionalMatchingSources',
    ].reduce(
      (file, key) => withValue(file, `data.entries.0.${key}`, undefined),
      withValue(lagoon, 'data.folders', undefined),
    );
    const file = edited(adapter, early, ({ entries }) => Object.assign(entries[0] ?? {}, { title: 'x' }));
    expect(differences(early, file)).toEqual(['data.entries.0.name']);
  });
});

describe('keys', () => {
  test('useRegex marks every key of an entry, and patterns carry no delimiters', () => {
    expect(row(fresh(adapter, one({ triggers: [{ keyword: 'a+', isRegex: true }] })))).toMatchObject({
      keys: ['a+'],
      useRegex: true,
    });
  });
  test('a plain key beside a pattern is escaped, and the report says that it became one', async () => {
    const triggers = [
      { keyword: 'a.b', isRegex: false },
      { keyword: 'c+', isRegex: true, flags: 'i' },
    ];
    expect(row(fresh(adapter, one({ triggers })))).toMatchObject({ keys: ['a\\.b', 'c+'], useRegex: true });
    const entity = { ...readAs(adapter, lagoon), id: 'x', original: {}, body: one({ triggers }) };
    const { report } = await engine.write([entity], 'marinara-lorebook');
    expect(report.losses.map(({ path }) => path)).toContain('entries[0].triggers[0].isRegex');
    expect(report.losses.some(({ path }) => path.endsWith('flags'))).toBe(true);
  });
  test('the first pattern in an entry turns both lists, the last one to go turns them back', () => {
    const regex = edited(
      adapter,
      lagoon,
      ({ entries }) => void entries[0]?.secondaryTriggers.push({ keyword: '\\d', isRegex: true }),
    );
    expect(row(regex)).toMatchObject({
      useRegex: true,
      keys: ['lái đò', 'ferryman'],
      secondaryKeys: ['đêm', 'storm', '\\d'],
    });
    const plain = edited(adapter, lagoon, ({ entries }) =>
      Object.assign(entries[1] ?? {}, { triggers: [{ keyword: 'gió', isRegex: false }] }),
    );
    expect(row(plain, 1)).toMatchObject({ useRegex: false, keys: ['gió'] });
  });
});

describe('words and places', () => {
  test.each([
    ['and', 'and_any'],
    ['or', 'and_any'],
    ['and_all', 'and_all'],
    ['not', 'not_any'],
    ['not_all', 'not_all'],
  ])('the logic %s is %s, and the word stays while it is not edited', (word, logic) => {
    const file = withValue(lagoon, 'data.entries.0.selectiveLogic', word);
    expect(readAs(adapter, file).body.entries[0]?.selectiveLogic).toBe(logic);
    expect(edited(adapter, file, (book) => Object.assign(book, { name: 'x' }))).toMatchObject({
      data: { entries: [{ selectiveLogic: word }, {}, {}] },
    });
  });
  test('a place that the app lacks becomes the one its own importer would choose', () => {
    const places = {
      world: 0,
      prepend_top: 0,
      author_note_top: 0,
      before_example: 0,
      scene: 0,
      character: 1,
      author_note_bottom: 1,
      after_example: 1,
      depth: 2,
      append: 2,
      append_bottom: 2,
      outlet: 7,
    };
    for (const [position, wire] of Object.entries(places))
      expect(row(fresh(adapter, one({ position: position as never }))).position, position).toBe(wire);
  });
  test('an unknown place stays in the twin and is named; the words of the importer are read', () => {
    const odd = withValue(lagoon, 'data.entries.0.position', 5);
    expect(readAs(adapter, odd).body.entries[0]?.position).toBe('world');
    expect(left(adapter, odd)).toContain('data.entries[0].position');
    expect(readAs(adapter, withValue(lagoon, 'data.entries.0.position', 'at_depth')).body.entries[0]?.position).toBe(
      'depth',
    );
  });
  test('an outlet keeps its name', () => {
    expect(reread({ position: 'outlet', outletName: 'map' })).toMatchObject({ position: 'outlet', outletName: 'map' });
  });
  test('null is no number: chance, depth and timing are at rest', () => {
    expect(body.entries[2]).toMatchObject({ probability: 100, sticky: 0, cooldown: 0, delay: 0, groupWeight: 100 });
    expect(body.entries[2]?.scanDepth).toBeUndefined();
  });
  test('the recursion delay is a switch: a level is not kept', () => {
    expect(reread({ delayUntilRecursion: 3 })?.delayUntilRecursion).toBe(1);
  });
  test.each([
    ['world', 'world'],
    ['npc', 'character'],
    ['character', 'character'],
    ['spellbook', 'rules'],
    ['uncategorized', 'other'],
  ])('a book of category %s is of type %s', (category, type) => {
    const file = withValue(lagoon, 'data.lorebook.category', category);
    expect(readAs(adapter, file).body.lorebookType).toBe(type);
    expect(edited(adapter, file, (book) => Object.assign(book, { name: 'x' }))).toMatchObject({
      data: { lorebook: { category } },
    });
  });
});

describe('filters', () => {
  test('filters that contradict each other stay in the twin', () => {
    const file = withValue(
      withValue(lagoon, 'data.entries.1.characterFilterMode', 'exclude'),
      'data.entries.1.characterFilterIds',
      ['c'],
    );
    expect(readAs(adapter, file).body.entries[1]?.characterFilter).toBeUndefined();
    expect(left(adapter, file)).toContain('data.entries[1].characterFilterIds');
  });
  test('names of another app are no ids: tags cross, names are reported', async () => {
    const filter = { names: ['Mira'], tags: ['fox'], isExclude: true };
    expect(reread({ characterFilter: filter })?.characterFilter).toEqual({ ...filter, names: [] });
    const world = {
      entries: {
        0: { uid: 0, key: ['a'], content: 'x', characterFilter: { names: ['Mira'], tags: [], isExclude: false } },
      },
    };
    const { report } = await engine.convert(encode(world), 'marinara-lorebook');
    expect(report.losses.map(({ path }) => path)).toContain('entries[0].characterFilter.names');
    expect(
      row(parse((await engine.convert(encode(world), 'marinara-lorebook')).files[0]?.bytes as Uint8Array))
        .characterFilterIds,
    ).toBeUndefined();
  });
  test('a cleared filter is off, and an excluding trigger list stays in the twin', () => {
    const off = edited(adapter, lagoon, ({ entries }) => void delete entries[1]?.characterFilter);
    expect(row(off, 1)).toMatchObject({ characterTagFilterMode: 'any', characterTagFilters: [] });
    const file = withValue(lagoon, 'data.entries.1.generationTriggerFilterMode', 'exclude');
    expect(readAs(adapter, file).body.entries[1]?.generationTriggers).toBeUndefined();
    expect(left(adapter, file)).toContain('data.entries[1].generationTriggerFilters');
  });
});

describe('between apps', () => {
  test('a fresh book brings no numbers of its own, and the same book gives the same bytes', () => {
    const file = fresh(adapter, { ...one({ title: 'a' }), name: 'Book' });
    expect(at(file, 'data.lorebook')).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      description: '',
      name: 'Book',
    });
    expect(row(file).lorebookId).toBe(at(file, 'data.lorebook.id'));
    expect(fresh(adapter, { ...one({ title: 'a' }), name: 'Book' })).toEqual(file);
    expect('exportedAt' in file).toBe(false);
  });
  test('to SillyTavern and back: every difference is in the reports', async () => {
    const out = await engine.convert(encode(lagoon), 'sillytavern-lorebook');
    const lost = out.report.losses.map(({ path }) => path);
    expect(lost).toContain('lorebookType');
    expect(lost).toContain('categories[0]');
    expect(lost).toContain('entries[0].comment');
    expect(lost).not.toContain('entries[2].position');
    const back = await engine.convert(out.files[0]?.bytes as Uint8Array, 'marinara-lorebook');
    const again = readAs(adapter, back.files[0]?.bytes).body.entries;
    const reported = new Set(
      [...out.report.losses, ...back.report.losses].map(({ path }) => path.replace(/\[\d+\]$/, '')),
    );
    body.entries.forEach((entry, index) => {
      for (const [key, value] of Object.entries(entry)) {
        if (key === 'id' || [...reported].some((path) => path.startsWith(`entries[${index}].${key}`))) continue;
        expect(again[index]?.[key as 'title'], `entries[${index}].${key}`).toEqual(value);
      }
    });
  });
  test('a world info comes back with every difference reported', async () => {
    const positions = [0, 1, 2, 3, 4, 5, 6, 7];
    const entries = Object.fromEntries(
      positions.map((position) => [
        position,
        {
          uid: position,
          key: [`/k${position}/i`, 'plain'],
          keysecondary: ['s'],
          selective: true,
          selectiveLogic: position % 4,
          comment: `t${position}`,
          content: `c${position}`,
          position,
          depth: 3,
          order: position,
          probability: 50,
          useProbability: true,
          group: 'g',
          groupOverride: true,
          sticky: 2,
          excludeRecursion: true,
          preventRecursion: position > 3,
          delayUntilRecursion: position,
          disable: position === 2,
          outletName: position === 7 ? 'o' : '',
        },
      ]),
    );
    const out = await engine.convert(encode({ entries }), 'marinara-lorebook');
    const back = await engine.convert(out.files[0]?.bytes as Uint8Array, 'sillytavern-lorebook');
    expect(back.report.losses).toEqual([]);
    const [st] = (await engine.read(encode({ entries }))).entities;
    const [returned] = (await engine.read(back.files[0]?.bytes as Uint8Array)).entities;
    if (st?.kind !== 'lorebook' || returned?.kind !== 'lorebook') throw new Error('another kind');
    const reported = out.report.losses.map(({ path }) => path);
    st.body.entries.forEach((entry, index) => {
      for (const [key, value] of Object.entries(entry)) {
        const now = returned.body.entries[index]?.[key as 'title'];
        if (value === undefined || JSON.stringify(now) === JSON.stringify(value)) continue;
        expect(
          reported.some((path) => path.startsWith(`entries[${index}].${key}`)),
          `entries[${index}].${key}`,
        ).toBe(true);
      }
    });
    expect(returned.body.entries.map(({ selectiveLogic }) => selectiveLogic)).toEqual(
      st.body.entries.map(({ selectiveLogic }) => selectiveLogic),
    );
  });
});
