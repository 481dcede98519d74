/** The contract of a library: every backend passes it. */
import { expect, test } from 'vitest';
import type { ItemSummary, StoredItem } from '../item/model.ts';
import { type Change, LibraryConflict, type LibraryStore } from './store.ts';

/** An item with nothing but what the contract needs. */
export const itemOf = (id: string, more: Partial<ItemSummary> = {}, edits?: StoredItem['edits']): StoredItem => ({
  summary: {
    id,
    revision: 0,
    kind: 'character',
    name: `Card ${id}`,
    tags: [],
    format: 'sillytavern',
    container: 'json',
    counts: {},
    pieces: [],
    cautions: [],
    file: `${id}.json`,
    source: `source-${id}`,
    size: 2,
    blobs: [`source-${id}`],
    edited: edits !== undefined,
    addedAt: 1,
    changedAt: 1,
    ...more,
  },
  ...(edits ? { edits } : {}),
});

const sourceBlob = (id: string, text = '{}') => ({ [`source-${id}`]: new Blob([text]) });
const EDITS = { entities: [{ kind: 'character', id: 'mira', from: 0 }] } as NonNullable<StoredItem['edits']>;

/** Runs the contract. `open` gives an empty library; `again` opens the same one as another tab would. */
export function libraryContract(open: () => Promise<{ store: LibraryStore; again(): Promise<LibraryStore> }>): void {
  test('what is put is listed, got and found, and its blob comes back', async () => {
    const { store } = await open();
    const summary = await store.put({ item: itemOf('a'), text: 'harbour 灯台', blobs: sourceBlob('a', '{"a":1}') });
    expect(summary.revision).toBe(1);
    expect(await store.list()).toEqual([summary]);
    expect((await store.get('a'))?.summary).toEqual(summary);
    expect(await store.search(['灯台', 'harb'])).toEqual(['a']);
    expect(await store.search(['harbour', 'absent'])).toEqual([]);
    expect(await (await store.blob('source-a'))?.text()).toBe('{"a":1}');
    expect(await store.get('b')).toBeUndefined();
    expect(await store.blob('none')).toBeUndefined();
  });

  test('a save over an old revision is refused and changes nothing', async () => {
    const { store, again } = await open();
    await store.put({ item: itemOf('a'), blobs: sourceBlob('a') });
    const other = await again();
    await other.put({ item: itemOf('a', { name: 'theirs' }, EDITS), over: 1 });
    const late = store.put({ item: itemOf('a', { name: 'mine' }), blobs: { extra: new Blob(['x']) }, over: 1 });
    await expect(late).rejects.toMatchObject({ name: LibraryConflict });
    expect((await store.get('a'))?.summary).toMatchObject({ name: 'theirs', revision: 2 });
    expect((await store.get('a'))?.edits).toEqual(EDITS);
    expect(await store.blob('extra')).toBeUndefined();
    await expect(store.put({ item: itemOf('a') })).rejects.toMatchObject({ name: LibraryConflict });
  });

  test('a draft survives a reload, and a save ends it', async () => {
    const { store, again } = await open();
    await store.put({ item: itemOf('a'), blobs: sourceBlob('a') });
    await store.putDraft('a', EDITS, { picture: new Blob(['p']) });
    const other = await again();
    expect(await other.draft('a')).toEqual(EDITS);
    expect(await other.drafts()).toEqual(['a']);
    expect(await (await other.blob('picture'))?.text()).toBe('p');
    await other.put({ item: itemOf('a', {}, EDITS), over: 1 });
    expect(await store.draft('a')).toBeUndefined();
    await store.putDraft('a', EDITS);
    await store.putDraft('a', undefined);
    expect(await store.drafts()).toEqual([]);
  });

  test('removed items come back until they are swept', async () => {
    const { store } = await open();
    for (const id of ['a', 'b']) await store.put({ item: itemOf(id), text: 'same', blobs: sourceBlob(id) });
    await store.remove(['a', 'b']);
    expect(await store.list()).toEqual([]);
    expect(await store.search(['same'])).toEqual([]);
    await store.sweep(0);
    await store.restore(['a']);
    expect((await store.list()).map(({ id }) => id)).toEqual(['a']);
    await store.sweep(Number.MAX_SAFE_INTEGER);
    expect((await store.list()).map(({ id }) => id)).toEqual(['a']);
    expect(await (await store.blob('source-a'))?.text()).toBe('{}');
    expect(await store.get('b')).toBeUndefined();
    expect(await store.blob('source-b')).toBeUndefined();
  });

  test('a sweep keeps the blobs of drafts', async () => {
    const { store } = await open();
    await store.put({ item: itemOf('a'), blobs: sourceBlob('a') });
    const token = { $media: 'blob:new', size: 1 };
    const body = { media: { portrait: { role: 'portrait', ref: token } } };
    await store.putDraft('a', { entities: [{ ...EDITS.entities[0], body }] } as never, { new: new Blob(['p']) });
    await store.sweep(Number.MAX_SAFE_INTEGER);
    expect(await (await store.blob('new'))?.text()).toBe('p');
  });

  test('other tabs hear of every change', async () => {
    const { store, again } = await open();
    const other = await again();
    const heard: Change[] = [];
    const end = other.watch((change) => heard.push(change));
    await store.put({ item: itemOf('a'), blobs: sourceBlob('a') });
    await store.remove(['a']);
    await store.restore(['a']);
    await expect.poll(() => heard.length).toBeGreaterThanOrEqual(3);
    expect(heard.map(({ put, removed }) => [put.map(({ id }) => id), removed])).toEqual([
      [['a'], []],
      [[], ['a']],
      [['a'], []],
    ]);
    end();
  });
}
