import { bytesOf } from '../../src/core/bytes.ts';
import { SCHEMA_VERSION } from '../../src/core/canonical.ts';
import type { CharacterBody } from '../../src/entities/character/schema.ts';
import type { EntityOf } from '../../src/entities/kinds.ts';
import {
  emptyEntry,
  type LorebookBody,
  type LorebookEntry,
  type LorePosition,
} from '../../src/entities/lorebook/schema.ts';
import { pngBytes } from './pictures.ts';

const picture = (shade: number) => bytesOf(pngBytes(shade), 'image/png');

/** An entry that says something in every slot, nothing of it the default. */
const fullEntry: LorebookEntry = {
  id: '41',
  title: 'Der Leuchtturm – 灯台',
  content: 'The lamp of {{char}} burns blue.\r\nمنارة البحر\n"Quotes", <tags> & \\slashes\\.',
  comment: 'Only for the second act.',
  enabled: false,
  constant: true,
  selective: true,
  triggerMode: 'advanced',
  triggers: [
    { keyword: 'lighthouse', isRegex: false, frequency: 2, probability: 75 },
    { keyword: 'lamp(s|light)?\\b', isRegex: true, flags: 'gi' },
    { keyword: '灯台', isRegex: false },
  ],
  secondaryTriggers: [
    { keyword: 'Nacht', isRegex: false, frequency: 3, probability: 40 },
    { keyword: '^fog$', isRegex: true, flags: 'm' },
  ],
  selectiveLogic: 'not_all',
  caseSensitive: true,
  matchWholeWords: false,
  scanDepth: 0,
  position: 'depth',
  outletName: 'harbour',
  depth: 7,
  role: 'assistant',
  sortOrder: 250,
  priority: 30,
  displayIndex: 3,
  sticky: 2,
  cooldown: 5,
  delay: 9,
  groupName: 'lights',
  groupWeight: 60,
  groupOverride: true,
  useGroupScoring: false,
  categoryId: 'places',
  probability: 80,
  useMemo: true,
  excludeRecursion: true,
  preventRecursion: true,
  delayUntilRecursion: 2,
  ignoreBudget: true,
  characterFilter: { names: ['Mira Vale', 'Ёжик'], tags: ['sea'], isExclude: true },
  scanCharacterDescription: true,
  scanCharacterPersonality: true,
  scanUserPersona: true,
  scanScenario: true,
  scanCharacterDepthPrompt: true,
  scanCreatorNotes: false,
  vectorized: true,
  automationId: 'ring-the-bell',
  keyRelative: true,
  nonStoryActivatable: true,
  contextConfig: {
    prefix: '[',
    suffix: ']\n',
    tokenBudget: 2048,
    reservedTokens: 64,
    trimDirection: 'trimTop',
    insertionType: 'sentence',
    maximumTrimType: 'token',
    insertionPosition: -2,
  },
  loreBiasGroups: [
    {
      enabled: true,
      bias: -0.05,
      phrases: [{ sequence: ' gull', sequences: [[1, 2, 3]], type: 3 }],
      whenInactive: true,
      generateOnce: false,
      ensureSequenceFinish: true,
    },
  ],
  generationTriggers: ['continue', 'swipe'],
  sideEffects: {
    effects: [{ type: 'addvar', variable: 'storms', value: 'one', amount: 1, scope: 'local' }],
    onlyOnFirstTrigger: true,
    clearOnDeactivate: false,
  },
  metadata: { author: { name: 'Ann' }, reviewed: true },
};

const POSITIONS: readonly LorePosition[] = [
  'world',
  'character',
  'before_example',
  'after_example',
  'append',
  'append_bottom',
  'prepend_top',
  'scene',
  'author_note_top',
  'author_note_bottom',
  'outlet',
];

