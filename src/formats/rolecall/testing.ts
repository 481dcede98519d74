import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { CORPUS } from '../../../test/kit/corpus.ts';
import { bytesOf } from '../../core/bytes.ts';
import { isRecord, keysOf, type Wire } from '../../core/draft.ts';
import { sourceOf } from '../../core/source.ts';
import { createEngine } from '../../engine.ts';
import type { AnyAdapter, AnyEntity } from '../../entities/kinds.ts';
import { sealFreshPng } from '../_shared/card-io.ts';
import { pngOf } from '../_shared/png.ts';
import { writeTextChunks } from '../_shared/png-write.ts';
import { formats } from '../index.generated.ts';
import rolecall from './index.ts';

/** Folders of the samples and of the collected files; the second may be absent. */
export const SAMPLES = new URL('../../../samples/', import.meta.url);
export { CORPUS };

/** All adapters but this family's, and all of them together. */
export const neighbours: readonly AnyAdapter[] = formats.filter(({ family }) => family !== 'rolecall');
export const engine = createEngine([...neighbours, ...rolecall]);

export const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
export const parse = (bytes: Uint8Array): Wire => JSON.parse(new TextDecoder().decode(bytes));
export const bytesIn = (folder: URL, name: string): Uint8Array => new Uint8Array(readFileSync(new URL(name, folder)));
export const filesIn = (folder: URL): string[] => (existsSync(folder) ? readdirSync(folder).sort() : []);
export const sampleBytes = (name: string): Uint8Array => bytesIn(new URL('rolecall/', SAMPLES), name);
export const sample = (name: string): Wire => parse(sampleBytes(name));
export const source = (value: unknown) => sourceOf(value instanceof Uint8Array ? value : encode(value));

/** The format that claims a value, or undefined. */
export const claimant = async (value: unknown): Promise<string | undefined> =>
  (await engine.detect(value instanceof Uint8Array ? value : encode(value)))?.format;

/** A copy of the wire with a value at a path, through lists too; undefined deletes. */
export function withValue(wire: Wire, path: string, value: unknown): Wire {
  const copy = parse(encode(wire));
  setAt(copy, path, value);
  return copy;
}

/** An editable copy of the first entity of a file. */
export function opened<E extends AnyEntity = AnyEntity>(adapter: AnyAdapter, value: unknown): E {
  const [entity] = adapter.toCanonical(source(value)) as readonly AnyEntity[];
  if (!entity) throw new Error('the file holds no entity');
  return { ...entity, body: structuredCopy(entity.body) } as E;
}

/** A copy that keeps bytes as they are. */
const structuredCopy = <T>(value: T): T => {
  if (Array.isArray(value)) return value.map(structuredCopy) as T;
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, structuredCopy(held)])) as T;
};

/** The file of one entity. */
export const sealed = (adapter: AnyAdapter, entity: AnyEntity, container?: string): Uint8Array =>
  adapter.fromCanonical([entity] as never, container === undefined ? {} : { container }).bytes;

/** What the file says after an edit of the body of its first entity. */
export function edited(adapter: AnyAdapter, wire: Wire, edit: (body: never) => void): Wire {
  const entity = opened(adapter, wire);
  edit(entity.body as never);
  return parse(sealed(adapter, entity));
}

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

/** Wire paths that a reader left in escrow. */
export const left = (adapter: AnyAdapter, value: unknown): string[] =>
  (adapter as { account(entity: AnyEntity): { left: readonly { path: string }[] } })
    .account((adapter.toCanonical(source(value)) as readonly AnyEntity[])[0] as AnyEntity)
    .left.map(({ path }) => path);

/** A bare picture of two by two pixels, and the same with a text in a chunk. */
export const tinyPng = (): Uint8Array => {
  const png = pngOf(sourceOf(sampleBytes('rolecall-persona.ida.png')));
  if (!png) throw new Error('the sample is no picture');
  return writeTextChunks(
    png,
    png.chunks.flatMap(({ type }, index) => (type === 'tEXt' ? [{ remove: index }] : [])),
  );
};
export const pngWith = (...payloads: Parameters<typeof sealFreshPng>[1]): Uint8Array =>
  sealFreshPng(bytesOf(tinyPng(), 'image/png'), payloads);
