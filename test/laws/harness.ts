import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { CompareRules, Comparison } from '../../src/core/compare.ts';
import type { Lens } from '../../src/core/lens.ts';
import {
  type ByteKit,
  changed,
  differing,
  dig,
  equal,
  frozen,
  isTree,
  reordered,
  type SpellingOf,
  sayTheSame,
  silent,
  type Tree,
  there,
  touches,
} from './tree.ts';
import type { Values } from './values.ts';
import { anySlots, anyWire, type Hints, homesOf, type KeepSpelling, type WireShape } from './wires.ts';

/** The functions on trial: the engine's own, or those of a copy with a planted fault. */
export interface Engine extends ByteKit {
  get<B>(lenses: readonly Lens<B>[], wire: Tree, body: B): B;
  put<B>(lenses: readonly Lens<B>[], twin: Tree, body: B): Tree;
  create<B>(lenses: readonly Lens<B>[], base: Tree, body: B): Tree;
  compare(rules: CompareRules, before: unknown, after: unknown): Comparison;
  /** Wire paths that no lens reads. */
  unread(lenses: readonly Lens<never>[], wire: Tree): readonly { readonly path: string; readonly value: unknown }[];
  keepSpelling: KeepSpelling;
  spellingOf: SpellingOf;
}

/**
 * Whether a format can say a value, so that the laws ask it to; undefined: it can where its lens is exact. An undefined
 * value is a clear. `wire` is the object that is edited, absent for a fresh one.
 */
export type Says = (path: string, value: unknown, body: object, wire?: Tree) => boolean | undefined;

/** The rows of a list of records. */
export interface RowModel {
  readonly shape: 'list' | 'map' | 'either';
  readonly ids: readonly string[];
  readonly values: Values;
  empty(id: string): object;
  /** What absence of a slot means. */
  readonly defaults: Readonly<Record<string, unknown>>;
}

/** One field table and what the laws need to know of its kind. */
export interface Table {
  readonly label: string;
  readonly lenses: readonly Lens<never>[];
  readonly rules: CompareRules;
  readonly values: Values;
  empty(): object;
  /** The format's empty file, in some carrier. */
  readonly bases: readonly Tree[];
  readonly hints?: Hints;
  /** Laid over a generated wire: what its carrier really gives. */
  readonly carriers?: readonly Tree[];
  /** What the opened file always looks like, whatever was generated. */
  readonly settle?: (wire: Tree) => Tree;
  readonly says?: Says;
  /** Paths whose edit may add a wire key beside the one that was read: values that several keys share. */
  readonly spreads?: ReadonlySet<string>;
  /** Wire homes beyond its own that an edit of a path may touch: an archive moves its files along. */
  readonly moves?: Readonly<Record<string, readonly string[]>>;
  readonly rows?: RowModel;
  /** The adapter gives the account itself: its lenses claim nothing. */
  readonly accountsElsewhere?: boolean;
}

/** One law on one table. `run` throws with the smallest counterexample. */
export interface Law {
  readonly name: string;
  readonly property: fc.IProperty<unknown[]>;
}

/** Slots that formats mint or derive: no law asks for them. */
const MINTED = new Set(['id', 'origin', 'mime', 'primary']);

/** What a slot says, without what formats mint. */
function content(value: unknown, path: string, rows: RowModel | undefined): unknown {
  if (Array.isArray(value)) {
    return value.map((row) => {
      if (!isTree(row)) return row;
      const told = path === 'entries' && rows ? { ...rows.defaults, ...row } : row;
      return Object.fromEntries(Object.entries(told).filter(([key, held]) => !MINTED.has(key) && !silent(held)));
    });
  }
  if (path === 'media.portrait' && isTree(value)) return { ref: value.ref };
  return pruned(value);
}

/** An object without the parts that say nothing; undefined when none is left. */
function pruned(value: unknown): unknown {
  if (!isTree(value)) return value;
  const parts = Object.entries(value).flatMap(([key, held]) => {
    const told = pruned(held);
    return silent(told) ? [] : [[key, told] as const];
  });
  return parts.length === 0 ? undefined : Object.fromEntries(parts);
}