/** One plain entry for each place that the full one does not take, with its own words. */
const placedEntries = POSITIONS.map(
  (position, index): LorebookEntry => ({
    ...emptyEntry(String(50 + index)),
    title: `Entry ${index}`,
    content: `What stands at ${position}.`,
    triggers: [{ keyword: `word ${index}`, isRegex: false }],
    secondaryTriggers: index % 2 === 0 ? [] : [{ keyword: `beside ${index}`, isRegex: false }],
    ...(index % 2 === 0 ? {} : { selective: index % 4 === 1 }),
    position,
    ...(position === 'outlet' ? { outletName: 'pier' } : {}),
    role: index % 3 === 0 ? 'user' : 'system',
    sortOrder: 10 * index,
  }),
);

/** The book that says something in every slot of the model. */
export const maximalBook: LorebookBody = {
  name: 'The Book of Küste',
  description: 'Everything about the coast. 海岸のすべて。',
  lorebookType: 'scenario',
  genre: 'mystery',
  fandom: 'none',
  tags: ['sea', 'Ночь'],
  enabled: true,
  globalCaseSensitive: false,
  globalMatchWholeWords: true,
  globalScanDepth: 6,
  globalRecursion: false,
  tokenBudget: 900,
  budgetMode: 'entry',
  entryBudget: 12,
  entries: [fullEntry, ...placedEntries],
  categories: [
    { id: 'places', name: 'Orte', sortOrder: 1, enabled: false },
    { id: 'people', name: '人々', sortOrder: 2, enabled: true },
  ],
};

export const maximalLorebook = (): EntityOf<'lorebook'> => ({
  schemaVersion: SCHEMA_VERSION,
  kind: 'lorebook',
  id: 'the-book-of-küste',
  body: maximalBook,
});

