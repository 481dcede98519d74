/** The tabs of an open item. A file `<name>.tab.ts` in this folder or one below adds one; nothing else is to be edited. */
import type { Component } from 'svelte';
import type { ItemDocument } from '../state/document.svelte.ts';

/** What a tab is handed. */
export interface TabProps {
  readonly doc: ItemDocument;
}

/** One tab, the default export of its `.tab.ts` file. */
export interface Tab {
  readonly id: string;
  /** Smaller is further left; the overview is 0. */
  readonly order: number;
  /** In the language of the page; see `wordsFrom`. */
  label(): string;
  /** Whether the item has anything for it. */
  shows(doc: ItemDocument): boolean;
  /** Loaded when it is first shown. */
  load(): Promise<{ readonly default: Component<TabProps> }>;
}

const found = import.meta.glob<{ readonly default: Tab }>('./**/*.tab.ts', { eager: true });

/** Every tab, from left to right. */
export const tabs: readonly Tab[] = Object.values(found)
  .map((module) => module.default)
  .sort((a, b) => a.order - b.order);
