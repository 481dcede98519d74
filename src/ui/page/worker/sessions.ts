/** Items that are open in the page: read once, changed by patches, kept as drafts. */
import { type Bytes, bytesOf } from '../../../core/bytes.ts';
import { BunzaiError } from '../../../core/errors.ts';
import type { AnyEntity } from '../../../entities/kinds.ts';
import { inspect } from '../../../index.ts';
import type { Inspection } from '../../../inspect.ts';
import { blobsOf, editsOf, entitiesToWrite, withEdits } from '../../item/edits.ts';
import { type OpenFile, openFile, settled } from '../../item/entities.ts';
import { sourceBytes, tokenOf } from '../../item/media.ts';
import type { ItemSummary, MediaToken, PlainEntity, StoredItem } from '../../item/model.ts';
import { type Patch, patched } from '../../item/patch.ts';
import type { LibraryStore } from '../../library/store.ts';
import { hashOf, newId, putOf } from './storing.ts';
import { rasterType } from './thumbnail.ts';

/** One open item. */
export interface Session {
  stored: StoredItem;
  readonly file: OpenFile;
  readonly inspection: Inspection;
  saved: readonly PlainEntity[];
  now: readonly PlainEntity[];
  /** Media that is not in the original file, by hash. */
  readonly blobs: Map<string, Bytes>;
  /** Media that the library does not hold yet. */
  readonly fresh: Map<string, Blob>;
  /** Grows with every change: work on an older state gives up. */
  version: number;
  drafting: Promise<void> | undefined;
  /** Why the newest draft could not be kept. */
  draftFault: unknown;
}

/** Milliseconds between two writes of a draft; the first one is at once. */
const DRAFT_PAUSE = 300;

/** Reads an item from the library. Its draft, when one was left, is what it says now. */
export async function openSession(store: LibraryStore, id: string): Promise<{ session: Session; hasDraft: boolean }> {
  const stored = await store.get(id);
  if (!stored) throw new BunzaiError('input.unreadable', { detail: 'it is not in the library any more' });
  const { source, file: filename } = stored.summary;
  const blob = await store.blob(source);
  if (!blob) throw new BunzaiError('input.unreadable', { file: filename, detail: 'its original file is gone' });
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const [file, inspection, draft] = await Promise.all([
    openFile(bytes, filename),
    inspect({ bytes, filename }),
    store.draft(id),
  ]);
  const blobs = await loadBlobs(store, [...blobsOf(stored.edits), ...blobsOf(draft)]);
  const saved = withEdits(file.base, stored.edits);
  const now = draft ? withEdits(file.base, draft) : saved;
  const session: Session = {
    stored,
    file,
    inspection,
    saved,
    now,
    blobs,
    fresh: new Map(),
    version: 0,
    drafting: undefined,
    draftFault: undefined,
  };
  return { session, hasDraft: draft !== undefined };
}

/** New media of an item from the library. */
export async function loadBlobs(store: LibraryStore, hashes: readonly string[]): Promise<Map<string, Bytes>> {
  const blobs = new Map<string, Bytes>();
  for (const hash of hashes) {
    const blob = await store.blob(hash);
    if (blob) blobs.set(hash, bytesOf(new Uint8Array(await blob.arrayBuffer()), blob.type || undefined));
  }
  return blobs;
}

/** The entities of a session as they are written now. */
export function entitiesNow({ file, now, blobs }: Session): AnyEntity[] {
  return entitiesToWrite(file.read, file.base, settled(file.base, now), blobs);
}

/** Changes the item and keeps a draft of it. */
export function applyTo(store: LibraryStore, session: Session, patches: readonly Patch[]): void {
  session.now = patched(session.now, patches);
  session.version++;
  session.drafting ??= keepDrafting(store, session);
}

