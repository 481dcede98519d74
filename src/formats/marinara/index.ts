/**
 * Marinara Engine: characters, lorebooks, personas and presets in the app's export envelope, and its regex scripts.
 * Facts: the app's public schema and importer files (AGPL-3.0, facts only), an early-2026 release and later revisions.
 */
import type { AnyAdapter } from '../../entities/kinds.ts';
import { marinaraCharacter } from './character.ts';
import { marinaraLorebook } from './lorebook.ts';
import { marinaraPersona } from './persona.ts';
import { marinaraPreset } from './preset.ts';
import { marinaraRegex } from './regex.ts';

export { marinaraCharacter, marinaraLorebook, marinaraPersona, marinaraPreset, marinaraRegex };

export default [
  marinaraCharacter,
  marinaraLorebook,
  marinaraPersona,
  marinaraPreset,
  marinaraRegex,
] satisfies AnyAdapter[];
