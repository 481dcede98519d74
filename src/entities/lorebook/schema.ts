/** A key that makes an entry fire. A regex is stored without its delimiters. */
export interface Trigger {
  keyword: string;
  isRegex: boolean;
  flags?: string;
  frequency?: number;
  probability?: number;
}

/** Where an entry lands in the prompt. */
export type LorePosition =
  | 'world'
  | 'character'
  | 'before_example'
  | 'after_example'
  | 'depth'
  | 'append'
  | 'append_bottom'
  | 'prepend_top'
  | 'scene'
  | 'author_note_top'
  | 'author_note_bottom'
  | 'outlet';

export type SelectiveLogic = 'and_any' | 'and_all' | 'not_any' | 'not_all';
export type Role = 'system' | 'user' | 'assistant';

/** How NovelAI places the text of an entry or category. */
export interface EntryContextConfig {
  prefix?: string;
  suffix?: string;
  tokenBudget?: number;
  reservedTokens?: number;
  trimDirection?: string;
  insertionType?: string;
  maximumTrimType?: string;
  insertionPosition?: number;
}

/** NovelAI phrase biases that go with an entry. */
export interface LoreBiasGroup {
  enabled: boolean;
  bias: number;
  phrases: { sequence?: string; sequences?: unknown[]; type?: number }[];
  whenInactive?: boolean;
  generateOnce?: boolean;
  ensureSequenceFinish?: boolean;
}

/** One entry. Slots whose absence has a meaning of its own are optional; `ENTRY_DEFAULTS` says what absence means. */
export interface LorebookEntry {
  /** The source id as text; repeats get `-2`. */
  id: string;
  /** The label people see. */
  title: string;
  content: string;
  /** A private note, different from the title. */
  comment?: string;
  enabled: boolean;
  /** Always injected. */
  constant: boolean;
  /** False: secondary keys are kept but do not gate. Absent: the format has no such switch. */
  selective?: boolean;
  triggerMode: 'simple' | 'advanced';
  triggers: Trigger[];
  secondaryTriggers: Trigger[];
  /** How the secondary keys combine. */
  selectiveLogic: SelectiveLogic;
  /** Absent: as the book says. */
  caseSensitive?: boolean;
  /** Absent: as the book says. */
  matchWholeWords?: boolean;
  /** Messages; 0 looks nowhere. Absent: as the book says. */
  scanDepth?: number;
  position: LorePosition;
  /** Name of the outlet, for position `outlet`. */
  outletName?: string;
  /** Messages from the end, for position `depth`. */
  depth: number;
  role: Role;
  /** Placement: higher is nearer to the end of the prompt. */
  sortOrder: number;
  /** Eviction: higher survives longer. */
  priority: number;
  /** Manual order in the editor's list. */
  displayIndex?: number;
  /** Messages; 0 = off. */
  sticky: number;
  /** Messages; 0 = off. */
  cooldown: number;
  /** Messages; 0 = off. */
  delay: number;
  groupName?: string;
  groupWeight: number;
  groupOverride?: boolean;
  useGroupScoring?: boolean;
  /** Id of a category of the book. */
  categoryId?: string;
  /** 0 to 100. */
  probability: number;
  useMemo: boolean;
  /** Other entries do not trigger this one. */
  excludeRecursion: boolean;
  /** This entry triggers no others. */
  preventRecursion: boolean;
  /** Recursion level from which it may fire; 0 = the first pass. */
  delayUntilRecursion: number;
  ignoreBudget: boolean;
  characterFilter?: { names: string[]; tags: string[]; isExclude: boolean };
  scanCharacterDescription: boolean;
  scanCharacterPersonality: boolean;
  scanUserPersona: boolean;
  scanScenario: boolean;
  scanCharacterDepthPrompt?: boolean;
  scanCreatorNotes?: boolean;
  vectorized?: boolean;
  automationId?: string;
  keyRelative?: boolean;
  nonStoryActivatable?: boolean;
  contextConfig?: EntryContextConfig;
  loreBiasGroups?: LoreBiasGroup[];
  /** Generation types that may fire it: normal, continue, swipe … */
  generationTriggers?: string[];
  /** Variable changes on activation. Data only: never run. */
  sideEffects?: {
    effects: { type: string; variable: string; value?: string; amount?: number; scope: string }[];
    onlyOnFirstTrigger: boolean;
    clearOnDeactivate: boolean;
  };
  metadata?: Record<string, unknown>;
}

export interface LorebookCategory {
  id: string;
  name: string;
  sortOrder: number;
  enabled?: boolean;
}

