import { type Codec, list, oneOf, required, text } from '../../core/codec.ts';
import { isRecord, type Wire } from '../../core/draft.ts';
import { canonicalId } from '../../core/ids.ts';
import type { Lens } from '../../core/lens.ts';
import { at } from '../../core/lenses.ts';
import { character } from '../../entities/character/lenses.ts';
import type { CharacterBody } from '../../entities/character/schema.ts';
import { mediaFields } from '../_shared/tavern-media.ts';
import { isoTime, UNKNOWN_TIME } from './dates.ts';
import { braces, dialogue, promptBraces } from './dialect.ts';
import { nameLens } from './names.ts';

/** `flat`: the character alone. `envelope`: the app's own `{ character, version }`. */
export type BackyardShape = 'flat' | 'envelope';

const MARKS = ['aiName', 'aiPersona', 'aiDisplayName'] as const;
const isText = (value: unknown): value is string => typeof value === 'string';

/** The shape of a parsed card: an envelope holds an object with one of the names that only Backyard uses. */
export function shapeOf(card: unknown): BackyardShape {
  const inner = isRecord(card) ? card.character : undefined;
  return isRecord(inner) && MARKS.some((key) => isText(inner[key])) ? 'envelope' : 'flat';
}

/** The rating has two states on the wire; `mature` has none of them and leaves what stands there. */
export const adultFlag: Codec<'all-ages' | 'mature' | 'explicit'> = oneOf([
  [true, 'explicit'],
  [false, 'all-ages'],
]);

const all = (lenses: readonly unknown[]): readonly Lens<CharacterBody>[] => lenses as readonly Lens<CharacterBody>[];

function tableOf(shape: BackyardShape): readonly Lens<CharacterBody>[] {
  const flat = shape === 'flat';
  const root = flat ? 'card' : 'card.character';
  const home = (first: string, ...others: readonly string[]) =>
    at(`${root}.${first}`, ...others.map((key) => `${root}.${key}`));
  /** The app reads its envelope strictly: every key of it has to be there. */
  const kept = <A>(codec: Codec<A>, blank: unknown) => (flat ? codec : required(codec, blank));
  const prompt = flat
    ? home('systemPrompt', 'system_prompt', 'basePrompt')
    : home('basePrompt', 'systemPrompt', 'system_prompt');

  return all([
    nameLens(root.split('.'), ['aiDisplayName', 'aiName', 'displayName', 'name'], 'aiName'),
    character.field('identity.description', home('aiPersona', 'description', 'persona'), kept(braces, '')),
    character.field('persona.scenario', home('scenario'), kept(braces, '')),
    character.field('prompts.systemPrompt', prompt, kept(promptBraces, '')),
    character.field('greetings.firstMessage', home('firstMessage', 'greeting', 'first_mes'), kept(braces, '')),
    character.field('examples.exampleMessages', home('customDialogue', 'examples', 'mes_example'), kept(dialogue, '')),
    character.field('attribution.createdAt', home('createdAt'), kept(isoTime(), UNKNOWN_TIME)),
    character.field('attribution.updatedAt', home('updatedAt'), kept(isoTime(), UNKNOWN_TIME)),
    character.field('discovery.rating', home('isNSFW'), kept(adultFlag, false), {
      note: 'true or false on the wire: mature has no spelling',
    }),
    ...mediaFields(root, false),
    ...(flat ? flatOnly : []),
  ]);
}

/** Homes that only the flat shape has; the app's envelope knows no such keys. */
const FLAT_NOTE = { note: 'only on a flat card: the envelope of the app has no such key' };
const flatOnly = all([
  character.field('identity.characterVersion', at('card.version'), text(), FLAT_NOTE),
  character.field('persona.personality', at('card.personality'), braces, FLAT_NOTE),
  character.field('attribution.creator', at('card.creator'), text(), FLAT_NOTE),
  character.field('discovery.tags', at('card.tags'), list(text()), FLAT_NOTE),
]);

/** The two tables over the opened file. */
export const backyardFields: Readonly<Record<BackyardShape, readonly Lens<CharacterBody>[]>> = {
  flat: tableOf('flat'),
  envelope: tableOf('envelope'),
};

/** A flat card with nothing in it: a name that makes it recognized, and the version as a floor. */
export const flatBase = (): Wire => ({ aiDisplayName: '', version: '1.0' });

/** An envelope with nothing in it: every key of format version 4, with the defaults of another editor's writer. */
export const envelopeBase = (name: string): Wire => ({
  character: {
    id: canonicalId(name, 'character'),
    aiDisplayName: '',
    aiName: '',
    aiPersona: '',
    scenario: '',
    basePrompt: '',
    customDialogue: '',
    firstMessage: '',
    grammar: null,
    isNSFW: false,
    model: null,
    createdAt: UNKNOWN_TIME,
    updatedAt: UNKNOWN_TIME,
    temperature: 1.2,
    topK: 30,
    topP: 0.9,
    minP: 0.1,
    minPEnabled: true,
    repeatPenalty: 1.05,
    repeatLastN: 256,
    promptTemplate: null,
    canDeleteCustomDialogue: true,
    loreItems: [],
    Chat: [],
  },
  version: 4,
});
