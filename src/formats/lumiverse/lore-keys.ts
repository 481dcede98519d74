import type { Account } from '../../core/account.ts';
import { flag, list, text } from '../../core/codec.ts';
import { same, saysNothing, type Wire } from '../../core/draft.ts';
import type { Lens } from '../../core/lens.ts';
import { loreEntry } from '../../entities/lorebook/lenses.ts';
import type { LorebookEntry, SelectiveLogic, Trigger } from '../../entities/lorebook/schema.ts';
import { LUMIVERSE_LOGIC } from '../_shared/lumiverse-logic.ts';

const words = list(text(), { lone: 'one item' });

/** The keys of a list; blank ones say nothing. */
const wordsIn = (raw: unknown): string[] => (words.read(raw) ?? []).filter((word) => word.trim() !== '');

const isPattern = (wire: Wire): boolean => flag().read(wire.use_regex) === true;

/** A plain text as the pattern that finds just that text. */
const escaped = (word: string): string => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

const triggersIn = (wire: Wire, key: 'key' | 'keysecondary'): Trigger[] =>
  wordsIn(wire[key]).map((keyword) => ({ keyword, isRegex: isPattern(wire) }));

/** With no second keys there is nothing to combine: the app's 0 is then no choice that anybody made. */
function logicIn(wire: Wire): SelectiveLogic {
  const known = LUMIVERSE_LOGIC.read(wire.selective_logic) ?? 'and_all';
  return known === 'and_all' && wordsIn(wire.keysecondary).length === 0 ? 'and_any' : known;
}

/**
 * Both lists of keys, the one switch that makes all of them patterns, and how the second list combines. A literal key
 * beside a regex becomes the pattern that finds it, so that the entry fires as before.
 */
export const entryKeys: Lens<LorebookEntry> = loreEntry.joint(['triggers', 'secondaryTriggers', 'selectiveLogic'], {
  wire: ['key', 'keysecondary', 'use_regex', 'selective_logic'],
  shape: 'lists of text; a flag for patterns; 0 and_all, 1 not_any, 2 and_any, 3 not_all',
  lossy: true,
  note: 'one switch makes every key of an entry a pattern; flags of a regex and chances of a key have no place',
  read: (wire) => ({
    triggers: triggersIn(wire, 'key'),
    secondaryTriggers: triggersIn(wire, 'keysecondary'),
    selectiveLogic: logicIn(wire),
  }),
  write({ twin, set }, now) {
    const lists = [
      ['key', now.triggers ?? []],
      ['keysecondary', now.secondaryTriggers ?? []],
    ] as const;
    const patterns = lists.some(([, triggers]) => triggers.some(({ isRegex }) => isRegex));
    const spoken = lists.some(([, triggers]) => triggers.length > 0);
    if (spoken && patterns !== isPattern(twin)) set(['use_regex'], flag().write(patterns, twin.use_regex));
    for (const [key, triggers] of lists) {
      const next = triggers.map(({ keyword, isRegex }) => (patterns && !isRegex ? escaped(keyword) : keyword));
      if (!same(next, wordsIn(twin[key]))) set([key], words.write(next, twin[key]));
    }
    const logic = now.selectiveLogic ?? 'and_any';
    const kept = LUMIVERSE_LOGIC.read(twin.selective_logic) ?? 'and_all';
    const counts = (now.secondaryTriggers ?? []).length > 0;
    if (logic === kept || (!counts && logic === 'and_any' && kept === 'and_all')) return;
    set(['selective_logic'], LUMIVERSE_LOGIC.write(logic, twin.selective_logic));
  },
  claims: (wire) => [
    { keys: ['key'], inside: accountWords },
    { keys: ['keysecondary'], inside: accountWords },
    ...(flag().read(wire.use_regex) === undefined ? [] : [{ keys: ['use_regex'] }]),
    ...(LUMIVERSE_LOGIC.read(wire.selective_logic) === undefined ? [] : [{ keys: ['selective_logic'] }]),
  ],
});

function accountWords(raw: unknown, path: string, out: Account): void {
  if (words.read(raw) !== undefined) words.account?.(raw, path, out);
  else if (!saysNothing(raw)) out.unread(path, raw);
}
