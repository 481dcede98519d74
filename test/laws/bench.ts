import fc from 'fast-check';
import type { Lens } from '../../src/core/lens.ts';
import { content } from './content.ts';
import { additionsTo, type Edit, editOf, keysOf, slotEdits } from './edits.ts';
import type { Engine, Says, Table } from './model.ts';
import { changed, dig, frozen, isTree, sayTheSame, type Tree } from './tree.ts';
import { anyWire } from './wires.ts';

/** Keys of an opened file that its carrier fills. */
const CARRIER = new Set(['carrier', 'picture', 'files']);

/** What a lens shows of a body, and what it reads from a wire. */
export const pick = (lens: Lens<never>, body: object): unknown => (lens as Lens<object>).pick(body);
export const read = (lens: Lens<never>, wire: unknown): unknown => lens.read(wire as Tree);

/** Everything that the laws of one table on one engine share. */
export type Bench = ReturnType<typeof benchOf>;

export function benchOf(engine: Engine, table: Table) {
  const { lenses, rows } = table;
  const get = (wire: Tree) => engine.get(lenses, wire as never, table.empty() as never) as object;
  const put = (twin: Tree, body: object) => engine.put(lenses, twin, body as never);
  const create = (base: Tree, body: object) => engine.create(lenses, base, body as never);
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

  const ownEdits = lenses.flatMap((lens) => slotEdits(shape, lens, table.values));
  const inRows = (edit: fc.Arbitrary<Edit>): fc.Arbitrary<Edit> =>
    fc.tuple(edit, fc.nat(3)).map(([one, which]) => editOf({ ...one, row: { of: rowsLens!, pick: which } }));
  const edits: fc.Arbitrary<Edit> = fc.oneof(
    ...ownEdits,
    ...rowLenses.flatMap((lens) => slotEdits(shape, lens, rows?.values ?? {})).map(inRows),
  );
  const additions = [
    ...additionsTo(shape, lenses, table.values),
    ...additionsTo(shape, rowLenses, rows?.values ?? {}).map(inRows),
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

  /** A wire in which the edited lens has something at its homes, whatever the generator left out. */
  const prepared = (wire: Tree, edit: Edit): Tree => {
    const at = rowKeys(wire, edit);
    if (at === undefined) return wire;
    let out = wire;
    for (const [home, value] of edit.stands) {
      if (!CARRIER.has(home[0] ?? '')) out = changed(out, [...at, ...home], value);
    }
    return frozen(settled(out));
  };
  /** Two bodies that say the same, ids of rows apart. */
  const agreesInAll = (a: object, b: object): boolean =>
    lenses.every((lens) =>
      lens.canonical.every((path) => {
        const [one, other] = [a, b].map((body) => content(dig(body, keysOf(path)), path, rows));
        return sayTheSame(one, other);
      }),
    );

  return {
    engine,
    table,
    get,
    put,
    create,
    rowsLens,
    rowLenses,
    rowsIn,
    said,
    wires,
    edits,
    ownEdits,
    additions,
    place,
    scope,
    apply,
    required,
    rowKeys,
    agrees,
    agreesInAll,
    prepared,
  };
}

/** A wire in its carrier: whatever stands at the carrier's keys comes from there. */
function carried(wire: Tree, carrier: Tree | undefined): Tree {
  if (!carrier) return wire;
  const rest = Object.entries(wire).filter(([key]) => !CARRIER.has(key));
  return { ...carrier, ...Object.fromEntries(rest) };
}
