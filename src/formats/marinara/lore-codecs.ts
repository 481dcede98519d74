import { type Codec, number } from '../../core/codec.ts';
import type { LorePosition, SelectiveLogic, Trigger } from '../../entities/lorebook/schema.ts';

const SPECIAL = /[.*+?^${}()|[\]\\]/g;

/**
 * A key of an entry. `useRegex` speaks for all keys at once: then each is a pattern without delimiters, and a plain
 * one beside it is escaped.
 */
export const trigger = (regex: boolean): Codec<Trigger> => ({
  shape: 'text',
  lossy: true,
  read: (raw) => (typeof raw === 'string' && raw.trim() !== '' ? { keyword: raw, isRegex: regex } : undefined),
  write: ({ keyword, isRegex }) => (regex && !isRegex ? keyword.replace(SPECIAL, '\\$&') : keyword),
});

const LOGIC: ReadonlyMap<unknown, SelectiveLogic> = new Map([
  ['and', 'and_any'],
  ['or', 'and_any'],
  ['and_all', 'and_all'],
  ['not', 'not_any'],
  ['not_all', 'not_all'],
]);

/** How the secondary keys combine. Current releases take `and` and `or` as any; the first one took `and` as all. */
export const logicWord = (): Codec<SelectiveLogic> => ({
  shape: '"and" or "or" any, "and_all", "not", "not_all"',
  read: (raw) => LOGIC.get(raw),
  write: (value) => [...LOGIC].find(([, known]) => known === value)?.[0],
});

const POSITIONS: readonly (readonly [wire: number, position: LorePosition, ...words: string[]])[] = [
  [0, 'world', 'before_char'],
  [1, 'character', 'after_char'],
  [2, 'depth', 'at_depth', 'depth'],
  [7, 'outlet', 'outlet'],
];

/** Where the app's own importer puts the places that it does not have. */
const NEAREST: Partial<Record<LorePosition, LorePosition>> = {
  prepend_top: 'world',
  author_note_top: 'world',
  before_example: 'world',
  scene: 'world',
  author_note_bottom: 'character',
  after_example: 'character',
  append: 'depth',
  append_bottom: 'depth',
};

/** 0 before, 1 after, 2 at a depth, 7 an outlet; the words that the app's importer also takes are read. */
export const position = (): Codec<LorePosition> => ({
  shape: '0 world, 1 character, 2 depth, 7 outlet',
  lossy: true,
  read: (raw) => POSITIONS.find(([wire, , ...words]) => wire === raw || words.some((word) => word === raw))?.[1],
  write: (value) => POSITIONS.find(([, known]) => known === (NEAREST[value] ?? value))?.[0],
});

/** True or false on the wire: any level is true. */
export const recursionDelay = (): Codec<number> => ({
  shape: 'flag, true for level 1',
  lossy: true,
  read: (raw) => (typeof raw === 'boolean' ? Number(raw) : number().read(raw)),
  write: (value, previous) => (typeof previous === 'number' ? value : value > 0),
});
