/**
 * RoleCall: Tavern cards with a block of their own, lorebooks, personas, regex scripts and presets.
 * Facts: seed page on RoleCall; the bare payload in a picture and the `rcpersona` chunk from the public specification
 * pages of Hoplight, which describe RoleCall's exporters.
 */
import type { AnyAdapter } from '../../entities/kinds.ts';
import { rolecall } from './card.ts';
import { rolecallLorebook } from './lorebook.ts';
import { rolecallPersona } from './persona.ts';
import { rolecallPreset } from './preset.ts';
import { rolecallRegex } from './regex.ts';

export default [rolecall, rolecallLorebook, rolecallPersona, rolecallRegex, rolecallPreset] satisfies AnyAdapter[];
