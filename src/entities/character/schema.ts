import type { Bytes } from '../../core/bytes.ts';

/** A picture, sound or other file: text (URL, archive path, store reference) or the bytes themselves. */
export type MediaRef = string | Bytes;

/** One piece of media of a character. */
export interface MediaAsset {
  role: 'portrait' | 'emotion' | 'outfit' | 'pose' | 'background' | 'other';
  name?: string;
  /** The label people see: `happy`, `winter coat`. */
  label?: string;
  primary?: boolean;
  ref: MediaRef;
  mime?: string;
}

/** A text-to-speech choice, never audio. */
export interface Voice {
  /** Open set: elevenlabs, webspeechsynthesis, novel, agnaistic, vits … */
  provider: string;
  voiceId?: string;
  rate?: number;
  pitch?: number;
  disabled?: boolean;
  extras?: Record<string, unknown>;
}

/** Text for image generation. */
export interface ImagePrompt {
  prompt?: string;
  prefix?: string;
  suffix?: string;
  negative?: string;
  template?: string;
  instructions?: string;
  emotionInstructions?: string;
  rows?: { label: string; value: string }[];
}

/** How a persona is written down: free text, or attributes in one of the attribute styles. */
export type StructuredPersona =
  | { kind: 'text' }
  | { kind: 'attributes' | 'wpp' | 'sbf' | 'boostyle'; attributes: Record<string, string[]> };

/** Text that is put into the chat at a depth. */
export interface DepthInjection {
  text: string;
  /** Messages from the end; 0 is the newest. */
  depth: number;
  /** Absent: whatever the app uses. */
  role?: 'system' | 'user' | 'assistant';
  /** Which wire home it came from; decides where it is written back. */
  origin?: 'depth_prompt' | 'rolecall_details' | 'worldinfo';
  /** Absent: on. */
  enabled?: boolean;
}

/** An opening message. */
export interface Greeting {
  text: string;
  title?: string;
  /** Format-local, e.g. `byaf:scenarios/scenario2.json`; other formats never write it. */
  id?: string;
}

/** A composite avatar recipe. */
export interface Sprite {
  parts: Record<string, string>;
  gender?: string;
  eyeColor?: string;
  bodyColor?: string;
  hairColor?: string;
}

/** A find-and-replace rule that travels inside a card. Data only: never run. */
export interface CharacterRegexScript {
  label?: string;
  find: string;
  replace: string;
  phase: string;
  flags?: string;
  useFlags?: boolean;
}

/** A row of an app's trigger machine, opaque. Data only: never run. */
export interface TriggerScript {
  label?: string;
  event: string;
  conditions: unknown[];
  effects: unknown[];
}

/** Another version of the character. */
export interface CharacterVariant {
  id: string;
  label?: string;
  /** True or absent: the overrides are laid over the base. False: each section given replaces the base's. */
  mirrorBase?: boolean;
  overrides: Record<string, unknown>;
}

/** The canonical character. Groups are always there, their fields only when the source has them. */
export interface CharacterBody {
  identity: {
    /** Library and `{{char}}` name; may be empty. */
    name: string;
    /** What `{{char}}` expands to where it differs from the name. */
    nickname?: string;
    tagline?: string;
    description?: string;
    characterVersion?: string;
    fullName?: string;
    title?: string;
    /** Free text, never a number. */
    age?: string;
    pronouns?: string;
    /** Default language or voice hint, e.g. `en-us`. */
    culture?: string;
  };
  persona: {
    personality?: string;
    scenario?: string;
    appearance?: string;
    voice?: Voice;
    imagePrompt?: ImagePrompt;
    structured?: StructuredPersona;
  };
  prompts: {
    systemPrompt?: string;
    postHistoryInstructions?: string;
    depthInjections?: DepthInjection[];
    /** Start of the model's reply. */
    prefill?: string;
    additionalText?: string;
  };
  greetings: {
    firstMessage?: string;
    alternateGreetings?: Greeting[];
    groupOnlyGreetings?: Greeting[];
  };
  examples: { exampleMessages?: string };
  media: {
    portrait?: MediaAsset;
    assets?: MediaAsset[];
    sprite?: Sprite;
    /** `avatar`, `sprite` or an app's own word. */
    visualKind?: string;
    /** Which expression label the portrait shows. Studio only. */
    faceLabel?: string;
  };
  attribution: {
    creator?: string;
    originalCreator?: string;
    source?: string[];
    sourceUrl?: string;
    license?: string;
    creatorNotes?: string;
    /** ISO 639-1 language to text. */
    creatorNotesMultilingual?: Record<string, string>;
    publicNote?: string;
    /** Seconds since 1970. */
    createdAt?: number;
    /** Seconds since 1970. */
    updatedAt?: number;
  };
  discovery: {
    tags?: string[];
    genre?: string;
    fandom?: string;
    rating?: 'all-ages' | 'mature' | 'explicit';
    contentWarnings?: string[];
  };
  presentation?: {
    signatureColor?: string;
    gradientColors?: string[];
    palette?: { label?: string; name?: string; hex: string }[];
    background?: { ref: MediaRef; overlayOpacity?: number; videoPlaybackRate?: number };
    fieldOrder?: string[];
    spoilers?: { mode?: 'on' | 'off'; order?: string[]; fields?: Record<string, boolean> };
    mediaLinks?: string[];
  };
  settings?: {
    /** 0 to 1. */
    talkativeness?: number;
    risu?: {
      viewScreen?: string;
      largePortrait?: boolean;
      inlayViewScreen?: boolean;
      utilityBot?: boolean;
      lorePlus?: boolean;
    };
    /** Structured-output schema, as the app wrote it. */
    responseSchema?: Record<string, unknown>;
  };
  /** What a card would like to do; carried as text, never run. */
  behavior?: {
    regexScripts?: CharacterRegexScript[];
    triggerScripts?: TriggerScript[];
    virtualScript?: string;
    backgroundHTML?: string;
    backgroundCSS?: string;
    defaultVariables?: string;
    moduleToggles?: string;
    prebuiltAsset?: { command?: boolean; exclude?: string[]; style?: string };
    /** The card asks for a low-level script interface. */
    privileged?: boolean;
  };
  bias?: { phrase: string; weight: number }[];
  /** An external worldbook the creator wants loaded, by name. */
  worldName?: string;
  /** Linked lorebooks by canonical id, in order. */
  knowledgeRefs?: string[];
  /** Linked regex sets by canonical id, in order. */
  behaviorRefs?: string[];
  variants?: CharacterVariant[];
}

export const emptyCharacter = (): CharacterBody => ({
  identity: { name: '' },
  persona: {},
  prompts: {},
  greetings: {},
  examples: {},
  media: {},
  attribution: {},
  discovery: {},
});
