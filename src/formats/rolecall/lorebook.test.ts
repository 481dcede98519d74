import { describe, expect, test } from 'vitest';
import { at, edited, encode, fresh, left, parse, readAs, sealed, setAt, withValue } from '../../../test/kit/adapter.ts';
import { engine, sample } from '../../../test/kit/rolecall.ts';
import type { Wire } from '../../core/draft.ts';
import { emptyEntry, emptyLorebook, type LorebookBody } from '../../entities/lorebook/schema.ts';
import { entityFaults } from '../../entities/validate.ts';
import { rolecallLorebook } from './lorebook.ts';

const harbour = sample('rolecall-lorebook.harbour.json');
const ENTRY = 'lorebook.entries.0';
const open = (value: unknown) => readAs(rolecallLorebook, value);
const edit = (change: (body: LorebookBody) => void, wire: Wire = harbour): Wire =>
  edited(rolecallLorebook, wire, change as never);

type Row = [path: string, wire: string, value: unknown, cleared?: unknown];

const BOOK: Row[] = [
  ['name', 'lorebook.name', 'مرفأ'],
  ['description', 'lorebook.description', 'x', null],
  ['lorebookType', 'lorebook.settings.lorebookType', 'rules'],
  ['globalCaseSensitive', 'lorebook.settings.globalCaseSensitive', true],
  ['globalMatchWholeWords', 'lorebook.settings.globalMatchWholeWords', false],
  ['globalScanDepth', 'lorebook.settings.globalScanDepth', 0],
  ['globalRecursion', 'lorebook.settings.globalRecursion', true],
  ['tokenBudget', 'lorebook.settings.tokenBudget', 9],
  ['budgetMode', 'lorebook.settings.budgetMode', 'entry'],
  ['entryBudget', 'lorebook.settings.entryBudget', 12],
  ['genre', 'lorebook.metadata.genre', 'horror', null],
  ['fandom', 'lorebook.metadata.fandom', 'none'],
  ['tags', 'lorebook.metadata.tags', ['a'], []],
];

const ENTRY_FIELDS: Row[] = [
  ['title', 'title', '钟'],
  ['content', 'content', 'b'],
  ['comment', 'comment', 'c', null],
  ['enabled', 'enabled', false],
  ['constant', 'constant', true],
  ['triggerMode', 'triggers.mode', 'simple'],
  ['selectiveLogic', 'triggers.selectiveLogic', 'not_any'],
  ['caseSensitive', 'matching.caseSensitive', false, null],
  ['matchWholeWords', 'matching.matchWholeWords', true],
  ['scanDepth', 'matching.scanDepth', 0, null],
  ['position', 'injection.position', 'prepend_top'],
  ['depth', 'injection.depth', 7],
  ['role', 'injection.role', 'assistant'],
  ['sortOrder', 'priority.sortOrder', 8],
  ['priority', 'priority.priority', 1],
  ['sticky', 'timing.sticky', 9],
  ['cooldown', 'timing.cooldown', 9],
  ['delay', 'timing.delay', 9],
  ['groupName', 'grouping.groupName', 'g', null],
  ['categoryId', 'grouping.categoryId', 'c2', null],
  ['groupWeight', 'grouping.groupWeight', 1],
  ['probability', 'probability', 5],
  ['useMemo', 'advanced.useMemo', false],
  ['excludeRecursion', 'advanced.excludeRecursion', false],
  ['preventRecursion', 'advanced.preventRecursion', false],
  ['delayUntilRecursion', 'advanced.delayUntilRecursion', 1],
  ['ignoreBudget', 'advanced.ignoreBudget', false],
  ['characterFilter', 'characterFilter', { names: ['A'], tags: ['t'], isExclude: false }, null],
  ['scanCharacterDescription', 'scanSources.characterDescription', false],
  ['scanCharacterPersonality', 'scanSources.characterPersonality', true],
  ['scanUserPersona', 'scanSources.userPersona', false],
  ['scanScenario', 'scanSources.scenario', true],
  ['metadata', 'metadata', { entry_type: 'place' }],
  ['vectorized', 'unsupportedFields.vectorized', false],
  ['groupOverride', 'unsupportedFields.groupOverride', true],
  ['useGroupScoring', 'unsupportedFields.useGroupScoring', true],
  ['automationId', 'unsupportedFields.automationId', 'a'],
  ['scanCharacterDepthPrompt', 'unsupportedFields.matchCharacterDepthPrompt', true],
  ['scanCreatorNotes', 'unsupportedFields.matchCreatorNotes', true],
  ['generationTriggers', 'unsupportedFields.generationTriggers', ['continue']],
  ['outletName', 'unsupportedFields.outletName', 'pier'],
];

