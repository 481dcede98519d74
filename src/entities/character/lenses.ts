import { lensesFor } from '../../core/lenses.ts';
import type { CharacterBody } from './schema.ts';

/** Lens constructors for a character: paths and codecs are checked against the body type. */
export const character = lensesFor<CharacterBody>();
