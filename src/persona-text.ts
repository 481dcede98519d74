/** A persona of attributes as a text, for the apps that know nothing else. */
import type { Warning } from './core/errors.ts';
import type { CharacterBody, StructuredPersona } from './entities/character/schema.ts';
import type { AnyAdapter, AnyEntity } from './entities/kinds.ts';

/** An entity as a target can say it, and where it says more than the entity itself. */
export interface Spelled {
  readonly entity: AnyEntity;
  /** The slot that took the text. Absent: nothing was changed. */
  readonly slot?: 'persona.personality' | 'identity.description';
}

/**
 * The entity with the attributes of its persona written out, where the target has no place for attributes and nothing
 * stands in the slot for the text: the personality, else the description.
 */
export function spelledOut(entity: AnyEntity, { native, coverage }: AnyAdapter): Spelled {
  if (entity.kind !== 'character' || native || !entity.body.persona) return { entity };
  const { identity, persona } = entity.body;
  const { structured } = persona;
  if (!structured || structured.kind === 'text' || persona.personality) return { entity };
  const holds = (path: string) => coverage.some(({ canonical }) => canonical === path);
  if (holds('persona.structured')) return { entity };
  const text = personaText(identity.name, structured);
  if (text === '') return { entity };
  if (holds('persona.personality')) {
    const body: CharacterBody = { ...entity.body, persona: { ...persona, personality: text } };
    return { entity: { ...entity, body }, slot: 'persona.personality' };
  }
  if (identity.description || !holds('identity.description')) return { entity };
  const body: CharacterBody = { ...entity.body, identity: { ...identity, description: text } };
  return { entity: { ...entity, body }, slot: 'identity.description' };
}

/** What a person is told of it. */
export const spelledWarning = (slot: string): Warning => ({
  code: 'persona.spelled-out',
  path: slot,
  message: 'the attributes of the persona are written here as text: this format has no place for attributes',
});

/** The text as Agnai puts it into a prompt; empty where there are no attributes. */
export function personaText(name: string, persona: StructuredPersona): string {
  if (persona.kind === 'text') return '';
  const rows = Object.entries(persona.attributes).filter(([, values]) => values.length > 0);
  if (rows.length === 0) return '';
  const quoted = (values: readonly string[], between: string) => values.map((value) => `"${value}"`).join(between);
  switch (persona.kind) {
    case 'attributes':
      return [`Name: ${name}`, ...rows.map(([key, values]) => `${key}: ${values.join(', ')}`)].join('\n');
    case 'wpp': {
      const lines = rows.map(([key, values]) => `${key}(${quoted(values, ' + ')})`);
      return `[character("${name}") {\n${lines.join('\n')}\n}]`;
    }
    case 'sbf':
      return `[ ${[`character: "${name}"`, ...rows.map(([key, values]) => `${key}: ${quoted(values, ', ')}`)].join('; ')} ]`;
    case 'boostyle':
      return [name, ...rows.flatMap(([, values]) => values)].join(' + ');
  }
}