/** Writes drafts until the newest state is stored. Never throws: the fault waits for whoever asks. */
async function keepDrafting(store: LibraryStore, session: Session): Promise<void> {
  const { id } = session.stored.summary;
  try {
    for (;;) {
      const { version } = session;
      await store.putDraft(id, draftOf(session), Object.fromEntries(session.fresh));
      session.draftFault = undefined;
      if (session.version === version) return;
      await new Promise((done) => setTimeout(done, DRAFT_PAUSE));
    }
  } catch (error) {
    session.draftFault = error;
  } finally {
    session.drafting = undefined;
  }
}

/** What a draft has to keep; undefined where the item is as saved. An edit back to the original is a draft too. */
function draftOf(session: Session) {
  const now = settled(session.file.base, session.now);
  const same = now.length === session.saved.length && now.every((entity, i) => entity.body === session.saved[i]?.body);
  if (same) return undefined;
  return editsOf(session.file.base, now) ?? { entities: now.map(({ body: _, ...rest }) => rest) };
}

/** Stores what the item says now. Atomic: after a fault the library is as it was, and so is the draft. */
export async function saveSession(store: LibraryStore, session: Session): Promise<ItemSummary> {
  await session.drafting;
  const { summary } = session.stored;
  const { version } = session;
  const now = settled(session.file.base, session.now);
  const edits = editsOf(session.file.base, now);
  const entities = entitiesToWrite(session.file.read, session.file.base, now, session.blobs);
  const needed = new Set(blobsOf(edits));
  const blobs = Object.fromEntries([...session.fresh].filter(([hash]) => needed.has(hash)));
  const put = await putOf({ side: summary, entities, edits, blobs, over: summary.revision, now: Date.now() });
  const stored = await store.put(put);
  session.stored = { ...put.item, summary: stored };
  session.saved = now;
  for (const hash of needed) session.fresh.delete(hash);
  // The save ended the draft, also one of changes that came meanwhile.
  if (session.version !== version) session.drafting ??= keepDrafting(store, session);
  return stored;
}

/** Stores what the item says now beside it. The old item stays as it was saved, without the draft. */
export async function saveCopy(store: LibraryStore, session: Session): Promise<ItemSummary> {
  await session.drafting;
  const { id, source } = session.stored.summary;
  const now = settled(session.file.base, session.now);
  const edits = editsOf(session.file.base, now);
  const entities = entitiesToWrite(session.file.read, session.file.base, now, session.blobs);
  const blobs: Record<string, Blob> = {};
  for (const hash of blobsOf(edits)) {
    const bytes = session.blobs.get(hash);
    if (bytes)
      blobs[hash] = new Blob([bytes.bytes() as Uint8Array<ArrayBuffer>], bytes.mime ? { type: bytes.mime } : {});
  }
  const original = await store.blob(source);
  if (original) blobs[source] = original;
  const time = Date.now();
  const side = { ...session.stored.summary, id: newId(), addedAt: time };
  const stored = await store.put(await putOf({ side, entities, edits, blobs, now: time }));
  await store.putDraft(id, undefined);
  return stored;
}

/** Back to the last save. */
export async function discardDraft(store: LibraryStore, session: Session): Promise<void> {
  await session.drafting;
  session.now = session.saved;
  session.version++;
  await store.putDraft(session.stored.summary.id, undefined);
}

/** Keeps new media for an item. */
export async function addMedia(session: Session, blob: Blob): Promise<MediaToken> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const hash = await hashOf(bytes);
  const type = rasterType(bytes) ?? (blob.type || undefined);
  session.blobs.set(hash, bytesOf(bytes, type));
  session.fresh.set(hash, new Blob([bytes], type ? { type } : {}));
  return tokenOf(`blob:${hash}`, bytes.byteLength, type);
}

/** The bytes of a token, typed only where a browser may draw them: nothing else is ever given a live type. */
export function mediaBlob({ file, blobs }: Session, token: MediaToken): Blob | undefined {
  const { $media } = token;
  const bytes = $media.startsWith('blob:') ? blobs.get($media.slice(5)) : sourceBytes(file.read, token);
  if (!bytes) return undefined;
  const content = bytes.bytes();
  return new Blob([content as Uint8Array<ArrayBuffer>], { type: rasterType(content) ?? 'application/octet-stream' });
}
