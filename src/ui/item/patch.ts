/** Changes to plain data by path copy: what is not on the path stays the same object. */

export type PathKey = string | number;
export type Path = readonly PathKey[];

/** One change: the value at a path is another one now; `undefined` deletes it. */
export interface Patch {
  readonly path: Path;
  readonly value: unknown;
}

/** The value at a path; undefined where the path leads nowhere. */
export function valueAtPath(root: unknown, path: Path): unknown {
  let value = root;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PathKey, unknown>)[key];
  }
  return value;
}

/** A copy of `root` with `value` at `path`. Missing parents become objects; `undefined` deletes a key or a row. */
export function withValue(root: unknown, path: Path, value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (Array.isArray(root)) {
    const copy: unknown[] = root.slice();
    const index = Number(key);
    if (rest.length === 0 && value === undefined) copy.splice(index, 1);
    else copy[index] = withValue(copy[index], rest, value);
    return copy;
  }
  const own = typeof root === 'object' && root !== null ? (root as Record<PathKey, unknown>) : {};
  if (rest.length === 0 && value === undefined) {
    const { [key]: _, ...others } = own;
    return others;
  }
  const inner = withValue(Object.hasOwn(own, key) ? own[key] : undefined, rest, value);
  // A computed key defines `__proto__` as data.
  return { ...own, [key]: inner };
}

/** `root` after all patches, in order. */
export const patched = <T>(root: T, patches: readonly Patch[]): T =>
  patches.reduce<unknown>((value, patch) => withValue(value, patch.path, patch.value), root) as T;
