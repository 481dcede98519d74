import { placed } from '../../core/codec.ts';
import { type Draft, isRecord, openDraft, saysNothing, type Wire } from '../../core/draft.ts';
import type { Lens } from '../../core/lens.ts';
import { character } from '../../entities/character/lenses.ts';
import type { CharacterBody, Greeting } from '../../entities/character/schema.ts';
import {
  editPrimary,
  freeScenarioPath,
  listOf,
  primaryOf,
  type Scenario,
  scenariosOf,
  setScenarios,
  speakerOf,
  takenNames,
  textIn,
} from './byaf-archive.ts';
import { scenarioBeside } from './byaf-base.ts';

/** An alternate opening and where it stands: a further row of the primary scenario, or a scenario of its own. */
interface Opening {
  readonly greeting: Greeting;
  readonly path: string;
  /** Index in `firstMessages`; absent for a scenario of its own. */
  readonly row?: number;
}

const messagesOf = (value: Wire): readonly unknown[] => listOf(value.firstMessages);
const narrativeOf = (value: Wire): string => textIn(value, 'narrative') ?? '';
const filled = (text: string | undefined): string | undefined => (text === '' ? undefined : text);

/** What a later scenario is called: its narrative, unless that is the primary's too; else its title. */
const titleOf = (value: Wire, primary: string): string | undefined => {
  const narrative = narrativeOf(value);
  return narrative !== '' && narrative !== primary ? narrative : filled(textIn(value, 'title'));
};

/** All alternate openings, in the order they are shown: further rows of the primary scenario, then later scenarios. */
export function openingsOf(wire: Wire): readonly Opening[] {
  const [first, ...later] = scenariosOf(wire);
  if (!first) return [];
  const rows = messagesOf(first.value).flatMap((message, row): Opening[] => {
    const text = filled(textIn(message, 'text'));
    if (row === 0 || text === undefined) return [];
    return [{ greeting: { text, id: `byaf:${first.path}#${row}` }, path: first.path, row }];
  });
  const own = later.flatMap(({ path, value }): Opening[] => {
    const text = filled(textIn(messagesOf(value)[0], 'text'));
    if (text === undefined) return [];
    const title = titleOf(value, narrativeOf(first.value));
    return [{ greeting: { text, ...(title === undefined ? {} : { title }), id: `byaf:${path}` }, path }];
  });
  return [...rows, ...own];
}

/**
 * Each greeting's place in the twin: by id, then by equal text and title, then by title alone. An id counts only where
 * the archive has that very place, so a made-up one leads nowhere.
 */
function placesFor(greetings: readonly Greeting[], openings: readonly Opening[]): (Opening | undefined)[] {
  const free = new Set(openings);
  const places = greetings.map((): Opening | undefined => undefined);
  const pass = (fits: (greeting: Greeting, opening: Opening) => boolean): void => {
    greetings.forEach((greeting, index) => {
      if (places[index]) return;
      const hit = [...free].find((opening) => fits(greeting, opening));
      if (!hit) return;
      free.delete(hit);
      places[index] = hit;
    });
  };
  pass(({ id }, { greeting }) => id !== undefined && id === greeting.id);
  pass(({ text, title = '' }, { greeting }) => text === greeting.text && title === (greeting.title ?? ''));
  pass(({ title }, { greeting }) => !saysNothing(title) && title === greeting.title);
  return places.map((place, index) => (place?.row !== undefined && greetings[index]?.title ? undefined : place));
}

/** The opening text over a message row. */
const message = (row: unknown, text: string, speaker: string): Wire =>
  isRecord(row) ? (row.text === text ? row : { ...row, text }) : { characterID: speaker, text };

const withMessages = (value: Wire, next: readonly unknown[]): Wire => {
  const old = messagesOf(value);
  return old.length === next.length && old.every((row, i) => row === next[i])
    ? value
    : { ...value, firstMessages: next };
};

/** A later scenario that is called `wanted` beside a primary narrative that may have changed. */
function titled(value: Wire, wanted: string | undefined, primary: { now: string; before: string }): Wire {
  if (titleOf(value, primary.now) === wanted) return value;
  const narrative = narrativeOf(value);
  const draft = openDraft(value);
  if (wanted !== undefined && wanted !== primary.now && narrative !== '' && narrative !== primary.before) {
    draft.set(['narrative'], wanted);
    return draft.wire;
  }
  if (narrative !== '') draft.set(['narrative'], primary.now);
  if (wanted === undefined) draft.delete(['title']);
  else draft.set(['title'], wanted);
  return draft.wire;
}

