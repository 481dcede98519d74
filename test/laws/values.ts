import fc from 'fast-check';
import type { CharacterBody } from '../../src/entities/character/schema.ts';
import type { LorebookBody, LorebookEntry } from '../../src/entities/lorebook/schema.ts';
import { pngBytes } from '../entities/pictures.ts';
import type { ByteKit } from './tree.ts';
import { anyJson, anyText } from './wires.ts';

/** Values to try at a canonical path, by hand from the body types. */
export type Values = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** Dotted slots of a body; a list, a map or a union is one slot. */
type Slots<T, P extends string = ''> = {
  [K in keyof T & string]-?: NonNullable<T[K]> extends infer V
    ? V extends readonly unknown[] | string | number | boolean
      ? `${P}${K}`
      : V extends { readonly size: number }
        ? `${P}${K}`
        : string extends keyof V
          ? `${P}${K}`
          : `${P}${K}` | Slots<V, `${P}${K}.`>
    : never;
}[keyof T & string];

const texts = fc.array(anyText, { maxLength: 3 });
const flag = fc.boolean();
const count = fc.constantFrom(0, 1, 2, 4, 50, 100);
const real = fc.constantFrom(0, 0.25, 0.5, 1, -1.5);
const optional = <T>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }, required: (keyof T & string)[] = []) =>
  fc.record(fields as Record<string, fc.Arbitrary<unknown>>, { requiredKeys: required });
const map = (value: fc.Arbitrary<unknown>, min = 0) =>
  fc
    .uniqueArray(fc.tuple(fc.constantFrom('en', 'ko', 'toString', '__proto__'), value), {
      minLength: min,
      maxLength: 3,
      selector: ([key]) => key,
    })
    .map((pairs) => Object.fromEntries(pairs));
const greetings = fc.array(optional({ text: anyText, title: anyText }, ['text']), { maxLength: 3 });

/** The pictures and sounds that media slots are tried with, as this engine's bytes. */
export function someMedia({ bytesOf }: ByteKit): readonly unknown[] {
  return [
    bytesOf(pngBytes(0), 'image/png'),
    bytesOf(pngBytes(1), 'image/png'),
    bytesOf(new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 1, 2]), 'image/jpeg'),
  ];
}

