/** What the tests of this family share: samples, the corpus, and one edit through a whole adapter. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isRecord, type Keys, same, valueAt, type Wire } from '../../src/core/draft.ts';
import { sourceOf } from '../../src/core/source.ts';
import type { AdapterOf, BodyKind, EntityOf } from '../../src/entities/kinds.ts';
import { CORPUS, corpusIsThere } from '../kit/corpus.ts';

const SAMPLES = new URL('../../samples/marinara/', import.meta.url);

export const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value, null, 2));
export const parse = (bytes: Uint8Array): Wire => JSON.parse(new TextDecoder().decode(bytes)) as Wire;
export const sample = (name: string): Wire => parse(readFileSync(new URL(name, SAMPLES)));
export const sampleNames = (): string[] => readdirSync(SAMPLES).filter((name) => name.endsWith('.json'));

/** The files of a folder of the corpus; none where the corpus is not there. */
export function corpus(folder: string): { readonly name: string; readonly bytes: Uint8Array }[] {
  const base = new URL(`${folder}/`, CORPUS);
  if (!existsSync(base)) return [];
  return readdirSync(base).map((name) => ({ name: `${folder}/${name}`, bytes: readFileSync(new URL(name, base)) }));
}
export { corpusIsThere as hasCorpus };

/** The file as an entity. */
export const readAs = <K extends BodyKind>(adapter: AdapterOf<K>, file: unknown): EntityOf<K> =>
  adapter.toCanonical(sourceOf(file instanceof Uint8Array ? file : encode(file)))[0] as unknown as EntityOf<K>;

/** The text that an entity is written as. */
export const writeText = <K extends BodyKind>(adapter: AdapterOf<K>, entity: EntityOf<K>): string =>
  new TextDecoder().decode(adapter.fromCanonical([entity] as never, {}).bytes);

/** The file after an edit of its body, written with the twin. */
export function edited<K extends BodyKind>(
  adapter: AdapterOf<K>,
  file: unknown,
  edit: (body: EntityOf<K>['body']) => unknown,
): Wire {
  const entity = readAs(adapter, file);
  const body = clone(entity.body);
  edit(body);
  return JSON.parse(writeText(adapter, { ...entity, body })) as Wire;
}

/** The body as a file of its own, without a twin. */
export function fresh<K extends BodyKind>(adapter: AdapterOf<K>, body: EntityOf<K>['body']): Wire {
  const entity = { schemaVersion: '1', kind: adapter.kind, id: 'x', body } as unknown as EntityOf<K>;
  return JSON.parse(writeText(adapter, entity)) as Wire;
}

/** A copy of everything but bytes, which are shared. */
function clone<T>(value: T): T {
  if (Array.isArray(value)) return value.map(clone) as T;
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, clone(held)])) as T;
}

/** The file with another value at a path; undefined removes the key. Lists are walked by index. */
export function withValue(file: Wire, path: string, value: unknown): Wire {
  const copy = JSON.parse(JSON.stringify(file)) as Wire;
  const keys = path.split('.');
  const holder = valueAt(copy, keys.slice(0, -1)) as Record<string, unknown>;
  const last = keys[keys.length - 1] ?? '';
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return copy;
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

/** Wire paths that stay in escrow. */
export const left = <K extends BodyKind>(adapter: AdapterOf<K>, file: unknown): string[] =>
  adapter.account(readAs(adapter, file) as never).left.map(({ path }) => path);

export const at = (file: Wire, path: string): unknown => valueAt(file, path.split('.') as Keys);
