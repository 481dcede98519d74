import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Bench } from './bench.ts';
import { show } from './content.ts';
import { keysOf, valuesAt } from './edits.ts';
import { type Law, law } from './model.ts';
import { changed, dig, isTree, sayTheSame, type Tree } from './tree.ts';

/** Laws of lists of records: rows are met by id, never by place. */
export function rowLaws({ engine, table, get, put, wires, rowsLens: lens }: Bench): Law[] {
  const { rows } = table;
  if (!lens || !rows) return [];
  const keys = keysOf(lens.canonical[0]!);
  const home = keysOf(lens.wire[0]!);
  const entriesOf = (body: object) => (dig(body, keys) as Tree[] | undefined) ?? [];
  const isList = (wire: Tree) => Array.isArray(dig(wire, home));
  /** The raw rows, where they have a shape that the table reads. */
  const rawRows = (wire: Tree): unknown[] => {
    const raw = dig(wire, home);
    if (Array.isArray(raw)) return rows.shape === 'map' ? [] : raw;
    return isTree(raw) && rows.shape !== 'list' ? Object.values(raw) : [];
  };
  const good = (wire: Tree) => rawRows(wire).filter(isTree);
  /** Rows that cannot be read stay at their index, or under their key. */
  const holds = (wire: Tree, out: Tree): void => {
    const [before, after] = [dig(wire, home), dig(out, home)];
    if (rawRows(wire).length === 0 || typeof before !== 'object' || before === null) return;
    if (typeof after !== 'object' || after === null) return assert.fail('the rows are gone');
    const readable = Object.values(after).filter(isTree).length;
    for (const [key, row] of Object.entries(before)) {
      if (isTree(row)) continue;
      const kept =
        Array.isArray(before) && Number(key) > readable
          ? Object.values(after).includes(row)
          : Object.is(dig(after, [key]), row);
      assert.ok(kept, `the unreadable row ${key} is not where it stood`);
    }
  };
  const entry = fc
    .tuple(
      fc.constantFrom('fresh', '3', '00', ''),
      fc.array(
        fc.oneof(
          ...(lens.rows ?? []).flatMap((one) =>
            one.canonical.map((path) => valuesAt(rows.values, path).map((value) => [path, value] as const)),
          ),
        ),
        { maxLength: 5 },
      ),
    )
    .map(
      ([id, slots]) => slots.reduce((row, [path, value]) => changed(row, keysOf(path), value), rows.empty(id)) as Tree,
    );

  return [
    law<[Tree]>('rows: another order keeps every row object', [wires], (wire) => {
      const body = get(wire);
      const turned = [...entriesOf(body)].reverse();
      const out = put(wire, changed(body, keys, turned));
      const [before, after] = [good(wire), good(out)];
      assert.equal(after.length, before.length);
      if (isList(wire))
        before.reverse().forEach((row, index) => assert.equal(after[index], row, `row ${index} was rewritten`));
      else for (const row of before) assert.ok(after.includes(row), 'a row was rewritten');
      holds(wire, out);
    }),
    law<[Tree, number]>('rows: a removed row takes no other with it', [wires, fc.nat(3)], (wire, which) => {
      const body = get(wire);
      const entries = entriesOf(body);
      if (entries.length === 0) return;
      const gone = which % entries.length;
      const out = put(
        wire,
        changed(
          body,
          keys,
          entries.filter((_, index) => index !== gone),
        ),
      );
      const kept = good(wire).filter((_, index) => index !== gone);
      const after = good(out);
      assert.equal(after.length, kept.length);
      for (const [index, row] of kept.entries()) assert.equal(after[index], row, `row ${index} was rewritten`);
      holds(wire, out);
    }),
    law<[Tree, Tree, number]>(
      'rows: an added row has an id of its own and leaves the others',
      [wires, entry, fc.nat(3)],
      (wire, added, which) => {
        const body = get(wire);
        const entries = entriesOf(body);
        const index = which % (entries.length + 1);
        if (entries.some(({ id }) => id === added.id)) return;
        const out = put(wire, changed(body, keys, [...entries.slice(0, index), added, ...entries.slice(index)]));
        for (const row of good(wire)) assert.ok(good(out).includes(row), 'another row was rewritten');
        holds(wire, out);
        const back = entriesOf(get(out));
        assert.equal(back.length, entries.length + 1);
        assert.equal(new Set(back.map(({ id }) => id)).size, back.length, 'two rows share an id');
        assert.equal(put(out, get(out)), out, 'the written file is not its own twin');
      },
    ),
    law<[Tree, Tree[]]>(
      'rows: a fresh book reads back row by row',
      [fc.constantFrom(...table.bases), fc.array(entry, { maxLength: 3 })],
      (base, entries) => {
        const back = entriesOf(get(engine.create(table.lenses, base, changed(table.empty(), keys, entries) as never)));
        assert.equal(back.length, entries.length);
        entries.forEach((want, index) => {
          const got = back[index] as Tree;
          for (const one of lens.rows ?? []) {
            for (const path of one.canonical) {
              const [was, now] = [dig(want, keysOf(path)), dig(got, keysOf(path))];
              if (was === undefined || !(table.says?.(path, was, want) ?? !one.lossy)) continue;
              assert.ok(sayTheSame(was, now), `${path}: ${show(was)} became ${show(now)}`);
            }
          }
        });
      },
    ),
  ];
}
