import { type Codec, number } from '../../core/codec.ts';
import type { SelectiveLogic } from '../../entities/lorebook/schema.ts';

const LOGIC: readonly SelectiveLogic[] = ['and_all', 'not_any', 'and_any', 'not_all'];

/** Lumiverse's numbers, also in the books that it writes for other apps: 0 and_all, 1 not_any, 2 and_any, 3 not_all. */
export const LUMIVERSE_LOGIC: Codec<SelectiveLogic> = {
  shape: '0 and_all, 1 not_any, 2 and_any, 3 not_all',
  read: (raw) => LOGIC[number().read(raw) ?? -1],
  write: (value, previous) => number().write(LOGIC.indexOf(value), previous),
};