/**
 * The narrative and all openings are decided together: a later scenario is untitled when it has the primary's narrative.
 * A further row of the primary stays one where the twin had it; a new opening becomes a scenario of its own, because the
 * app refuses an archive with several rows. A scenario whose opening was removed goes.
 */
export const openingLens = character.joint(
  ['persona.scenario', 'greetings.firstMessage', 'greetings.alternateGreetings'],
  {
    wire: ['card.scenarios.0.value.narrative', 'card.scenarios', 'card.manifest.scenarios', 'card.files'],
    shape: 'first messages of the scenarios',
    lossy: true,
    note: 'an alternate greeting is a scenario of its own; an empty one has no place',
    read(wire) {
      const primary = primaryOf(wire);
      return {
        'persona.scenario': narrativeOf(primary),
        'greetings.firstMessage': textIn(messagesOf(primary)[0], 'text'),
        'greetings.alternateGreetings': openingsOf(wire).map(({ greeting }) => greeting),
      };
    },
    write(draft, now, before) {
      const greetings = now['greetings.alternateGreetings'] ?? [];
      const places = placesFor(greetings, openingsOf(draft.twin));
      const rows = greetings.flatMap((greeting, index) => {
        const row = places[index]?.row;
        return row === undefined ? [] : [{ row, text: greeting.text }];
      });
      const narrative = now['persona.scenario'] ?? '';
      const [first, was] = [now['greetings.firstMessage'] ?? '', before['greetings.firstMessage'] ?? ''];
      editPrimary(draft, (value) => {
        const told = narrative === narrativeOf(value) ? value : { ...value, narrative };
        return withMessages(
          told,
          primaryMessages(value, first === was ? undefined : first, rows, speakerOf(draft.wire)),
        );
      });
      writeLater(draft, greetings, places, { now: narrative, before: narrativeOf(primaryOf(draft.twin)) });
    },
    claims: () => [],
  },
) as Lens<CharacterBody>;

/** The rows of the primary scenario; `first` undefined leaves the first one as it is. */
function primaryMessages(
  value: Wire,
  first: string | undefined,
  further: readonly { readonly row: number; readonly text: string }[],
  speaker: string,
): readonly unknown[] {
  const [head, ...tail] = messagesOf(value);
  const rows = further.map(({ row, text }) => message(tail[row - 1], text, speaker));
  const rest = placed(tail, rows, (row) => filled(textIn(row, 'text')) === undefined);
  if (first === undefined) return head === undefined && rest.length === 0 ? [] : [head, ...rest];
  return first === '' && rest.length === 0 ? [] : [message(head, first, speaker), ...rest];
}

/** Later scenarios in the order of the greetings; those that hold no opening keep their place. */
function writeLater(
  draft: Draft,
  greetings: readonly Greeting[],
  places: readonly (Opening | undefined)[],
  narrative: { readonly now: string; readonly before: string },
): void {
  const [first, ...later] = scenariosOf(draft.wire);
  if (!first) return;
  const speaker = speakerOf(draft.wire);
  const taken = takenNames(draft.wire);
  const opened = new Set(openingsOf(draft.twin).flatMap(({ path, row }) => (row === undefined ? [path] : [])));
  const next = greetings.flatMap((greeting, index): Scenario[] => {
    const place = places[index];
    const title = filled(greeting.title);
    if (place?.row !== undefined) return [];
    const scenario = later.find(({ path }) => path === place?.path);
    if (!scenario) {
      if (greeting.text === '') return [];
      const value = scenarioBeside(first.value, title, [message(undefined, greeting.text, speaker)]);
      return [{ path: freeScenarioPath(taken), value }];
    }
    const [head, ...rest] = messagesOf(scenario.value);
    const value = withMessages(titled(scenario.value, title, narrative), [
      message(head, greeting.text, speaker),
      ...rest,
    ]);
    return [value === scenario.value ? scenario : { ...scenario, value }];
  });
  const all = placed(later, next, (scenario) => !opened.has((scenario as Scenario).path)) as Scenario[];
  if (all.length !== later.length || all.some((scenario, i) => scenario !== later[i]))
    setScenarios(draft, [first, ...all]);
}
