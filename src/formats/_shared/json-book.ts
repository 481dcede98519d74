import type { Wire } from '../../core/draft.ts';
import type { AdapterOf } from '../../entities/kinds.ts';
import { emptyLorebook, type LorebookBody } from '../../entities/lorebook/schema.ts';
import { defineJson, type FileShape } from './json-file.ts';

/** One wire shape of a book format. */
export type BookShape = FileShape<LorebookBody>;

/** A lorebook that is a JSON file. */
export const defineJsonBook = (spec: {
  readonly id: string;
  readonly family: string;
  readonly label: string;
  readonly generic?: boolean;
  readonly extension?: string;
  readonly shapes: readonly [BookShape, ...BookShape[]];
  /** A book without a twin, in the first shape. */
  fresh(body: LorebookBody): Wire;
}): AdapterOf<'lorebook'> => defineJson({ ...spec, kind: 'lorebook', empty: emptyLorebook });
