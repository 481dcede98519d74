/** Spellings of find-and-replace rules that SillyTavern and its relatives share. */
import type { Codec } from '../../core/codec.ts';

/** A pattern with its flags. */
export interface Pattern {
  readonly find: string;
  readonly flags?: string;
}

const WRAPPED = /^\/([\s\S]+)\/([a-z]*)$/;
const FLAGS = 'dgimsuvy';
const areFlags = (text: string): boolean =>
  text.length <= FLAGS.length && new Set(text).size === text.length && [...text].every((flag) => FLAGS.includes(flag));

/** `/pattern/flags`, up to the last slash; everything else is a pattern without flags, letter by letter. */
export function unwrapped(raw: string): Pattern {
  const [, find, flags] = WRAPPED.exec(raw) ?? [];
  if (find === undefined || flags === undefined || !areFlags(flags)) return { find: raw };
  return flags === '' ? { find } : { find, flags };
}

/** Flags that a JavaScript engine takes, each once. */
const plainFlags = (flags: string): string =>
  [...new Set(flags.replace(/<[^<>]*>/g, ''))].filter((flag) => FLAGS.includes(flag)).join('');

/**
 * A pattern on the wire. Slashes stand around it where flags need them, where the twin had them, and where the bare
 * pattern would be taken for a wrapped one.
 */
export function wrapped({ find, flags = '' }: Pattern, before: unknown): string {
  if (find === '') return '';
  const kept = plainFlags(flags);
  const had = typeof before === 'string' && unwrapped(before).find !== before;
  return kept !== '' || had || unwrapped(find).find !== find ? `/${find}/${kept}` : find;
}

/** The number, as a number or as text. */
export const wholeNumber = (raw: unknown): number | undefined => {
  if (typeof raw === 'number' && Number.isInteger(raw)) return raw;
  return typeof raw === 'string' && /^-?\d+$/.test(raw.trim()) ? Number(raw) : undefined;
};

/** A switch that says the opposite of the slot. */
export const negated = (codec: Codec<boolean>): Codec<boolean> => ({
  ...codec,
  shape: `${codec.shape}, reversed`,
  read: (raw) => {
    const value = codec.read(raw);
    return value === undefined ? undefined : !value;
  },
  write: (value, previous) => codec.write(!value, previous),
});