describe('fields', () => {
  test.each(BOOK)('book %s stands at %s', (path, wire, value) => {
    const after = edit((body) => setAt(body, path, value));
    expect(at(after, wire)).toEqual(value);
    expect(withValue(after, wire, at(harbour, wire))).toEqual(harbour);
    expect(at(open(after).body, path)).toEqual(value);
  });

  test.each(ENTRY_FIELDS)('entry %s stands at %s', (path, wire, value) => {
    const after = edit(({ entries }) => setAt(entries[0] ?? {}, path, value));
    expect(at(after, `${ENTRY}.${wire}`)).toEqual(value);
    expect(withValue(after, `${ENTRY}.${wire}`, at(harbour, `${ENTRY}.${wire}`))).toEqual(harbour);
    expect(at(open(after).body, `entries.0.${path}`)).toEqual(value);
  });

  test.each(
    [
      ...BOOK,
      ...ENTRY_FIELDS.map(([path, wire, ...rest]): Row => [`entries.0.${path}`, `${ENTRY}.${wire}`, ...rest]),
    ].filter((row) => row.length === 4),
  )('%s is cleared to what the format requires', (path, wire, _value, cleared) => {
    const full = edit((body) => setAt(body, path, _value));
    const after = edit((body) => setAt(body, path, undefined), full);
    expect(at(after, wire)).toEqual(cleared);
    expect(withValue(after, wire, at(full, wire))).toEqual(full);
  });

  test('what is read fits the schema, and nothing changes without an edit', () => {
    for (const name of ['rolecall-lorebook.harbour.json', 'rolecall-lorebook.empty.json']) {
      const entity = open(sample(name));
      expect(entityFaults(entity)).toEqual([]);
      expect(parse(sealed(rolecallLorebook, entity))).toEqual(sample(name));
    }
  });

  test('the tree, the date, counters and newer fields stay in escrow, and are named', () => {
    expect(left(rolecallLorebook, harbour)).toEqual([
      'exportDate',
      'lorebook.entries[0].triggers.primary[0].lastActivated',
      'lorebook.entries[0].unsupportedFields.somethingNewer',
      'lorebook.tree',
    ]);
  });
});

