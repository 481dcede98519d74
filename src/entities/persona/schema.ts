import type { MediaAsset, MediaRef } from '../character/schema.ts';

/** Who the user is in a chat. */
export interface PersonaBody {
  name: string;
  /** Short shelf blurb; never part of a prompt. */
  brief?: string;
  /** The text that goes into the prompt. */
  content?: string;
  /** Structured source of the content; both are kept. */
  sections?: { appearance?: string; body?: string; personality?: string; quirks?: string; history?: string };
  sectionOrder?: string[];
  traits?: string[];
  identity?: {
    tagline?: string;
    /** Free text, never a number. */
    age?: string;
    height?: string;
    pronouns?: string;
    pronounSet?: { subjective?: string; objective?: string; possessive?: string };
  };
  presentation?: { signatureColor?: string; colors?: string[]; imageUrl?: string };
  /** Linked lorebooks: canonical ids, or names where a format links by name. */
  knowledgeRefs?: string[];
  rating?: 'all-ages' | 'mature' | 'explicit';
  chatInjection?: {
    /** Open set: prompt, author_note_top, author_note_bottom, in_chat, none, world, character, scene, depth. */
    position: string;
    depth?: number;
    role?: 'system' | 'user' | 'assistant';
    wrapper?: string;
  };
  attribution?: {
    creator?: string;
    version?: string;
    /** As the format writes it. */
    createdAt?: string;
    source?: string;
  };
  media?: { portrait?: MediaAsset };
}

export type { MediaRef };

export const emptyPersona = (): PersonaBody => ({ name: '' });
