/** The hash is held against the comparison of the report: equal exactly when that finds nothing. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { maximalCharacter, maximalLorebook } from '../test/entities/maximal.ts';
import { maximalPersona, maximalPreset, maximalRegex } from '../test/entities/maximal-more.ts';
import { contentHash } from './content-hash.ts';
import { bytesOf, isBytes } from './core/bytes.ts';
import { primaryOriginalRaw } from './core/canonical.ts';
import { sha256 } from './core/sha256.ts';
import type { AnyEntity } from './entities/kinds.ts';
import { contentHash as exported, read, write } from './index.ts';
import { compareBodies } from './measure.ts';

afterEach(() => vi.unstubAllGlobals());

const samples = fileURLToPath(new URL('../samples/', import.meta.url));
const files = readdirSync(samples, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /\.(json|png|webp|charx|byaf|lorebook|risum)$/.test(name),
);

const noDifference = (a: AnyEntity, b: AnyEntity): boolean => {
  if (a.kind !== b.kind) return false;
  const there = compareBodies(a.kind, a.body, b.body);
  return there.differences.length + there.added.length === 0;
};

type Tree = Record<string, unknown>;
const CHANGES: readonly [test: (value: unknown) => boolean, change: (value: never) => unknown][] = [
  [isBytes, () => bytesOf(Uint8Array.of(1, 2, 3), 'image/png')],
  [(value) => typeof value === 'string', (value: string) => `${value}!`],
  [(value) => typeof value === 'number', (value: number) => value + 1],
  [(value) => typeof value === 'boolean', (value: boolean) => !value],
];

/** The same tree with one leaf changed, for every leaf. */
function* edits(tree: unknown, path = ''): Generator<readonly [path: string, tree: unknown]> {
  const change = CHANGES.find(([holds]) => holds(tree))?.[1];
  if (change) yield [path, change(tree as never)];
  else if (Array.isArray(tree)) {
    for (const [at, row] of tree.entries())
      for (const [inner, next] of edits(row, `${path}[${at}]`)) yield [inner, tree.with(at, next)];
  } else if (typeof tree === 'object' && tree !== null)
    for (const [key, held] of Object.entries(tree as Tree))
      for (const [inner, next] of edits(held, `${path}.${key}`)) yield [inner, { ...tree, [key]: next }];
}

describe('every leaf of a full entity', () => {
  const full = [maximalCharacter(), maximalLorebook(), maximalPersona(), maximalRegex(), maximalPreset()];
  test.each(full.map((entity) => [entity.kind, entity] as const))('%s', async (kind, entity) => {
    const before = await contentHash(entity);
    let seen = 0;
    for (const [path, body] of edits(entity.body)) {
      const next = { ...entity, body } as AnyEntity;
      const usage = /^\.(attribution\.)?(created|updated)At$|faceLabel$/.test(path);
      expect([path, (await contentHash(next)) === before]).toEqual([path, usage || noDifference(entity, next)]);
      seen++;
    }
    expect([kind, seen]).toEqual([kind, expect.any(Number)]);
    expect(seen).toBeGreaterThan(10);
  });
});

test('every pair of samples: equal hashes exactly where nothing differs, and an unedited write keeps it', async () => {
  const all: { entity: AnyEntity; hash: string }[] = [];
  for (const name of files) {
    const found = await read(readFileSync(join(samples, name))).catch(() => undefined);
    for (const entity of found?.entities ?? []) all.push({ entity, hash: await contentHash(entity) });
    if (!found) continue;
    const back = await read((await write(found.entities, found.format)).files[0]?.bytes ?? '');
    const [was, now] = [found.entities[0], back.entities[0]];
    expect([name, now && (await contentHash(now))]).toEqual([name, was && (await contentHash(was))]);
  }
  expect(all.length).toBeGreaterThan(50);
  for (const a of all)
    for (const b of all)
      if (a.entity.kind === b.entity.kind && !hasDates(a.entity) && !hasDates(b.entity))
        expect([a.entity.id, b.entity.id, a.hash === b.hash]).toEqual([
          a.entity.id,
          b.entity.id,
          noDifference(a.entity, b.entity) && (!isBare(a.entity) || sameTwin(a.entity, b.entity)),
        ]);
});
/** Nothing is read of it but its name. */
const isBare = ({ kind, body }: AnyEntity): boolean => {
  const { populated } = compareBodies(kind, body, body);
  return kind !== 'character' && populated === ('name' in body && body.name !== '' ? 1 : 0);
};
const sameTwin = (a: AnyEntity, b: AnyEntity): boolean =>
  isDeepStrictEqual(primaryOriginalRaw(a.original), primaryOriginalRaw(b.original));
