/** Generated entities of each kind, sparse and full, with texts and rows that converters trip over. */
import fc from 'fast-check';
import * as bytes from '../../src/core/bytes.ts';
import { type Kind, SCHEMA_VERSION } from '../../src/core/canonical.ts';
import { emptyCharacter } from '../../src/entities/character/schema.ts';
import type { AnyEntity, BodyKind, EntityOf } from '../../src/entities/kinds.ts';
import { emptyEntry, emptyLorebook } from '../../src/entities/lorebook/schema.ts';
import { emptyPersona, type PersonaBody } from '../../src/entities/persona/schema.ts';
import { emptyPreset, emptyPrompt, type PresetBody, type PresetPrompt } from '../../src/entities/preset/schema.ts';
import { emptyRegex, emptyRule, type RegexRule } from '../../src/entities/regex/schema.ts';
import { changed } from '../laws/tree.ts';
import { bookValues, characterValues, entryValues, someMedia, type Values } from '../laws/values.ts';
import { anyJson, anyText } from '../laws/wires.ts';

/** Arbitraries for every slot of a type; the compiler asks for all of them. */
type Slots<T, Left extends keyof T = never> = Record<Exclude<keyof T, Left>, fc.Arbitrary<unknown>>;

const texts = fc.array(anyText, { maxLength: 3 });
const flag = fc.boolean();
const count = fc.constantFrom(0, 1, 2, 4, 50, 100);
const real = fc.constantFrom(0, 0.25, 0.5, 1, -1.5);
const color = fc.constantFrom('#fff', 'tomato');
const bag = fc.dictionary(fc.constantFrom('k', 'en', 'toString', '0'), anyJson, { maxKeys: 2 });
const some = (slots: Record<string, fc.Arbitrary<unknown>>, required: string[] = []) =>
  fc.record(slots, { requiredKeys: required });

/** Some slots of `base` filled: one to six, or any number. */
function filled<T extends object>(base: T, values: Values): fc.Arbitrary<T> {
  const paths = Object.keys(values);
  const chosen = fc.oneof(
    fc.subarray(paths, { minLength: 1, maxLength: Math.min(6, paths.length) }),
    fc.subarray(paths),
  );
  return chosen
    .chain((held) => fc.tuple(...held.map((path) => (values[path] as fc.Arbitrary<unknown>).map((one) => [path, one]))))
    .map((pairs) => pairs.reduce((tree, [path, one]) => changed(tree, (path as string).split('.'), one), base));
}

/**
 * Rows with ids `r0`, `r1` …, sometimes the same row twice. Where there are several, each says in its main text which
 * one it is: nobody can tell which of two blank rows was lost. So they always do where `mark` is given.
 */
const rowsOf = <T extends object>(
  empty: (id: string) => T,
  values: Values,
  main: string,
  mark?: string,
): fc.Arbitrary<T[]> =>
  fc.tuple(fc.array(filled(empty('r'), values), { maxLength: 4 }), fc.boolean()).map(([rows, twice]) => {
    const alone = rows.length < 2 && mark === undefined;
    const told = alone ? rows : rows.map((row, at) => marked(row, main, `${mark ?? 'row'} ${at} `));
    return (twice ? [...told, ...told.slice(0, 1)] : told).map((row, at) => ({ ...row, id: `r${at}` }));
  });

const marked = <T extends object>(row: T, key: string, mark: string): T => ({
  ...row,
  [key]: `${mark}${(row as Record<string, unknown>)[key] ?? ''}`,
});

const entity = <K extends BodyKind>(kind: K, id: string, body: fc.Arbitrary<object>): fc.Arbitrary<EntityOf<K>> =>
  body.map((one) => ({ schemaVersion: SCHEMA_VERSION, kind: kind as Kind, id, body: one }) as EntityOf<K>);

const slots = characterValues(bytes);
const listOf = <T>(path: string, values: Values): fc.Arbitrary<T[]> => values[path] as fc.Arbitrary<T[]>;
/** Equal texts, equal pictures: rows that only their order tells apart say nothing about which of them was lost. */
const unlike = <T>(rows: fc.Arbitrary<T[]>, key: (row: T) => unknown): fc.Arbitrary<T[]> =>
  rows.map((list) => list.filter((row, at) => list.findIndex((one) => key(one) === key(row)) === at));
