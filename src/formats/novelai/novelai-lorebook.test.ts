import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isUuid } from '../../core/derived-id.ts';
import { isRecord, keysOf, openDraft, valueAt, type Wire } from '../../core/draft.ts';
import { get, placeAt, put } from '../../core/lens.ts';
import { sourceOf } from '../../core/source.ts';
import { createEngine } from '../../engine.ts';
import type { AnyAdapter, EntityOf } from '../../entities/kinds.ts';
import {
  emptyEntry,
  emptyLorebook,
  type LorebookBody,
  type LorebookCategory,
  type LorebookEntry,
} from '../../entities/lorebook/schema.ts';
import agnai from '../agnai/index.ts';
import sillytavern from '../sillytavern/index.ts';
import { bookFields } from './fields.ts';
import novelai from './index.ts';
import { novelaiLorebook } from './lorebook.ts';

const SAMPLES = new URL('../../../samples/novelai/', import.meta.url);
const engine = createEngine([...novelai, ...sillytavern, ...agnai] as AnyAdapter[]);

const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const parse = (bytes: Uint8Array): Wire => JSON.parse(new TextDecoder().decode(bytes));
const sample = (what: string) => new Uint8Array(readFileSync(new URL(`novelai-lorebook.${what}`, SAMPLES)));
const harbour = parse(sample('harbour.lorebook'));
const first = parse(sample('first.lorebook'));
const scenario = parse(sample('ferry.scenario'));
const story = parse(sample('crossing.story'));

const read = (value: unknown): EntityOf<'lorebook'> => novelaiLorebook.toCanonical(sourceOf(encode(value)))[0]!;
const written = (entity: EntityOf<'lorebook'>) => novelaiLorebook.fromCanonical([entity], {});
const edited = (value: unknown, edit: (body: LorebookBody) => void): Wire => {
  const entity = read(value);
  const body = structuredClone(entity.body);
  edit(body);
  return parse(written({ ...entity, body }).bytes);
};
const fresh = (edit: (body: LorebookBody) => void): Wire => {
  const body = emptyLorebook();
  edit(body);
  return parse(written({ schemaVersion: '1', kind: 'lorebook', id: 'x', body }).bytes);
};
const freshEntryOf = (edit: (entry: LorebookEntry) => void): Wire => {
  const entry = emptyEntry('0');
  edit(entry);
  const wire = fresh((body) => {
    body.entries = [entry];
  });
  return row(wire, 0);
};
const rowsOf = (wire: unknown, home = 'entries') => valueAt(wire, keysOf(home)) as Wire[];
const row = (wire: unknown, index: number, home?: string): Wire => rowsOf(wire, home)[index]!;
const withValue = (wire: Wire, path: string, value: unknown): Wire => {
  const draft = openDraft(wire);
  if (value === undefined) draft.delete(keysOf(path));
  else draft.set(keysOf(path), value);
  return draft.wire;
};
/** A book of one entry with these keys. */
const one = (entry: Wire, more: Wire = {}): Wire => ({ lorebookVersion: 6, entries: [entry], ...more });
const left = (value: unknown) => novelaiLorebook.account(read(value)).left.map(({ path }) => path);
const codes = (value: unknown) => (novelaiLorebook.account(read(value)).warnings ?? []).map(({ code }) => code);
const entryOf = (value: unknown, index = 0): LorebookEntry => read(value).body.entries[index]!;

