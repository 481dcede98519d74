/**
 * Who tests the laws: each fault is planted into a copy of the engine by replacing a piece of its source, and some law
 * has to fail. A piece that is no longer there fails too: then the fault has to be planted anew.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Lens } from '../../src/core/lens.ts';
import { lawsOf, type Table } from './harness.ts';
import { bookTable, engineOf, hostileTable, type Modules, tavernTable } from './tables.ts';

/** Enough for every fault below with room to spare; the seed makes the outcome the same everywhere. */
const numRuns = 400;
const seed = 20240506;

interface Fault {
  readonly name: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** Beginning of the name of a law that must catch it. */
  readonly caughtBy: string;
}

const TEN: readonly Fault[] = [
  {
    name: 'writing when equal',
    file: 'core/lens.ts',
    from: 'if (!agree(now, before)) lens.write',
    to: 'lens.write',
    caughtBy: 'GetPut',
  },
  {
    name: 'a clear that does nothing',
    file: 'core/field.ts',
    from: 'else if (blank === undefined) draft.delete(spelling);',
    to: 'else if (blank === undefined) return;',
    caughtBy: 'clear',
  },
  {
    name: 'mutating the twin',
    file: 'core/draft.ts',
    from: 'Array.isArray(node) ? [...node] : isTree(node) ? { ...node } : {}',
    to: 'isTree(node) ? node : {}',
    caughtBy: 'PutGet',
  },
  {
    name: 'always writing the primary alias',
    file: 'core/field.ts',
    from: 'const found = this.#winner(draft.twin).i;',
    to: 'const found = 0;',
    caughtBy: 'aliases',
  },
  {
    name: 're-spelling list rows',
    file: 'core/codec.ts',
    from: 'const raw = row ? row.raw : item.write(value, byPlace.get(index)?.raw);',
    to: 'const raw = item.write(value, (row ?? byPlace.get(index))?.raw);',
    caughtBy: 'lists',
  },
  {
    name: 'dropping unreadable rows',
    file: 'core/codec.ts',
    from: 'if (holds(row)) out.push(row);',
    to: 'if (holds(row)) continue;',
    caughtBy: 'lists',
  },
  {
    name: 'matching rows by position',
    file: 'core/rows.ts',
    from: 'const twin = used.has(id) ? undefined : twins.get(id);',
    to: 'const twin = [...twins.values()][used.size];',
    caughtBy: 'rows',
  },
  {
    name: 'prototype lookups',
    file: 'core/draft.ts',
    from: ' || !Object.hasOwn(node, key)',
    to: '',
    caughtBy: 'reading',
  },
  {
    name: 'plain __proto__ assignment',
    file: 'core/draft.ts',
    from: "if (key !== '__proto__') (target as Tree)[key] = value;",
    to: "if (key !== '') (target as Tree)[key] = value;",
    caughtBy: 'PutGet',
  },
  {
    name: 'silent losses',
    file: 'core/compare.ts',
    from: 'else differ(was, now, saysNothing(now));',
    to: '',
    caughtBy: 'report',
  },
];

/** Faults that the sketch of this engine really had, or that were found while it was built. */
const MORE: readonly Fault[] = [
  {
    name: 'writing through a text',
    file: 'core/draft.ts',
    from: 'if (!isRecord(node)) return false;',
    to: '',
    caughtBy: 'locality',
  },
  {
    name: 'copies left behind',
    file: 'core/field.ts',
    from: 'for (const copy of this.#parts().copies) if (existsAt(draft.twin, copy))',
    to: 'for (const copy of this.#parts().copies) if (!existsAt(draft.twin, copy))',
    caughtBy: 'aliases',
  },
  {
    name: 'a clear that lets the next alias resurface',
    file: 'core/field.ts',
    from: 'old !== undefined && (saysNothing(now) || same(old, before))',
    to: 'old !== undefined && same(old, before)',
    caughtBy: 'clear',
  },
  {
    name: 'repeated ids stay repeated',
    file: 'core/ids.ts',
    from: 'let n = counts.get(id) ?? 1; used.has(unique); ',
    to: 'let n = counts.get(id) ?? 1; n < 0; ',
    caughtBy: 'rows',
  },
  {
    name: 'a new row under the key of an unreadable one',
    file: 'core/rows.ts',
    from: 'const keysOfRaw = asMap && isRecord(raw) ? Object.keys(raw) : [];',
    to: 'const keysOfRaw: string[] = [];',
    caughtBy: 'rows',
  },
  {
    name: 'numbers lose their spelling',
    file: 'core/draft.ts',
    from: 'if (isTree(node)) carrySpelling(node, copy as object);',
    to: '',
    caughtBy: 'locality',
  },
  {
    name: 'a reported loss that is none',
    file: 'core/compare.ts',
    from: 'if (same(was, now)) carried++;',
    to: 'if (carried < 0) carried++;',
    caughtBy: 'report',
  },
  {
    name: 'a key that nobody reports',
    file: 'core/account.ts',
    from: 'else if (!isEmpty(value[key])) out.unread(joinPath(path, key), value[key]);',
    to: '',
    caughtBy: 'account',
  },
];

