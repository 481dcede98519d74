/** A part of the program that is loaded when something is about to need it, and used without waiting from then on. */
export interface Later<T> {
  load(): Promise<void>;
  /** The part itself. Throws where nobody awaited `load`: a mistake in bunzai, never in a file. */
  loaded(): T;
  /** As if it had never been loaded; for tests. */
  forget(): void;
}

export function later<T>(load: () => Promise<T>): Later<T> {
  let held: T | undefined;
  return {
    async load() {
      held ??= await load();
    },
    loaded() {
      if (held === undefined) throw new Error('internal: prepare() was not awaited');
      return held;
    },
    forget() {
      held = undefined;
    },
  };
}
