/** Bodies without bytes, for the page and the library, and the way back. */
import { type Bytes, isBytes } from '../../core/bytes.ts';
import type { AnyEntity } from '../../entities/kinds.ts';
import { isMediaToken, type MediaToken, type PlainEntity } from './model.ts';
import { type Path, valueAtPath } from './patch.ts';

/** The entities of a file as plain data: a token stands where bytes stood. */
export const plainEntities = (entities: readonly AnyEntity[]): PlainEntity[] =>
  entities.map(
    ({ kind, id, body }, index) => ({ kind, id, body: withoutBytes(body, index, []), from: index }) as PlainEntity,
  );

function withoutBytes(value: unknown, entity: number, path: Path): unknown {
  if (isBytes(value)) return tokenOf(`source:${entity}:${JSON.stringify(path)}`, value.size, value.mime);
  return mapped(value, (inner, key) => withoutBytes(inner, entity, [...path, key]));
}

export const tokenOf = (place: string, size: number, mime: string | undefined): MediaToken => ({
  $media: place,
  size,
  ...(mime === undefined ? {} : { mime }),
});

/** The bytes that a token of `source:` stands for; undefined when the file holds none there. */
export function sourceBytes(entities: readonly AnyEntity[], { $media }: MediaToken): Bytes | undefined {
  const [, entity = '', path = ''] = /^source:(\d+):(.*)$/s.exec($media) ?? [];
  if (path === '') return undefined;
  const value = valueAtPath(entities[Number(entity)]?.body, JSON.parse(path) as Path);
  return isBytes(value) ? value : undefined;
}

/** A body with bytes again. A token that `find` does not know stays: the schema then names its place. */
export function withBytes(value: unknown, find: (token: MediaToken) => Bytes | undefined): unknown {
  if (isMediaToken(value)) return find(value) ?? value;
  return mapped(value, (inner) => withBytes(inner, find));
}

/** Every token in a body. */
export function tokensIn(value: unknown, found: MediaToken[] = []): MediaToken[] {
  if (isMediaToken(value)) found.push(value);
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) tokensIn(inner, found);
  return found;
}

/** A list or object with its values replaced; the same object where nothing changed. */
function mapped(value: unknown, change: (inner: unknown, key: string | number) => unknown): unknown {
  if (typeof value !== 'object' || value === null || isBytes(value)) return value;
  if (Array.isArray(value)) {
    const next = value.map(change);
    return next.every((inner, index) => inner === value[index]) ? value : next;
  }
  const entries = Object.entries(value);
  const next = entries.map(([key, inner]) => [key, change(inner, key)] as const);
  return next.every(([, inner], index) => inner === entries[index]?.[1]) ? value : Object.fromEntries(next);
}

/** The token of a file for bytes that it holds itself: unchanged media are never stored twice. */
export function sourceTokenOf(
  file: { readonly read: readonly AnyEntity[]; readonly base: readonly PlainEntity[] },
  bytes: Bytes,
): MediaToken | undefined {
  return tokensIn(file.base.map(({ body }) => body)).find((token) => sourceBytes(file.read, token) === bytes);
}

/** A value with something else in the place of bytes. */
export async function mappedBytes(value: unknown, change: (bytes: Bytes) => Promise<unknown>): Promise<unknown> {
  if (isBytes(value)) return change(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return Promise.all(value.map((inner) => mappedBytes(inner, change)));
  const entries = Object.entries(value).map(async ([key, inner]) => [key, await mappedBytes(inner, change)] as const);
  return Object.fromEntries(await Promise.all(entries));
}