/** Values for every slot of a character. */
export function characterValues(kit: ByteKit): Values {
  const media = someMedia(kit);
  const ref = fc.constantFrom<unknown>(...media, 'https://example.org/a.png', 'assets/lost.png');
  const label = fc.constantFrom('happy', 'main', 'Über 雪', '../x');
  const asset = optional(
    { role: fc.constantFrom('emotion', 'outfit', 'pose', 'background', 'other', 'portrait'), label, ref },
    ['role', 'ref'],
  );
  const color = fc.constantFrom('#fff', 'tomato');
  const slots: Record<Exclude<Slots<CharacterBody>, Group>, fc.Arbitrary<unknown>> = {
    'identity.name': anyText,
    'identity.nickname': anyText,
    'identity.tagline': anyText,
    'identity.description': anyText,
    'identity.characterVersion': anyText,
    'identity.fullName': anyText,
    'identity.title': anyText,
    'identity.age': anyText,
    'identity.pronouns': anyText,
    'identity.culture': anyText,
    'persona.personality': anyText,
    'persona.scenario': anyText,
    'persona.appearance': anyText,
    'persona.voice': optional(
      { provider: anyText, voiceId: anyText, rate: real, pitch: real, disabled: flag, extras: map(anyText) },
      ['provider'],
    ),
    'persona.imagePrompt': optional({
      prompt: anyText,
      prefix: anyText,
      suffix: anyText,
      negative: anyText,
      template: anyText,
      instructions: anyText,
      emotionInstructions: anyText,
      rows: fc.array(fc.record({ label: anyText, value: anyText }), { maxLength: 2 }),
    }),
    'persona.structured': fc.oneof(
      fc.constant({ kind: 'text' }),
      fc.record({ kind: fc.constantFrom('attributes', 'wpp', 'sbf', 'boostyle'), attributes: map(texts) }),
    ),
    'prompts.systemPrompt': anyText,
    'prompts.postHistoryInstructions': anyText,
    'prompts.depthInjections': fc.array(
      optional({ text: anyText, depth: count, role: fc.constantFrom('system', 'user', 'assistant'), enabled: flag }, [
        'text',
        'depth',
      ]),
      { maxLength: 2 },
    ),
    'prompts.prefill': anyText,
    'prompts.additionalText': anyText,
    'greetings.firstMessage': anyText,
    'greetings.alternateGreetings': greetings,
    'greetings.groupOnlyGreetings': greetings,
    'examples.exampleMessages': anyText,
    'media.portrait': fc.record({ role: fc.constant('portrait'), ref }),
    'media.assets': fc.array(asset, { maxLength: 3 }),
    'media.sprite': optional(
      { parts: map(anyText), gender: anyText, eyeColor: anyText, bodyColor: anyText, hairColor: anyText },
      ['parts'],
    ),
    'media.visualKind': fc.constantFrom('avatar', 'sprite', 'ring'),
    'media.faceLabel': anyText,
    'attribution.creator': anyText,
    'attribution.originalCreator': anyText,
    'attribution.source': texts,
    'attribution.sourceUrl': anyText,
    'attribution.license': anyText,
    'attribution.creatorNotes': anyText,
    'attribution.creatorNotesMultilingual': map(anyText),
    'attribution.publicNote': anyText,
    'attribution.createdAt': fc.constantFrom(0, 1, 1714980489, 1714980489.5),
    'attribution.updatedAt': fc.constantFrom(0, 1, 1714980489, 1714980489.5),
    'discovery.tags': texts,
    'discovery.genre': anyText,
    'discovery.fandom': anyText,
    'discovery.rating': fc.constantFrom('all-ages', 'mature', 'explicit'),
    'discovery.contentWarnings': texts,
    'presentation.signatureColor': color,
    'presentation.gradientColors': fc.array(color, { maxLength: 3 }),
    'presentation.palette': fc.array(optional({ label: anyText, name: anyText, hex: color }, ['hex']), {
      maxLength: 2,
    }),
    'presentation.background': optional({ ref, overlayOpacity: real, videoPlaybackRate: real }, ['ref']),
    'presentation.fieldOrder': texts,
    'presentation.spoilers': optional({ mode: fc.constantFrom('on', 'off'), order: texts, fields: map(flag) }),
    'presentation.mediaLinks': texts,
    'settings.talkativeness': real,
    'settings.risu': optional({
      viewScreen: anyText,
      largePortrait: flag,
      inlayViewScreen: flag,
      utilityBot: flag,
      lorePlus: flag,
    }),
    'settings.responseSchema': map(anyJson, 1),
    'behavior.regexScripts': fc.array(
      optional({ label: anyText, find: anyText, replace: anyText, phase: anyText, flags: anyText, useFlags: flag }, [
        'find',
        'replace',
        'phase',
      ]),
      { maxLength: 2 },
    ),
    'behavior.triggerScripts': fc.array(
      optional(
        {
          label: anyText,
          event: anyText,
          conditions: fc.array(anyJson, { maxLength: 2 }),
          effects: fc.array(anyJson, { maxLength: 2 }),
        },
        ['event', 'conditions', 'effects'],
      ),
      { maxLength: 2 },
    ),
    'behavior.virtualScript': anyText,
    'behavior.backgroundHTML': anyText,
    'behavior.backgroundCSS': anyText,
    'behavior.defaultVariables': anyText,
    'behavior.moduleToggles': anyText,
    'behavior.prebuiltAsset': optional({ command: flag, exclude: texts, style: anyText }),
    'behavior.privileged': flag,
    bias: fc.array(fc.record({ phrase: anyText, weight: real }), { maxLength: 2 }),
    worldName: anyText,
    knowledgeRefs: texts,
    behaviorRefs: texts,
    variants: fc.array(
      optional({ id: anyText, label: anyText, mirrorBase: flag, overrides: map(anyJson) }, ['id', 'overrides']),
      { maxLength: 2 },
    ),
  };
  return slots;
}

/** Slots below these are tried as one value, and these groups themselves never. */
type Group =
  | 'identity'
  | 'persona'
  | 'prompts'
  | 'greetings'
  | 'examples'
  | 'media'
  | 'attribution'
  | 'discovery'
  | 'presentation'
  | 'settings'
  | 'behavior'
  | `persona.${'voice' | 'imagePrompt' | 'structured'}.${string}`
  | `media.${'portrait' | 'sprite'}.${string}`
  | `presentation.${'background' | 'spoilers'}.${string}`
  | `settings.risu.${string}`
  | `behavior.prebuiltAsset.${string}`;

