import type { AdapterOf } from '../../entities/kinds.ts';
import { emptyLorebook, type LorebookBody } from '../../entities/lorebook/schema.ts';
import { defineJson, type FileShape, type JsonSpec } from './json-file.ts';

/** One wire shape of a book format. */
export type BookShape = FileShape<LorebookBody>;

/** A lorebook that is a JSON file. */
export const defineJsonBook = (spec: Omit<JsonSpec<'lorebook'>, 'kind' | 'empty'>): AdapterOf<'lorebook'> =>
  defineJson({ ...spec, kind: 'lorebook', empty: emptyLorebook });
