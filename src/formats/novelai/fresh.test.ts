import { describe, expect, test } from 'vitest';
import { encode, parse } from '../../../test/kit/adapter.ts';
import { edited, engine, fresh, freshEntryOf, harbour, read, row, rowsOf, written } from '../../../test/kit/novelai.ts';
import { isUuid } from '../../core/derived-id.ts';
import { isRecord } from '../../core/draft.ts';
import { emptyEntry } from '../../entities/lorebook/schema.ts';

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
    const { original: _, ...fresh } = read(harbour);
    const sealed = written(fresh);
    expect(sealed.container).toMatchObject({ name: 'json', extension: 'lorebook' });
    const text = new TextDecoder().decode(sealed.bytes);
    expect(text).toBe(JSON.stringify(JSON.parse(text), null, 4));
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
