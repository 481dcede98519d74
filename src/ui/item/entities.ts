/** From the bytes of a file and its edits to the entities that are shown and written. */
import type { Bytes } from '../../core/bytes.ts';
import { same } from '../../core/draft.ts';
import type { AnyEntity } from '../../entities/kinds.ts';
import { read } from '../../index.ts';
import { entitiesToWrite, withEdits } from './edits.ts';
import { plainEntities } from './media.ts';
import type { Edits, PlainEntity } from './model.ts';

/** An original file as it was read, and its entities as plain data. */
export interface OpenFile {
  readonly read: readonly AnyEntity[];
  readonly base: readonly PlainEntity[];
}

/** Reads an original file. Throws what `read` of the library throws. */
export async function openFile(bytes: Uint8Array, filename: string): Promise<OpenFile> {
  const { entities } = await read({ bytes, filename });
  return { read: entities, base: plainEntities(entities) };
}

/** An entity that says what the original says is the original one again, whatever way it took. */
export const settled = (base: readonly PlainEntity[], now: readonly PlainEntity[]): PlainEntity[] =>
  now.map((entity) => {
    const origin = entity.from === undefined ? undefined : base[entity.from];
    if (!origin || origin.body === entity.body || !same(origin.body, entity.body)) return entity;
    return { ...entity, body: origin.body } as PlainEntity;
  });

/** The entities to write of an item as it is stored. */
export const storedEntities = (
  file: OpenFile,
  edits: Edits | undefined,
  blobs: ReadonlyMap<string, Bytes>,
): AnyEntity[] => entitiesToWrite(file.read, file.base, withEdits(file.base, edits), blobs);
