import { SCHEMA_VERSION } from '../core/canonical.ts';
import type { Difference } from '../core/compare.ts';
import { valueAt } from '../core/draft.ts';
import { type CharacterBody, emptyCharacter } from '../entities/character/schema.ts';
import type { EntityOf } from '../entities/kinds.ts';
import { emptyPersona, type PersonaBody } from '../entities/persona/schema.ts';
import { compareBodies } from '../measure.ts';

/** What becomes what, for people to see. */
export const RECAST_TABLE = [
  { character: 'identity.name', persona: 'name' },
  { character: 'identity.description', persona: 'content' },
  { character: 'persona.personality', persona: 'sections.personality' },
  { character: 'persona.appearance', persona: 'sections.appearance' },
  { character: 'identity.tagline', persona: 'identity.tagline' },
  { character: 'identity.age', persona: 'identity.age' },
  { character: 'identity.pronouns', persona: 'identity.pronouns' },
  { character: 'attribution.creator', persona: 'attribution.creator' },
  { character: 'attribution.publicNote', persona: 'brief' },
  { character: 'identity.characterVersion', persona: 'attribution.version' },
  { character: 'discovery.rating', persona: 'rating' },
  { character: 'presentation.signatureColor', persona: 'presentation.signatureColor' },
  { character: 'media.portrait', persona: 'media.portrait' },
  { character: 'knowledgeRefs', persona: 'knowledgeRefs' },
] as const;

/** An entity as another kind, made fresh: it has no twin. */
export interface Recast<E> {
  readonly entity: E;
  /** What the other kind has no place for, measured by casting back. */
  readonly losses: readonly Difference[];
}

/** A character as a persona to play. Greetings, examples and prompts stay behind, and are named. */
export function personaOf(character: EntityOf<'character'>): Recast<EntityOf<'persona'>> {
  const body = toPersona(character.body);
  const { differences: losses } = compareBodies('character', character.body, toCharacter(body));
  return { entity: { schemaVersion: SCHEMA_VERSION, kind: 'persona', id: character.id, body }, losses };
}

/** A persona as a character to talk to. */
export function characterOf(persona: EntityOf<'persona'>): Recast<EntityOf<'character'>> {
  const body = toCharacter(persona.body);
  const { differences: losses } = compareBodies('persona', persona.body, toPersona(body));
  return { entity: { schemaVersion: SCHEMA_VERSION, kind: 'character', id: persona.id, body }, losses };
}

/** The personality stands in the text of a persona too: most apps know no other place for it. */
function toPersona(body: CharacterBody): PersonaBody {
  const persona = laid(emptyPersona(), body, 'character', 'persona') as unknown as PersonaBody;
  const text = [persona.content, personalityBlock(persona)].filter(Boolean).join('\n\n');
  return text === '' ? persona : { ...persona, content: text };
}

function toCharacter(body: PersonaBody): CharacterBody {
  const { content, ...rest } = body;
  const block = personalityBlock(body);
  const own = block && content?.endsWith(block) ? content.slice(0, -block.length).replace(/\n\n$/, '') : content;
  const persona = own ? { ...rest, content: own } : rest;
  return laid(emptyCharacter(), persona, 'persona', 'character') as unknown as CharacterBody;
}

const personalityBlock = ({ sections }: PersonaBody): string | undefined =>
  sections?.personality ? `Personality: ${sections.personality}` : undefined;

type Side = 'character' | 'persona';

/** Lays what `source` says at its side of the table over `base`. */
function laid(base: object, source: object, from: Side, to: Side): Record<string, unknown> {
  const result = { ...base } as Record<string, unknown>;
  for (const row of RECAST_TABLE) {
    const value = valueAt(source, row[from].split('.'));
    if (value === undefined) continue;
    const [group = '', slot] = row[to].split('.');
    if (slot === undefined) result[group] = value;
    else result[group] = { ...(result[group] as object), [slot]: value };
  }
  return result;
}