describe('detection', () => {
  const score = (value: unknown) => novelaiLorebook.detect(sourceOf(encode(value)));

  test.each([1, 2, 3, 4, 5, 6, 7])('version %i is certain', (lorebookVersion) => {
    expect(score({ lorebookVersion, entries: [] })).toBe(1);
  });
  test('a version without entries, or with a keyed object of them, is nobody’s', () => {
    expect(score({ lorebookVersion: 3 })).toBe(0);
    expect(score({ lorebookVersion: 3, entries: {} })).toBe(0);
    expect(score({ lorebookVersion: '3', entries: [] })).toBe(0);
  });
  test.each(['contextConfig', 'searchRange', 'forceActivation'])(
    'without a version, text and keys beside %s tell',
    (key) => {
      expect(score({ entries: [{ text: 'a', keys: ['b'], [key]: 1 }] })).toBe(0.95);
    },
  );
  test('without a version, text and keys alone do not tell', () => {
    expect(score({ entries: [{ text: 'a', keys: ['b'] }] })).toBe(0);
    expect(score({ entries: [{ content: 'a', keys: ['b'], searchRange: 1 }] })).toBe(0);
    expect(score({ entries: [] })).toBe(0);
  });
  test('a scenario and a story count by the book they hold', () => {
    expect(score(scenario)).toBe(0.8);
    expect(score(story)).toBe(0.8);
    expect(score(withValue(scenario, 'lorebook', undefined))).toBe(0);
    expect(score(withValue(story, 'content.lorebook', undefined))).toBe(0);
    expect(score(withValue(scenario, 'scenarioVersion', undefined))).toBe(0);
  });
  test.each<readonly [string, unknown]>([
    ['a world info', { entries: { 0: { uid: 0, key: ['a'], content: 'b' } } }],
    ['a card book', { entries: [{ keys: ['a'], content: 'b', insertion_order: 1 }] }],
    ['an Agnai book', { kind: 'memory', entries: [{ entry: 'a', keywords: [] }] }],
    ['a RisuAI envelope', { type: 'risu', ver: 1, data: [] }],
    ['a marked envelope', { type: 'x', lorebookVersion: 1, entries: [] }],
    ['a card', { spec: 'chara_card_v2', data: { name: 'x' } }],
    ['the native wrapper', { schemaVersion: '1', kind: 'lorebook', body: { entries: [] } }],
    ['a NovelAI preset', { presetVersion: 3, name: 'x', parameters: { temperature: 1 }, model: 'y' }],
    ['a list', [{ text: 'a', keys: [], searchRange: 1 }]],
    ['nothing', null],
  ])('%s is refused', (_, value) => {
    expect(score(value)).toBe(0);
  });
  test('every sample is ours, and neighbours stay with their own adapter', async () => {
    for (const what of ['harbour.lorebook', 'first.lorebook', 'lantern.png', 'ferry.scenario', 'crossing.story']) {
      expect((await engine.detect(sample(what)))?.format, what).toBe('novelai-lorebook');
    }
    const book = encode({ name: 'x', entries: [{ keys: ['a'], content: 'b', insertion_order: 1 }] });
    expect((await engine.detect(book))?.format).toBe('sillytavern-lorebook');
    const versionless = await engine.detect(encode({ entries: [{ text: 'a', keys: ['b'], searchRange: 9 }] }));
    expect(versionless).toMatchObject({ format: 'novelai-lorebook', score: 0.95 });
  });
});