describe('triggers', () => {
  test('each key has its own regex mark, flags, chance and frequency', () => {
    const [entry] = open(harbour).body.entries;
    expect(entry?.triggers).toEqual([
      { keyword: 'bell', isRegex: false, probability: 70, frequency: 2 },
      { keyword: 'tide(s)?', isRegex: true, flags: 'i' },
    ]);
    expect(entry?.secondaryTriggers).toEqual([{ keyword: '水', isRegex: false }]);
  });

  test('an edited chance keeps the counters of its key and leaves its neighbours alone', () => {
    const after = edit(({ entries }) => setAt(entries[0]?.triggers[0] ?? {}, 'probability', 71));
    const home = `${ENTRY}.triggers.primary.0.probability`;
    expect(at(after, home)).toBe(71);
    expect(withValue(after, home, 70)).toEqual(harbour);
  });

  test('a bare text is a key; a blank one keeps its place', () => {
    const odd = withValue(harbour, `${ENTRY}.triggers.primary`, ['bell', '', { keyword: 'x', isRegex: false }]);
    expect(open(odd).body.entries[0]?.triggers.map(({ keyword }) => keyword)).toEqual(['bell', 'x']);
    const after = edit(({ entries }) => void entries[0]?.triggers.push({ keyword: 'y', isRegex: false }), odd);
    expect(at(after, `${ENTRY}.triggers.primary`)).toEqual([
      'bell',
      '',
      { keyword: 'x', isRegex: false },
      { keyword: 'y', isRegex: false },
    ]);
  });

  test('secondary keys that are switched off do not cross, since they would gate', async () => {
    const body = emptyLorebook();
    const off = {
      ...emptyEntry('1'),
      content: 'c',
      selective: false,
      secondaryTriggers: [{ keyword: 'k', isRegex: false }],
    };
    body.entries.push(off, { ...off, id: '2', content: 'd', selective: true });
    const rows = at(fresh(rolecallLorebook, body), 'lorebook.entries') as Wire[];
    expect(rows.map((row) => at(row, 'triggers.secondary'))).toEqual([[], [{ keyword: 'k', isRegex: false }]]);
    const { report } = await engine.write(
      [{ schemaVersion: '1', kind: 'lorebook', id: 'b', body }],
      'rolecall-lorebook',
    );
    expect(report.losses.map(({ path, reason }) => [path, reason])).toContainEqual([
      'entries[0].secondaryTriggers[0]',
      'secondary keys always gate here: inactive ones have no place',
    ]);
  });
});

test('secondary keys gate in every app they cross to', async () => {
  expect(open(harbour).body.entries.map(({ selective }) => selective)).toEqual([true, undefined]);
  const { files } = await engine.convert(encode(harbour), 'sillytavern-lorebook');
  expect(at(parse(files[0]?.bytes ?? new Uint8Array()), 'entries.0')).toMatchObject({
    keysecondary: ['水'],
    selective: true,
    selectiveLogic: 3,
  });
});

describe('rows', () => {
  test('a new entry has every group, and its own id', () => {
    const after = edit(
      ({ entries }) =>
        void entries.push({ ...emptyEntry('77'), title: 'twin id' }, { ...emptyEntry('n'), title: 'new' }),
    );
    const rows = at(after, 'lorebook.entries') as Wire[];
    expect(rows.slice(0, 2)).toEqual(at(harbour, 'lorebook.entries'));
    expect(rows.slice(2).map(({ id }) => id)).toEqual(['78', 'n']);
    expect(Object.keys(rows[3] ?? {}).sort()).toEqual(Object.keys(rows[1] ?? {}).sort());
  });

  test('removed and moved entries leave the others as they were', () => {
    const [first, second] = at(harbour, 'lorebook.entries') as Wire[];
    expect(
      at(
        edit(({ entries }) => void entries.reverse()),
        'lorebook.entries',
      ),
    ).toEqual([second, first]);
    expect(
      at(
        edit(({ entries }) => void entries.shift()),
        'lorebook.entries',
      ),
    ).toEqual([second]);
  });

  test('categories are rows of their own', () => {
    const after = edit(({ categories }) => {
      setAt(categories?.[0] ?? {}, 'name', '海');
      categories?.push({ id: 'c-sky', name: 'Sky', sortOrder: 1, enabled: false });
    });
    expect(at(after, 'lorebook.categories')).toEqual([
      { id: 'c-sea', name: '海', sortOrder: 0, enabled: true },
      { id: 'c-sky', name: 'Sky', sortOrder: 1, enabled: false },
    ]);
    expect(
      at(
        edit((body) => setAt(body, 'categories', undefined)),
        'lorebook.categories',
      ),
    ).toBeUndefined();
  });

  test('side effects are data, and keep what is not known', () => {
    const odd = withValue(harbour, `${ENTRY}.sideEffects.effects.0.note`, 'mine');
    const after = edit(({ entries }) => setAt(entries[0]?.sideEffects?.effects[0] ?? {}, 'value', 'low'), odd);
    expect(at(after, `${ENTRY}.sideEffects`)).toEqual({
      effects: [{ type: 'setvar', variable: 'tide', value: 'low', scope: 'local', note: 'mine' }],
      onlyOnFirstTrigger: true,
      clearOnDeactivate: false,
    });
  });
});

