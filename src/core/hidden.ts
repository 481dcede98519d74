/** Something kept on an object out of sight: not printed, not copied, not compared, gone with the object. */
export interface Hidden<T> {
  of(holder: object): T | undefined;
  keep(holder: object, value: T): void;
}

/**
 * A place for values that belong to objects read from files. A WeakMap would do the same; its entries outlive their keys
 * until the next full collection, which made reading many cards twice as slow.
 */
export function hidden<T>(what: string): Hidden<T> {
  const key = Symbol(what);
  return {
    of: (holder) => (holder as { [key: symbol]: T | undefined })[key],
    keep(holder, value) {
      if (Object.isExtensible(holder))
        Object.defineProperty(holder, key, { value, configurable: true, writable: true });
    },
  };
}
