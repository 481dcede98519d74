import type { Adapter } from '../core/adapter.ts';
import type { Entity } from '../core/canonical.ts';
import type { CharacterBody } from './character/schema.ts';
import type { LorebookBody } from './lorebook/schema.ts';
import type { PersonaBody } from './persona/schema.ts';
import type { PresetBody } from './preset/schema.ts';
import type { RegexBody } from './regex/schema.ts';

/** The body type of each kind that has adapters. */
export interface Bodies {
  character: CharacterBody;
  lorebook: LorebookBody;
  persona: PersonaBody;
  regex: RegexBody;
  preset: PresetBody;
}
export type BodyKind = keyof Bodies;

export type EntityOf<K extends BodyKind> = Entity<Bodies[K], K>;
/** Any entity that a file can hold, told apart by `kind`. */
export type AnyEntity = { [K in BodyKind]: EntityOf<K> }[BodyKind];

export type AdapterOf<K extends BodyKind> = Adapter<K, Bodies[K], LorebookBody>;
/** Any adapter, told apart by `kind`. */
export type AnyAdapter = { [K in BodyKind]: AdapterOf<K> }[BodyKind];
