import { lensesFor } from '../../core/lenses.ts';
import { rowsFor } from '../../core/rows.ts';
import type { RegexBody, RegexRule } from './schema.ts';

/** Lens constructors for a rule set and for one of its rules. */
export const regexSet = { ...lensesFor<RegexBody>(), rows: rowsFor<RegexBody>() };
export const regexRule = lensesFor<RegexRule>();
