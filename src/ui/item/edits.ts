/** Changes of an item laid over what its original file says. */
import type { Bytes } from '../../core/bytes.ts';
import { SCHEMA_VERSION } from '../../core/canonical.ts';
import type { AnyEntity } from '../../entities/kinds.ts';
import { sourceBytes, tokensIn, withBytes } from './media.ts';
import type { Edits, KeptEntity, MediaToken, PlainEntity } from './model.ts';

/** What is kept: bodies of changed entities only, so that an archive is never written again for one keystroke. */
export const editsOf = (base: readonly PlainEntity[], now: readonly PlainEntity[]): Edits | undefined => {
  const entities = now.map((entity): KeptEntity => {
    const { body, ...rest } = entity;
    return entity.from !== undefined && base[entity.from]?.body === body ? rest : entity;
  });
  const same = entities.length === base.length && entities.every(({ from, body }, i) => from === i && !body);
  return same ? undefined : { entities };
};

/** The plain entities of an item: the kept bodies over those of its file. */
export function withEdits(base: readonly PlainEntity[], edits: Edits | undefined): PlainEntity[] {
  if (!edits) return [...base];
  return edits.entities.flatMap((kept) => {
    const origin = kept.from === undefined ? undefined : base[kept.from];
    const body = kept.body ?? origin?.body;
    return body === undefined ? [] : [{ ...kept, body } as PlainEntity];
  });
}

/** Hashes of the new media that edits need. */
export const blobsOf = (edits: Edits | undefined): string[] => [
  ...new Set(
    tokensIn(edits?.entities.map(({ body }) => body)).flatMap(({ $media }) =>
      $media.startsWith('blob:') ? [$media.slice('blob:'.length)] : [],
    ),
  ),
];

/**
 * The entities to write: an unchanged one is the very object that was read, so its twin goes out untouched; a changed
 * one has the new body over the same twin.
 */
export function entitiesToWrite(
  read: readonly AnyEntity[],
  base: readonly PlainEntity[],
  now: readonly PlainEntity[],
  blobs: ReadonlyMap<string, Bytes>,
): AnyEntity[] {
  const find = (token: MediaToken) =>
    token.$media.startsWith('blob:') ? blobs.get(token.$media.slice('blob:'.length)) : sourceBytes(read, token);
  return now.map((entity) => {
    const origin = entity.from === undefined ? undefined : read[entity.from];
    if (origin && entity.from !== undefined && base[entity.from]?.body === entity.body) return origin;
    const body = withBytes(entity.body, find);
    const made = { schemaVersion: SCHEMA_VERSION, kind: entity.kind, id: entity.id, body };
    return { ...made, ...(origin?.original ? { original: origin.original } : {}) } as AnyEntity;
  });
}
