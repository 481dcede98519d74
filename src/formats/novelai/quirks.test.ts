import { describe, expect, test } from 'vitest';
import { encode, parse } from '../../../test/kit/adapter.ts';
import {
  codes,
  edited,
  engine,
  entryOf,
  first,
  freshEntryOf,
  harbour,
  left,
  one,
  read,
  row,
  written,
} from '../../../test/kit/novelai.ts';
import { valueAt } from '../../core/draft.ts';
import { sourceOf } from '../../core/source.ts';
import { novelaiLorebook } from './lorebook.ts';

describe('quirks', () => {
  test('a book has no name: the file gives the id', () => {
    const [entity] = novelaiLorebook.toCanonical(sourceOf(encode(harbour), 'Old Harbour.lorebook'));
    expect(entity).toMatchObject({ id: 'old-harbour', body: { name: '' } });
  });
  test('searchRange counts characters: it is never a scan depth, and a warning says so', async () => {
    expect(entryOf(harbour, 1)?.scanDepth).toBeUndefined();
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
