import { bag, type Codec, isoSeconds, list, number, required, text } from '../../core/codec.ts';
import { isRecord, valueAt, type Wire } from '../../core/draft.ts';
import type { Lens } from '../../core/lens.ts';
import { at } from '../../core/lenses.ts';
import { character } from '../../entities/character/lenses.ts';
import type { CharacterBody, DepthInjection, Greeting } from '../../entities/character/schema.ts';
import { portrait, sprite } from './media.ts';
import { persona } from './persona.ts';
import { voice } from './voice.ts';

/** Bare texts: a title from another format has no home here and is reported. */
const greeting: Codec<Greeting> = {
  shape: 'text',
  lossy: true,
  read: (raw) => (typeof raw === 'string' ? { text: raw } : undefined),
  write: (value) => value.text,
};

const INSERT = ['card', 'insert'];
/** The depth of an insert that names none. */
const DEPTH = 4;

/** The injection in Agnai's one slot. An insert without a text says nothing: its depth waits in the twin. */
function insertIn(wire: Wire): DepthInjection | undefined {
  const prompt = text().read(valueAt(wire, [...INSERT, 'prompt']));
  if (prompt === undefined || prompt === '') return undefined;
  return { text: prompt, depth: number().read(valueAt(wire, [...INSERT, 'depth'])) ?? DEPTH };
}

const insert = character.joint(['prompts.depthInjections'], {
  wire: ['card.insert.prompt', 'card.insert.depth'],
  shape: 'text and depth',
  lossy: true,
  note: 'one text at a depth: the first that is switched on, without role',
  read(wire) {
    const held = insertIn(wire);
    return held ? { 'prompts.depthInjections': [held] } : {};
  },
  write(draft, { 'prompts.depthInjections': now = [] }) {
    const held = insertIn(draft.twin);
    const first = now.find(({ enabled }) => enabled !== false);
    if (!first) {
      const raw = valueAt(draft.twin, INSERT);
      const more = isRecord(raw) && Object.keys(raw).some((key) => key !== 'prompt' && key !== 'depth');
      if (more) draft.set([...INSERT, 'prompt'], '');
      else draft.delete(INSERT);
      return;
    }
    if (first.depth !== held?.depth)
      draft.set([...INSERT, 'depth'], number().write(first.depth, valueAt(draft.twin, [...INSERT, 'depth'])));
    if (first.text !== held?.text) draft.set([...INSERT, 'prompt'], first.text);
  },
});

/** The table of an Agnai character over the opened file. */
export const agnaiFields: readonly Lens<CharacterBody>[] = [
  character.field('identity.name', at('card.name'), required(text(), ''), { absent: '' }),
  character.field('identity.description', at('card.description'), text(), { note: 'a note, never in the prompt' }),
  character.field('identity.characterVersion', at('card.characterVersion'), text()),
  character.field('identity.culture', at('card.culture'), text()),
  persona,
  character.field('persona.scenario', at('card.scenario'), required(text(), '')),
  character.field('persona.appearance', at('card.appearance'), text()),
  voice,
  character.field('persona.imagePrompt.prefix', at('card.imageSettings.prefix'), text()),
  character.field('persona.imagePrompt.suffix', at('card.imageSettings.suffix'), text()),
  character.field('persona.imagePrompt.negative', at('card.imageSettings.negative'), text()),
  character.field('persona.imagePrompt.template', at('card.imageSettings.template'), text()),
  character.field('prompts.systemPrompt', at('card.systemPrompt'), text()),
  character.field('prompts.postHistoryInstructions', at('card.postHistoryInstructions'), text()),
  character.field('prompts.prefill', at('card.prefill'), text(), { note: 'Agnai itself keeps it and ignores it' }),
  insert,
  character.field('greetings.firstMessage', at('card.greeting'), required(text(), '')),
  character.field(
    'greetings.alternateGreetings',
    at('card.alternateGreetings', 'card.alternativeGreetings'),
    list(greeting),
    { note: 'texts without titles' },
  ),
  character.field('examples.exampleMessages', at('card.sampleChat'), required(text(), '')),
  portrait,
  character.field('media.sprite', at('card.sprite'), sprite),
  character.field('media.visualKind', at('card.visualType'), text()),
  character.field('attribution.creator', at('card.creator'), text()),
  character.field('attribution.createdAt', at('card.createdAt'), isoSeconds()),
  character.field('attribution.updatedAt', at('card.updatedAt'), isoSeconds()),
  character.field('discovery.tags', at('card.tags'), list(text())),
  character.field('settings.responseSchema', at('card.json'), bag()),
];

/** The empty character: every key that Agnai's importer asks for. */
export const agnaiBase = (): Wire => ({
  kind: 'character',
  name: '',
  description: '',
  persona: { kind: 'text', attributes: { text: [''] } },
  appearance: '',
  scenario: '',
  greeting: '',
  sampleChat: '',
  alternateGreetings: [],
  tags: [],
});