/** An edit of one slot of a body, or of one slot of one of its rows. */
interface Edit {
  readonly lens: Lens<never>;
  readonly path: string;
  readonly value: unknown;
  /** What stands at the homes of the lens, so that the edit has something to change. */
  readonly stands: readonly (readonly [home: readonly string[], value: unknown])[];
  /** The list of records, and which of its rows. */
  readonly row?: { readonly of: Lens<never>; readonly pick: number };
}

/** An edit that a counterexample shows in one line. */
const editOf = (edit: Edit): Edit => {
  const line = () =>
    `${edit.row ? `row ${edit.row.pick}: ` : ''}${edit.path} = ${show(edit.value)}, over ${show(edit.stands.map(([home, value]) => [home.join('.'), value]))}`;
  return Object.defineProperty({ ...edit }, fc.toStringMethod, { value: line });
};

const keysOf = (path: string): string[] => path.split('.');
const pick = (lens: Lens<never>, body: object): unknown => (lens as Lens<object>).pick(body);

/** Whether something that `want` says is not what `got` says; what only `got` says is no loss. */
function lost(want: unknown, got: unknown): boolean {
  if (isTree(want)) return Object.keys(want).some((key) => lost(want[key], dig(got, [key])));
  const rows = Array.isArray(want) && want.length > 0 && want.every(isTree);
  if (!rows) return !silent(want) && !equal(want, got);
  if (!Array.isArray(got)) return true;
  const free = new Set(got.keys());
  return want.some((row, index) => {
    const covers = (at: number) => !Object.keys(row).some((key) => lost(row[key], dig(got[at], [key])));
    const partner = [index, ...free].find((at) => free.has(at) && covers(at));
    if (partner !== undefined) free.delete(partner);
    return partner === undefined;
  });
}

/** Values for a path: its own, or the part of a wider slot. */
function valuesAt(values: Values, path: string): fc.Arbitrary<unknown> {
  if (values[path]) return values[path];
  const keys = keysOf(path);
  for (let end = keys.length - 1; end > 0; end--) {
    const wider = values[keys.slice(0, end).join('.')];
    if (wider) return wider.map((value) => dig(value, keys.slice(end)));
  }
  throw new Error(`no values for the canonical path "${path}"`);
}

