/** The field tables of every kind. */
import type { BodyKind } from '../../../entities/kinds.ts';
import { characterFields, characterGroups } from './character.ts';
import type { FieldTable, Said } from './describe.ts';
import { lorebookFields, lorebookGroups } from './lorebook.ts';
import { personaFields, personaGroups } from './persona.ts';
import { presetFields, presetGroups } from './preset.ts';
import { regexFields, regexGroups } from './regex.ts';

export interface KindFields {
  readonly table: FieldTable;
  /** Names of the sections, in order. */
  readonly groups: Readonly<Record<string, Said>>;
}

export const FIELDS: Readonly<Record<BodyKind, KindFields>> = {
  character: { table: characterFields, groups: characterGroups },
  lorebook: { table: lorebookFields, groups: lorebookGroups },
  persona: { table: personaFields, groups: personaGroups },
  regex: { table: regexFields, groups: regexGroups },
  preset: { table: presetFields, groups: presetGroups },
};