describe('files', () => {
  test('a fresh book makes up no settings and no date', () => {
    expect(fresh(rolecallLorebook, { ...emptyLorebook(), name: 'New' })).toEqual({
      schemaVersion: '1.0.0',
      exportDate: '1970-01-01T00:00:00.000Z',
      lorebook: {
        name: 'New',
        description: null,
        settings: {},
        metadata: { genre: null, fandom: null, tags: [] },
        entries: [],
      },
    });
  });

  test('a version that only contains 1.0.0 is read with a warning', async () => {
    const odd = withValue(harbour, 'schemaVersion', 'rc-1.0.0-beta');
    const { warnings, format } = await engine.read(encode(odd));
    expect(format).toBe('rolecall-lorebook');
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'rolecall.version', path: 'schemaVersion' }));
    expect(await engine.detect(encode(withValue(harbour, 'schemaVersion', '2.0')))).toBeUndefined();
  });

  test('a position that is not known stays where it is', () => {
    const odd = withValue(harbour, `${ENTRY}.injection.position`, 'above_moon');
    expect(open(odd).body.entries[0]?.position).toBe('character');
    expect(left(rolecallLorebook, odd)).toContain('lorebook.entries[0].injection.position');
    expect(edit(({ entries }) => setAt(entries[0] ?? {}, 'depth', 2), odd)).toEqual(
      withValue(odd, `${ENTRY}.injection.depth`, 2),
    );
  });

  test('places of other apps become the nearest one, and the report says so', async () => {
    const body = emptyLorebook();
    for (const [index, position] of (['author_note_top', 'author_note_bottom', 'outlet', 'world'] as const).entries())
      body.entries.push({ ...emptyEntry(String(index)), content: position, position });
    const { report, files } = await engine.write([{ schemaVersion: '1', kind: 'lorebook', id: 'b', body }], 'rolecall');
    const rows = at(parse(files[0]?.bytes ?? new Uint8Array()), 'lorebook.entries') as Wire[];
    expect(rows.map((row) => at(row, 'injection.position'))).toEqual(['depth', 'depth', 'character', 'world']);
    expect(report.losses.map(({ path }) => path)).toEqual([0, 1, 2].map((index) => `entries[${index}].position`));
  });
});

describe('conversions', () => {
  test('world info to RoleCall and back: every difference is reported', async () => {
    const world = {
      name: 'W',
      entries: {
        '0': {
          uid: 0,
          key: ['a', '/b+/i'],
          keysecondary: ['c'],
          comment: 'T',
          content: 'C',
          order: 50,
          position: 4,
          depth: 2,
          role: 1,
          selective: true,
          selectiveLogic: 3,
          disable: true,
          probability: 40,
          useProbability: true,
          vectorized: true,
          outletName: 'o',
          triggers: ['swipe'],
          matchCreatorNotes: true,
          delayUntilRecursion: true,
          groupWeight: 30,
          group: 'g',
          characterFilter: { isExclude: true, names: ['N'], tags: [] },
        },
      },
    };
    const there = await engine.convert(encode(world), 'rolecall-lorebook');
    expect(there.report.losses).toEqual([]);
    const back = await engine.convert(there.files[0]?.bytes ?? '', 'sillytavern-lorebook');
    expect(back.report.losses).toEqual([]);
    const [entry] = Object.values(
      at(parse(back.files[0]?.bytes ?? new Uint8Array()), 'entries') as Record<string, Wire>,
    );
    expect(entry).toMatchObject({ ...world.entries['0'], delayUntilRecursion: 1 });
  });

  test('to SillyTavern: chances of keys, categories and book texts are reported', async () => {
    const { report } = await engine.convert(encode(harbour), 'sillytavern-lorebook');
    const paths = report.losses.map(({ path }) => path);
    for (const path of [
      'entries[0].triggers[0].probability',
      'entries[0].triggers[0].frequency',
      'genre',
      'tags',
      'lorebookType',
    ])
      expect(paths).toContain(path);
    expect(report.escrowed.map(({ path }) => path)).toContain('lorebook.tree');
  });
});
