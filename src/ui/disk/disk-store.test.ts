import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { openFile } from '../item/entities.ts';
import type { StoredItem } from '../item/model.ts';
import { type Change, LibraryConflict } from '../library/store.ts';
import { itemOf, libraryContract } from '../library/testing.ts';
import { type DiskStore, openDiskStore } from './disk-store.ts';
import { sha256 } from './names.ts';
import { MAX_LIBRARY_DEPTH } from './walk.ts';

const SAMPLES = fileURLToPath(new URL('../../../samples/', import.meta.url));
const MIRA = join(SAMPLES, 'sillytavern/sillytavern.mira.png');
const base = mkdtempSync(join(tmpdir(), 'bunzai-library-'));
let count = 0;
const open = new Set<DiskStore>();

const newFolder = () => join(base, String(++count));
async function opened(folder: string): Promise<DiskStore> {
  const store = await openDiskStore(folder);
  open.add(store);
  return store;
}
async function closed(store: DiskStore): Promise<void> {
  open.delete(store);
  await store.close();
}
afterEach(async () => {
  for (const store of open) await closed(store);
  rmSync(base, { recursive: true, force: true });
  mkdirSync(base);
}, 60_000);

libraryContract(async () => {
  const store = await opened(newFolder());
  return { store, again: async () => store };
});

const card = (name: string, more: Record<string, unknown> = {}) =>
  JSON.stringify({ spec: 'chara_card_v2', spec_version: '2.0', data: { name, first_mes: 'You are late.', ...more } });
const imported = (id: string, text: string, more = {}) => {
  const source = sha256(text);
  return {
    item: itemOf(id, { source, blobs: [source], ...more }),
    blobs: { [source]: new Blob([text]) },
    text: text.toLowerCase(),
  };
};
const { base: ADA } = await openFile(Buffer.from(card('Ada')), 'ada.json');
const edited = (name: string): StoredItem['edits'] => ({
  entities: ADA.map((entity) => ({ ...entity, body: { ...entity.body, identity: { name } } as never })),
});
const names = async (store: DiskStore) => (await store.list()).map(({ name }) => name).sort();
const originals = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name !== '.bunzai')
    .sort();

describe('files that nobody imported', () => {
  test('are shown, found by their text, and never changed or deleted', async () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'old/cards'), { recursive: true });
    copyFileSync(MIRA, join(folder, 'old/cards/mira.png'));
    writeFileSync(join(folder, 'りん.json'), card('りん', { description: '灯台守' }));
    writeFileSync(join(folder, 'notes.txt'), 'buy oil');
    writeFileSync(join(folder, 'broken.json'), '{"name":');
    const before = readFileSync(MIRA);
    const store = await opened(folder);
    await store.scan();
    expect(await names(store)).toEqual(['Mira Vale', 'りん']);
    const rin = (await store.list()).find(({ name }) => name === 'りん');
    expect(rin).toMatchObject({
      file: 'りん.json',
      format: 'sillytavern',
      revision: 1,
      edited: false,
      source: sha256(card('りん', { description: '灯台守' })),
    });
    expect(await store.search(['灯台守'])).toEqual([rin?.id]);
    const mira = (await store.list()).find(({ name }) => name === 'Mira Vale');
    expect(mira?.file).toBe('old/cards/mira.png');
    const id = mira?.id ?? '';
    // Edited, saved, removed and swept: the file is what it was.
    const stored = (await store.get(id)) as StoredItem;
    await store.put({
      item: { summary: { ...stored.summary, edited: true }, edits: edited('Mira') as never },
      over: 1,
    });
    expect((await store.get(id))?.edits).toEqual(edited('Mira'));
    await store.remove([id, rin?.id ?? '']);
    await store.sweep(Number.MAX_SAFE_INTEGER);
    await store.scan();
    expect(await store.list()).toEqual([]);
    expect(readFileSync(join(folder, 'old/cards/mira.png')).equals(before)).toBe(true);
    expect(originals(folder)).toEqual(['broken.json', 'notes.txt', 'old', 'りん.json'].sort());
    await closed(store);
    const again = await opened(folder);
    await again.scan();
    expect(await again.list()).toEqual([]);
    await again.restore([id]);
    expect(await names(again)).toEqual(['Mira Vale']);
    expect((await again.get(id))?.edits).toEqual(edited('Mira'));
  });

  test('keep their place when a cover is drawn, and no revision changes', async () => {
    const folder = newFolder();
    mkdirSync(folder);
    copyFileSync(MIRA, join(folder, 'mira.png'));
    writeFileSync(join(folder, 'plain.json'), card('Plain'));
    const store = await opened(folder);
    await store.scan();
    const ids = await store.coverless();
    expect(ids).toHaveLength(2);
    const [first = '', second = ''] = ids;
    const hash = sha256('cover');
    await store.putCover(first, hash, Buffer.from('cover'));
    await store.putCover(second, undefined, new Uint8Array());
    expect(await store.coverless()).toEqual([]);
    expect((await store.get(first))?.summary).toMatchObject({ thumbnail: hash, revision: 1 });
    await store.sweep(Number.MAX_SAFE_INTEGER);
    await closed(store);
    const again = await opened(folder);
    expect(await again.coverless()).toEqual([]);
    expect(await (await again.blob(hash))?.text()).toBe('cover');
  });
});

