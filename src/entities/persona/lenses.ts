import { lensesFor } from '../../core/lenses.ts';
import type { PersonaBody } from './schema.ts';

/** Lens constructors for a persona. */
export const persona = lensesFor<PersonaBody>();
