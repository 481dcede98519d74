import { list, text } from '../../core/codec.ts';
import { type Draft, existsAt, saysNothing, type Wire } from '../../core/draft.ts';
import { loreEntry } from '../../entities/lorebook/lenses.ts';

const texts = list(text());

/** A list of the wire and the mode that says what it is for: `any` ignores it. */
interface Filter {
  readonly mode: string;
  readonly list: string;
}
const IDS: Filter = { mode: 'characterFilterMode', list: 'characterFilterIds' };
const TAGS: Filter = { mode: 'characterTagFilterMode', list: 'characterTagFilters' };
const GENERATION: Filter = { mode: 'generationTriggerFilterMode', list: 'generationTriggerFilters' };

/** The items of a filter that is on, with its mode. */
function heldBy(
  wire: Wire,
  filter: Filter,
): { readonly mode: 'include' | 'exclude'; readonly items: string[] } | undefined {
  const mode = wire[filter.mode];
  const items = texts.read(wire[filter.list]);
  return (mode === 'include' || mode === 'exclude') && items && items.length > 0 ? { mode, items } : undefined;
}

/** A filter with these items; none switch it off, and nothing is added to an entry without the filter. */
function write(draft: Draft, filter: Filter, mode: 'include' | 'exclude', items: readonly string[]): void {
  const { twin } = draft;
  const next = items.length === 0 ? 'any' : mode;
  if (items.length === 0 && !existsAt(twin, [filter.list]) && !existsAt(twin, [filter.mode])) return;
  if (twin[filter.mode] !== next) draft.set([filter.mode], next);
  if (items.length > 0 || !saysNothing(twin[filter.list]))
    draft.set([filter.list], texts.write([...items], twin[filter.list]));
}

const claimed = (...filters: readonly Filter[]) =>
  filters.flatMap((filter) => [
    { keys: [filter.mode] },
    { keys: [filter.list], inside: texts.account ?? (() => undefined) },
  ]);

/** The two filters as one, where their modes do not contradict each other. */
function filtersIn(wire: Wire) {
  const names = heldBy(wire, IDS);
  const tags = heldBy(wire, TAGS);
  if (names && tags && names.mode !== tags.mode) return undefined;
  const mode = names?.mode ?? tags?.mode;
  return mode && { mode, names: names?.items ?? [], tags: tags?.items ?? [] };
}

/** Which characters an entry is for. The app knows characters by ids of the account, so names of other apps have no place. */
export const characterFilter = loreEntry.joint(['characterFilter'], {
  wire: [IDS.mode, IDS.list, TAGS.mode, TAGS.list],
  shape: 'two lists with a mode each',
  lossy: true,
  note: 'the app filters by ids of the account, not by names: tags cross, names only in a file of the app itself',
  read(wire) {
    const found = filtersIn(wire);
    if (!found) return {};
    const { mode, names, tags } = found;
    return { characterFilter: { names, tags, isExclude: mode === 'exclude' } };
  },
  write(draft, { characterFilter: now }) {
    const mode = now?.isExclude ? 'exclude' : 'include';
    const native = existsAt(draft.twin, [IDS.list]);
    const held = filtersIn(draft.twin);
    if (native && (now || held?.names.length)) write(draft, IDS, mode, now?.names ?? []);
    if (now || held?.tags.length) write(draft, TAGS, mode, now?.tags ?? []);
  },
  claims(wire) {
    const found = filtersIn(wire);
    if (!found) return [];
    return claimed(...(found.names.length > 0 ? [IDS] : []), ...(found.tags.length > 0 ? [TAGS] : []));
  },
});

/** Kinds of generation that may fire an entry. A list of those that may not stays in escrow. */
export const generationTriggers = loreEntry.joint(['generationTriggers'], {
  wire: [GENERATION.mode, GENERATION.list],
  shape: 'list with a mode',
  note: 'the words are the app’s own',
  read(wire) {
    const found = heldBy(wire, GENERATION);
    return found?.mode === 'include' ? { generationTriggers: found.items } : {};
  },
  write: (draft, { generationTriggers: now = [] }) => write(draft, GENERATION, 'include', now),
  claims: (wire) => (heldBy(wire, GENERATION)?.mode === 'include' ? claimed(GENERATION) : []),
});

const SOURCES = 'additionalMatchingSources';
const SCANS = [
  ['scanCharacterDescription', 'character_description'],
  ['scanCharacterPersonality', 'character_personality'],
  ['scanScenario', 'character_scenario'],
  ['scanUserPersona', 'persona_description'],
] as const;

const sourcesIn = (wire: Wire): readonly unknown[] => (Array.isArray(wire[SOURCES]) ? wire[SOURCES] : []);

/** Where keys are looked for beside the chat; names and tags as sources stay in escrow. */
export const scanSources = loreEntry.joint(
  ['scanCharacterDescription', 'scanCharacterPersonality', 'scanScenario', 'scanUserPersona'],
  {
    wire: [SOURCES],
    shape: 'list of words',
    read(wire) {
      const held = sourcesIn(wire);
      return Object.fromEntries(SCANS.map(([path, word]) => [path, held.includes(word)]));
    },
    write(draft, now) {
      const old = sourcesIn(draft.twin);
      const gone = new Set<unknown>(SCANS.flatMap(([path, word]) => (now[path] === true ? [] : [word])));
      const kept = old.filter((word) => !gone.has(word));
      const added = SCANS.flatMap(([path, word]) => (now[path] === true && !old.includes(word) ? [word] : []));
      if (added.length > 0 || kept.length < old.length) draft.set([SOURCES], [...kept, ...added]);
    },
    claims: (wire) =>
      Array.isArray(wire[SOURCES])
        ? [
            {
              keys: [SOURCES],
              inside(raw, path, out) {
                (raw as unknown[]).forEach((word, index) => {
                  if (!SCANS.some(([, known]) => known === word)) out.unread(`${path}[${index}]`, word);
                });
              },
            },
          ]
        : [],
  },
);
