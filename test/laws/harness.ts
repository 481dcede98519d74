/**
 * The laws of a field table, on generated wires and edits.
 * Helpers are the harness's own; the engine on trial is handed in, so that a copy with a fault can be tried too.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { accountFor, emptyAccount } from '../../src/core/account.ts';
import { claimsOf } from '../../src/core/lens.ts';
import { rowTable } from '../../src/core/shapes.ts';
import { benchOf, pick, read } from './bench.ts';
import { content, hollow, keysIn, lost, show, under } from './content.ts';
import { type Edit, keysOf } from './edits.ts';
import { type Engine, type Law, law, type Table } from './model.ts';
import { rowLaws } from './row-laws.ts';
import {
  changed,
  differing,
  dig,
  equal,
  isTree,
  reordered,
  sayTheSame,
  silent,
  type Tree,
  there,
  touches,
} from './tree.ts';
import { homesOf } from './wires.ts';

export type { Engine, Law, RowModel, Says, Table } from './model.ts';

/** The laws of one table, on one engine. */
export function lawsOf(engine: Engine, table: Table): Law[] {
  const bench = benchOf(engine, table);
  const { get, put, create, rowsLens, rowLenses, rowsIn, said, wires, edits, ownEdits, additions } = bench;
  const { place, scope, apply, required, rowKeys, agrees, agreesInAll, prepared } = bench;
  const { lenses, rows } = table;

  /** A law about an edit: it holds of nothing where the wire has no such row, or where a slot cannot be cleared. */
  const editLaw = (name: string, predicate: (wire: Tree, edit: Edit, at: string[]) => void): Law =>
    law<[Tree, Edit]>(name, [wires, edits], (given, edit) => {
      const wire = prepared(given, edit);
      const at = rowKeys(wire, edit);
      if (at !== undefined && !(edit.value === undefined && required(edit))) predicate(wire, edit, at);
    });

  const byShape = rowTable(lenses);
  const rowByShape = rowTable(rowLenses);

  const laws: Law[] = [
    law<[Tree]>('shapes: what is read by shape is what is read one by one', [wires], (wire) => {
      assert.ok(equal(byShape.get(wire as never, table.empty() as never), get(wire)));
      const held = Object.values((dig(wire, homesOf(rowsLens ?? lenses[0]!)[0] ?? []) ?? {}) as object);
      for (const row of rowsLens && rows ? held.filter(isTree) : []) {
        const blank = () => rows?.empty('x') as never;
        const [together, alone] = [emptyAccount(), emptyAccount()];
        rowByShape.account(row as never, 'row', together);
        accountFor(claimsOf(rowLenses, row as never), row, 'row', alone);
        assert.deepEqual([together.left, together.repairs], [alone.left, alone.repairs]);
        assert.ok(equal(rowByShape.get(row as never, blank()), engine.get(rowLenses, row, blank())));
      }
    }),

    law<[Tree]>('GetPut: an unedited file is the very same object', [wires], (wire) => {
      assert.equal(put(wire, get(wire)), wire);
    }),

    law<[Tree]>('reading: only what stands in the file is read', [wires], (wire) => {
      assert.ok(equal(get({}), engine.get(lenses, Object.create(null) as Tree, table.empty() as never)));
      const fresh = get({});
      for (const lens of lenses) {
        if (homesOf(lens).some((home) => there(wire, home))) continue;
        for (const path of lens.canonical) {
          assert.ok(equal(dig(get(wire), keysOf(path)), dig(fresh, keysOf(path))), `${path} is read from nowhere`);
        }
      }
    }),

    editLaw('PutGet: an edit reads back, and nothing else reads differently', (wire, edit, at) => {
      const before = get(wire);
      const body = apply(before, edit);
      const out = put(wire, body);
      const back = get(out);
      assert.equal(put(out, back), out, 'the written file is not its own twin');
      const [want, got] = [scope(body, edit), scope(back, edit)];
      assert.ok(want && got, `the row of ${edit.path} is gone`);
      const own = new Set(edit.lens.canonical);
      const others = edit.row ? rowLenses : lenses;
      const stray = agrees(want, got, others, own);
      assert.equal(stray, undefined, `${edit.path} changed ${stray}`);
      if (edit.row) {
        rowsIn(before).forEach((row, index) => {
          if (index !== place(before, edit))
            assert.ok(equal(row, rowsIn(back)[index]), `${edit.path} changed row ${index}`);
        });
        assert.equal(agrees(body, back, lenses, new Set(edit.row.of.canonical)), undefined);
      }
      const open = homesOf(edit.lens).every((home) => !blocked(dig(wire, at), home));
      if (open && edit.value !== undefined && said(edit.path, edit.value, want, dig(wire, at) as Tree)) {
        assert.equal(
          agrees(want, got, [edit.lens], minus(own, edit.path)),
          undefined,
          `${edit.path} does not read back`,
        );
      }
    }),

    editLaw('report: what does not read back is named, and only that', (wire, edit) => {
      const body = apply(get(wire), edit);
      const back = get(put(wire, body));
      const { differences } = engine.compare(table.rules, body, back);
      for (const path of lenses.flatMap(({ canonical }) => canonical)) {
        const [want, got] = [body, back].map((one) => content(dig(one, keysOf(path)), path, rows));
        const named = differences.some((one) => under(one.path, path));
        assert.equal(named, lost(want, got), `${path}: ${show(want)} became ${show(got)}`);
      }
    }),

    editLaw('locality: an edit touches its own home and nothing else', (wire, edit, at) => {
      const out = put(wire, apply(get(wire), edit));
      const moved = (table.moves?.[edit.path] ?? []).map(keysOf);
      const claimed = edit.lens.claims(dig(wire, at) as Tree).map(({ keys }) => keys);
      const homes = [...homesOf(edit.lens), ...claimed, ...moved];
      for (const path of differing(wire, out, engine.spellingOf)) {
        const own = homes.map((home) => [...at, ...home]).filter((home) => touches(path, home));
        assert.ok(own.length > 0, `${edit.path} touched ${path.join('.')}`);
        // Above a home, only what was missing may be made: a text that stands there is not overwritten.
        const fits = own.some((home) => home.length <= path.length) || (dig(wire, path) ?? null) === null;
        assert.ok(fits, `${edit.path} overwrote ${path.join('.')}`);
      }
      assert.equal(reordered(wire, out), undefined, `${edit.path} reordered keys`);
    }),

    editLaw('aliases: an edit goes where the value came from and adds no spelling', (wire, edit, at) => {
      if (table.spreads?.has(edit.path)) return;
      const inside = dig(wire, at) as Tree;
      if (sayTheSame(read(edit.lens, inside), read(edit.lens, {}))) return;
      const after = dig(put(wire, apply(get(wire), edit)), at);
      for (const home of homesOf(edit.lens)) {
        assert.ok(there(inside, home) || !there(after, home), `${edit.path} added ${home.join('.')}`);
      }
    }),

    editLaw('clear: what was there is gone, nothing is added', (wire, given, at) => {
      const { lens } = given;
      const cleared = lens.canonical.filter(
        (path) => !required({ ...given, path }) && table.says?.(path, undefined, {}) !== false,
      );
      let body = get(wire);
      for (const path of cleared) body = apply(body, { ...given, path, value: undefined });
      const out = put(wire, body);
      const partsOf = (inside: unknown) => {
        const value = read(lens, inside);
        return cleared.map((path) => lens.part(value as never, path));
      };
      const absent = partsOf({});
      const says = (inside: unknown) => partsOf(inside).some((part, index) => !sayTheSame(part, absent[index]));
      const [inside, after] = [dig(wire, at), dig(out, at)];
      if (!says(inside)) assert.equal(out, wire, 'there was nothing to clear');
      for (const home of lens.canonical.some((path) => table.spreads?.has(path)) ? [] : homesOf(lens)) {
        assert.ok(there(inside, home) || !there(after, home) || !absent.every(silent), `${home.join('.')} was added`);
      }
      assert.ok(!says(after), `${cleared.join(', ')} still says ${show(partsOf(after))}`);
    }),

    law<[Tree, Edit, Edit]>(
      'PutPut: of edits the wire can say, the last one wins',
      [wires, edits, edits],
      (given, one, two) => {
        const wire = prepared(prepared(given, one), two);
        const sayable = (edit: Edit) =>
          rowKeys(wire, edit) !== undefined &&
          (edit.value === undefined
            ? !required(edit)
            : said(edit.path, edit.value, scope(apply(get(wire), edit), edit)!, wire));
        if (!sayable(one) || !sayable(two)) return;
        const first = apply(get(wire), one);
        const second = apply(first, two);
        const once = put(wire, first);
        const direct = put(wire, second);
        const twice = put(once, second);
        const exact = (body: object, wire: Tree) => agrees(body, get(wire), lenses, new Set()) === undefined;
        if (!exact(first, once) || !exact(second, direct)) return;
        assert.ok(exact(second, twice), 'the second edit is not what reads back');
      },
    ),

    law<[Tree, Edit[]]>(
      'create: without a twin, only what the body has is laid over the base, and it reads back',
      [
        fc.constantFrom(...table.bases),
        ownEdits.length === 0 ? fc.constant([]) : fc.array(fc.oneof(...ownEdits), { maxLength: 6 }),
      ],
      (base, many) => {
        let body = table.empty();
        for (const edit of many) body = apply(body, edit);
        const out = create(base, body);
        const back = get(out);
        const spoken = lenses.filter((lens) => !silent(pick(lens, body)));
        for (const path of differing(base, out, engine.spellingOf)) {
          assert.ok(
            spoken.some((lens) => homesOf(lens).some((home) => touches(path, home))),
            `nobody asked for ${path.join('.')}`,
          );
        }
        for (const lens of spoken) {
          const exact = lens.canonical.every((path) => said(path, dig(body, keysOf(path)), body));
          if (exact)
            assert.equal(
              agrees(body, back, [lens], new Set()),
              undefined,
              `${lens.canonical.join(', ')} does not read back`,
            );
        }
        assert.equal(put(out, back), out, 'the written file is not its own twin');
      },
    ),

    law<[Tree, Edit]>(
      'lists: an added item leaves every other row as it stood',
      [wires, additions.length === 0 ? edits : fc.oneof(...additions)],
      (given, edit) => {
        const wire = prepared(given, edit);
        const at = rowKeys(wire, edit);
        if (!Array.isArray(edit.value) || at === undefined) return;
        const body = get(wire);
        const old = dig(scope(body, edit), keysOf(edit.path));
        const standing = homesOf(edit.lens).filter((home) => there(dig(wire, at), home));
        if (standing.length !== 1 || !edit.lens.wire.includes(standing[0]!.join('.'))) return;
        const out = put(
          wire,
          apply(body, { ...edit, value: [...((old as unknown[]) ?? []), ...(edit.value as unknown[])] }),
        );
        for (const home of standing) {
          const [before, after] = [dig(wire, [...at, ...home]), dig(out, [...at, ...home])];
          if (!Array.isArray(before) || !Array.isArray(after)) continue;
          before.forEach((row, index) =>
            assert.ok(Object.is(row, after[index]), `${home.join('.')}[${index}] is not as it stood`),
          );
        }
      },
    ),

    law<[Tree]>(
      'account: every key that no lens names is reported, and what is reported was not read',
      [wires],
      (wire) => {
        const left = engine.unread(lenses, wire);
        const homes = lenses.flatMap((lens) => homesOf(lens));
        for (const key of Object.keys(wire)) {
          if (homes.some(([first]) => first === key) || hollow(wire[key])) continue;
          assert.ok(
            left.some(({ path }) => path === key || path === `["${key}"]`),
            `${key} is not reported`,
          );
        }
        const said = get(wire);
        for (const { path } of left) {
          const keys = keysIn(path);
          if (!there(wire, keys)) continue;
          const holder = dig(wire, keys.slice(0, -1));
          // Without a row of a list the rows after it move, and a row without id is called by its place.
          if (Array.isArray(holder)) continue;
          const without = get(changed(wire, keys, undefined));
          assert.ok(agreesInAll(said, without), `${path} is read, yet reported as left behind`);
        }
      },
    ),
  ];
  const kept = laws.filter(
    ({ name }) =>
      !(name.startsWith('lists:') && additions.length === 0) &&
      !(name.startsWith('account:') && table.accountsElsewhere),
  );
  return [...kept, ...rowLaws(bench)];
}

const minus = (set: ReadonlySet<string>, gone: string): Set<string> => new Set([...set].filter((one) => one !== gone));
/** Whether a text, a number or a list stands where an object should: nothing is written through it. */
const blocked = (wire: unknown, home: readonly string[]): boolean =>
  home.slice(0, -1).some((_, i) => {
    const held = dig(wire, home.slice(0, i + 1));
    return held !== undefined && held !== null && !isTree(held);
  });
