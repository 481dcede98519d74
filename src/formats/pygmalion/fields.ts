import { text } from '../../core/codec.ts';
import type { Wire } from '../../core/draft.ts';
import { valueAt } from '../../core/draft.ts';
import type { Lens } from '../../core/lens.ts';
import { at } from '../../core/lenses.ts';
import { character } from '../../entities/character/lenses.ts';
import type { CharacterBody } from '../../entities/character/schema.ts';
import { mediaFields } from '../_shared/tavern-media.ts';

const PERSONA = ['card', 'char_persona'];

/** One persona text; the model shows it twice, and personality is the one that is edited. */
const persona = character.joint(['persona.personality', 'identity.description'], {
  wire: ['card.char_persona'],
  shape: 'text',
  lossy: true,
  note: 'one persona text: personality is written, description only where there is no personality',
  read(wire) {
    const blob = text().read(valueAt(wire, PERSONA));
    return { 'persona.personality': blob, 'identity.description': blob };
  },
  write(draft, now, before) {
    const personality = now['persona.personality'];
    const onlyMirror =
      personality === before['persona.personality'] && now['identity.description'] !== before['identity.description'];
    if (onlyMirror && personality !== undefined) return;
    const blob = personality ?? now['identity.description'];
    if (blob === undefined) draft.delete(PERSONA);
    else draft.set(PERSONA, blob);
  },
}) as Lens<CharacterBody>;

/** The table of a Pygmalion card over the opened file. */
export const pygmalionFields: readonly Lens<CharacterBody>[] = [
  character.field('identity.name', at('card.char_name', 'card.name'), text(), { absent: '' }) as Lens<CharacterBody>,
  persona,
  character.field('persona.scenario', at('card.world_scenario'), text()) as Lens<CharacterBody>,
  character.field('greetings.firstMessage', at('card.char_greeting'), text()) as Lens<CharacterBody>,
  character.field('examples.exampleMessages', at('card.example_dialogue'), text()) as Lens<CharacterBody>,
  ...mediaFields('card', false),
];

/** The empty card: all five keys are there. */
export const pygmalionBase = (): Wire => ({
  char_name: '',
  char_persona: '',
  char_greeting: '',
  world_scenario: '',
  example_dialogue: '',
});
