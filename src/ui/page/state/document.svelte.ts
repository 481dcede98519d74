/** An open item: plain bodies that are read freely and changed through `edit`. */
import type { Inspection } from '../../../inspect.ts';
import type { ItemSummary, MediaToken, PlainEntity } from '../../item/model.ts';
import { type Patch, type Path, patched } from '../../item/patch.ts';
import { asFault, engine } from '../engine.ts';
import type { Fault, OpenedItem } from '../worker/api.ts';
import { backwardOf, joined, type Step } from './history.ts';

/** How an edit joins the history. */
export interface EditOptions {
  /** Edits of one mark in a row are one undo step; absent: the path. `null`: a step of its own. */
  readonly mark?: string | null;
}

/** The open item of the page. */
export interface ItemDocument {
  readonly id: string;
  readonly summary: ItemSummary;
  readonly inspection: Inspection;
  /** The main entity first. Plain and frozen in spirit: change it with `edit` only. */
  readonly entities: readonly PlainEntity[];
  /** As in the original file, to compare with. */
  readonly base: readonly PlainEntity[];
  /** Differs from what was saved last. */
  readonly dirty: boolean;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly saving: boolean;
  /** Why the last save or draft failed. */
  readonly fault: Fault | undefined;
  /** Grows with every change; read it to follow the item. */
  readonly version: number;
  /** Sets the value at a path of the body of one entity; `undefined` deletes it. */
  edit(entity: number, path: Path, value: unknown, options?: EditOptions): void;
  /** Several changes as one step. Paths start at the list of entities: `[0, 'body', 'identity', 'name']`. */
  change(patches: readonly Patch[], options?: EditOptions): void;
  undo(): void;
  redo(): void;
  save(): Promise<boolean>;
  /** Stores what the item says now as a new item. Returns its id, or undefined after a fault. */
  saveCopy(): Promise<string | undefined>;
  /** Back to the last save; itself a step that can be undone. */
  revert(): void;
  /** Keeps new media and gives the token for it, to be put into a body with `edit`. */
  addMedia(blob: Blob): Promise<MediaToken>;
  /** The bytes of a token; raster pictures have their type, everything else none that a browser would run. */
  media(token: MediaToken): Promise<Blob | undefined>;
  close(): Promise<void>;
}

/** Opens an item of the library. Throws a `Fault`. */
export async function openDocument(id: string): Promise<ItemDocument> {
  return documentOf(await engine.open(id));
}

function documentOf(opened: OpenedItem): ItemDocument {
  const { base, inspection } = opened;
  const { id } = opened.summary;
  let summary = $state.raw(opened.summary);
  let saved = $state.raw(opened.saved);
  let entities = $state.raw(opened.draft ?? opened.saved);
  type State = readonly PlainEntity[];
  let past = $state.raw<readonly Step<State>[]>([]);
  let future = $state.raw<readonly Step<State>[]>([]);
  let version = $state(0);
  let saving = $state(false);
  let fault = $state.raw<Fault | undefined>();

  const send = (patches: readonly Patch[], next: State) => {
    entities = next;
    version++;
    engine.apply(id, patches).then(
      () => settle(),
      (error: unknown) => {
        fault = asFault(error);
      },
    );
  };

  let settling = false;
  const settle = async () => {
    if (settling) return;
    settling = true;
    try {
      await engine.settled(id);
    } catch (error) {
      fault = asFault(error);
    } finally {
      settling = false;
    }
  };

  const change = (patches: readonly Patch[], { mark }: EditOptions = {}) => {
    if (patches.length === 0) return;
    const only = patches.length === 1 ? patches[0] : undefined;
    const after = patched(entities, patches);
    const step: Step<State> = {
      before: entities,
      after,
      forward: patches,
      backward: backwardOf(entities, patches),
      mark: mark === null ? undefined : (mark ?? (only && JSON.stringify(only.path))),
      at: Date.now(),
    };
    const last = past.at(-1);
    const one = future.length === 0 ? joined(last, step) : undefined;
    past = one ? [...past.slice(0, -1), one] : [...past, step];
    future = [];
    send(patches, after);
  };

  return {
    id,
    base,
    inspection,
    get summary() {
      return summary;
    },
    get entities() {
      return entities;
    },
    get dirty() {
      return entities.length !== saved.length || entities.some((entity, i) => entity.body !== saved[i]?.body);
    },
    get canUndo() {
      return past.length > 0;
    },
    get canRedo() {
      return future.length > 0;
    },
    get saving() {
      return saving;
    },
    get fault() {
      return fault;
    },
    get version() {
      return version;
    },
    edit: (entity, path, value, options) => change([{ path: [entity, 'body', ...path], value }], options),
    change,
    undo() {
      const step = past.at(-1);
      if (!step) return;
      past = past.slice(0, -1);
      future = [...future, step];
      send(step.backward, step.before);
    },
    redo() {
      const step = future.at(-1);
      if (!step) return;
      future = future.slice(0, -1);
      past = [...past, step];
      send(step.forward, step.after);
    },
    async save() {
      saving = true;
      fault = undefined;
      const now = entities;
      try {
        summary = await engine.save(id);
        saved = now;
        return true;
      } catch (error) {
        fault = asFault(error);
        return false;
      } finally {
        saving = false;
      }
    },
    async saveCopy() {
      saving = true;
      try {
        const { id: copy } = await engine.saveCopy(id);
        fault = undefined;
        return copy;
      } catch (error) {
        fault = asFault(error);
        return undefined;
      } finally {
        saving = false;
      }
    },
    revert: () => change([{ path: [], value: saved }], { mark: null }),
    addMedia: (blob) => engine.addMedia(id, blob),
    media: (token) => engine.media(id, token),
    close: () => engine.close(id),
  };
}