describe('changes by other programs', () => {
  test('a new, a changed, a moved and a deleted file are noticed without being asked', async () => {
    const folder = newFolder();
    const store = await opened(folder);
    const heard: Change[] = [];
    store.watch((change) => heard.push(change));
    writeFileSync(join(folder, 'a.json'), card('Ada'));
    await expect.poll(() => names(store), { timeout: 5_000 }).toEqual(['Ada']);
    const [ada] = await store.list();
    writeFileSync(join(folder, 'a.json'), card('Ada Vale'));
    await expect.poll(() => names(store), { timeout: 5_000 }).toEqual(['Ada Vale']);
    expect((await store.list())[0]).toMatchObject({ id: ada?.id, revision: 2 });
    mkdirSync(join(folder, 'sub'));
    renameSync(join(folder, 'a.json'), join(folder, 'sub/b.json'));
    await store.scan();
    expect((await store.list())[0]).toMatchObject({ id: ada?.id, name: 'Ada Vale' });
    expect(await (await store.blob((await store.list())[0]?.source ?? ''))?.text()).toBe(card('Ada Vale'));
    unlinkSync(join(folder, 'sub/b.json'));
    await expect.poll(() => store.list(), { timeout: 5_000 }).toEqual([]);
    expect(heard.at(-1)).toEqual({ put: [], removed: [ada?.id] });
  });

  test('an edited item whose file is replaced keeps its edits, and a page with the old file open cannot save over it', async () => {
    const folder = newFolder();
    const store = await opened(folder);
    await store.put(imported('a', card('Ada'), { file: 'ada.json' }));
    await store.put({
      ...imported('a', card('Ada')),
      item: { ...imported('a', card('Ada'), { edited: true }).item, edits: edited('Mine') as never },
      over: 1,
    });
    writeFileSync(join(folder, 'ada.json'), card('Replaced', { description: 'new text' }));
    const { item } = imported('a', card('Ada'));
    await expect(store.put({ item, over: 2 })).rejects.toMatchObject({ name: LibraryConflict });
    await store.scan();
    expect((await store.list())[0]).toMatchObject({
      revision: 3,
      source: sha256(card('Replaced', { description: 'new text' })),
    });
    expect((await store.get('a'))?.edits).toEqual(edited('Mine'));
    await expect(store.put({ item, over: 2 })).rejects.toMatchObject({ name: LibraryConflict });
  });

  test('an edited item whose file is deleted comes back with the file, edits and draft included', async () => {
    const folder = newFolder();
    const store = await opened(folder);
    await store.put({
      ...imported('a', card('Ada'), { file: 'ada.json', edited: true }),
      item: { ...imported('a', card('Ada'), { file: 'ada.json', edited: true }).item, edits: edited('Mine') as never },
    });
    await store.putDraft('a', edited('Draft'));
    unlinkSync(join(folder, 'ada.json'));
    await store.scan();
    expect(await store.list()).toEqual([]);
    await store.sweep(Number.MAX_SAFE_INTEGER);
    writeFileSync(join(folder, 'elsewhere.json'), card('Ada'));
    await store.scan();
    expect((await store.list()).map(({ id }) => id)).toEqual(['a']);
    expect((await store.get('a'))?.edits).toEqual(edited('Mine'));
    expect(await store.draft('a')).toEqual(edited('Draft'));
  });

  test('a swept item leaves a file that was changed since where it is', async () => {
    const folder = newFolder();
    const store = await opened(folder);
    await store.put(imported('a', card('Ada'), { file: 'ada.json' }));
    await store.remove(['a']);
    appendFileSync(join(folder, 'ada.json'), '\n');
    await store.sweep(Number.MAX_SAFE_INTEGER);
    expect(originals(folder)).toEqual(['ada.json']);
  });
});

