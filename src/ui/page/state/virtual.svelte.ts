/** Long lists: only the rows in sight are drawn. */
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  type VirtualItem,
  Virtualizer,
} from '@tanstack/virtual-core';
import { untrack } from 'svelte';

export interface VirtualOptions {
  readonly count: number;
  /** The element that scrolls. */
  readonly element: HTMLElement | undefined;
  /** Height of a row in pixels; a guess where rows are measured. */
  size(index: number): number;
  /** Rows drawn above and below the edge. */
  readonly overscan?: number;
}

export interface VirtualList {
  readonly rows: readonly VirtualItem[];
  /** Height of all rows in pixels. */
  readonly height: number;
  scrollTo(index: number): void;
  /** Measures a row by itself; the element carries its number in `data-index`. */
  measure(element: HTMLElement): void;
}

/** Follows its options. To be called while a component is set up. */
export function virtualList(options: () => VirtualOptions): VirtualList {
  let version = $state(0);
  const full = () => {
    const { count, element, size, overscan = 4 } = options();
    return {
      count,
      getScrollElement: () => element ?? null,
      estimateSize: size,
      overscan,
      scrollToFn: elementScroll,
      observeElementRect,
      observeElementOffset,
      onChange: () => {
        version++;
      },
    };
  };
  let list: Virtualizer<HTMLElement, HTMLElement> | undefined;
  const made = () => {
    list ??= new Virtualizer<HTMLElement, HTMLElement>(full());
    return list;
  };

  $effect(() => made()._didMount());
  $effect(() => {
    made().setOptions(full());
    made()._willUpdate();
    untrack(() => {
      made().measure();
      version++;
    });
  });

  return {
    get rows() {
      return version >= 0 && list ? list.getVirtualItems() : [];
    },
    get height() {
      return version >= 0 && list ? list.getTotalSize() : 0;
    },
    scrollTo: (index) => made().scrollToIndex(index),
    measure: (element) => made().measureElement(element),
  };
}
