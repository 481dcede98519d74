import { describe, expect, test } from 'vitest';
import { parse, withValue } from '../../../test/kit/adapter.ts';
import {
  edited,
  entryOf,
  first,
  harbour,
  left,
  one,
  read,
  row,
  rowsOf,
  scenario,
  story,
  written,
} from '../../../test/kit/novelai.ts';
import { valueAt } from '../../core/draft.ts';
import { get, placeAt, put } from '../../core/lens.ts';
import { emptyLorebook } from '../../entities/lorebook/schema.ts';
import { bookFields } from './fields.ts';

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
    expect(entryOf(harbour, 3)?.categoryId).toBeUndefined();
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