describe('fields', () => {
  test('every slot of an entry', () => {
    expect(entryOf(harbour)).toMatchObject({
      title: 'Gulls',
      content: "Gulls took Bram's hat in 1902.",
      enabled: true,
      constant: false,
      sortOrder: 800,
      position: 'character',
      keyRelative: true,
      nonStoryActivatable: false,
      contextConfig: {
        prefix: '[ ',
        suffix: ' ]\n',
        tokenBudget: 1,
        reservedTokens: 0,
        trimDirection: 'trimBottom',
        insertionType: 'newline',
        maximumTrimType: 'sentence',
        insertionPosition: -4,
      },
    });
    expect(entryOf(harbour, 3)).toMatchObject({ constant: true, enabled: false });
    expect(entryOf(harbour, 3)).not.toHaveProperty('categoryId');
  });

  /** A canonical edit of the first entry, and the one wire home that it changes. */
  const EDITS: readonly (readonly [path: string, value: unknown, home: string, wire: unknown])[] = [
    ['title', 'Möwen', 'displayName', 'Möwen'],
    ['content', '海鸥。', 'text', '海鸥。'],
    ['enabled', false, 'enabled', false],
    ['constant', true, 'forceActivation', true],
    ['triggers', [{ keyword: 'c?a', isRegex: true, flags: 'iu' }], 'keys', ['/c?a/iu']],
    ['sortOrder', 5, 'contextConfig.budgetPriority', 5],
    ['contextConfig.prefix', '<', 'contextConfig.prefix', '<'],
    ['contextConfig.suffix', '>', 'contextConfig.suffix', '>'],
    ['contextConfig.tokenBudget', 0.5, 'contextConfig.tokenBudget', 0.5],
    ['contextConfig.reservedTokens', 10, 'contextConfig.reservedTokens', 10],
    ['contextConfig.trimDirection', 'doNotTrim', 'contextConfig.trimDirection', 'doNotTrim'],
    ['contextConfig.insertionType', 'token', 'contextConfig.insertionType', 'token'],
    ['contextConfig.maximumTrimType', 'token', 'contextConfig.maximumTrimType', 'token'],
    ['contextConfig.insertionPosition', 3, 'contextConfig.insertionPosition', 3],
    ['keyRelative', false, 'keyRelative', false],
    ['nonStoryActivatable', true, 'nonStoryActivatable', true],
    ['categoryId', 'else', 'category', 'else'],
  ];
  test.each(EDITS)('an edit of %s goes to its own home', (path, value, home, wire) => {
    const out = edited(harbour, (body) => placeAt(body.entries[0]!, path.split('.'), value));
    expect(out).toEqual({ ...harbour, entries: [withValue(row(harbour, 0), home, wire), ...rowsOf(harbour).slice(1)] });
    expect(valueAt(entryOf(out), path.split('.'))).toEqual(value);
  });

  /** What clearing a slot leaves on the wire; undefined: the key is gone. */
  const CLEARED: readonly (readonly [path: string, empty: unknown, home: string, wire: unknown])[] = [
    ['title', '', 'displayName', ''],
    ['content', '', 'text', ''],
    ['triggers', [], 'keys', []],
    ['categoryId', undefined, 'category', ''],
    ['keyRelative', undefined, 'keyRelative', undefined],
    ['contextConfig.suffix', undefined, 'contextConfig.suffix', undefined],
    ['contextConfig.insertionPosition', undefined, 'contextConfig.insertionPosition', undefined],
  ];
  test.each(CLEARED)('clearing %s', (path, empty, home, wire) => {
    const out = edited(harbour, (body) => placeAt(body.entries[0]!, path.split('.'), empty));
    expect(out).toEqual({ ...harbour, entries: [withValue(row(harbour, 0), home, wire), ...rowsOf(harbour).slice(1)] });
  });

  test('an unedited file is the twin itself, in every version and host', () => {
    for (const [value, home] of [
      [harbour, undefined],
      [first, undefined],
      [scenario, 'lorebook'],
      [story, 'content.lorebook'],
    ] as const) {
      const fields = bookFields(home);
      expect(put(fields, value, get(fields, value, emptyLorebook()))).toBe(value);
      expect(parse(written(read(value)).bytes)).toEqual(value);
    }
  });
  test('unknown keys of an entry and of contextConfig survive an edit beside them', () => {
    const value = one({
      text: 'a',
      keys: ['b'],
      mystery: [1],
      contextConfig: { budgetPriority: 1, allowInnerInsertion: true },
    });
    const out = edited(value, (body) => {
      body.entries[0]!.content = 'c';
      body.entries[0]!.sortOrder = 2;
    });
    expect(row(out, 0)).toEqual({
      text: 'c',
      keys: ['b'],
      mystery: [1],
      contextConfig: { budgetPriority: 2, allowInnerInsertion: true },
    });
  });
  test('values that cannot be read stay in escrow and are named', () => {
    const value = one({
      text: 'a',
      keys: ['b', 7.5, { x: 1 }],
      enabled: 'perhaps',
      contextConfig: { tokenBudget: 'lots' },
    });
    expect(left(value)).toEqual(['entries[0].keys[2]', 'entries[0].enabled', 'entries[0].contextConfig']);
    const out = edited(value, (body) => {
      body.entries[0]!.content = 'c';
    });
    expect(out).toEqual(withValue(value, 'entries', [{ ...row(value, 0), text: 'c' }]));
  });
});

