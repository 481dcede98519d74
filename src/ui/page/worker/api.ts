/** What the page may ask of the engine worker. Everything crosses as plain data, text or blobs. */

import type { Report } from '../../../core/report.ts';
import type { FormatInfo, TargetOutlook } from '../../../engine-types.ts';
import type { Inspection, Label } from '../../../inspect.ts';
import type { ItemSummary, MediaToken, PlainEntity } from '../../item/model.ts';
import type { Patch } from '../../item/patch.ts';
import type { Change } from '../../library/store.ts';
import type { EditingApi } from './editing-api.ts';

/** A refusal as the page shows it; thrown as plain data, because errors lose their fields on the way. */
export interface Fault {
  /** A code of the engine, of the library, or `unexpected`. */
  readonly code: string;
  /** One sentence. */
  readonly title: string;
  readonly file?: string | undefined;
  readonly path?: string | undefined;
  readonly detail?: string | undefined;
  /** What to try. */
  readonly hint?: string | undefined;
}

/** A file to take in. */
export interface Incoming {
  /** Names the row in the list; chosen by the page. */
  readonly key: string;
  /** With the folder it came from. */
  readonly name: string;
  readonly blob: Blob;
  /** `ask`: leave out what is here already. `both`: take it all the same. An id: take it in the place of that item. */
  readonly mode: 'ask' | 'both' | { readonly replace: string };
}

/** What became of one file; a zip of cards gives one row for each card. */
export interface IntakeRow {
  readonly key: string;
  readonly name: string;
  readonly state: 'added' | 'here' | 'bad';
  /** Of the item that was added, or that is here already. */
  readonly summary?: ItemSummary;
  readonly inspection?: Pick<Inspection, 'format' | 'container' | 'warnings' | 'label' | 'entities'>;
  /** Other items of the same kind and name: not the same thing. */
  readonly sameName?: readonly string[];
  readonly fault?: Fault;
  /** The file, to be asked for again in another mode. */
  readonly blob?: Blob;
}

export interface Progress {
  readonly done: number;
  readonly total: number;
}

/** An item that was opened. Entities that are the same object in two lists are unchanged. */
export interface OpenedItem {
  readonly summary: ItemSummary;
  /** As in the original file. */
  readonly base: readonly PlainEntity[];
  /** As saved. */
  readonly saved: readonly PlainEntity[];
  /** As left behind unsaved; absent: nothing was. */
  readonly draft?: readonly PlainEntity[];
  readonly inspection: Inspection;
}

/** One target, and what of the open item would cross. */
export interface Outlook extends Omit<TargetOutlook, 'lost'> {
  readonly family: string;
  readonly native: boolean;
  /** Containers it is written in. */
  readonly containers: readonly string[];
  /** The container that was measured; absent with a fault. */
  readonly container?: string;
  /** At most `MAX_LOSSES` of them; `lostCount` is all. */
  readonly lost: TargetOutlook['lost'];
  readonly lostCount: number;
  readonly escrowed: number;
  readonly warnings: Report['warnings'];
  /** Files it makes. */
  readonly files: number;
  /** Why it cannot be written; the counts are 0 then. */
  readonly fault?: Fault;
}

/** Losses of one target that are sent along with the ranking. */
export const MAX_LOSSES = 200;

export interface ExportChoice {
  readonly format: string;
  readonly container?: string;
  readonly share?: boolean;
}

export interface ExportedFile {
  readonly name: string;
  readonly blob: Blob;
}

export interface Exported {
  readonly files: readonly ExportedFile[];
  readonly report: Report;
}

/** A difference between two bodies, as the compare and source views show it. */
export interface BodyDifference {
  /** Number of the entity among those of the item. */
  readonly entity: number;
  readonly path: string;
  readonly kind: 'dropped' | 'changed' | 'added';
  readonly was?: string | undefined;
  readonly now?: string | undefined;
}

/**
 * A function of the page. It runs over a channel of its own: whoever needs it to have run before an answer arrives waits
 * for what it returns.
 */
export type Callback<T extends unknown[]> = (...given: T) => void | Promise<void>;

/** The functions of the worker, as comlink exposes them. */
export interface StudioApi extends EditingApi {
  /** Opens the library. `endpoint`: where the local server keeps it; absent: in this browser. */
  start(endpoint?: string): Promise<void>;
  formats(): Promise<FormatInfo[]>;

  list(): Promise<ItemSummary[]>;
  drafts(): Promise<string[]>;
  watch(listener: Callback<[Change]>): Promise<void>;
  search(query: string): Promise<string[]>;
  remove(ids: readonly string[]): Promise<void>;
  restore(ids: readonly string[]): Promise<void>;
  blob(hash: string): Promise<Blob | undefined>;
  /** The bytes as they came. */
  original(id: string): Promise<ExportedFile>;

  intake(files: readonly Incoming[], onRow: Callback<[IntakeRow, Progress]>): Promise<void>;
  /** Ends an intake or a batch after the file it is at. */
  stop(): Promise<void>;

  open(id: string): Promise<OpenedItem>;
  close(id: string): Promise<void>;
  /** Changes the open item; a draft is kept by itself. */
  apply(id: string, patches: readonly Patch[]): Promise<void>;
  /** Resolves when the draft is stored. */
  settled(id: string): Promise<void>;
  /** Stores the changes as the item. */
  save(id: string): Promise<ItemSummary>;
  /** Stores what the item says now as a new item, and leaves the old one as it was saved. */
  saveCopy(id: string): Promise<ItemSummary>;
  /** Forgets the changes since the last save. */
  discard(id: string): Promise<void>;
  /** Keeps a new picture or file for the open item and returns the token that stands for it in a body. */
  addMedia(id: string, blob: Blob): Promise<MediaToken>;
  media(id: string, token: MediaToken): Promise<Blob | undefined>;

  /** Measures every target for the open item, in the order of the roster; ends early when the item changes. */
  outlook(id: string, onOutlook: Callback<[Outlook]>): Promise<boolean>;
  /** Measures one target in another container, or for sharing. */
  outlookOf(id: string, choice: ExportChoice): Promise<Outlook>;
  /** All losses of one target. */
  losses(id: string, choice: ExportChoice): Promise<TargetOutlook['lost']>;
  convert(id: string, choice: ExportChoice): Promise<Exported>;
  /** Many items into one zip with one report. */
  convertMany(ids: readonly string[], choice: ExportChoice, onStep: Callback<[Progress]>): Promise<ExportedFile>;

  /** The parsed original of an entity as JSON text; undefined for one made here. */
  sourceText(id: string, entity: number): Promise<string | undefined>;
  /** What the open item says now, against its original file. */
  changes(id: string): Promise<BodyDifference[]>;
  /** Two items, saved as they are, field by field. */
  compare(a: string, b: string): Promise<BodyDifference[]>;
  label(id: string): Promise<Label>;
}
