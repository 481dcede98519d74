/** What the studio knows of an item: a file in the library, with what was changed in it. */
import type { Bodies, BodyKind } from '../../entities/kinds.ts';

/** Where a picture, sound or other file of a body lies. It stands in a plain body where the canonical one has bytes. */
export interface MediaToken {
  /** `source:<entity>:<path>`: as in the original file; `blob:<sha-256>`: new, kept beside the item. */
  readonly $media: string;
  /** Bytes. */
  readonly size: number;
  readonly mime?: string;
}

export const isMediaToken = (value: unknown): value is MediaToken =>
  typeof value === 'object' && value !== null && typeof (value as { $media?: unknown }).$media === 'string';

/** One entity as the page holds it: plain data, tokens in the place of bytes, no twin. */
export type PlainEntity = {
  [K in BodyKind]: {
    readonly kind: K;
    readonly id: string;
    readonly body: Bodies[K];
    /** Its number in the original file; absent: made in the studio. */
    readonly from?: number;
  };
}[BodyKind];

/** What is kept of an entity: without body it is as in the original file. */
export type KeptEntity = Omit<PlainEntity, 'body'> & { readonly body?: Bodies[BodyKind] };

/** The changes of an item against its original file: all its entities, in order. */
export interface Edits {
  readonly entities: readonly KeptEntity[];
}

/** One further entity of an item, as lists and import summaries name it. */
export interface Piece {
  readonly kind: BodyKind;
  readonly name: string;
  /** By the plural word of the engine: `entries`, `rules` … */
  readonly counts: Readonly<Record<string, number>>;
}

/** What lists show. Small: thousands of them are held at once. */
export interface ItemSummary {
  /** Given by the studio, never the name. */
  readonly id: string;
  /** Grows by one with every save; see `LibraryStore.put`. */
  readonly revision: number;
  readonly kind: BodyKind;
  /** May be empty. */
  readonly name: string;
  readonly creator?: string;
  readonly tags: readonly string[];
  readonly format: string;
  /** The outside of the original file: `png`, `json`, `charx` … */
  readonly container: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly pieces: readonly Piece[];
  /** Codes of the warnings on the original file. */
  readonly cautions: readonly string[];
  /** Name of the original file. */
  readonly file: string;
  /** SHA-256 of the original file: equal means the same bytes. */
  readonly source: string;
  /** Bytes of the original file. */
  readonly size: number;
  /** Hash of the thumbnail; absent: no picture. */
  readonly thumbnail?: string;
  /** Hashes of all blobs the item needs. */
  readonly blobs: readonly string[];
  /** Saved changes lie over the original file. */
  readonly edited: boolean;
  /** Milliseconds since 1970. */
  readonly addedAt: number;
  readonly changedAt: number;
}

/** An item as it is stored; the original file and all media are blobs. */
export interface StoredItem {
  readonly summary: ItemSummary;
  readonly edits?: Edits;
}