describe('quirks', () => {
  test('a book has no name: the file gives the id', () => {
    const [entity] = novelaiLorebook.toCanonical(sourceOf(encode(harbour), 'Old Harbour.lorebook'));
    expect(entity).toMatchObject({ id: 'old-harbour', body: { name: '' } });
  });
  test('searchRange counts characters: it is never a scan depth, and a warning says so', async () => {
    expect(entryOf(harbour, 1)).not.toHaveProperty('scanDepth');
    expect(codes(harbour)).toContain('lore.search-range');
    expect(codes(one({ text: 'a', keys: [] }))).toEqual([]);
    const { files, report } = await engine.convert(encode(harbour), 'sillytavern');
    expect(valueAt(parse(files[0]!.bytes), ['entries', '0', 'scanDepth'])).toBeNull();
    expect(report.escrowed).toContainEqual(expect.objectContaining({ path: 'entries[*].searchRange', count: 4 }));
    expect(report.warnings.map(({ code }) => code)).toContain('lore.search-range');
  });
  test('a scan depth in messages has no place and is reported', async () => {
    const world = { entries: { 0: { uid: 0, key: ['a'], comment: 't', content: 'b', scanDepth: 3 } } };
    const { files, report } = await engine.convert(encode(world), 'novelai');
    expect(row(parse(files[0]!.bytes), 0).searchRange).toBe(1000);
    expect(report.losses.map(({ path }) => path)).toContain('entries[0].scanDepth');
  });
  test('budgetPriority is the placement axis: an eviction priority is reported, not copied over', async () => {
    const book = { name: 'x', entries: [{ keys: ['a'], name: 't', content: 'b', insertion_order: 5, priority: 50 }] };
    const { files, report } = await engine.convert(encode(book), 'novelai');
    expect(valueAt(row(parse(files[0]!.bytes), 0), ['contextConfig', 'budgetPriority'])).toBe(5);
    expect(report.losses.map(({ path }) => path)).toContain('entries[0].priority');
    expect(entryOf(harbour)).toMatchObject({ sortOrder: 800, priority: 100 });
  });
  test('a missing budgetPriority means 400 and is not written back', () => {
    const value = one({ text: 'a', keys: [] });
    expect(entryOf(value).sortOrder).toBe(400);
    expect(parse(written(read(value)).bytes)).toEqual(value);
  });
  test('a key between slashes is a regex; what follows are its flags', () => {
    expect(entryOf(harbour).triggers).toEqual([
      { keyword: 'gull', isRegex: false },
      { keyword: 'sea ?birds?', isRegex: true, flags: 'i' },
      { keyword: 'Möwe', isRegex: true },
    ]);
  });
  test('a new regex keeps only the flags that NovelAI knows; an untouched key keeps its spelling', () => {
    const keys = freshEntryOf((entry) => {
      entry.triggers = [
        { keyword: 'a/b', isRegex: true, flags: 'gimsuy' },
        { keyword: 'c', isRegex: true, flags: 'g' },
      ];
    }).keys;
    expect(keys).toEqual(['/a\\/b/imsu', '/c/']);
    const value = one({ text: 'a', keys: ['/x/gi'] });
    const out = edited(value, (body) => body.entries[0]!.triggers.push({ keyword: 'y', isRegex: false }));
    expect(row(out, 0).keys).toEqual(['/x/gi', 'y']);
  });
  test('keys with an ampersand or a dollar sign stay one plain text', () => {
    expect(entryOf(harbour, 1).triggers.at(-1)).toEqual({ keyword: '霧 & 鐘', isRegex: false });
    expect(entryOf(harbour, 2).triggers.at(-1)).toEqual({ keyword: '$place', isRegex: false });
  });
  test('rows without an id meet their twin by place', () => {
    expect(read(first).body.entries.map(({ id }) => id)).toEqual(['0', '1']);
    const out = edited(first, (body) => {
      body.entries[1]!.title = 'Fares';
    });
    expect(out).toEqual({ ...first, entries: [row(first, 0), { ...row(first, 1), displayName: 'Fares' }] });
  });
  test('rows meet their twin by id: another order and a removed row leave the others as they were', () => {
    const out = edited(harbour, (body) => {
      body.entries = [body.entries[2]!, body.entries[0]!];
    });
    expect(out.entries).toEqual([row(harbour, 2), row(harbour, 0)]);
  });
  test('a repeated id still has two rows', () => {
    const value = {
      lorebookVersion: 6,
      entries: [
        { id: 'a', text: '1', keys: [] },
        { id: 'a', text: '2', keys: [] },
      ],
    };
    expect(read(value).body.entries.map(({ id }) => id)).toEqual(['a', 'a-2']);
    const out = edited(value, (body) => {
      body.entries[1]!.content = '3';
    });
    expect(out.entries).toEqual([row(value, 0), { id: 'a', text: '3', keys: [] }]);
  });
  test('conditions, times, the hidden flag and settings ride in the twin and are named', () => {
    expect([...new Set(left(harbour).map((path) => path.replace(/\[\d+\]/g, '[*]')))]).toEqual([
      'entries[*].lastUpdatedAt',
      'entries[*].searchRange',
      'entries[*].hidden',
      'entries[*].advancedConditions',
      'settings',
      'categories[*].createSubcontext',
      'categories[*].subcontextSettings',
      'categories[*].useCategoryDefaults',
      'categories[*].categoryDefaults',
      'categories[*].open',
      'categories[*].order',
      'order',
    ]);
  });
  test('what NovelAI writes into every entry says nothing: only other values are reported', async () => {
    const { report } = await engine.convert(encode(harbour), 'sillytavern');
    const config = report.losses.map(({ path }) => path).filter((path) => path.includes('.contextConfig.'));
    expect(config).toEqual([
      'entries[0].contextConfig.prefix',
      'entries[0].contextConfig.suffix',
      'entries[0].contextConfig.insertionPosition',
      'entries[2].contextConfig.tokenBudget',
      'entries[3].contextConfig.reservedTokens',
    ]);
  });
  test('a newer version is read and a warning says so', () => {
    expect(codes({ lorebookVersion: 7, entries: [] })).toEqual(['lore.newer']);
  });
});