/** The laws of one table, on one engine. */
export function lawsOf(engine: Engine, table: Table): Law[] {
  const { lenses, rows } = table;
  const { get, put, create } = {
    get: (wire: Tree) => engine.get(lenses, wire as never, table.empty() as never) as object,
    put: (twin: Tree, body: object) => engine.put(lenses, twin, body as never),
    create: (base: Tree, body: object) => engine.create(lenses, base, body as never),
  };
  const rowsLens = lenses.find((lens) => lens.rows !== undefined);
  const rowLenses = rowsLens?.rows ?? [];
  const said: Says = (path, value, body, wire) => {
    const lens = [...lenses, ...rowLenses].find(({ canonical }) => canonical.includes(path));
    return table.says?.(path, value, body, wire) ?? !lens?.lossy;
  };
  const settled = table.settle ?? ((wire: Tree) => wire);
  const shape = {
    lenses,
    ...(table.hints ? { hints: table.hints } : {}),
    ...(rows ? { rowShape: rows.shape, rowIds: rows.ids } : {}),
  };
  const wires = fc
    .tuple(anyWire(shape, engine.keepSpelling), fc.nat((table.carriers?.length ?? 1) - 1))
    .map(([wire, which]) => frozen(settled(carried(wire, table.carriers?.[which]))));

  const slotEdit = (lens: Lens<never>, values: Values): fc.Arbitrary<Edit>[] =>
    lens.rows
      ? []
      : lens.canonical.map((path) =>
          fc
            .tuple(fc.option(valuesAt(values, path), { nil: undefined, freq: 6 }), anySlots(shape, lens))
            .map(([value, stands]) => editOf({ lens, path, value, stands })),
        );
  const ownEdits = lenses.flatMap((lens) => slotEdit(lens, table.values));
  const inRows = (edit: fc.Arbitrary<Edit>): fc.Arbitrary<Edit> =>
    fc.tuple(edit, fc.nat(3)).map(([one, which]) => editOf({ ...one, row: { of: rowsLens!, pick: which } }));
  const edits: fc.Arbitrary<Edit> = fc.oneof(
    ...ownEdits,
    ...rowLenses.flatMap((lens) => slotEdit(lens, rows?.values ?? {})).map(inRows),
  );
  const additions = [
    ...listLenses(shape, lenses, table.values),
    ...listLenses(shape, rowLenses, rows?.values ?? {}).map(inRows),
  ];

  const rowsIn = (body: object): object[] =>
    (dig(body, keysOf(rowsLens?.canonical[0] ?? '')) as object[] | undefined) ?? [];
  const place = (body: object, edit: Edit): number =>
    edit.row ? (rowsIn(body).length === 0 ? -1 : edit.row.pick % rowsIn(body).length) : 0;
  /** The part of a body that an edit is about; undefined where it has no such row. */
  const scope = (body: object, edit: Edit): object | undefined => (edit.row ? rowsIn(body)[place(body, edit)] : body);
  const apply = (body: object, edit: Edit): object => {
    if (!edit.row) return changed(body, keysOf(edit.path), edit.value);
    const index = place(body, edit);
    if (index < 0) return body;
    return changed(body, [...keysOf(edit.row.of.canonical[0]!), String(index), ...keysOf(edit.path)], edit.value);
  };
  const required = (edit: Edit): boolean =>
    dig(edit.row ? rows?.empty('x') : table.empty(), keysOf(edit.path)) !== undefined;

  /** The wire object that the row of an edit stands in, as keys; undefined where the wire has no row. */
  const rowKeys = (wire: Tree, edit: Edit): string[] | undefined => {
    if (!edit.row) return [];
    if (place(get(wire), edit) < 0) return undefined;
    const home = keysOf(edit.row.of.wire[0]!);
    const raw = dig(wire, home);
    const readable = Object.keys(raw as object).filter((key) => isTree(dig(raw, [key])));
    return [...home, readable[place(get(wire), edit)] ?? ''];
  };

  /** Whether each slot of `back` says what `body` says; all but the slots in `except`. */
  const agrees = (
    body: object,
    back: object,
    among: readonly Lens<never>[],
    except: ReadonlySet<string>,
  ): string | undefined => {
    for (const lens of among) {
      const [want, got] = [pick(lens, body), pick(lens, back)];
      for (const path of lens.canonical) {
        if (except.has(path)) continue;
        const [was, now] = [lens.part(want as never, path), lens.part(got as never, path)];
        if (!sayTheSame(content(was, path, undefined), content(now, path, undefined))) return path;
      }
    }
    return undefined;
  };

  const check = <T extends [unknown, ...unknown[]]>(
    name: string,
    arbitraries: { [K in keyof T]: fc.Arbitrary<T[K]> },
    predicate: (...args: T) => void,
  ): Law => ({
    name,
    property: fc.property(...(arbitraries as never as [fc.Arbitrary<unknown>]), predicate as never) as never,
  });

  /** A wire in which the edited lens has something at its homes, whatever the generator left out. */
  const prepared = (wire: Tree, edit: Edit): Tree => {
    const carrier = new Set(Object.keys(table.carriers?.[0] ?? {}));
    const at = rowKeys(wire, edit);
    if (at === undefined) return wire;
    let out = wire;
    for (const [home, value] of edit.stands) {
      if (!carrier.has(home[0]!) && home[0] !== 'picture' && home[0] !== 'files')
        out = changed(out, [...at, ...home], value);
    }
    return frozen(settled(out));
  };
  /** A law about an edit: it holds of nothing where the wire has no such row, or where a slot cannot be cleared. */
  const editLaw = (name: string, predicate: (wire: Tree, edit: Edit, at: string[]) => void): Law =>
    check<[Tree, Edit]>(name, [wires, edits], (given, edit) => {
      const wire = prepared(given, edit);
      const at = rowKeys(wire, edit);
      if (at !== undefined && !(edit.value === undefined && required(edit))) predicate(wire, edit, at);
    });

  /** Two bodies that say the same, ids of rows apart. */
  const agreesInAll = (a: object, b: object): boolean =>
    lenses.every((lens) =>
      lens.canonical.every((path) => {
        const [one, other] = [a, b].map((body) => content(dig(body, keysOf(path)), path, rows));
        return sayTheSame(one, other);
      }),
    );

  const laws: Law[] = [
    check<[Tree]>('GetPut: an unedited file is the very same object', [wires], (wire) => {
      assert.equal(put(wire, get(wire)), wire);
    }),

    check<[Tree]>('reading: only what stands in the file is read', [wires], (wire) => {
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
      const read = edit.lens.read as (wire: Tree) => unknown;
      if (sayTheSame(read(inside), read({}))) return;
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
        const value = (lens.read as (wire: Tree) => unknown)(inside as Tree);
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

    check<[Tree, Edit, Edit]>(
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

    check<[Tree, Edit[]]>(
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

    check<[Tree, Edit]>(
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

    check<[Tree]>(
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
        const read = get(wire);
        for (const { path } of left) {
          const keys = keysIn(path);
          if (!there(wire, keys)) continue;
          const holder = dig(wire, keys.slice(0, -1));
          // Without a row of a list the rows after it move, and a row without id is called by its place.
          if (Array.isArray(holder)) continue;
          const without = get(changed(wire, keys, undefined));
          assert.ok(agreesInAll(read, without), `${path} is read, yet reported as left behind`);
        }
      },
    ),
  ];
  const kept = laws.filter(
    ({ name }) =>
      !(name.startsWith('lists:') && additions.length === 0) &&
      !(name.startsWith('account:') && table.accountsElsewhere),
  );
  return rowsLens && rows ? [...kept, ...rowLaws(engine, table, rowsLens, rows, wires, get, put)] : kept;
}

/** Laws of lists of records: rows are met by id, never by place. */
function rowLaws(
  engine: Engine,
  table: Table,
  lens: Lens<never>,
  rows: RowModel,
  wires: fc.Arbitrary<Tree>,
  get: (wire: Tree) => object,
  put: (twin: Tree, body: object) => Tree,
): Law[] {
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
  const law = <T extends unknown[]>(
    name: string,
    arbitraries: { [K in keyof T]: fc.Arbitrary<T[K]> },
    predicate: (...args: T) => void,
  ): Law => ({
    name,
    property: fc.property(...(arbitraries as never as [fc.Arbitrary<unknown>]), predicate as never) as never,
  });
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
      fc.pre(entries.length > 0);
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
        fc.pre(!entries.some(({ id }) => id === added.id));
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

/** Edits that add one item to a list. */
const listLenses = (shape: WireShape, lenses: readonly Lens<never>[], values: Values): fc.Arbitrary<Edit>[] =>
  lenses.flatMap((lens) =>
    lens.rows || !/list of|rows/.test(lens.shape)
      ? []
      : lens.canonical.flatMap((path) => {
          const arbitrary = valuesAt(values, path).filter((value) => Array.isArray(value) && value.length > 0);
          const isLists = fc.sample(valuesAt(values, path), { numRuns: 5, seed: 1 }).some(Array.isArray);
          return isLists
            ? [
                fc
                  .tuple(arbitrary, anySlots(shape, lens))
                  .map(([value, stands]) => editOf({ lens, path, value, stands })),
              ]
            : [];
        }),
  );

const minus = (set: ReadonlySet<string>, gone: string): Set<string> => new Set([...set].filter((one) => one !== gone));
const under = (path: string, home: string): boolean =>
  path === home || path.startsWith(`${home}.`) || path.startsWith(`${home}[`);
/** Whether a text, a number or a list stands where an object should: nothing is written through it. */
const blocked = (wire: unknown, home: readonly string[]): boolean =>
  home.slice(0, -1).some((_, i) => {
    const held = dig(wire, home.slice(0, i + 1));
    return held !== undefined && held !== null && !isTree(held);
  });
/** Nothing but nothings, at any depth. */
const hollow = (value: unknown): boolean =>
  silent(value) || ((Array.isArray(value) || isTree(value)) && Object.values(value).every(hollow));
const show = (value: unknown): string => JSON.stringify(value) ?? 'nothing';

/** The keys in a reported wire path: `a.b[0]["c.d"]`. */
function keysIn(path: string): string[] {
  const out: string[] = [];
  const part = /\["((?:[^"\\]|\\.)*)"\]|\[([^\]]*)\]|([^.[]+)/g;
  for (const [, quoted, index, plain] of path.matchAll(part)) {
    out.push(quoted === undefined ? ((index ?? plain) as string) : (JSON.parse(`"${quoted}"`) as string));
  }
  return out;
}

/** A wire in its carrier: whatever stands at the carrier's keys comes from there. */
function carried(wire: Tree, carrier: Tree | undefined): Tree {
  if (!carrier) return wire;
  const { carrier: _c, picture: _p, files: _f, ...rest } = wire;
  return Object.freeze({ ...carrier, ...rest });
}
