import { oneOf, single } from '../../core/codec.ts';
import type { LorePosition, Role, SelectiveLogic, Trigger } from '../../entities/lorebook/schema.ts';

const REGEX_KEY = /^\/(.+)\/([dgimsuvy]*)$/s;

/** A key as SillyTavern spells it: `/pattern/flags` is a regex, everything else is literal. */
export const inlineTrigger = single<Trigger>({
  shape: 'text, /pattern/flags for a regex',
  lossy: true,
  read(raw) {
    if (typeof raw === 'number') return { keyword: String(raw), isRegex: false };
    if (typeof raw !== 'string' || raw.trim() === '') return undefined;
    const regex = REGEX_KEY.exec(raw);
    if (!regex) return { keyword: raw, isRegex: false };
    const flags = regex[2] === '' || regex[2] === undefined ? {} : { flags: regex[2] };
    return { keyword: regex[1] ?? '', isRegex: true, ...flags };
  },
  write: (trigger) => (trigger.isRegex ? `/${escapeSlashes(trigger.keyword)}/${trigger.flags ?? ''}` : trigger.keyword),
  account(raw, path, out) {
    if (typeof raw === 'number') out.repaired(path, 'a number where a key text belongs');
  },
});

/** Slashes end a pattern unless a backslash stands before them. */
const escapeSlashes = (pattern: string): string =>
  pattern.replace(/\\[\s\S]|\//g, (hit) => (hit === '/' ? '\\/' : hit));

/** A key that knows no regex: a regex key leaves as its pattern, and the report says so. */
export const plainTrigger = single<Trigger>({
  shape: 'text',
  lossy: true,
  read(raw) {
    if (typeof raw === 'number') return { keyword: String(raw), isRegex: false };
    return typeof raw === 'string' && raw.trim() !== '' ? { keyword: raw, isRegex: false } : undefined;
  },
  write: (trigger) => trigger.keyword,
});

/** A number, or the same number as text. */
const asNumber = (raw: unknown): number | undefined => {
  if (typeof raw === 'number') return raw;
  return typeof raw === 'string' && /^-?\d+$/.test(raw.trim()) ? Number(raw) : undefined;
};

const LOGIC: readonly SelectiveLogic[] = ['and_any', 'not_all', 'not_any', 'and_all'];

/** SillyTavern's numbers: 0 and_any, 1 not_all, 2 not_any, 3 and_all. */
export const logicNumber = single<SelectiveLogic>({
  shape: '0 and_any, 1 not_all, 2 not_any, 3 and_all',
  read: (raw) => LOGIC[asNumber(raw) ?? -1],
  write: (value) => LOGIC.indexOf(value),
});

const ROLES: readonly Role[] = ['system', 'user', 'assistant'];

/** SillyTavern's numbers 0 system, 1 user, 2 assistant; the words are read too, and stay words. */
export const roleNumber = single<Role>({
  shape: '0 system, 1 user, 2 assistant',
  read: (raw) => ROLES[asNumber(raw) ?? -1] ?? roleWord().read(raw),
  write: (value, previous) => (roleWord().read(previous) === undefined ? ROLES.indexOf(value) : value),
});

/** The words, in any letter case and with blanks around them; the numbers are read too, and stay numbers. */
export const roleWord = single<Role>({
  shape: '"system" or "user" or "assistant"',
  read(raw) {
    const word = typeof raw === 'string' ? raw.trim().toLowerCase() : undefined;
    return ROLES.find((role) => role === word);
  },
  write: (value) => value,
});

/** Role of a text that names it; numbers are taken by SillyTavern's table. */
export const looseRole = single<Role>({
  shape: roleWord().shape,
  read: (raw) => roleWord().read(raw) ?? ROLES[asNumber(raw) ?? -1],
  write: (value, previous) => (asNumber(previous) === undefined ? value : roleNumber().write(value, previous)),
});

/** SillyTavern's position numbers, with the nearest one for the places that only other apps have. */
const POSITIONS: readonly LorePosition[] = [
  'world',
  'character',
  'author_note_top',
  'author_note_bottom',
  'depth',
  'before_example',
  'after_example',
  'outlet',
];
const NEAREST: Partial<Record<LorePosition, LorePosition>> = {
  prepend_top: 'world',
  append: 'depth',
  append_bottom: 'depth',
  scene: 'before_example',
};
const COARSE = oneOf<LorePosition>([
  ['before_char', 'world'],
  ['after_char', 'character'],
]);

/** `before_char` and `after_char`; numbers, also as text, by SillyTavern's table. */
export const positionOf = (raw: unknown): LorePosition | undefined =>
  POSITIONS[asNumber(raw) ?? -1] ?? COARSE.read(raw);

/** SillyTavern's number of a position, or of the nearest it has. */
export const positionNumber = (value: LorePosition): number => POSITIONS.indexOf(NEAREST[value] ?? value);

/** The word of a card book: before or after the character. */
export const positionWord = (value: LorePosition): 'before_char' | 'after_char' =>
  ['world', 'before_example'].includes(NEAREST[value] ?? value) ? 'before_char' : 'after_char';

/** A position as a number, as text where the twin has text. */
export const position = single<LorePosition>({
  shape: '0 to 7',
  lossy: true,
  read: positionOf,
  write(value, previous) {
    if (COARSE.read(previous) !== undefined && COARSE.write(value, previous) !== undefined) return positionWord(value);
    return typeof previous === 'string' && asNumber(previous) !== undefined
      ? String(positionNumber(value))
      : positionNumber(value);
  },
});

/** Level from which recursion may fire an entry; true means 1. */
export const recursionLevel = single<number>({
  shape: 'number, true for 1',
  read: (raw) => (typeof raw === 'boolean' ? Number(raw) : asNumber(raw)),
  write: (value, previous) => (typeof previous === 'boolean' && value <= 1 ? value === 1 : value),
});
