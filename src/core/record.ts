import { accountFor } from './account.ts';
import type { Codec } from './codec.ts';
import { isRecord } from './draft.ts';
import { claimsOf, create, get, type Lens, put } from './lens.ts';

/** A table as a codec, for objects inside lists: keys it does not name survive an edit. */
export const record = <A extends object>(lenses: readonly Lens<A>[], blank: () => A): Codec<A> => ({
  shape: `record of ${lenses.map((lens) => lens.wire[0]).join(', ')}`,
  lossy: lenses.some((lens) => lens.lossy),
  read: (raw) => (isRecord(raw) ? get(lenses, raw, blank()) : undefined),
  write: (value, previous) => (isRecord(previous) ? put(lenses, previous, value) : create(lenses, {}, value)),
  account: (raw, path, out) => isRecord(raw) && accountFor(claimsOf(lenses, raw), raw, path, out),
});
