import { asBytes } from '../../core/bytes.ts';
import type { CompareRules, RowKey } from '../../core/compare.ts';

const by =
  (...keys: string[]): RowKey =>
  (row) =>
    keys.map((key) => JSON.stringify(row[key] ?? null)).join();

const content: RowKey = ({ ref }) => {
  const bytes = asBytes(ref);
  return bytes ? `${bytes.size} bytes` : `ref ${String(ref)}`;
};

/** How two characters are compared: which lists hold rows, and what says nothing about content. */
export const characterRules: CompareRules = {
  // A text persona is what every format without styles has.
  defaults: { 'persona.structured.kind': 'text' },
  ignored: new Set([
    'greetings.alternateGreetings[*].id',
    'greetings.groupOnlyGreetings[*].id',
    'prompts.depthInjections[*].origin',
    'media.portrait.mime',
    'media.portrait.primary',
    'media.portrait.label',
    'media.portrait.role',
    'media.assets[*].mime',
    'media.assets[*].primary',
    // Compared through the books they point at.
    'knowledgeRefs',
  ]),
  rows: {
    'greetings.alternateGreetings': [by('text', 'title'), by('text')],
    'greetings.groupOnlyGreetings': [by('text', 'title'), by('text')],
    'prompts.depthInjections': [by('text', 'depth', 'role'), by('text', 'depth'), by('text')],
    'media.assets': [
      (row) => `${by('role', 'label')(row)} ${content(row)}`,
      (row) => `${by('label')(row)} ${content(row)}`,
      content,
    ],
    'persona.imagePrompt.rows': [by('label', 'value'), by('label')],
    'presentation.palette': [by('label', 'name', 'hex'), by('hex')],
    'behavior.regexScripts': [by('find', 'replace'), by('label')],
    'behavior.triggerScripts': [by('label', 'event')],
    bias: [by('phrase', 'weight'), by('phrase')],
    variants: [by('id'), by('label')],
  },
};