describe('hostile files', () => {
  const ODD: readonly unknown[] = [
    null,
    7,
    'text',
    [],
    {},
    [null, 7, 'x', [[]], { id: {}, keys: {}, contextConfig: [] }],
  ];
  test.each(ODD)('entries and folders that are %j neither throw nor change', (odd) => {
    for (const value of [
      {
        lorebookVersion: 6,
        entries: [{ text: 'a', keys: odd, contextConfig: odd, loreBiasGroups: odd }],
        categories: odd,
      },
      { lorebookVersion: 6, entries: Array.isArray(odd) ? odd : [odd], settings: odd },
    ]) {
      expect(parse(written(read(value)).bytes)).toEqual(value);
      const out = edited(value, (body) => body.entries.push({ ...emptyEntry('new'), title: 'neu' }));
      expect(rowsOf(out).slice(0, value.entries.length)).toEqual(value.entries);
      expect(rowsOf(out).at(-1)).toMatchObject({ displayName: 'neu' });
    }
  });
  test('keys named like inherited ones are data', () => {
    const value = JSON.parse(
      '{"lorebookVersion":6,"__proto__":{"entries":[]},"entries":[{"id":"__proto__","text":"a","keys":["b"],"__proto__":{"text":"c"}}]}',
    );
    const out = edited(value, (body) => {
      body.entries[0]!.title = 'x';
    });
    expect(JSON.stringify(out)).toContain('"__proto__":{"text":"c"}');
    expect(entryOf(value)).toMatchObject({ id: '__proto__', content: 'a' });
  });
});

