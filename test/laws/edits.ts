import fc from 'fast-check';
import type { Lens } from '../../src/core/lens.ts';
import { show } from './content.ts';
import { dig } from './tree.ts';
import type { Values } from './values.ts';
import { anySlots, type WireShape } from './wires.ts';

/** The keys of a dotted path. */
export const keysOf = (path: string): string[] => path.split('.');

/** An edit of one slot of a body, or of one slot of one of its rows. */
export interface Edit {
  readonly lens: Lens<never>;
  readonly path: string;
  readonly value: unknown;
  /** What stands at the homes of the lens, so that the edit has something to change. */
  readonly stands: readonly (readonly [home: readonly string[], value: unknown])[];
  /** The list of records, and which of its rows. */
  readonly row?: { readonly of: Lens<never>; readonly pick: number };
}

/** An edit that a counterexample shows in one line. */
export const editOf = (edit: Edit): Edit => {
  const line = () =>
    `${edit.row ? `row ${edit.row.pick}: ` : ''}${edit.path} = ${show(edit.value)}, over ${show(edit.stands.map(([home, value]) => [home.join('.'), value]))}`;
  return Object.defineProperty({ ...edit }, fc.toStringMethod, { value: line });
};

/** Values for a path: its own, or the part of a wider slot. */
export function valuesAt(values: Values, path: string): fc.Arbitrary<unknown> {
  if (values[path]) return values[path];
  const keys = keysOf(path);
  for (let end = keys.length - 1; end > 0; end--) {
    const wider = values[keys.slice(0, end).join('.')];
    if (wider) return wider.map((value) => dig(value, keys.slice(end)));
  }
  throw new Error(`no values for the canonical path "${path}"`);
}

/** Edits of each slot of a lens, clears among them. */
export const slotEdits = (shape: WireShape, lens: Lens<never>, values: Values): fc.Arbitrary<Edit>[] =>
  lens.rows
    ? []
    : lens.canonical.map((path) =>
        fc
          .tuple(fc.option(valuesAt(values, path), { nil: undefined, freq: 6 }), anySlots(shape, lens))
          .map(([value, stands]) => editOf({ lens, path, value, stands })),
      );

/** Edits that add one item to a list. */
export const additionsTo = (shape: WireShape, lenses: readonly Lens<never>[], values: Values): fc.Arbitrary<Edit>[] =>
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