/** The character that says something in every slot of the model. */
const maximalBody: CharacterBody = {
  identity: {
    name: 'Mira Vale',
    nickname: 'Mi',
    tagline: 'Keeper of a light that nobody lit.',
    description: '{{char}} is 34 and tall.\r\nשומרת המגדלור. 灯台守。 <b>Bold</b> & "quoted" \\ {user}',
    characterVersion: '1.10',
    fullName: 'Mira Aurelia Vale',
    title: 'Dr.',
    age: 'thirty-four, or so',
    pronouns: 'she/they',
    culture: 'en-us',
  },
  persona: {
    personality: 'Dry, patient, afraid of gulls. Сухая и терпеливая.',
    scenario: 'A storm takes the bridge; {{user}} cannot leave.',
    appearance: 'Grey coat, one green eye.',
    voice: {
      provider: 'elevenlabs',
      voiceId: 'v-17',
      rate: 0.9,
      pitch: 1.1,
      disabled: true,
      extras: { stability: 0.4 },
    },
    imagePrompt: {
      prompt: 'woman, lighthouse, oil painting',
      prefix: 'masterpiece',
      suffix: 'soft light',
      negative: 'blurry',
      template: '{prefix} {prompt} {suffix}',
      instructions: 'Always at night.',
      emotionInstructions: 'Name one emotion.',
      rows: [{ label: 'always', value: 'grey coat' }],
    },
    structured: { kind: 'wpp', attributes: { species: ['human'], likes: ['tea', '海'] } },
  },
  prompts: {
    systemPrompt: 'Write in the first person.\n{{original}}',
    postHistoryInstructions: 'Stay short. 簡潔に。',
    depthInjections: [
      { text: 'The lamp is out.', depth: 3, role: 'user', origin: 'depth_prompt', enabled: true },
      { text: 'It rains.', depth: 0, role: 'system', origin: 'rolecall_details', enabled: false },
    ],
    prefill: 'Mira says: ',
    additionalText: 'She never leaves the island.',
  },
  greetings: {
    firstMessage: '*The door bangs.* "You again, {{user}}?"',
    alternateGreetings: [
      { text: 'Second opening.', title: 'At the pier', id: 'greeting-1' },
      { text: '三番目の挨拶。' },
      { text: 'Fourth opening.', title: 'Dawn' },
    ],
    groupOnlyGreetings: [{ text: 'Hello, all of you.', title: 'Group', id: 'greeting-2' }],
  },
  examples: { exampleMessages: '<START>\n{{user}}: Hi.\n{{char}}: Close the door.' },
  media: {
    portrait: {
      role: 'portrait',
      name: 'mira.png',
      label: 'main',
      primary: true,
      ref: picture(0),
      mime: 'image/png',
    },
    assets: [
      { role: 'emotion', name: 'happy.png', label: 'happy', primary: true, ref: picture(1), mime: 'image/png' },
      { role: 'background', name: 'pier.png', label: '埠頭', primary: false, ref: picture(2), mime: 'image/png' },
      { role: 'outfit', name: 'coat.png', label: 'coat', ref: 'https://example.org/coat.png', mime: 'image/png' },
      { role: 'pose', label: 'sitting', ref: picture(3), mime: 'image/png' },
    ],
    sprite: {
      parts: { head: 'head-2', hat: 'none' },
      gender: 'female',
      eyeColor: '#0f0',
      bodyColor: '#fed',
      hairColor: '#333',
    },
    visualKind: 'sprite',
    faceLabel: 'neutral',
  },
  attribution: {
    creator: 'Ann Onym',
    originalCreator: 'Old Tom',
    source: ['https://example.org/mira', 'a book'],
    sourceUrl: 'https://example.org/cards/mira',
    license: 'CC-BY-4.0',
    creatorNotes: 'Best with long contexts. Лучше ночью.',
    creatorNotesMultilingual: { de: 'Am besten nachts.', ja: '夜に最適。' },
    publicNote: 'Thanks for reading.',
    createdAt: 1_714_980_489,
    updatedAt: 1_720_000_001,
  },
  discovery: {
    tags: ['sea', 'mystery', 'ночь'],
    genre: 'mystery',
    fandom: 'original',
    rating: 'explicit',
    contentWarnings: ['storms'],
  },
  presentation: {
    signatureColor: '#336699',
    gradientColors: ['#336699', '#112233'],
    palette: [{ label: 'Primary', name: 'Slate', hex: '#445566' }],
    background: { ref: 'https://example.org/sea.jpg', overlayOpacity: 0.5, videoPlaybackRate: 0.75 },
    fieldOrder: ['personality', 'scenario'],
    spoilers: { mode: 'on', order: ['scenario'], fields: { scenario: true, personality: false } },
    mediaLinks: ['https://example.org/song'],
  },
  settings: {
    talkativeness: 0.35,
    risu: { viewScreen: 'emotion', largePortrait: true, inlayViewScreen: false, utilityBot: false, lorePlus: true },
    responseSchema: { type: 'object', properties: { mood: { type: 'string' } } },
  },
  behavior: {
    regexScripts: [
      { label: 'Dashes', find: '--', replace: '–', phase: 'editdisplay', flags: 'g', useFlags: true },
      { label: 'Quotes', find: '"', replace: '„', phase: 'editoutput' },
    ],
    triggerScripts: [
      {
        label: 'Bell',
        event: 'start',
        conditions: [{ type: 'var', var: 'storms', value: '1' }],
        effects: [{ type: 'setvar', var: 'bell', value: '1' }],
      },
    ],
    virtualScript: '-- a script, as text',
    backgroundHTML: '<div class="sea"></div>',
    backgroundCSS: '.sea { color: blue }',
    defaultVariables: 'storms=0',
    moduleToggles: 'fog=Fog',
    prebuiltAsset: { command: true, exclude: ['coat'], style: 'grid' },
    privileged: true,
  },
  bias: [{ phrase: ' gull', weight: -20 }],
  worldName: 'Coast',
  knowledgeRefs: ['the-book-of-küste'],
  behaviorRefs: ['house-rules'],
  variants: [
    {
      id: 'younger',
      label: 'Ten years ago',
      mirrorBase: false,
      overrides: { identity: { name: 'Mira', age: 'twenty-four' }, greetings: { firstMessage: 'Oh.' } },
    },
  ],
};

export const maximalCharacter = (): EntityOf<'character'> => ({
  schemaVersion: SCHEMA_VERSION,
  kind: 'character',
  id: 'mira-vale',
  body: maximalBody,
});
