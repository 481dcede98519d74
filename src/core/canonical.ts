import type { Bytes } from './bytes.ts';

/** Version of the canonical model that this library reads and writes. */
export const SCHEMA_VERSION = '1';

/** Closed set. `pack` has no wire format of its own. */
export type Kind = 'character' | 'lorebook' | 'persona' | 'regex' | 'preset' | 'pack';
export const KINDS: readonly Kind[] = ['character', 'lorebook', 'persona', 'regex', 'preset', 'pack'];

/** What an adapter keeps of the file an entity came from. */
export interface OriginalEntry {
  /**
   * The complete parsed source payload: the twin. Never copied into another app's file, and not to be changed in place:
   * an unedited write gives back the very file that it was read from.
   */
  readonly raw: unknown;
  /** Source facts without a slot in the body: variant, dialect, archive files, the place of a row. */
  readonly unmapped?: Readonly<Record<string, unknown>>;
  /** The binary file that the payload came inside. Absent for text sources and archives. */
  readonly sourceMedia?: Bytes;
}

/** Escrow: one entry per source format id, the primary source first. */
export type Original = Readonly<Record<string, OriginalEntry>>;

/** The canonical wrapper around the body of one kind. */
export interface Entity<B = object, K extends Kind = Kind> {
  readonly schemaVersion: typeof SCHEMA_VERSION;
  readonly kind: K;
  /** Slug; see `canonicalId`. */
  readonly id: string;
  readonly body: B;
  /** Sparse overrides for one target: whole top-level groups of the body, laid over it before a write. */
  readonly profiles?: Readonly<Record<string, Partial<B>>>;
  readonly original?: Original;
  /** Remarks of the studio; no adapter reads or writes them. */
  readonly notes?: readonly { readonly id: string; readonly text: string; readonly at: string; readonly by?: string }[];
}

/** The entry an entity was first read from, or undefined for one that was made here. */
export function primaryOriginal(
  original: Original | undefined,
): readonly [format: string, entry: OriginalEntry] | undefined {
  return original && Object.entries(original)[0];
}

/** The parsed payload of the primary source. */
export const primaryOriginalRaw = (original: Original | undefined): unknown => primaryOriginal(original)?.[1].raw;

/** The body that goes to `target`: the profile of that target laid over it, group by group. */
export function bodyFor<B extends object>(entity: Entity<B>, target: string): B {
  const profile = entity.profiles?.[target];
  return profile ? { ...entity.body, ...profile } : entity.body;
}
