import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { LibraryFull } from '../library/store.ts';
import { itemOf } from '../library/testing.ts';
import { openDiskStore } from './disk-store.ts';

/** Bytes that the disk still takes. */
let room = Number.POSITIVE_INFINITY;

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const writeSync = (handle: number, bytes: Uint8Array, at: number): number => {
    if (room <= 0) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
    const taken = fs.writeSync(handle, bytes, at, Math.min(bytes.byteLength - at, room));
    room -= taken;
    return taken;
  };
  return { ...fs, writeSync };
});

const base = mkdtempSync(join(tmpdir(), 'bunzai-full-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const everything = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => !/index\.jsonl|lock$/.test(name))
      .flatMap((name) => {
        try {
          return [[name, readFileSync(join(folder, name), 'latin1')]];
        } catch {
          return [];
        }
      }),
  );

test('a disk that is full at any byte of a save leaves the library as it was', async () => {
  const folder = join(base, 'library');
  const store = await openDiskStore(folder);
  const put = (id: string, over?: number) => ({
    item: itemOf(id, { name: `Name ${over ?? 0}`, blobs: [`source-${id}`, 'picture'] }),
    text: 'some text',
    blobs: { [`source-${id}`]: new Blob(['{"a":1}']), picture: new Blob(['p'.repeat(50)]) },
    ...(over === undefined ? {} : { over }),
  });
  await store.put({ ...put('a'), blobs: { 'source-a': new Blob(['{}']) } });
  await store.putDraft('a', { entities: [] });
  const before = everything(folder);
  const list = await store.list();
  let refused = 0;
  for (room = 0; ; room = refused * 23) {
    const full = await store.put(put('b')).then(
      () => undefined,
      (error: Error) => error,
    );
    if (!full) break;
    refused++;
    expect(full.name).toBe(LibraryFull);
    expect(everything(folder)).toEqual(before);
    expect(await store.list()).toEqual(list);
    room = refused * 7;
    await expect(store.put(put('a', 1))).rejects.toMatchObject({ name: LibraryFull });
    await expect(store.remove(['a'])).rejects.toMatchObject({ name: LibraryFull });
    await expect(store.putDraft('a', { entities: [{ kind: 'character', id: 'x'.repeat(900) }] })).rejects.toMatchObject(
      { name: LibraryFull },
    );
    expect(everything(folder)).toEqual(before);
    if (refused > 60) throw new Error('it never fits');
  }
  expect(refused).toBeGreaterThan(5);
  room = Number.POSITIVE_INFINITY;
  expect((await store.list()).map(({ id }) => id)).toEqual(['a', 'b']);
  expect(await store.draft('a')).toEqual({ entities: [] });
  await store.close();
});
