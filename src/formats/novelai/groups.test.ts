/** Groups of biases, and folders. */
import { describe, expect, test } from 'vitest';
import {
  codes,
  edited,
  entryOf,
  fresh,
  freshEntryOf,
  harbour,
  left,
  one,
  read,
  row,
  story,
} from '../../../test/kit/novelai.ts';
import type { Wire } from '../../core/draft.ts';
import { emptyEntry, type LorebookCategory } from '../../entities/lorebook/schema.ts';

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
