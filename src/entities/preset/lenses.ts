import { lensesFor } from '../../core/lenses.ts';
import { rowsFor } from '../../core/rows.ts';
import type { PresetBody, PresetChoice, PresetGroup, PresetPrompt } from './schema.ts';

/** Lens constructors for a preset, and for its prompts, groups and choices. */
export const preset = { ...lensesFor<PresetBody>(), rows: rowsFor<PresetBody>() };
export const presetPrompt = lensesFor<PresetPrompt>();
export const presetGroup = lensesFor<PresetGroup>();
export const presetChoice = { ...lensesFor<PresetChoice>(), rows: rowsFor<PresetChoice>() };