describe('a folder from a stranger', () => {
  test('nothing is read, written or deleted outside of it', async () => {
    const folder = newFolder();
    const outside = newFolder();
    mkdirSync(outside);
    mkdirSync(join(folder, '.bunzai/items'), { recursive: true });
    mkdirSync(join(folder, '.bunzai/blobs'), { recursive: true });
    writeFileSync(join(outside, 'secret.json'), card('Secret'));
    symlinkSync(join(outside, 'secret.json'), join(folder, 'link.json'));
    symlinkSync(outside, join(folder, 'linked'));
    symlinkSync(join(outside, 'secret.json'), join(folder, '.bunzai/blobs/stolen'));
    const { summary } = imported('evil', card('Secret')).item;
    const evil = { bunzai: 'item', version: 1, mark: '', imported: true, saves: 1, summary };
    for (const [id, path] of [
      ['evil', '../2/secret.json'],
      ['evil-2', 'linked/secret.json'],
      ['evil-3', join(outside, 'secret.json')],
      ['evil-4', 'link.json'],
    ]) {
      writeFileSync(
        join(folder, `.bunzai/items/${id}.json`),
        JSON.stringify({ ...evil, path, summary: { ...summary, id } }),
      );
    }
    writeFileSync(
      join(folder, '.bunzai/index.jsonl'),
      `${JSON.stringify({ ...evil, path: '../2/secret.json' })}\nnot json\n{"__proto__":1}\n`,
    );
    const store = await opened(folder);
    await store.scan();
    expect(await store.list()).toEqual([]);
    expect(await store.blob(summary.source)).toBeUndefined();
    expect(await store.blob('stolen')).toBeUndefined();
    await store.remove(['evil', 'evil-2', 'evil-3', 'evil-4']);
    await store.sweep(Number.MAX_SAFE_INTEGER);
    expect(readdirSync(outside)).toEqual(['secret.json']);
    expect(await store.put(imported('b', card('B'), { file: '../../2/evil.json' }))).toMatchObject({ revision: 1 });
    for (const [file, name] of [
      ['link.json', 'link (2).json'],
      ['C:\\con.json', '_con.json'],
      ['.bunzai/lock', 'lock'],
      ['/etc/passwd', 'passwd'],
      ['.bunzai', 'unnamed.bunzai'],
    ]) {
      const id = `n-${sha256(file as string).slice(0, 9)}`;
      await store.put(imported(id, card(id), { file }));
      expect(originals(folder)).toContain(name);
    }
    expect(readFileSync(join(outside, 'secret.json'), 'utf8')).toBe(card('Secret'));
    expect(readdirSync(outside)).toEqual(['secret.json']);
  });

  test('a part of the library that is a link elsewhere is refused', async () => {
    const folder = newFolder();
    mkdirSync(join(folder, '.bunzai'), { recursive: true });
    symlinkSync(tmpdir(), join(folder, '.bunzai/items'));
    await expect(openDiskStore(folder)).rejects.toMatchObject({ code: 'library.folder' });
    writeFileSync(join(base, 'file'), '');
    await expect(openDiskStore(join(base, 'file'))).rejects.toMatchObject({
      code: 'library.folder',
      hint: 'name another folder',
    });
  });

  test('a record that cannot be read is not written over, and no blob is freed while nobody knows who needs it', async () => {
    const folder = newFolder();
    const store = await opened(folder);
    await store.put({
      ...imported('a', card('Ada'), { file: 'a.json' }),
      blobs: { ...imported('a', card('Ada')).blobs, extra: new Blob(['x']) },
    });
    await closed(store);
    const place = join(folder, '.bunzai/items/a.json');
    const text = readFileSync(place, 'utf8');
    writeFileSync(place, text.replace('"version":1', '"version":2'));
    rmSync(join(folder, '.bunzai/index.jsonl'));
    const again = await opened(folder);
    await again.scan();
    await again.sweep(Number.MAX_SAFE_INTEGER);
    expect(await (await again.blob('extra'))?.text()).toBe('x');
    expect(readFileSync(place, 'utf8')).toContain('"version":2');
    expect(await names(again)).toEqual(['Ada']);
  });
});

