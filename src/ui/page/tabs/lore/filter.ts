/** Which entries of a book the table shows. */
import { textFromKey } from '../../../../edit/keys.ts';
import type { LorebookEntry } from '../../../../entities/lorebook/schema.ts';
import { folded, hasWords, wordsOf } from '../../../item/summary.ts';

export type Column = 'keys' | 'text' | 'position' | 'order' | 'probability';

export interface Narrowed {
  readonly query: string;
  /** `off`, `always`, `problems`, or nothing. */
  readonly only: '' | 'off' | 'always' | 'problems';
  readonly sort?: { readonly column: Column; readonly down: boolean } | undefined;
}

const texts = new WeakMap<LorebookEntry, string>();

/** All texts of an entry that a search looks into, folded. */
function textOf(entry: LorebookEntry): string {
  const known = texts.get(entry);
  if (known !== undefined) return known;
  const keys = [...entry.triggers, ...entry.secondaryTriggers].map(({ keyword }) => keyword);
  const text = folded([entry.title, ...keys, entry.content, entry.comment ?? ''].join('\n'));
  texts.set(entry, text);
  return text;
}

/** The keys of an entry as the table shows them. */
export const keysText = ({ triggers }: LorebookEntry): string => triggers.map(textFromKey).join(', ');

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
const ORDER: Readonly<Record<Column, (a: LorebookEntry, b: LorebookEntry) => number>> = {
  keys: (a, b) => collator.compare(a.triggers[0]?.keyword ?? '', b.triggers[0]?.keyword ?? ''),
  text: (a, b) => collator.compare(a.title || a.content.slice(0, 80), b.title || b.content.slice(0, 80)),
  position: (a, b) => collator.compare(a.position, b.position) || a.depth - b.depth,
  order: (a, b) => a.sortOrder - b.sortOrder,
  probability: (a, b) => a.probability - b.probability,
};

/** Indexes of the entries to show, in the order to show them. Equal ones stay as in the book. */
export function narrowed(
  entries: readonly LorebookEntry[],
  { query, only, sort }: Narrowed,
  hasProblem: (index: number) => boolean,
): number[] {
  const words = wordsOf(query);
  const shown: number[] = [];
  entries.forEach((entry, index) => {
    if (only === 'off' && entry.enabled) return;
    if (only === 'always' && !entry.constant) return;
    if (only === 'problems' && !hasProblem(index)) return;
    if (words.length === 0 || hasWords(textOf(entry), words)) shown.push(index);
  });
  if (!sort) return shown;
  const compare = ORDER[sort.column];
  const way = sort.down ? -1 : 1;
  return shown.sort((a, b) => way * compare(entries[a] as LorebookEntry, entries[b] as LorebookEntry) || a - b);
}