const trigger = fc.oneof(
  { weight: 3, arbitrary: fc.record({ keyword: anyText, isRegex: fc.constant(false) }) },
  {
    weight: 1,
    arbitrary: optional(
      { keyword: fc.constantFrom('a/b', 'x+', '\\d'), isRegex: fc.constant(true), flags: fc.constant('gi') },
      ['keyword', 'isRegex'],
    ),
  },
);
const triggers = fc.array(trigger, { maxLength: 3 });

/** Values for every slot of a book. Entries are tried row by row, see `entryValues`. */
export const bookValues: Record<Exclude<keyof LorebookBody, 'entries'>, fc.Arbitrary<unknown>> = {
  name: anyText,
  description: anyText,
  lorebookType: fc.constantFrom('world', 'character', 'scenario', 'rules', 'utility', 'other'),
  genre: anyText,
  fandom: anyText,
  tags: texts,
  enabled: flag,
  globalCaseSensitive: flag,
  globalMatchWholeWords: flag,
  globalScanDepth: count,
  globalRecursion: flag,
  tokenBudget: count,
  budgetMode: fc.constantFrom('token', 'entry'),
  entryBudget: count,
  categories: fc.array(
    optional({ id: fc.constantFrom('c1', 'c2'), name: anyText, sortOrder: count, enabled: flag }, [
      'id',
      'name',
      'sortOrder',
    ]),
    { maxLength: 2 },
  ),
};

/** Values for every slot of an entry. */
export const entryValues: Record<Exclude<keyof LorebookEntry, 'id'>, fc.Arbitrary<unknown>> = {
  title: anyText,
  content: anyText,
  comment: anyText,
  enabled: flag,
  constant: flag,
  selective: flag,
  triggerMode: fc.constantFrom('simple', 'advanced'),
  triggers,
  secondaryTriggers: triggers,
  selectiveLogic: fc.constantFrom('and_any', 'and_all', 'not_any', 'not_all'),
  caseSensitive: flag,
  matchWholeWords: flag,
  scanDepth: count,
  position: fc.constantFrom(
    'world',
    'character',
    'before_example',
    'after_example',
    'depth',
    'append',
    'append_bottom',
    'prepend_top',
    'scene',
    'author_note_top',
    'author_note_bottom',
    'outlet',
  ),
  outletName: anyText,
  depth: count,
  role: fc.constantFrom('system', 'user', 'assistant'),
  sortOrder: count,
  priority: count,
  displayIndex: count,
  sticky: count,
  cooldown: count,
  delay: count,
  groupName: anyText,
  groupWeight: count,
  groupOverride: flag,
  useGroupScoring: flag,
  categoryId: fc.constantFrom('c1', 'c2'),
  probability: count,
  useMemo: flag,
  excludeRecursion: flag,
  preventRecursion: flag,
  delayUntilRecursion: count,
  ignoreBudget: flag,
  characterFilter: fc.record({ names: texts, tags: texts, isExclude: flag }),
  scanCharacterDescription: flag,
  scanCharacterPersonality: flag,
  scanUserPersona: flag,
  scanScenario: flag,
  scanCharacterDepthPrompt: flag,
  scanCreatorNotes: flag,
  vectorized: flag,
  automationId: anyText,
  keyRelative: flag,
  nonStoryActivatable: flag,
  contextConfig: optional({ prefix: anyText, suffix: anyText, tokenBudget: count, insertionType: anyText }),
  loreBiasGroups: fc.array(
    fc.record({ enabled: flag, bias: real, phrases: fc.array(fc.record({ sequence: anyText })) }),
    {
      maxLength: 2,
    },
  ),
  generationTriggers: texts,
  sideEffects: fc.record({
    effects: fc.array(fc.record({ type: fc.constant('setvar'), variable: anyText, scope: fc.constant('local') }), {
      maxLength: 2,
    }),
    onlyOnFirstTrigger: flag,
    clearOnDeactivate: flag,
  }),
  metadata: map(anyJson),
};
