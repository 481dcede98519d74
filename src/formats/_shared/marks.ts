import type { Lens } from '../../core/lens.ts';

/** Keys that an app keeps for itself and that say nothing to a person: ids, memo switches. Read by nobody, never written. */
export const marks = <B>(...wire: readonly string[]): Lens<B> => ({
  canonical: [],
  wire,
  shape: 'marks of the app',
  lossy: false,
  read: () => undefined,
  write: () => undefined,
  pick: () => undefined,
  place: () => undefined,
  part: () => undefined,
  claims: () => wire.map((key) => ({ keys: [key] })),
});
