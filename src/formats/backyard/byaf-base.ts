import type { Wire } from '../../core/draft.ts';
import { canonicalId } from '../../core/ids.ts';
import type { CharacterBody } from '../../entities/character/schema.ts';
import { isoTime, UNKNOWN_TIME } from './dates.ts';

/** A scenario with every key that the format requires; numbers as another editor's writer has them. */
export const scenarioShell = (): Wire => ({
  schemaVersion: 1,
  formattingInstructions: '',
  minP: 0.1,
  minPEnabled: true,
  temperature: 1.2,
  repeatPenalty: 1.05,
  repeatLastN: 256,
  topK: 30,
  topP: 0.9,
  exampleMessages: [],
  canDeleteExampleMessages: true,
  firstMessages: [],
  narrative: '',
  promptTemplate: null,
  grammar: null,
  messages: [],
});

/** What a new opening takes over from the primary scenario, so that it is played the same way. */
const SHARED = [
  'model',
  'formattingInstructions',
  'minP',
  'minPEnabled',
  'temperature',
  'repeatPenalty',
  'repeatLastN',
  'topK',
  'topP',
  'canDeleteExampleMessages',
  'narrative',
  'promptTemplate',
  'grammar',
] as const;

/** A scenario of its own for an opening: the primary's narrative, instructions and sampler. */
export function scenarioBeside(primary: Wire, title: string | undefined, messages: readonly unknown[]): Wire {
  const { schemaVersion, ...shell } = scenarioShell();
  const shared = Object.fromEntries(
    SHARED.filter((key) => Object.hasOwn(primary, key)).map((key) => [key, primary[key]]),
  );
  return { schemaVersion, ...(title === undefined ? {} : { title }), ...shell, ...shared, firstMessages: messages };
}

/** The empty archive of a character: one scenario, dates from the body and never from a clock. */
export function freshArchive(body: CharacterBody): Wire {
  const id = canonicalId(body.identity.name, 'character');
  const { createdAt } = body.attribution;
  const made = (createdAt === undefined ? undefined : isoTime().write(createdAt, undefined)) ?? UNKNOWN_TIME;
  const scenario = 'scenarios/scenario1.json';
  return {
    manifest: {
      schemaVersion: 1,
      createdAt: made,
      characters: [`characters/${id}/character.json`],
      scenarios: [scenario],
    },
    character: {
      schemaVersion: 1,
      id,
      name: '',
      displayName: '',
      isNSFW: false,
      persona: '',
      createdAt: UNKNOWN_TIME,
      updatedAt: UNKNOWN_TIME,
      loreItems: [],
      images: [],
    },
    scenarios: [{ path: scenario, value: scenarioShell() }],
    files: {},
  };
}
