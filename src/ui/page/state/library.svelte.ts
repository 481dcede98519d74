/** The list of items as the page shows it. */
import { SvelteSet } from 'svelte/reactivity';
import type { ItemSummary } from '../../item/model.ts';
import { folded, hasWords, wordsOf } from '../../item/summary.ts';
import type { Change } from '../../library/store.ts';
import { asFault, callback, engine, onEngineEnd } from '../engine.ts';
import { libraryAddress, rememberLibrary } from '../library-address.ts';
import { words } from '../words/shell.ts';
import type { Fault } from '../worker/api.ts';

export type SortKey = 'added' | 'changed' | 'name' | 'size';

/** What the list is narrowed to. */
export interface Filter {
  query: string;
  readonly kinds: SvelteSet<string>;
  readonly tags: SvelteSet<string>;
  sort: SortKey;
}

/** Milliseconds between two drawings of a list that keeps changing. */
const BEAT = 150;

function createLibrary() {
  let items = $state.raw<ReadonlyMap<string, ItemSummary>>(new Map());
  let ready = $state(false);
  let fault = $state.raw<Fault | undefined>();
  let inTexts = $state.raw<ReadonlySet<string>>(new Set());
  let drafts = $state.raw<ReadonlySet<string>>(new Set());
  const filter: Filter = $state({ query: '', kinds: new SvelteSet(), tags: new SvelteSet(), sort: 'added' });
  const selected = new SvelteSet<string>();

  const all = $derived([...items.values()]);
  /** Names and tags are searched in the page at once, all texts by the worker a moment later. */
  const shown = $derived.by(() => {
    const words = wordsOf(filter.query);
    return all
      .filter((item) => filter.kinds.size === 0 || filter.kinds.has(item.kind))
      .filter((item) => [...filter.tags].every((tag) => item.tags.includes(tag)))
      .filter((item) => words.length === 0 || hasWords(headline(item), words) || inTexts.has(item.id))
      .sort(ORDER[filter.sort]);
  });

  // An intake of thousands changes the list thousands of times: it is drawn some times a second.
  const waiting: Change[] = [];
  let beat: ReturnType<typeof setTimeout> | undefined;
  let drawn = 0;
  const takeChanges = () => {
    beat = undefined;
    drawn = performance.now();
    const next = new Map(items);
    const unsaved = new Set(drafts);
    for (const { put, removed } of waiting.splice(0)) {
      for (const summary of put) {
        next.set(summary.id, summary);
        unsaved.delete(summary.id);
      }
      for (const id of removed) {
        next.delete(id);
        selected.delete(id);
      }
    }
    items = next;
    if (unsaved.size !== drafts.size) drafts = unsaved;
  };

  return {
    filter,
    selected,
    get ready() {
      return ready;
    },
    get fault() {
      return fault;
    },
    get all() {
      return all;
    },
    get shown() {
      return shown;
    },
    get drafts() {
      return drafts;
    },
    item: (id: string) => items.get(id),
    /** Says whether an item was left with changes that are not saved. */
    leave(id: string, dirty: boolean) {
      if (drafts.has(id) === dirty) return;
      drafts = new Set(dirty ? [...drafts, id] : [...drafts].filter((one) => one !== id));
    },
    /** Opens the library and follows its changes. */
    async start() {
      onEngineEnd(() => {
        fault = { code: 'engine.ended', title: words().noEngine, hint: words().noEngineHint };
        ready = true;
      });
      try {
        const address = libraryAddress();
        await engine.start(address);
        rememberLibrary(address);
        await engine.watch(
          callback((change) => {
            waiting.push(change);
            if (beat === undefined) beat = setTimeout(takeChanges, performance.now() - drawn > BEAT ? 0 : BEAT);
          }),
        );
        items = new Map((await engine.list()).map((summary) => [summary.id, summary]));
        drafts = new Set(await engine.drafts());
      } catch (error) {
        const given = asFault(error);
        fault =
          given.code === 'unexpected' ? { ...given, title: words().noLibrary, hint: words().noLibraryHint } : given;
      }
      ready = true;
    },
    /** Narrows the list to a query; the answer of the full-text search follows. */
    async search(query: string) {
      filter.query = query;
      if (wordsOf(query).length === 0) {
        inTexts = new Set();
        return;
      }
      const found = await engine.search(query);
      if (filter.query === query) inTexts = new Set(found);
    },
  };
}

const headlines = new WeakMap<ItemSummary, string>();

/** Name, creator and tags, folded for searches. */
function headline(item: ItemSummary): string {
  const known = headlines.get(item);
  if (known !== undefined) return known;
  const text = folded([item.name, item.creator ?? '', item.file, ...item.tags].join('\n'));
  headlines.set(item, text);
  return text;
}

const byName = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
const ORDER: Readonly<Record<SortKey, (a: ItemSummary, b: ItemSummary) => number>> = {
  added: (a, b) => b.addedAt - a.addedAt || byName.compare(a.name, b.name),
  changed: (a, b) => b.changedAt - a.changedAt,
  name: (a, b) => byName.compare(a.name, b.name),
  size: (a, b) => b.size - a.size,
};

/** The library of this page. */
export const library = createLibrary();
