/** A part of the program that is loaded when something is about to need it, and used without waiting from then on. */
export interface Later<T> {
  load(): Promise<void>;
  /** The part itself. Throws `NotLoadedError` where nobody awaited `load`. */
  loaded(): T;
  /** As if it had never been loaded; for tests. */
  forget(): void;
}

/** A mistake in bunzai, never in a file, so it must not be taken for a damaged one. */
export class NotLoadedError extends Error {}

export function later<T>(load: () => Promise<T>): Later<T> {
  let held: T | undefined;
  return {
    async load() {
      held ??= await load();
    },
    loaded() {
      if (held === undefined) throw new NotLoadedError('internal: prepare() was not awaited');
      return held;
    },
    forget() {
      held = undefined;
    },
  };
}