const hasDates = ({ body }: AnyEntity): boolean => /"(created|updated)At"/.test(JSON.stringify(body));

describe('what counts', () => {
  const card = maximalCharacter();
  const book = maximalLorebook();

  test('the public one; ids, twins, notes and the order of keys do not; profiles and the kind do', async () => {
    const hash = await exported(card);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    const body = Object.fromEntries(Object.entries(card.body).reverse()) as typeof card.body;
    const notes = [{ id: '1', text: 'mine', at: '2024-01-01' }];
    expect(await contentHash({ ...card, id: 'other', body, notes, original: { x: { raw: 1 } } })).toBe(hash);
    expect(await contentHash({ ...card, profiles: { agnai: { greetings: { firstMessage: 'Hm.' } } } })).not.toBe(hash);
  });

  test('the twin, where an app says all in words of its own and nothing but a name is read', async () => {
    const quick = (...messages: string[]) => ({
      version: 2,
      name: 'Default',
      qrList: messages.map((message, id) => ({ id, label: message, message })),
      idIndex: messages.length,
    });
    const context = { name: 'Default', story_string: '{{description}}', chat_start: '***', example_separator: '***' };
    const texts = [quick('/sys a'), quick('/sys b'), context, { ...context, chat_start: '---' }];
    const hashes = await Promise.all(
      texts.map(async (one) => contentHash((await read(JSON.stringify(one))).entities[0] as AnyEntity)),
    );
    expect(new Set(hashes).size).toBe(4);
    const [again] = (await read(JSON.stringify(quick('/sys a'), undefined, 4))).entities;
    expect(await contentHash(again as AnyEntity)).toBe(hashes[0]);
  });

  test('books, in their order, where they are given', async () => {
    const other = { ...book, body: { ...book.body, name: 'Another' } };
    const hashes = await Promise.all(
      [[], [book], [book, other], [other, book]].map((books) => contentHash(card, { books })),
    );
    expect(new Set(hashes).size).toBe(4);
    expect(hashes[0]).toBe(await contentHash(card));
  });

  test('media count unless told otherwise', async () => {
    const bare = { ...card, body: { ...card.body, media: {} } };
    expect(await contentHash(bare)).not.toBe(await contentHash(card));
    expect(await contentHash(bare, { media: false })).toBe(await contentHash(card, { media: false }));
  });

  test('what is empty, absent or the default of its slot says nothing', async () => {
    const entry = book.body.entries[0]!;
    const one = (more: object, ofBook: object = {}) =>
      contentHash({ ...book, body: { ...book.body, enabled: true, entries: [{ ...entry, ...more }], ...ofBook } });
    const said = await one({ selective: true, vectorized: false, comment: '' });
    expect(await one({ selective: undefined, vectorized: undefined, comment: undefined })).toBe(said);
    expect(await one({ selective: true, vectorized: false, comment: '' }, { enabled: undefined })).toBe(said);
    expect(await one({ selective: true, vectorized: true, comment: '' })).not.toBe(said);
  });

  test('a key of the prototype is a key', async () => {
    const odd = JSON.parse('{"__proto__": {"x": "1"}, "constructor": "2"}') as Record<string, string>;
    const withOdd = { ...book, body: { ...book.body, entries: [{ ...book.body.entries[0]!, metadata: odd }] } };
    const without = { ...book, body: { ...book.body, entries: [{ ...book.body.entries[0]!, metadata: {} }] } };
    expect(await contentHash(withOdd)).not.toBe(await contentHash(without));
  });
});

test('where the runtime has no digest of its own the library makes the same', async () => {
  const bytes = new TextEncoder().encode('abc');
  const own = await sha256(bytes);
  expect(own).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  vi.stubGlobal('crypto', undefined);
  expect(await sha256(bytes)).toBe(own);
});
