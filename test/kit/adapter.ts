/** One adapter under test: files as values, an entity out of a file, an edit through the whole adapter. */
import { isRecord, keysOf, same, valueAt, type Wire } from '../../src/core/draft.ts';
import type { AdapterOf, AnyAdapter, AnyEntity, BodyKind, EntityOf } from '../../src/entities/kinds.ts';
import { source } from '../formats/files.ts';

export { source };

export const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
export const parse = (bytes: Uint8Array | undefined): Wire => JSON.parse(new TextDecoder().decode(bytes)) as Wire;

/** What stands at a dotted path; lists are walked by index. */
export const at = (tree: unknown, path: string): unknown => valueAt(tree, keysOf(path));

/** Sets or, with undefined, removes a value in a tree that may be changed. */
export function setAt(tree: object, path: string, value: unknown): void {
  const keys = keysOf(path);
  const last = keys.at(-1) ?? '';
  let holder = tree as Record<string, unknown>;
  for (const key of keys.slice(0, -1)) {
    if (value === undefined && holder[key] === undefined) return;
    holder[key] ??= {};
    holder = holder[key] as Record<string, unknown>;
  }
  if (value === undefined) delete holder[last];
  else holder[last] = value;
}

/** The file with another value at a path; undefined removes the key. */
export function withValue(file: Wire, path: string, value: unknown): Wire {
  const copy = copied(file);
  setAt(copy, path, value);
  return copy;
}

/** A copy to edit, through lists and objects; bytes stay the same object. */
export function copied<T>(value: T): T {
  if (Array.isArray(value)) return value.map(copied) as T;
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, copied(held)])) as T;
}

/** Every path where two files differ, the topmost that says it. */
export function differences(a: unknown, b: unknown, path = ''): string[] {
  if (same(a, b)) return [];
  const bothLists = Array.isArray(a) && Array.isArray(b);
  if (!bothLists && !(isRecord(a) && isRecord(b))) return [path];
  const keys = new Set([...Object.keys(a as object), ...Object.keys(b as object)]);
  return [...keys].flatMap((key) =>
    differences((a as Wire)[key], (b as Wire)[key], path === '' ? key : `${path}.${key}`),
  );
}

/** The main entity of a file; the body is a copy to edit. Throws where the file holds none. */
export function readAs<K extends BodyKind>(adapter: AdapterOf<K>, file: unknown): EntityOf<K> {
  const [entity] = adapter.toCanonical(source(file)) as unknown as readonly EntityOf<K>[];
  if (!entity) throw new Error('the file holds no entity');
  return { ...entity, body: copied(entity.body) };
}

/** The file of one entity. */
export const sealed = (adapter: AnyAdapter, entity: AnyEntity, container?: string): Uint8Array =>
  adapter.fromCanonical([entity] as never, container === undefined ? {} : { container }).bytes;

/** The file after an edit of its body, written with the twin. */
export function edited<K extends BodyKind>(
  adapter: AdapterOf<K>,
  file: unknown,
  edit: (body: EntityOf<K>['body']) => unknown,
): Wire {
  const entity = readAs(adapter, file);
  edit(entity.body);
  return parse(sealed(adapter as AnyAdapter, entity as AnyEntity));
}

/** An entity of no file. */
export const entityOf = <K extends BodyKind>(kind: K, body: EntityOf<K>['body']): EntityOf<K> =>
  ({ schemaVersion: '1', kind, id: 'x', body }) as unknown as EntityOf<K>;

/** The body as a file of its own, without a twin. */
export const fresh = <K extends BodyKind>(adapter: AdapterOf<K>, body: EntityOf<K>['body']): Wire =>
  parse(sealed(adapter as AnyAdapter, entityOf(adapter.kind as K, body) as AnyEntity));

/** Wire paths that a reader left in escrow. */
export const left = <K extends BodyKind>(adapter: AdapterOf<K>, file: unknown): string[] =>
  adapter.account(readAs(adapter, file) as never).left.map(({ path }) => path);
