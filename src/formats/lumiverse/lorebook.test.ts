import { describe, expect, test } from 'vitest';
import { differences, left, parse, setAt, source, withValue } from '../../../test/kit/adapter.ts';
import { engine, sampleBytes, sampleJson } from '../../../test/kit/lumiverse.ts';
import type { Wire } from '../../core/draft.ts';
import { get, put } from '../../core/lens.ts';
import type { EntityOf } from '../../entities/kinds.ts';
import { emptyEntry, emptyLorebook, type LorebookBody, type LorebookEntry } from '../../entities/lorebook/schema.ts';
import { freshWorldBook, lumiverseLorebook, worldBookFields } from './lorebook.ts';

const FILE = 'lumiverse-lorebook.harbour.json';
const harbour = sampleJson(FILE);
const bodyOf = (wire: Wire): LorebookBody => get(worldBookFields, wire, emptyLorebook());
const entryOf = (row: Wire): LorebookEntry => bodyOf({ entries: [{ uid: 'x', ...row }] }).entries[0] as LorebookEntry;
const edited = (wire: Wire, edit: (body: LorebookBody) => void): Wire => {
  const body = structuredClone(bodyOf(wire));
  edit(body);
  return put(worldBookFields, wire, body);
};
const editedEntry = (row: Wire, edit: (entry: LorebookEntry) => void): Wire => {
  const wire = edited({ entries: [{ uid: 'x', ...row }] }, (body) => edit(body.entries[0] as LorebookEntry));
  return (wire.entries as Wire[])[0] as Wire;
};
const freshEntry = (entry: Partial<LorebookEntry>): Wire =>
  (freshWorldBook({ name: '', entries: [{ ...emptyEntry('7'), ...entry }] }).entries as Wire[])[0] as Wire;

/** Wire key, wire value, slot, canonical value. */
const FIELDS: readonly (readonly [string, unknown, keyof LorebookEntry, unknown])[] = [
  ['comment', 'Gulls', 'title', 'Gulls'],
  ['content', 'นก', 'content', 'นก'],
  ['disabled', true, 'enabled', false],
  ['constant', true, 'constant', true],
  ['selective', true, 'selective', true],
  [
    'key',
    ['gull', 'फ'],
    'triggers',
    [
      { keyword: 'gull', isRegex: false },
      { keyword: 'फ', isRegex: false },
    ],
  ],
  ['keysecondary', ['hat'], 'secondaryTriggers', [{ keyword: 'hat', isRegex: false }]],
  ['case_sensitive', true, 'caseSensitive', true],
  ['match_whole_words', true, 'matchWholeWords', true],
  ['scan_depth', 6, 'scanDepth', 6],
  ['outlet_name', 'pier', 'outletName', 'pier'],
  ['depth', 2, 'depth', 2],
  ['role', 'assistant', 'role', 'assistant'],
  ['order_value', 7, 'sortOrder', 7],
  ['priority', 40, 'priority', 40],
  ['sticky', 1, 'sticky', 1],
  ['cooldown', 2, 'cooldown', 2],
  ['delay', 3, 'delay', 3],
  ['group_name', 'birds', 'groupName', 'birds'],
  ['group_weight', 40, 'groupWeight', 40],
  ['group_override', true, 'groupOverride', true],
  ['probability', 60, 'probability', 60],
  ['exclude_recursion', true, 'excludeRecursion', true],
  ['prevent_recursion', true, 'preventRecursion', true],
  ['delay_until_recursion', true, 'delayUntilRecursion', 1],
  ['vectorized', true, 'vectorized', true],
  ['automation_id', 'bell', 'automationId', 'bell'],
];

describe('the field map', () => {
  test.each(FIELDS)('%s', (key, raw, slot, value) => {
    expect(entryOf({ [key]: raw })[slot]).toEqual(value);
    expect(freshEntry({ [slot]: value })[key]).toEqual(raw);
  });
  test.each([
    [0, 'world'],
    [1, 'character'],
    [2, 'author_note_top'],
    [3, 'author_note_bottom'],
    [4, 'depth'],
    [5, 'before_example'],
    [6, 'after_example'],
    [8, 'outlet'],
  ] as const)('position %i is %s', (raw, position) => {
    expect(entryOf({ position: raw }).position).toBe(position);
    expect(freshEntry({ position }).position).toBe(raw);
  });
  test.each([
    [0, 'and_all'],
    [1, 'not_any'],
    [2, 'and_any'],
    [3, 'not_all'],
  ] as const)('selective_logic %i is %s', (raw, selectiveLogic) => {
    expect(entryOf({ keysecondary: ['a'], selective_logic: raw }).selectiveLogic).toBe(selectiveLogic);
    const secondaryTriggers = [{ keyword: 'a', isRegex: false }];
    expect(freshEntry({ secondaryTriggers, selectiveLogic }).selective_logic).toBe(raw);
  });
  test('name and description', () => {
    const { name, description } = bodyOf(harbour);
    expect([name, description]).toEqual(['The Harbour ท่าเรือ', 'What the gulls know.']);
  });
});

