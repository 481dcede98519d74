/** One prompt of a chat-completion preset. */
export interface PresetPrompt {
  /** The source identifier, letter by letter: order lists and markers refer to it. */
  id: string;
  name: string;
  content: string;
  role: 'system' | 'user' | 'assistant' | 'tool';
  enabled: boolean;
  systemPrompt?: boolean;
  /** A row where the app puts something of its own. */
  marker?: boolean;
  markerSlot?: 'chatHistory' | 'worldInfoBefore' | 'worldInfoAfter' | 'dialogueExamples' | 'personaDescription';
  /** Open set: relative, in_chat, append, append_preset, prepend_preset. */
  placement?: string;
  injectionDepth?: number;
  /** Low first. */
  injectionOrder?: number;
  forbidOverrides?: boolean;
  injectionTrigger?: string[];
  /** One of the app's own built-in prompts. */
  isDefault?: boolean;
  groupId?: string;
  wrapInXml?: boolean;
  xmlTagName?: string;
  extras?: Record<string, unknown>;
}

/** A heading over prompts. */
export interface PresetGroup {
  id: string;
  name: string;
  content?: string;
  parentGroupId?: string;
  order?: number;
  enabled?: boolean;
  extras?: Record<string, unknown>;
}

/** Something the user of a preset may choose. */
export interface PresetChoice {
  id: string;
  key?: string;
  label: string;
  readme?: string;
  type: 'one' | 'many' | 'toggle' | 'input';
  options: {
    id: string;
    label: string;
    description?: string;
    value?: string;
    enablesPrompts?: string[];
    set?: Record<string, unknown>;
  }[];
  default?: unknown;
  min?: number;
  placeholder?: string;
  suggestions?: string[];
  separator?: string;
  randomPick?: boolean;
  sortOrder?: number;
  extras?: Record<string, unknown>;
}

/** A chat-completion preset: prompts in order, and the settings that go with them. */
export interface PresetBody {
  /** Empty where the format carries no name. */
  name: string;
  description?: string;
  enabled?: boolean;
  prompts: PresetPrompt[];
  groups?: PresetGroup[];
  samplers?: {
    temperature?: number;
    topP?: number;
    topK?: number;
    topA?: number;
    minP?: number;
    frequencyPenalty?: number;
    presencePenalty?: number;
    repetitionPenalty?: number;
    /** Tokens, or messages where `contextMode` says so. */
    maxContext?: number;
    maxTokens?: number;
    promptPostProcessing?: string;
    contextMode?: 'tokens' | 'messages';
    maxMessages?: number;
  };
  systemPrompts?: {
    impersonation?: string;
    newChat?: string;
    newGroupChat?: string;
    newExampleChat?: string;
    continueNudge?: string;
    groupNudge?: string;
    assistantPrefill?: string;
    assistantImpersonation?: string;
  };
  templates?: { worldInfoFormat?: string; scenarioFormat?: string; personalityFormat?: string };
  behavior?: {
    wrapInQuotes?: boolean;
    namesBehavior?: number;
    sendIfEmpty?: string;
    continuePrefill?: boolean;
    continuePostfix?: string;
  };
  apiOptions?: {
    streamResponses?: boolean;
    claudeUseSystemPrompt?: boolean;
    useMakerSuiteSystemPrompt?: boolean;
    squashSystemMessages?: boolean;
    functionCalling?: boolean;
    showThoughts?: boolean;
    reasoningEffort?: string;
    enableWebSearch?: boolean;
    requestImages?: boolean;
  };
  media?: { imageInlining?: boolean; inlineImageQuality?: string; videoInlining?: boolean };
  generation?: { seed?: number; completions?: number; maxContextUnlocked?: boolean; biasPreset?: string };
  choices?: PresetChoice[];
}

export const emptyPreset = (): PresetBody => ({ name: '', prompts: [] });
export const emptyPrompt = (id: string): PresetPrompt => ({ id, name: '', content: '', role: 'system', enabled: true });