describe('biases', () => {
  test('both spellings are read, and an edit keeps those there are in step', () => {
    const groups = (entry: Wire) => entry.loreBiasGroups as Wire[];
    expect(entryOf(harbour, 1).loreBiasGroups).toEqual([
      {
        enabled: true,
        bias: 0.25,
        phrases: [{ sequence: ' fog', sequences: [[318, 2401]], type: 0 }],
        whenInactive: false,
        generateOnce: true,
        ensureSequenceFinish: false,
      },
    ]);
    const out = edited(harbour, (body) => {
      body.entries[1]!.loreBiasGroups![0]!.generateOnce = false;
    });
    expect(groups(row(out, 1))).toEqual([{ ...groups(row(harbour, 1))[0], generateOnce: false, generate_once: false }]);
    const older = edited(story, (body) => {
      body.entries[0]!.loreBiasGroups![0]!.generateOnce = false;
    });
    expect(groups(row(older, 0, 'content.lorebook.entries'))[0]).toEqual({
      phrases: [],
      ensureSequenceFinish: false,
      generateOnce: false,
      bias: 0,
      enabled: true,
      whenInactive: false,
    });
  });
  test('a new group says its two double-named flags in both spellings', () => {
    const wire = freshEntryOf((entry) => {
      entry.loreBiasGroups = [
        { enabled: true, bias: -0.1, phrases: [{ sequence: 'x' }], generateOnce: true, ensureSequenceFinish: false },
      ];
    });
    expect(wire.loreBiasGroups).toEqual([
      {
        phrases: [{ sequence: 'x' }],
        ensure_sequence_finish: false,
        ensureSequenceFinish: false,
        generate_once: true,
        generateOnce: true,
        bias: -0.1,
        enabled: true,
      },
    ]);
  });
  test('what a phrase or group says beyond the model survives and is named', () => {
    const value = one({
      text: 'a',
      keys: [],
      loreBiasGroups: [{ bias: 1, enabled: true, phrases: [{ sequence: 'x', odd: 1 }, 'bare'], extra: 2 }],
    });
    expect(left(value)).toEqual([
      'entries[0].loreBiasGroups[0].phrases[0].odd',
      'entries[0].loreBiasGroups[0].phrases[1]',
      'entries[0].loreBiasGroups[0].extra',
    ]);
    const out = edited(value, (body) => {
      body.entries[0]!.loreBiasGroups![0]!.bias = 2;
    });
    expect(row(out, 0).loreBiasGroups).toEqual([
      { bias: 2, enabled: true, phrases: [{ sequence: 'x', odd: 1 }, 'bare'], extra: 2 },
    ]);
  });
});

describe('folders', () => {
  const folders = (wire: Wire) => wire.categories as Wire[];
  const change = (edit: (categories: LorebookCategory[]) => LorebookCategory[] | undefined) =>
    edited(harbour, (body) => {
      const next = edit(body.categories ?? []);
      if (next) body.categories = next;
      else delete body.categories;
    });

  test('a folder is its id, name and switch; its order is its place', () => {
    const { categories, entries } = read(harbour).body;
    expect(categories).toEqual([
      { id: folders(harbour)[0]!.id, name: 'Harbour', enabled: true, sortOrder: 0 },
      { id: folders(harbour)[1]!.id, name: 'Закрыто', enabled: false, sortOrder: 1 },
    ]);
    expect(entries[0]!.categoryId).toBe(categories![0]!.id);
  });
  test('a rename and a switch touch the folder alone', () => {
    const out = change(([a, b]) => [
      { ...a!, name: 'Quay' },
      { ...b!, enabled: true },
    ]);
    expect(out).toEqual({
      ...harbour,
      categories: [
        { ...folders(harbour)[0], name: 'Quay' },
        { ...folders(harbour)[1], enabled: true },
      ],
    });
  });
  test('a new order moves the folders, whatever order the list has', () => {
    const out = change(([a, b]) => [{ ...a!, sortOrder: 9 }, b!]);
    expect(out.categories).toEqual([...folders(harbour)].reverse());
  });
  test.each([
    ['emptied', []],
    ['taken away', undefined],
  ] as const)('a list that is %s leaves an empty one', (_, next) => {
    expect(change(() => next as never)).toEqual({ ...harbour, categories: [] });
  });
  test('a new folder has every key, and entries find it', () => {
    const out = change((all) => [...all, { id: 'c3', name: 'Neu', sortOrder: 2 }]);
    expect(folders(out).slice(0, 2)).toEqual(folders(harbour));
    expect(folders(out)[2]).toMatchObject({
      id: 'c3',
      name: 'Neu',
      enabled: true,
      createSubcontext: false,
      categoryBiasGroups: [],
    });
    const wire = fresh((body) => {
      body.categories = [{ id: 'c3', name: 'Neu', sortOrder: 0 }];
      body.entries = [{ ...emptyEntry('0'), categoryId: 'c3' }];
    });
    expect(row(wire, 0).category).toBe(folders(wire)[0]!.id);
  });
  test('a folder that is off silences its entries: a warning says so', () => {
    expect(codes(harbour)).toContain('lore.category-off');
    expect(codes(change(([a, b]) => [a!, { ...b!, enabled: true }]))).not.toContain('lore.category-off');
  });
});

