import type { Codec } from '../../core/codec.ts';
import { dialect } from '../../core/codec.ts';

const SINGLE = /(?<!\{)\{(character|char|user)\}(?!\})/g;

const toTavern = (text: string): string =>
  text.replace(SINGLE, (_, name: string) => (name === 'user' ? '{{user}}' : '{{char}}'));

/**
 * The old angle spellings mean the same as the braces, in any letter case. Macros that Backyard does not know stay as
 * typed: deleting them on an edit would delete a person's text.
 */
const toBackyard = (text: string): string =>
  text.replace(/\{\{char\}\}|<(?:char|bot)>/gi, '{character}').replace(/\{\{user\}\}|<user>/gi, '{user}');

/** `{character}`, `{char}` and `{user}` on the wire, `{{char}}` and `{{user}}` in the model. */
export const braces = dialect('single-brace placeholders', toTavern, toBackyard);

/** A system prompt, which may also call for the app's default one: `{original}` here, `{{original}}` in the model. */
export const promptBraces = dialect(
  'single-brace placeholders',
  (text) => toTavern(text).replace(/(?<!\{)\{original\}(?!\})/g, '{{original}}'),
  (text) => toBackyard(text).replace(/\{\{original\}\}/gi, '{original}'),
);

const HASHED_LINE = /^#(?=\{(?:character|char|user)\}:)/gm;
const BARE_LINE = /^(?=\{(?:character|char|user)\}:)/gm;
const finds = (pattern: RegExp, text: string): boolean => new RegExp(pattern.source, 'm').test(text);

/**
 * Example dialogue: a line that a side speaks starts `#{character}:` or `#{user}:`. The mark is not in the model; it is
 * written before every such line, except where the text that is replaced had such lines and none with the mark.
 */
export const dialogue: Codec<string> = {
  shape: 'text, single-brace placeholders, # before a speaker',
  lossy: true,
  read: (raw) => (typeof raw === 'string' ? toTavern(raw.replace(HASHED_LINE, '')) : undefined),
  write(value, previous) {
    const text = toBackyard(value);
    const unmarked = typeof previous === 'string' && finds(BARE_LINE, previous) && !finds(HASHED_LINE, previous);
    return unmarked ? text : text.replace(BARE_LINE, '#');
  },
};
