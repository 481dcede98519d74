import type { Source } from '../../core/source.ts';

/** The file name without folder and extension: a label where the content has no name. */
export const stemOf = (source: Source): string =>
  (source.filename ?? '').replace(/^.*[\\/]/, '').replace(/\.[^.]{1,10}$/, '');