describe('fresh files', () => {
  test('a fresh book is version 6 with every key', () => {
    const wire = fresh((body) => {
      body.name = 'Harbour';
      body.entries = [
        {
          ...emptyEntry('7'),
          title: 'Gulls',
          content: 'They took the hat.',
          sortOrder: 10,
          triggers: [{ keyword: 'gull', isRegex: false }],
        },
      ];
    });
    const { id, ...entry } = row(wire, 0);
    expect({ ...wire, entries: [entry] }).toEqual({
      lorebookVersion: 6,
      entries: [
        {
          text: 'They took the hat.',
          displayName: 'Gulls',
          keys: ['gull'],
          searchRange: 1000,
          enabled: true,
          forceActivation: false,
          keyRelative: false,
          nonStoryActivatable: false,
          category: '',
          lastUpdatedAt: 0,
          loreBiasGroups: [],
          advancedConditions: [],
          hidden: false,
          contextConfig: {
            prefix: '',
            suffix: '\n',
            tokenBudget: 1,
            reservedTokens: 0,
            budgetPriority: 10,
            trimDirection: 'trimBottom',
            insertionType: 'newline',
            maximumTrimType: 'sentence',
            insertionPosition: -1,
          },
        },
      ],
      settings: { orderByKeyLocations: false },
      categories: [],
      order: [],
    });
    expect(isUuid(String(id))).toBe(true);
  });
  test('an empty suffix is said, for the usual one is a line break', () => {
    const wire = freshEntryOf((entry) => {
      entry.contextConfig = { suffix: '' };
    });
    expect(wire.contextConfig).toMatchObject({ prefix: '', suffix: '', tokenBudget: 1 });
  });
  test('an id that is no UUID is derived: the same input gives the same file, no two entries share one', () => {
    const make = () =>
      fresh((body) => {
        body.entries = ['0', '1', '1b'].map((id) => ({ ...emptyEntry(id), title: 'x' }));
        body.entries.push({ ...emptyEntry('0D5B8B1E-0000-4000-8000-000000000001'), title: 'x' });
      });
    expect(make()).toEqual(make());
    const ids = rowsOf(make()).map(({ id }) => String(id));
    expect(new Set(ids).size).toBe(4);
    expect(ids.every(isUuid)).toBe(true);
    expect(ids[3]).toBe('0D5B8B1E-0000-4000-8000-000000000001');
  });
  test('a new entry in a file keeps clear of the ids there are', () => {
    const id = String(row(harbour, 0).id);
    const out = edited(harbour, (body) => {
      body.entries.push({ ...body.entries[0]!, title: 'twice' }, { ...emptyEntry('new'), title: 'neu' });
    });
    const ids = rowsOf(out).map((one) => String(one.id));
    expect(ids.slice(0, 4)).toEqual(rowsOf(harbour).map((one) => one.id));
    expect(new Set(ids).size).toBe(6);
    expect(ids.slice(4).every((one) => isUuid(one) && one !== id)).toBe(true);
  });
  test('the file is called .lorebook and indented by four', () => {
    const sealed = written(read(harbour));
    expect(sealed.container).toMatchObject({ name: 'json', extension: 'lorebook' });
    expect(new TextDecoder().decode(sealed.bytes)).toBe(JSON.stringify(harbour, null, 4));
  });
});

