/** Puts together what the library stores of an item. */
import { isBytes } from '../../../core/bytes.ts';
import type { AnyEntity } from '../../../entities/kinds.ts';
import { blobsOf } from '../../item/edits.ts';
import type { Edits, ItemSummary } from '../../item/model.ts';
import { entityFacts, searchText } from '../../item/summary.ts';
import type { NewBlobs, Put } from '../../library/store.ts';
import { thumbnailOf } from './thumbnail.ts';

/** The facts of the original file and of the record. */
export type FileSide = Pick<
  ItemSummary,
  'id' | 'format' | 'container' | 'cautions' | 'file' | 'source' | 'size' | 'addedAt'
>;

export interface Storing {
  readonly side: FileSide;
  readonly entities: readonly AnyEntity[];
  readonly edits?: Edits | undefined;
  readonly blobs: NewBlobs;
  readonly over?: number | undefined;
  readonly now: number;
}

/** A whole item, ready for `LibraryStore.put`, with its thumbnail. */
export async function putOf({ side, entities, edits, blobs, over, now }: Storing): Promise<Put> {
  const portrait = portraitOf(entities);
  const small = portrait && (await thumbnailOf(portrait));
  const thumbnail = small && (await hashOf(new Uint8Array(await small.arrayBuffer())));
  const summary: ItemSummary = {
    ...side,
    ...entityFacts(entities),
    revision: over ?? 0,
    ...(thumbnail ? { thumbnail } : {}),
    blobs: [side.source, ...(thumbnail ? [thumbnail] : []), ...blobsOf(edits)],
    edited: edits !== undefined,
    changedAt: now,
  };
  return {
    item: { summary, ...(edits ? { edits } : {}) },
    text: searchText(entities),
    blobs: { ...blobs, ...(small && thumbnail ? { [thumbnail]: small } : {}) },
    ...(over === undefined ? {} : { over }),
  };
}

/** The bytes of the picture that stands for an item. */
export function portraitOf([main]: readonly AnyEntity[]): Uint8Array | undefined {
  if (main?.kind !== 'character' && main?.kind !== 'persona') return undefined;
  const ref = main.body.media?.portrait?.ref;
  return isBytes(ref) ? ref.bytes() : undefined;
}

/** SHA-256 in hexadecimal. */
export async function hashOf(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>);
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A new id of an item. */
export const newId = (): string => crypto.randomUUID();