const root = fileURLToPath(new URL('../..', import.meta.url));
let work = '';

beforeAll(() => {
  work = mkdtempSync(join(tmpdir(), 'bunzai-planted-'));
  symlinkSync(join(root, 'node_modules'), join(work, 'node_modules'));
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

let copies = 0;

/** A copy of the sources, with one piece replaced. */
function copyWith(fault: Fault | undefined): string {
  const at = join(work, `copy-${copies++}`);
  for (const folder of ['core', 'entities', 'formats/_shared', 'formats/sillytavern']) {
    cpSync(join(root, 'src', folder), join(at, folder), { recursive: true });
  }
  if (fault) {
    const file = join(at, fault.file);
    const before = readFileSync(file, 'utf8');
    expect(before.split(fault.from).length, `"${fault.from}" stands once in ${fault.file}`).toBe(2);
    writeFileSync(
      file,
      before.replace(fault.from, () => fault.to),
    );
  }
  return at;
}

/** Tables over the modules of a copy: one of each sort is enough. */
async function tablesIn(at: string): Promise<{ engine: ReturnType<typeof engineOf>; tables: Table[] }> {
  const load = (path: string) => import(/* @vite-ignore */ join(at, path));
  const modules: Modules = {
    account: await load('core/account.ts'),
    bytes: await load('core/bytes.ts'),
    codec: await load('core/codec.ts'),
    compare: await load('core/compare.ts'),
    lens: await load('core/lens.ts'),
    lenses: await load('core/lenses.ts'),
    spelling: await load('core/spelling.ts'),
    characterCompare: await load('entities/character/compare.ts'),
    characterSchema: await load('entities/character/schema.ts'),
    lorebookCompare: await load('entities/lorebook/compare.ts'),
    lorebookSchema: await load('entities/lorebook/schema.ts'),
  };
  const { sealing } = await load('formats/_shared/card-carriers.ts');
  await sealing.load();
  const { tavernFields } = await load('formats/_shared/tavern-fields.ts');
  const { baseCard } = await load('formats/_shared/tavern-variant.ts');
  const { characterBookFields } = await load('formats/_shared/character-book.ts');
  const { worldInfoFields } = await load('formats/sillytavern/lorebook.ts');
  const of = (lenses: unknown) => lenses as readonly Lens<never>[];
  const tables = [
    hostileTable(modules),
    tavernTable(modules, 'tavern v3', of(tavernFields('card.data', 'card', 'v3')), 'card.data', [baseCard('v3')]),
    bookTable(
      modules,
      'character book',
      of(characterBookFields),
      { shape: 'either', ids: ['id', 'uid'] },
      { entries: [] },
    ),
    bookTable(modules, 'world info', of(worldInfoFields), { shape: 'map', ids: ['uid', 'id'] }, { entries: {} }),
  ];
  return { engine: engineOf(modules), tables };
}

/** The first law with this beginning that fails, or undefined. */
async function firstBroken(fault: Fault | undefined, beginning: string, runs = numRuns): Promise<string | undefined> {
  const { engine, tables } = await tablesIn(copyWith(fault));
  for (const table of tables) {
    for (const { name, property } of lawsOf(engine, table)) {
      if (!name.startsWith(beginning)) continue;
      const { failed } = fc.check(property, { numRuns: runs, seed, endOnFailure: true });
      if (failed) return `${table.label}: ${name}`;
    }
  }
  return undefined;
}

test('a copy without a fault keeps the laws', async () => {
  expect(await firstBroken(undefined, '', 60)).toBeUndefined();
});

describe.each([
  ['the ten faults', TEN],
  ['more faults', MORE],
] as const)('%s', (_, faults) => {
  test.each(faults)('$name', async (fault) => {
    expect(await firstBroken(fault, fault.caughtBy)).toBeDefined();
  });
});