const characterSlots: Values = {
  ...slots,
  'prompts.depthInjections': unlike(listOf<{ text: string }>('prompts.depthInjections', slots), ({ text }) => text),
  'media.assets': unlike(listOf<{ ref: { size?: number } | string }>('media.assets', slots), ({ ref }) =>
    typeof ref === 'string' ? ref : ref.size,
  ),
};
/** A text in slashes is a regex to some apps. */
const pattern = ({ keyword }: { keyword: string }): string => keyword.replace(/^\/(.*)\/[a-z]*$/, '$1');
const entrySlots: Values = {
  ...entryValues,
  triggers: unlike(listOf<{ keyword: string }>('triggers', entryValues), pattern),
  secondaryTriggers: unlike(listOf<{ keyword: string }>('secondaryTriggers', entryValues), pattern),
};

const categories = fc.uniqueArray(
  fc
    .record(
      { id: fc.constantFrom('c1', 'c2'), name: anyText, sortOrder: count },
      { requiredKeys: ['id', 'name', 'sortOrder'] },
    )
    .map((one) => marked(one, 'name', `${one.id} `)),
  { maxLength: 2, selector: ({ id }) => id },
);

const book = (id: string, mark?: string) =>
  entity(
    'lorebook',
    id,
    fc
      .tuple(filled(emptyLorebook(), { ...bookValues, categories }), rowsOf(emptyEntry, entrySlots, 'content', mark))
      .map(([body, entries]) => ({ ...body, entries })),
  );

const personaValues: Slots<PersonaBody> = {
  name: anyText,
  brief: anyText,
  content: anyText,
  sections: some({ appearance: anyText, body: anyText, personality: anyText, quirks: anyText, history: anyText }),
  sectionOrder: fc.uniqueArray(fc.constantFrom('history', 'quirks', 'body', 'other'), { maxLength: 3 }),
  traits: texts,
  identity: some({
    tagline: anyText,
    age: anyText,
    height: anyText,
    pronouns: anyText,
    pronounSet: some({ subjective: anyText, objective: anyText, possessive: anyText }),
  }),
  presentation: some({ signatureColor: color, colors: fc.array(color, { maxLength: 3 }), imageUrl: anyText }),
  knowledgeRefs: texts,
  rating: fc.constantFrom('all-ages', 'mature', 'explicit'),
  chatInjection: some(
    {
      position: fc.constantFrom('prompt', 'author_note_top', 'in_chat', 'none', 'world', 'depth'),
      depth: count,
      role: fc.constantFrom('system', 'user', 'assistant'),
      wrapper: anyText,
    },
    ['position'],
  ),
  attribution: some({ creator: anyText, version: anyText, createdAt: anyText, source: anyText }),
  media: some({
    portrait: fc.record({
      role: fc.constant('portrait'),
      ref: fc.constantFrom<unknown>(...someMedia(bytes), 'https://example.org/a.png', 'assets/lost.png'),
    }),
  }),
};

const ruleValues: Slots<RegexRule, 'id' | 'firstMatchOnly' | 'overlay' | 'condition'> = {
  label: anyText,
  note: anyText,
  find: fc.oneof(anyText, fc.constantFrom('a/b', 'x+', '\\d', '(?<n>a)')),
  flags: fc.constantFrom('', 'g', 'gi', 'gimsu'),
  useFlags: flag,
  replace: anyText,
  trimStrings: texts,
  phases: fc.uniqueArray(fc.constantFrom('input', 'output', 'display', 'request', 'slash', 'lorebook', 'reasoning'), {
    maxLength: 3,
  }),
  targets: fc.uniqueArray(fc.constantFrom('prompt', 'response', 'display'), { maxLength: 2 }),
  substituteFind: fc.constantFrom('none', 'raw', 'escaped', 'after'),
  minDepth: count,
  maxDepth: count,
  runOnEdit: flag,
  characterIds: texts,
  enabled: flag,
  sortOrder: count,
  extras: bag,
};

const promptValues: Slots<PresetPrompt, 'id'> = {
  name: anyText,
  content: anyText,
  role: fc.constantFrom('system', 'user', 'assistant', 'tool'),
  enabled: flag,
  systemPrompt: flag,
  marker: flag,
  markerSlot: fc.constantFrom('chatHistory', 'worldInfoBefore', 'worldInfoAfter', 'dialogueExamples'),
  placement: fc.constantFrom('relative', 'in_chat', 'append', 'append_preset', 'prepend_preset'),
  injectionDepth: count,
  injectionOrder: count,
  forbidOverrides: flag,
  injectionTrigger: texts,
  isDefault: flag,
  groupId: fc.constantFrom('g1', 'g2'),
  wrapInXml: flag,
  xmlTagName: anyText,
  extras: bag,
};

