import { same } from '../core/draft.ts';
import { assignIds } from '../core/ids.ts';
import type { LorebookBody, LorebookCategory, LorebookEntry, Trigger } from '../entities/lorebook/schema.ts';

/** A book that took entries of another. */
export interface Appended {
  readonly body: LorebookBody;
  /** Ids of the new entries in `body`, in order. */
  readonly added: readonly string[];
  /** How many of the given entries stood there already and were left out. */
  readonly skipped: number;
}

/**
 * Puts the entries of `from` behind those of `into`, with ids that `into` does not have. Categories are met by name and
 * come along where they are missing. `skipEqual`: an entry that says the same as one in `into` stays out.
 */
export function appendEntries(
  into: LorebookBody,
  from: Pick<LorebookBody, 'entries' | 'categories'>,
  options: { readonly skipEqual?: boolean } = {},
): Appended {
  const { categories, idOf } = joinedCategories(into.categories ?? [], from.categories ?? []);
  const held = new Set(options.skipEqual ? into.entries.map((one) => printOf(one, into.categories)) : []);
  const fresh = from.entries.filter((one) => !held.has(printOf(one, from.categories)));
  const ids = nextIds(into.entries, fresh.length);
  const added = fresh.map((entry, index): LorebookEntry => {
    const categoryId = idOf(entry.categoryId);
    const { categoryId: _, ...rest } = entry;
    return { ...rest, id: ids[index] ?? entry.id, ...(categoryId === undefined ? {} : { categoryId }) };
  });
  return {
    body: {
      ...into,
      entries: [...into.entries, ...added],
      ...(categories.length > 0 ? { categories } : {}),
    },
    added: ids,
    skipped: from.entries.length - fresh.length,
  };
}

/** Takes the entries with these ids out into a book of their own, with the categories they use. */
export function splitBook(body: LorebookBody, ids: ReadonlySet<string>, name: string) {
  const taken = body.entries.filter(({ id }) => ids.has(id));
  const used = new Set(taken.map(({ categoryId }) => categoryId));
  const categories = body.categories?.filter(({ id }) => used.has(id));
  return {
    rest: { ...body, entries: body.entries.filter(({ id }) => !ids.has(id)) } satisfies LorebookBody,
    taken: { name, entries: taken, ...(categories?.length ? { categories } : {}) } satisfies LorebookBody,
  };
}

/** What a bulk edit does to each chosen entry. Slots it does not name stay as they are. */
export interface EntryChange {
  /** Slots and their new values; undefined takes an optional slot away. */
  readonly set?: { readonly [Slot in keyof Omit<LorebookEntry, 'id'>]?: LorebookEntry[Slot] | undefined };
  readonly addKeys?: readonly Trigger[];
  /** By keyword. */
  readonly removeKeys?: readonly string[];
  /** Plain text, every occurrence, letter case counts. */
  readonly replace?: {
    readonly find: string;
    readonly with: string;
    readonly in: readonly ('title' | 'content' | 'comment' | 'keys')[];
  };
}

/** One slot of one entry that a bulk edit changes: the preview and the record of it. */
export interface EntryEdit {
  readonly id: string;
  readonly slot: string;
  readonly was: unknown;
  readonly now: unknown;
}

/** The book with `change` done to the chosen entries, and every slot that it changed. Entries it left alone are `===`. */
export function changeEntries(
  body: LorebookBody,
  ids: ReadonlySet<string>,
  change: EntryChange,
): { readonly body: LorebookBody; readonly edits: readonly EntryEdit[] } {
  const edits: EntryEdit[] = [];
  const entries = body.entries.map((entry) => {
    if (!ids.has(entry.id)) return entry;
    const now = changed(entry, change);
    const slots = [...new Set([...Object.keys(entry), ...Object.keys(now)])] as (keyof LorebookEntry)[];
    const different = slots.filter((slot) => !same(entry[slot], now[slot]));
    edits.push(...different.map((slot) => ({ id: entry.id, slot, was: entry[slot], now: now[slot] })));
    return different.length === 0 ? entry : now;
  });
  return edits.length === 0 ? { body, edits } : { body: { ...body, entries }, edits };
}

function changed(
  entry: LorebookEntry,
  { set = {}, addKeys = [], removeKeys = [], replace }: EntryChange,
): LorebookEntry {
  const now: Record<string, unknown> = { ...entry };
  for (const [slot, value] of Object.entries(set)) {
    if (value === undefined) delete now[slot];
    else if (slot !== 'id') now[slot] = value;
  }
  const gone = new Set(removeKeys);
  const triggers = (now.triggers as Trigger[]).filter(({ keyword }) => !gone.has(keyword));
  const has = (key: Trigger) =>
    triggers.some(({ keyword, isRegex }) => keyword === key.keyword && isRegex === key.isRegex);
  for (const key of addKeys) if (!has(key)) triggers.push(key);
  now.triggers = triggers;
  if (replace && replace.find !== '') {
    const swap = (text: string) => text.replaceAll(replace.find, () => replace.with);
    for (const slot of replace.in) {
      if (slot === 'keys') now.triggers = triggers.map((key) => ({ ...key, keyword: swap(key.keyword) }));
      else if (typeof now[slot] === 'string') now[slot] = swap(now[slot] as string);
    }
  }
  return now as unknown as LorebookEntry;
}

/** What an entry says, without the ids that a file gave it. */
function printOf(entry: LorebookEntry, categories: readonly LorebookCategory[] | undefined): string {
  const category = categories?.find(({ id }) => id === entry.categoryId)?.name;
  const slots = Object.entries({ ...entry, id: undefined, displayIndex: undefined, categoryId: category });
  return JSON.stringify(slots.filter(([, value]) => value !== undefined).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Ids behind the highest number that is taken. */
function nextIds(entries: readonly LorebookEntry[], count: number): string[] {
  const numbers = entries.map(({ id }) => (/^\d{1,15}$/.test(id) ? Number(id) : -1));
  const first = numbers.reduce((top, one) => Math.max(top, one), -1) + 1;
  return Array.from({ length: count }, (_, index) => String(first + index));
}

function joinedCategories(mine: readonly LorebookCategory[], theirs: readonly LorebookCategory[]) {
  const missing = theirs.filter(({ name }) => !mine.some((one) => one.name === name));
  const ids = assignIds([...mine, ...missing].map(({ id }) => id)).slice(mine.length);
  const categories = [...mine, ...missing.map((one, index) => ({ ...one, id: ids[index] ?? one.id }))];
  const idOf = (id: string | undefined): string | undefined => {
    const name = theirs.find((one) => one.id === id)?.name;
    return categories.find((one) => one.name === name)?.id;
  };
  return { categories, idOf };
}
