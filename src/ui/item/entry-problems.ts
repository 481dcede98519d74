/** What is wrong with single entries of a book, found without running any key. */
import type { LorebookBody, LorebookEntry } from '../../entities/lorebook/schema.ts';
import { canRunAway } from '../../entities/regex/runaway.ts';

export type EntryProblem =
  /** On, and nothing makes it fire. */
  | 'no-keys'
  | 'no-text'
  | 'bad-pattern'
  | 'run-away'
  /** Says the same as an earlier entry, under the same keys. */
  | 'twice'
  | 'no-outlet'
  | 'no-category';

const own = new WeakMap<LorebookEntry, readonly EntryProblem[]>();

/** The problems of each entry that has some, by its index in the book. */
export function entryProblems({ entries, categories = [] }: LorebookBody): Map<number, readonly EntryProblem[]> {
  const found = new Map<number, readonly EntryProblem[]>();
  const seen = new Set<string>();
  const known = new Set(categories.map(({ id }) => id));
  entries.forEach((entry, index) => {
    const alone = own.get(entry) ?? problemsOf(entry);
    own.set(entry, alone);
    const print = `${entry.triggers.map(({ keyword }) => keyword).join('\u0000')}\u0001${entry.content}`;
    const twice = entry.content !== '' && seen.has(print);
    seen.add(print);
    const lost = entry.categoryId !== undefined && !known.has(entry.categoryId);
    if (!twice && !lost && alone.length === 0) return;
    found.set(index, [...alone, ...(twice ? (['twice'] as const) : []), ...(lost ? (['no-category'] as const) : [])]);
  });
  return found;
}

function problemsOf(entry: LorebookEntry): EntryProblem[] {
  const { enabled, constant, triggers, secondaryTriggers, vectorized, content, position, outletName } = entry;
  const patterns = [...triggers, ...secondaryTriggers].filter(({ isRegex }) => isRegex);
  const problems: EntryProblem[] = [];
  if (enabled && !constant && !vectorized && triggers.length === 0) problems.push('no-keys');
  if (content.trim() === '') problems.push('no-text');
  if (patterns.some(({ keyword, flags }) => !compiles(keyword, flags))) problems.push('bad-pattern');
  if (patterns.some(({ keyword, flags }) => canRunAway(keyword, flags))) problems.push('run-away');
  if (position === 'outlet' && !outletName) problems.push('no-outlet');
  return problems;
}

/** Compiling a pattern runs nothing of it. */
function compiles(pattern: string, flags: string | undefined): boolean {
  try {
    return new RegExp(pattern, flags) instanceof RegExp;
  } catch {
    return false;
  }
}
