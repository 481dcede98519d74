import { lensesFor } from '../../core/lenses.ts';
import { rowsFor } from '../../core/rows.ts';
import type { LorebookBody, LorebookEntry } from './schema.ts';

/** Lens constructors for a book and for one of its entries. */
export const lorebook = { ...lensesFor<LorebookBody>(), rows: rowsFor<LorebookBody>() };
export const loreEntry = lensesFor<LorebookEntry>();