describe('writing', () => {
  test('unedited, the file is the twin itself', () => {
    expect(put(worldBookFields, harbour, bodyOf(harbour))).toBe(harbour);
    const [book] = lumiverseLorebook.toCanonical(source(sampleBytes(FILE)));
    expect(parse(lumiverseLorebook.fromCanonical([book as EntityOf<'lorebook'>], {}).bytes)).toEqual(harbour);
  });
  test.each<readonly [string, (entry: LorebookEntry) => void, readonly string[]]>([
    [
      'a title',
      (e) => {
        e.title = 'Guls';
      },
      ['entries.0.comment'],
    ],
    ['a key', (e) => void e.triggers.push({ keyword: '🐦', isRegex: false }), ['entries.0.key.2']],
    [
      'a position',
      (e) => {
        e.position = 'character';
      },
      ['entries.0.position'],
    ],
    [
      'a chance',
      (e) => {
        e.probability = 10;
      },
      ['entries.0.probability'],
    ],
    [
      'a logic',
      (e) => {
        e.selectiveLogic = 'not_all';
      },
      ['entries.0.selective_logic'],
    ],
    [
      'a group',
      (e) => {
        e.groupWeight = 1;
      },
      ['entries.0.group_weight'],
    ],
  ])('an edit of %s touches its own key', (_, edit, paths) => {
    expect(
      differences(
        harbour,
        edited(harbour, (body) => edit(body.entries[0] as LorebookEntry)),
      ),
    ).toEqual(paths);
  });
  test('clearing leaves what the app needs', () => {
    const wire = edited(harbour, (body) => {
      for (const slot of ['scanDepth', 'groupName', 'automationId', 'vectorized'])
        setAt(body.entries[0] as object, slot, undefined);
      setAt(body, 'description', undefined);
    });
    const [row] = wire.entries as Wire[];
    expect([row?.scan_depth, row?.group_name, row?.automation_id, wire.description]).toEqual([null, '', null, '']);
    expect(row && 'vectorized' in row).toBe(false);
  });
  test('new entries keep their id where it is free, and get the same made one every time where it is not', () => {
    const add = () =>
      edited(
        harbour,
        (body) => void body.entries.push({ ...emptyEntry('new'), title: 'a' }, { ...emptyEntry(''), title: 'b' }),
      );
    const uids = (add().entries as Wire[]).map(({ uid }) => uid);
    expect(uids.slice(0, 4)).toEqual(['0e5a', '1b2c', '2d3e', 'new']);
    expect(uids[4]).toMatch(/^[0-9a-f-]{36}$/);
    expect((add().entries as Wire[])[4]?.uid).toBe(uids[4]);
  });
});

