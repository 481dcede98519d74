import * as account from '../../src/core/account.ts';
import * as bytes from '../../src/core/bytes.ts';
import * as codec from '../../src/core/codec.ts';
import * as compare from '../../src/core/compare.ts';
import * as lens from '../../src/core/lens.ts';
import * as lenses from '../../src/core/lenses.ts';
import * as spelling from '../../src/core/spelling.ts';
import * as characterCompare from '../../src/entities/character/compare.ts';
import * as characterSchema from '../../src/entities/character/schema.ts';
import * as lorebookCompare from '../../src/entities/lorebook/compare.ts';
import * as lorebookSchema from '../../src/entities/lorebook/schema.ts';
import { engineOf, type Modules } from './tables.ts';

/** The modules of the library itself. */
export const own: Modules = {
  account,
  bytes,
  codec,
  compare,
  lens,
  lenses,
  spelling,
  characterCompare,
  characterSchema,
  lorebookCompare,
  lorebookSchema,
};

export const ownEngine = engineOf(own);