describe('restart', () => {
  test('everything is there again, also when the index and the texts are lost', async () => {
    const folder = newFolder();
    const store = await opened(folder);
    await store.put({
      ...imported('a', card('Ada'), { file: 'a.json', edited: true }),
      item: { ...imported('a', card('Ada'), { file: 'a.json', edited: true }).item, edits: edited('Mine') as never },
    });
    await store.put(imported('b', card('Ben'), { file: 'b.json' }));
    writeFileSync(join(folder, 'c.json'), card('Cleo'));
    await store.scan();
    await store.remove(['b']);
    await store.putDraft('a', edited('Draft'));
    const before = await store.list();
    await closed(store);
    const again = await opened(folder);
    expect(await again.list()).toEqual(before);
    expect(await again.drafts()).toEqual(['a']);
    await closed(again);
    rmSync(join(folder, '.bunzai/index.jsonl'));
    rmSync(join(folder, '.bunzai/texts'), { recursive: true });
    const rebuilt = await opened(folder);
    await rebuilt.scan();
    const strip = (list: Awaited<ReturnType<DiskStore['list']>>) =>
      list.map(({ addedAt: _, changedAt: __, ...rest }) => rest).sort((x, y) => (x.id < y.id ? -1 : 1));
    expect(strip(await rebuilt.list())).toEqual(strip(before));
    expect(await rebuilt.draft('a')).toEqual(edited('Draft'));
    expect(await rebuilt.search(['mine'])).toEqual(['a']);
    await rebuilt.restore(['b']);
    expect((await rebuilt.list()).map(({ id }) => id)).toContain('b');
  });

  test('a draft that a save ended does not come back when the save was killed before it deleted the draft', async () => {
    const folder = newFolder();
    const store = await opened(folder);
    await store.put(imported('a', card('Ada'), { file: 'a.json' }));
    await store.putDraft('a', edited('Draft'));
    const left = readFileSync(join(folder, '.bunzai/drafts/a.json'));
    await store.put({ item: { ...imported('a', card('Ada')).item, edits: edited('Draft') as never }, over: 1 });
    writeFileSync(join(folder, '.bunzai/drafts/a.json'), left);
    expect(await store.draft('a')).toBeUndefined();
    expect(await store.drafts()).toEqual([]);
  });

  test('a lock that was left behind is taken, one of a living process is not', async () => {
    const folder = newFolder();
    await closed(await opened(folder));
    const lock = join(folder, '.bunzai/lock');
    writeFileSync(lock, `${process.ppid}\n`);
    await expect(openDiskStore(folder)).rejects.toMatchObject({ code: 'library.in-use' });
    const old = new Date(Date.now() - 5 * 60_000);
    utimesSync(lock, old, old);
    await opened(folder);
  });
});

describe('many items', () => {
  test('folders are looked into down to MAX_LIBRARY_DEPTH', async () => {
    const folder = newFolder();
    const deep = (levels: number) => join(folder, ...Array.from({ length: levels - 1 }, (_, n) => `f${n}`));
    mkdirSync(deep(MAX_LIBRARY_DEPTH + 1), { recursive: true });
    writeFileSync(join(deep(MAX_LIBRARY_DEPTH), 'a.json'), card('Inside'));
    writeFileSync(join(deep(MAX_LIBRARY_DEPTH + 1), 'b.json'), card('Beyond'));
    const store = await opened(folder);
    await store.scan();
    expect(await names(store)).toEqual(['Inside']);
  });

  test('RW-098 a library of 2,000 cards is listed from a small index', { timeout: 120_000 }, async () => {
    const folder = newFolder();
    mkdirSync(folder);
    for (let n = 0; n < 2_000; n++)
      writeFileSync(join(folder, `card-${n}.json`), card(`Card ${n}`, { description: 'x'.repeat(500) }));
    const store = await opened(folder);
    await store.scan();
    expect(await store.list()).toHaveLength(2_000);
    await closed(store);
    expect(readFileSync(join(folder, '.bunzai/index.jsonl')).byteLength).toBeLessThan(2_000 * 900);
    const start = performance.now();
    const again = await opened(folder);
    const list = await again.list();
    const took = performance.now() - start;
    expect(list).toHaveLength(2_000);
    // About 150 ms alone on a small machine; the rest is for one that is shared.
    expect(took).toBeLessThan(1_500);
    console.info(`2,000 items: opened and listed in ${Math.round(took)} ms`);
  });

  test('RW-102 equal content is kept once, and what only has the same name stays apart', async () => {
    const folder = newFolder();
    const store = await opened(folder);
    const book = { shared: new Blob(['a book']) };
    for (const id of ['a', 'b', 'c']) {
      const put = imported(id, card(id), { file: 'harbour.json' });
      const { summary } = put.item;
      await store.put({
        ...put,
        item: { summary: { ...summary, blobs: [...summary.blobs, 'shared'] } },
        blobs: { ...put.blobs, ...book },
      });
    }
    expect(originals(folder)).toEqual(['harbour (2).json', 'harbour (3).json', 'harbour.json']);
    expect(readdirSync(join(folder, '.bunzai/blobs'))).toEqual(['shared']);
    const twin = imported('twin', card('a'), { file: 'harbour.json' });
    await store.put({ item: twin.item });
    const same = (await store.list()).filter(({ source }) => source === twin.item.summary.source);
    expect(same.map(({ id }) => id).sort()).toEqual(['a', 'twin']);
    await store.remove(['a', 'b']);
    await store.sweep(Number.MAX_SAFE_INTEGER);
    expect(await (await store.blob('shared'))?.text()).toBe('a book');
    expect(await (await store.blob(twin.item.summary.source))?.text()).toBe(card('a'));
  });
});
