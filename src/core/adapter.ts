import type { AccountResult } from './account.ts';
import type { Entity, Kind } from './canonical.ts';
import type { CoverageRow } from './coverage.ts';
import type { Warning } from './errors.ts';
import type { Source } from './source.ts';

/** A file shape that an adapter writes: JSON text, a picture, an archive. */
export interface Container {
  /** Name for `--container`: `json`, `png`, `charx` … */
  readonly name: string;
  /** Without the dot. */
  readonly extension: string;
  readonly mime: string;
}

/** What a write may take into account beside the entities. */
export interface EmitContext<L = object> {
  /** Linked books, resolved: absent = keep the twin's own book, empty = remove it, else these replace it. */
  readonly lorebooks?: readonly Entity<L>[];
  /** Container by name; absent: the one the source came in, else the adapter's choice. */
  readonly container?: string;
  /** A version of the format, where it has several: `v2`, `v3`. Fresh files only. */
  readonly variant?: string;
}

/** The written file. `convert` measures losses on these bytes; adapters report none. */
export interface Sealed {
  readonly bytes: Uint8Array;
  readonly container: Container;
  /** Merged, relabelled or stand-in parts that a person should know of. */
  readonly warnings: readonly Warning[];
}

/** A twin without the parts that a person would not share. */
export interface Stripped {
  /** The same object where nothing was taken out. */
  readonly raw: unknown;
  /** Wire paths of what was taken out. */
  readonly removed: readonly string[];
}

/** What a format folder exports, one for each kind it has. `L` is the body of a lorebook. */
export interface Adapter<K extends Kind = Kind, B extends object = object, L extends object = object> {
  readonly id: string;
  /** What people say for `--to`; all adapters of one app share it. */
  readonly family: string;
  readonly label: string;
  readonly kind: K;
  /** The first is the default. */
  readonly containers: readonly [Container, ...Container[]];
  /** Names of what it reads, where that is more than what it writes fresh. A file goes back in what it came in. */
  readonly reads?: readonly string[];
  readonly coverage: readonly CoverageRow[];
  /** Coverage of an embedded book. */
  readonly lorebookCoverage?: readonly CoverageRow[];
  /** Keys of `original` that this adapter owns; the first holds the twin. */
  readonly escrowIds: readonly [string, ...string[]];
  /** Our own storage format: never offered as a publish target. */
  readonly native?: boolean;
  /** The plain reader of a family of formats. */
  readonly generic?: boolean;
  /** 0 = not mine, 1 = certain. Never throws. */
  detect(source: Source): number;
  /** The entities of this kind in the file, the main one first. Throws when the file is not of this format. */
  toCanonical(source: Source): readonly Entity<B, K>[];
  /** Entities that go into one file; those read from the same file share their twin. */
  fromCanonical(entities: readonly [Entity<B, K>, ...Entity<B, K>[]], context: EmitContext<L>): Sealed;
  /** Why this format cannot take an entity of its kind; undefined: it can. */
  refuses?(entity: Entity<B, K>): string | undefined;
  /** Why an entity that this format read goes into no other app's format; undefined: it may go anywhere. */
  bound?(entity: Entity<B, K>): string | undefined;
  /** The twin without secrets and marks of private use, for a file that is to be shared. Never changes `raw`. */
  stripSecrets?(raw: unknown): Stripped;
  /** Loads code that this work needs and a start should not pay for; the engine awaits it before. */
  prepare?(work: 'read' | 'write'): Promise<void>;
  /** What the reader left in escrow and what it repaired, from the twin of an entity. */
  account(entity: Entity<B, K>): AccountResult;
  /** What the reader left in escrow of a book that came out of a card of this format. */
  accountLorebook?(book: Entity<L, 'lorebook'>): AccountResult;
  /** The embedded book. An adapter without this has no place for one. */
  extractLorebook?(entity: Entity<B, K>): Entity<L, 'lorebook'> | undefined;
  /** All books of a file that keeps whole books beside the card; empty: there is the embedded one at most. */
  extractLorebooks?(entity: Entity<B, K>): readonly Entity<L, 'lorebook'>[];
}