/** The canonical lorebook. Book-level numbers and flags are optional: absent is no house default. */
export interface LorebookBody {
  /** Empty where the format carries no name. */
  name: string;
  description?: string;
  lorebookType?: 'world' | 'character' | 'scenario' | 'rules' | 'utility' | 'other';
  genre?: string;
  fandom?: string;
  tags?: string[];
  /** Absent: on. */
  enabled?: boolean;
  globalCaseSensitive?: boolean;
  globalMatchWholeWords?: boolean;
  /** Messages; 0 looks nowhere. */
  globalScanDepth?: number;
  globalRecursion?: boolean;
  tokenBudget?: number;
  budgetMode?: 'token' | 'entry';
  entryBudget?: number;
  entries: LorebookEntry[];
  categories?: LorebookCategory[];
}

/** What an entry says where a format says nothing; a slot that still holds this says nothing new. */
export const ENTRY_DEFAULTS = {
  title: '',
  content: '',
  enabled: true,
  constant: false,
  triggerMode: 'simple',
  selectiveLogic: 'and_any',
  position: 'character',
  depth: 4,
  role: 'system',
  sortOrder: 100,
  priority: 100,
  sticky: 0,
  cooldown: 0,
  delay: 0,
  groupWeight: 100,
  probability: 100,
  useMemo: false,
  excludeRecursion: false,
  preventRecursion: false,
  delayUntilRecursion: 0,
  ignoreBudget: false,
  scanCharacterDescription: false,
  scanCharacterPersonality: false,
  scanUserPersona: false,
  scanScenario: false,
} as const satisfies Partial<LorebookEntry>;

/**
 * What absence means in optional slots, the same on every wire that has them: a slot that holds this says nothing new.
 * NovelAI writes its placement settings into every entry, SillyTavern its switches.
 */
export const ABSENT_MEANS = {
  selective: true,
  groupOverride: false,
  vectorized: false,
  scanCharacterDepthPrompt: false,
  scanCreatorNotes: false,
  keyRelative: false,
  nonStoryActivatable: false,
  'contextConfig.prefix': '',
  'contextConfig.suffix': '\n',
  'contextConfig.tokenBudget': 1,
  'contextConfig.reservedTokens': 0,
  'contextConfig.trimDirection': 'trimBottom',
  'contextConfig.insertionType': 'newline',
  'contextConfig.maximumTrimType': 'sentence',
  'contextConfig.insertionPosition': -1,
} as const;

export const emptyLorebook = (): LorebookBody => ({ name: '', entries: [] });

/**
 * Every slot of an entry, in order. An object that has all its keys from the start stays small and quick; one that
 * grows key by key is a hash table to V8, and reading a large book took three times as long.
 */
const SLOTS: { readonly [K in keyof Required<LorebookEntry>]: undefined } = {
  id: undefined,
  title: undefined,
  content: undefined,
  comment: undefined,
  enabled: undefined,
  constant: undefined,
  selective: undefined,
  triggerMode: undefined,
  triggers: undefined,
  secondaryTriggers: undefined,
  selectiveLogic: undefined,
  caseSensitive: undefined,
  matchWholeWords: undefined,
  scanDepth: undefined,
  position: undefined,
  outletName: undefined,
  depth: undefined,
  role: undefined,
  sortOrder: undefined,
  priority: undefined,
  displayIndex: undefined,
  sticky: undefined,
  cooldown: undefined,
  delay: undefined,
  groupName: undefined,
  groupWeight: undefined,
  groupOverride: undefined,
  useGroupScoring: undefined,
  categoryId: undefined,
  probability: undefined,
  useMemo: undefined,
  excludeRecursion: undefined,
  preventRecursion: undefined,
  delayUntilRecursion: undefined,
  ignoreBudget: undefined,
  characterFilter: undefined,
  scanCharacterDescription: undefined,
  scanCharacterPersonality: undefined,
  scanUserPersona: undefined,
  scanScenario: undefined,
  scanCharacterDepthPrompt: undefined,
  scanCreatorNotes: undefined,
  vectorized: undefined,
  automationId: undefined,
  keyRelative: undefined,
  nonStoryActivatable: undefined,
  contextConfig: undefined,
  loreBiasGroups: undefined,
  generationTriggers: undefined,
  sideEffects: undefined,
  metadata: undefined,
};
const BLANK: object = Object.assign({ ...SLOTS }, ENTRY_DEFAULTS);

/** An entry with nothing but its id. Slots that say nothing are there and undefined. */
export const emptyEntry = (id: string): LorebookEntry =>
  ({ ...BLANK, id, triggers: [], secondaryTriggers: [] }) as unknown as LorebookEntry;
