/** Files for the tests of one format: committed samples, and the corpus where it is at hand. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Source, sourceOf } from '../../src/core/source.ts';
import type { AdapterOf, BodyKind, EntityOf } from '../../src/entities/kinds.ts';
import { corpusFile, corpusIsThere, corpusRows, NO_CORPUS } from '../kit/corpus.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export interface TestFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly text: string;
}

const filesIn = (folder: string): TestFile[] =>
  readdirSync(folder).map((name) => {
    const bytes = readFileSync(join(folder, name));
    return { name, bytes, text: bytes.toString('utf8') };
  });

/** Committed samples of a family whose names begin so. */
export const samples = (family: string, prefix = ''): TestFile[] =>
  filesIn(at(`../../samples/${family}`)).filter(({ name }) => name.startsWith(prefix));

/** One committed sample. */
export const sample = (family: string, name: string): TestFile => {
  const hit = samples(family).find((file) => file.name === name);
  if (!hit) throw new Error(`no sample ${name}`);
  return hit;
};

export { corpusIsThere as hasCorpus, NO_CORPUS };

/** Files of one corpus folder with the format that the manifest says they have. */
export function corpus(folder: string): (TestFile & { readonly expected: string })[] {
  return corpusRows()
    .filter(({ path }) => path.startsWith(`${folder}/`))
    .map((row) => {
      const bytes = corpusFile(row);
      const name = row.path.slice(folder.length + 1);
      return { name, bytes, text: bytes.toString('utf8'), expected: row.format };
    });
}

/** A source from bytes, from text, or from a value printed as JSON. */
export const source = (input: unknown, filename?: string): Source => {
  if (input instanceof Uint8Array) return sourceOf(input, filename);
  return sourceOf(new TextEncoder().encode(typeof input === 'string' ? input : JSON.stringify(input)), filename);
};

/** What an adapter reads from an input; the first entity is the main one. */
export function read<K extends BodyKind>(adapter: AdapterOf<K>, input: unknown): [EntityOf<K>, ...EntityOf<K>[]] {
  const [first, ...rest] = adapter.toCanonical(source(input)) as EntityOf<K>[];
  if (!first) throw new Error('nothing was read');
  return [first, ...rest];
}

/** The text that an adapter writes. */
export const written = <K extends BodyKind>(adapter: AdapterOf<K>, ...entities: readonly EntityOf<K>[]): string =>
  new TextDecoder().decode(adapter.fromCanonical(entities as never, {}).bytes);

/** The value that an adapter writes. */
export const value = <K extends BodyKind>(adapter: AdapterOf<K>, ...entities: readonly EntityOf<K>[]): unknown =>
  JSON.parse(written(adapter, ...entities));

/** An entity with another body. */
export const edited = <E extends { readonly body: object }>(entity: E, change: Partial<E['body']>): E => ({
  ...entity,
  body: { ...entity.body, ...change },
});

/** A JSON text without the blanks between its tokens: key order and the spelling of numbers stay. */
export function tokens(text: string): string[] {
  const all = text.replace(/^\uFEFF/, '').match(/"(?:[^"\\]|\\.)*"|[-+.\w]+|[[\]{}:,]/g) ?? [];
  return all.map((token) => (token.startsWith('"') ? JSON.stringify(JSON.parse(token)) : token));
}

/** Dotted paths at which two values differ; lists of one length are looked into. */
export function changes(a: unknown, b: unknown, path = ''): string[] {
  if (Object.is(a, b)) return [];
  const inside = (one: unknown): one is Record<string, unknown> => typeof one === 'object' && one !== null;
  if (!inside(a) || !inside(b) || Array.isArray(a) !== Array.isArray(b)) return [path];
  if (Array.isArray(a) && a.length !== (b as unknown as unknown[]).length) return [path];
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return keys.flatMap((key) => changes(a[key], b[key], path === '' ? key : `${path}.${key}`));
}
