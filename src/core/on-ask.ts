/** Properties that are worked out when someone asks for them. */

type Work = () => unknown;
const works = new Map<string, { readonly kept: symbol; readonly get: (this: { [kept: symbol]: Work }) => unknown }>();

function shared(key: string) {
  let found = works.get(key);
  if (!found) {
    const kept = Symbol(`works out ${key}`);
    found = {
      kept,
      get() {
        return this[kept]?.();
      },
    };
    works.set(key, found);
  }
  return found;
}

/**
 * `holder` itself with one more property, worked out by `work` on each access. A getter in an object literal does the
 * same, but every object made there gets a hidden class of its own, and that keeps all the getter sees alive until the
 * next full collection: the files of a whole folder. Here all holders share one getter.
 */
export function onAsk<T extends object, K extends string, V>(
  holder: T,
  key: K,
  work: () => V,
): T & { readonly [P in K]: V } {
  const { kept, get } = shared(key);
  Object.defineProperty(holder, kept, { value: work });
  return Object.defineProperty(holder, key, { get, enumerable: true, configurable: true }) as T & {
    readonly [P in K]: V;
  };
}