describe('quirks', () => {
  test('an entry at a marker reads as the nearest plain place and stays at its marker', () => {
    const marker = (side: string) => entryOf({ position: 7, wi_marker: 'scenario', wi_marker_side: side }).position;
    expect([marker('before'), marker('after')]).toEqual(['world', 'character']);
    expect(left(lumiverseLorebook, harbour)).toEqual(
      expect.arrayContaining(['entries[1].position', 'entries[1].wi_marker', 'entries[1].wi_marker_side']),
    );
    expect(
      editedEntry({ position: 7, wi_marker: 'x' }, (e) => {
        e.title = 'y';
      }).position,
    ).toBe(7);
  });
  test('use_regex makes every key a pattern, whatever slashes are in it', () => {
    const { triggers } = entryOf({ use_regex: true, key: ['/a/i', 'b'] });
    expect(triggers).toEqual([
      { keyword: '/a/i', isRegex: true },
      { keyword: 'b', isRegex: true },
    ]);
    expect(entryOf({ use_regex: false, key: ['/a/i'] }).triggers).toEqual([{ keyword: '/a/i', isRegex: false }]);
  });
  test('a literal key beside a regex becomes the pattern that finds it', () => {
    const triggers = [
      { keyword: 'a.b', isRegex: false },
      { keyword: 'c+', isRegex: true, flags: 'i' },
    ];
    expect(freshEntry({ triggers })).toMatchObject({ use_regex: true, key: ['a\\.b', 'c+'] });
  });
  test('0 says nothing where there are no second keys, and is said where there are', () => {
    expect(entryOf({ selective_logic: 0 }).selectiveLogic).toBe('and_any');
    expect(freshEntry({}).selective_logic).toBe(0);
    const row = editedEntry(
      { selective_logic: 0 },
      (e) => void e.secondaryTriggers.push({ keyword: 'a', isRegex: false }),
    );
    expect(row).toMatchObject({ keysecondary: ['a'], selective_logic: 2 });
  });
  test('a chance behind a switch that is off counts as certain, and its number stays', () => {
    expect(entryOf({ probability: 30, use_probability: false }).probability).toBe(100);
    const row = editedEntry({ probability: 30, use_probability: false }, (e) => {
      e.probability = 50;
    });
    expect(row).toMatchObject({ probability: 50, use_probability: true });
  });
  test('priority is 10 where nothing says it', () => {
    expect(entryOf({}).priority).toBe(10);
    expect(freshEntry({}).priority).toBe(100);
  });
  test('entries may be a keyed object, and stay one', () => {
    const wire = { type: 'lumiverse_world_book', entries: { a: { uid: 'q', content: 'x' } } };
    expect(bodyOf(wire).entries[0]?.id).toBe('q');
    const next = edited(wire, (body) => {
      (body.entries[0] as LorebookEntry).content = 'y';
    });
    expect(next.entries).toEqual({ a: { uid: 'q', content: 'y' } });
  });
  test('keys that nobody reads are named and survive', () => {
    expect(left(lumiverseLorebook, harbour)).toEqual(
      expect.arrayContaining(['metadata', 'entries[0].extensions', 'entries[2].folder', 'entries[2].tags']),
    );
    const wire = edited(harbour, (body) => {
      body.name = 'x';
    });
    expect(wire.metadata).toBe(harbour.metadata);
  });
});

describe('conversion', () => {
  test('to SillyTavern and back: every difference is in the reports', async () => {
    const out = await engine.convert(sampleBytes(FILE), 'sillytavern-lorebook');
    const entries = parse(out.files[0]?.bytes).entries as Wire;
    const [gulls, , pier] = Object.values(entries) as Wire[];
    expect(gulls).toMatchObject({ selectiveLogic: 0, position: 4, order: 120, role: 1 });
    expect(pier).toMatchObject({ position: 7, outletName: 'pier' });
    const lost = new Set(out.report.losses.map(({ path }) => path.replace(/\[\d+\]/, '')));
    expect([...lost].sort()).toEqual(['entries.priority']);
    expect(out.report.escrowed.map(({ path }) => path)).toContain('entries[*].wi_marker');
    const back = await engine.convert(out.files[0]?.bytes as Uint8Array, 'lumiverse-lorebook');
    expect((parse(back.files[0]?.bytes).entries as Wire[])[0]).toMatchObject({ selective_logic: 2, position: 4 });
    // SillyTavern numbers the rows of a new file for its editor.
    expect(new Set(back.report.losses.map(({ path }) => path.replace(/\[\d+\]/, '')))).toEqual(
      new Set(['entries.displayIndex']),
    );
  });
  test('what a world book has no place for is reported', async () => {
    const info = {
      entries: {
        0: {
          uid: 0,
          key: ['a'],
          content: 'b',
          matchScenario: true,
          ignoreBudget: true,
          displayIndex: 4,
          delayUntilRecursion: 3,
        },
      },
    };
    const { report } = await engine.convert(JSON.stringify(info), 'lumiverse-lorebook');
    expect(report.losses.map(({ path, kind }) => `${path} ${kind}`).sort()).toEqual([
      'entries[0].delayUntilRecursion changed',
      'entries[0].displayIndex dropped',
      'entries[0].ignoreBudget dropped',
      'entries[0].scanScenario dropped',
    ]);
  });
  test('a book that Lumiverse wrote for SillyTavern keeps Lumiverse’s own numbers', async () => {
    const row = {
      uid: 'f3a0',
      keys: ['a'],
      secondary_keys: ['b'],
      content: 'c',
      enabled: true,
      insertion_order: 1,
      selectiveLogic: 2,
      use_regex: false,
      exclude_recursion: false,
    };
    const read = async (entry: Wire) =>
      (await engine.read(JSON.stringify({ entries: { 0: entry } }))).entities[0]?.body;
    expect(((await read(row)) as LorebookBody).entries[0]?.selectiveLogic).toBe('and_any');
    expect(((await read(withValue(row, 'uid', 4))) as LorebookBody).entries[0]?.selectiveLogic).toBe('not_any');
  });
});