describe('books inside scenarios and stories', () => {
  const HOSTS = [
    ['scenario', scenario, 'lorebook'],
    ['story', story, 'content.lorebook'],
  ] as const;

  test.each(HOSTS)('a %s gives its book and nothing else', (dialect, host, home) => {
    const entity = read(host);
    expect(entity.body).toEqual(read(valueAt(host, keysOf(home))).body);
    expect(entity.original?.['novelai-lorebook']?.unmapped).toEqual({ dialect });
  });
  test.each(HOSTS)('an edit changes only the book of a %s, and the file keeps its kind', (dialect, host, home) => {
    const entity = read(host);
    const body = structuredClone(entity.body);
    body.entries[0]!.content = 'edited';
    const sealed = written({ ...entity, body });
    expect(sealed.container.extension).toBe(dialect);
    expect(parse(sealed.bytes)).toEqual(
      withValue(host, `${home}.entries`, [
        { ...row(host, 0, `${home}.entries`), text: 'edited' },
        ...rowsOf(host, `${home}.entries`).slice(1),
      ]),
    );
  });
  test('the rest of a story is escrow, named by its topmost keys', () => {
    const paths = left(story);
    expect(paths).toContain('metadata');
    expect(paths).toContain('content.story');
    expect(paths).toContain('content.lorebook.entries[0].searchRange');
    expect(paths.some((path) => path.startsWith('content.lorebook.entries[0].text'))).toBe(false);
  });
  test('placeholders of a scenario are never expanded', () => {
    const value = withValue(scenario, 'lorebook.entries', [{ text: 'Hi \x24{name}, %{x}', keys: ['$name'] }]);
    expect(entryOf(value)).toMatchObject({ content: 'Hi \x24{name}, %{x}' });
  });
});

describe('conversions', () => {
  test('to a world info and back: what crosses, crosses; what does not is in the report', async () => {
    const there = await engine.convert(encode(harbour), 'sillytavern');
    expect(new Set(there.report.losses.map(({ path }) => path.replace(/\[\d+\]/g, '[*]')))).toEqual(
      new Set([
        'entries[*].keyRelative',
        'entries[*].nonStoryActivatable',
        'entries[*].categoryId',
        'entries[*].contextConfig.prefix',
        'entries[*].contextConfig.suffix',
        'entries[*].contextConfig.insertionPosition',
        'entries[*].contextConfig.tokenBudget',
        'entries[*].contextConfig.reservedTokens',
        'entries[*].loreBiasGroups[*]',
        'categories[*]',
      ]),
    );
    const back = await engine.convert(there.files[0]!.bytes, 'novelai');
    const kept = (value: unknown) =>
      rowsOf(value).map(({ text, displayName, keys, enabled, forceActivation, contextConfig }) => ({
        text,
        displayName,
        keys,
        enabled,
        forceActivation,
        priority: isRecord(contextConfig) && contextConfig.budgetPriority,
      }));
    expect(kept(parse(back.files[0]!.bytes))).toEqual(kept(harbour));
    expect(back.report.warnings.filter(({ code }) => code === 'read-back.added')).toEqual([]);
  });
  test('from a world info: secondary keys, places, chances and groups are reported', async () => {
    const world = {
      name: 'W',
      entries: {
        0: {
          uid: 0,
          key: ['a'],
          keysecondary: ['b'],
          selectiveLogic: 3,
          comment: 't',
          content: 'c',
          order: 7,
          position: 4,
          depth: 2,
          role: 1,
          probability: 40,
          useProbability: true,
          sticky: 3,
          group: 'g',
          excludeRecursion: true,
          caseSensitive: true,
        },
      },
    };
    const { report } = await engine.convert(encode(world), 'novelai');
    expect(report.losses.map(({ path }) => path).sort()).toEqual(
      [
        'name',
        'entries[0].secondaryTriggers[0]',
        'entries[0].selectiveLogic',
        'entries[0].caseSensitive',
        'entries[0].position',
        'entries[0].depth',
        'entries[0].role',
        'entries[0].sticky',
        'entries[0].groupName',
        'entries[0].probability',
        'entries[0].excludeRecursion',
      ].sort(),
    );
  });
});
