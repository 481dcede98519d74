/** Lumiverse: characters, world books, personas, presets and regex scripts. Facts: its public source, mid-2026. */
import type { AnyAdapter } from '../../entities/kinds.ts';
import { lumiverse } from './character.ts';
import { lumiverseLorebook } from './lorebook.ts';
import { lumiversePersona } from './persona.ts';
import { lumiversePreset } from './preset.ts';
import { lumiverseRegex } from './regex.ts';

export default [lumiverse, lumiverseLorebook, lumiversePersona, lumiversePreset, lumiverseRegex] satisfies AnyAdapter[];