const presetValues: Slots<PresetBody, 'prompts' | 'media'> = {
  name: anyText,
  description: anyText,
  enabled: flag,
  groups: fc.uniqueArray(
    some({ id: fc.constantFrom('g1', 'g2'), name: anyText, content: anyText, order: count, enabled: flag }, [
      'id',
      'name',
    ]).map((one) => marked(one, 'name', `${one.id} `)),
    { maxLength: 2, selector: ({ id }) => id },
  ),
  samplers: some({
    temperature: real,
    topP: real,
    topK: count,
    minP: real,
    frequencyPenalty: real,
    presencePenalty: real,
    repetitionPenalty: real,
    maxContext: count,
    maxTokens: count,
    contextMode: fc.constantFrom('tokens', 'messages'),
    maxMessages: count,
  }),
  systemPrompts: some({ impersonation: anyText, newChat: anyText, continueNudge: anyText, assistantPrefill: anyText }),
  templates: some({ worldInfoFormat: anyText, scenarioFormat: anyText, personalityFormat: anyText }),
  behavior: some({
    wrapInQuotes: flag,
    namesBehavior: fc.constantFrom(-1, 0, 1, 2),
    sendIfEmpty: anyText,
    continuePrefill: flag,
    continuePostfix: anyText,
  }),
  apiOptions: some({
    streamResponses: flag,
    squashSystemMessages: flag,
    functionCalling: flag,
    reasoningEffort: anyText,
  }),
  generation: some({ seed: count, completions: count, maxContextUnlocked: flag, biasPreset: anyText }),
  choices: fc.uniqueArray(
    some(
      {
        id: fc.constantFrom('c1', 'c2'),
        key: anyText,
        label: anyText,
        type: fc.constantFrom('one', 'many', 'toggle', 'input'),
        options: fc.uniqueArray(
          some({ id: fc.constantFrom('o1', 'o2'), label: anyText, value: anyText }, ['id', 'label']).map((one) =>
            marked(one, 'label', `${one.id} `),
          ),
          { maxLength: 2, selector: ({ id }) => id },
        ),
        default: anyJson,
      },
      ['id', 'label', 'type', 'options'],
    ).map((one) => marked(one, 'label', `${one.id} `)),
    { maxLength: 2, selector: ({ id }) => id },
  ),
};

/** Some books, and a character that refers to them and now and then to one that is not there. */
const withBooks = fc
  .tuple(
    filled(emptyCharacter(), characterSlots),
    fc.oneof(fc.constant([]), fc.tuple(book('first')), fc.tuple(book('first', 'first'), book('second', 'second'))),
    fc.oneof({ weight: 4, arbitrary: fc.constant<string[]>([]) }, { weight: 1, arbitrary: fc.constant(['elsewhere']) }),
  )
  .map(([body, books, lost]): AnyEntity[] => {
    const knowledgeRefs = [...books.map(({ id }) => id), ...lost];
    return [
      { schemaVersion: SCHEMA_VERSION, kind: 'character', id: 'odd', body: { ...body, knowledgeRefs } },
      ...(books as AnyEntity[]),
    ];
  });

/** What one file of a kind may hold. */
export const oddEntities: Record<BodyKind, fc.Arbitrary<AnyEntity[]>> = {
  character: withBooks,
  lorebook: book('odd').map((one) => [one]),
  persona: entity('persona', 'odd', filled(emptyPersona(), personaValues)).map((one) => [one]),
  regex: entity(
    'regex',
    'odd',
    fc
      .tuple(
        filled(emptyRegex(), { name: anyText, description: anyText, enabled: flag }),
        rowsOf(emptyRule, ruleValues, 'find'),
      )
      .map(([body, rules]) => ({ ...body, rules })),
  ).map((one) => [one]),
  preset: entity(
    'preset',
    'odd',
    fc
      .tuple(filled(emptyPreset(), presetValues), rowsOf(emptyPrompt, promptValues, 'content'))
      .map(([body, prompts]) => ({ ...body, prompts })),
  ).map((one) => [one]),
};
