/** What the editors ask of the engine worker beside `StudioApi`. */
import type { ItemSummary, MediaToken, PlainEntity } from '../../item/model.ts';

/** A file or an item to take something from. */
export type Other = { readonly item: string } | { readonly name: string; readonly blob: Blob };

/** What a piece of media is, by its bytes. */
export interface Still {
  /** `png`, `svg`, `heic`, `mp3` …; `unknown`. */
  readonly type: string;
  readonly moves: boolean;
  /** Small and still; absent: it cannot be shown. */
  readonly picture?: Blob;
  readonly size: number;
}

/** One slot of the open item against a newer file. */
export interface UpdateLine {
  /** Number of the entity in the open item. */
  readonly entity: number;
  readonly path: string;
  /** `kept`: the file says nothing there. */
  readonly kind: 'replaced' | 'kept' | 'added';
  readonly was?: string;
  readonly now?: string;
}

/** What an update from a newer file does. */
export interface Update {
  readonly lines: readonly UpdateLine[];
  /** New bodies by number of the entity. */
  readonly bodies: readonly { readonly entity: number; readonly body: PlainEntity['body'] }[];
  /** What only the file has. */
  readonly fresh: readonly PlainEntity[];
}

/** A persona made of a card, or a card of a persona. */
export interface Recasting {
  readonly kind: 'persona' | 'character';
  /** Slots that cross, with what they say. */
  readonly crosses: readonly { readonly character: string; readonly persona: string; readonly value: string }[];
  readonly losses: readonly { readonly path: string; readonly value: string }[];
}

/** Two items side by side. `entity` counts those of the first. */
export interface Comparing {
  readonly lines: readonly {
    readonly entity: number;
    readonly path: string;
    readonly mine?: string;
    readonly theirs?: string;
  }[];
  /** Names of entities that only one side has. */
  readonly mine: readonly string[];
  readonly theirs: readonly string[];
}

export interface EditingApi {
  /** What another file or item says. Its media tokens mean nothing in the open item. */
  contents(other: Other): Promise<PlainEntity[]>;
  /** The open item against another file or item, of any format, field by field. */
  compareWith(id: string, other: Other): Promise<Comparing>;
  still(id: string, token: MediaToken): Promise<Still | undefined>;
  /** `keep`: `<entity>:<path>` where the open item's own word counts. Changes nothing by itself. */
  update(id: string, other: Other, keep: readonly string[]): Promise<Update>;
  recasting(id: string, entity: number): Promise<Recasting>;
  /** Adds the recast entity to the library as an item of its own. */
  recast(id: string, entity: number): Promise<ItemSummary>;
  /** What the file of this format would hold for an entity now, as JSON text; undefined where it is no JSON. */
  written(id: string, entity: number): Promise<string | undefined>;
}
