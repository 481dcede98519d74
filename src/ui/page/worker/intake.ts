/** Takes files into the library: read, told apart from what is here, stored. */
import { sniffContainer } from '../../../container.ts';
import type { Bytes } from '../../../core/bytes.ts';
import { same } from '../../../core/draft.ts';
import { sourceOf } from '../../../core/source.ts';
import { updated } from '../../../edit/update.ts';
import type { AnyEntity } from '../../../entities/kinds.ts';
import { isSafeName, zipOf } from '../../../formats/_shared/zip.ts';
import { inspect } from '../../../index.ts';
import { blobsOf, editsOf } from '../../item/edits.ts';
import { type OpenFile, openFile, storedEntities } from '../../item/entities.ts';
import { mappedBytes, sourceTokenOf, tokenOf } from '../../item/media.ts';
import type { ItemSummary, PlainEntity, StoredItem } from '../../item/model.ts';
import { fileFacts } from '../../item/summary.ts';
import type { LibraryStore } from '../../library/store.ts';
import type { Incoming, IntakeRow } from './api.ts';
import { faultOf } from './fault.ts';
import { loadBlobs } from './sessions.ts';
import { hashOf, newId, putOf } from './storing.ts';

/** What is in the library while an intake runs. */
export interface Known {
  /** By hash of the original file. */
  readonly bySource: Map<string, ItemSummary>;
  readonly byName: Map<string, string[]>;
}

export function knownOf(summaries: readonly ItemSummary[]): Known {
  const known: Known = { bySource: new Map(), byName: new Map() };
  for (const summary of summaries) remember(known, summary);
  return known;
}

const nameKey = ({ kind, name }: Pick<ItemSummary, 'kind' | 'name'>) => `${kind} ${name.trim().toLowerCase()}`;

function remember({ bySource, byName }: Known, summary: ItemSummary): void {
  bySource.set(summary.source, summary);
  byName.set(nameKey(summary), [...(byName.get(nameKey(summary)) ?? []), summary.id]);
}

/** Members of one zip that are taken in. */
const MAX_IN_ZIP = 10_000;
/** Files that an archive of cards may hold beside them and that nobody means to import. */
const BESIDE = /(?:^|\/)(?:\.|__MACOSX\/|Thumbs\.db$)|\.(?:txt|md|html?|css|js)$/i;

/** Takes one file in. Calls back with one row, or with one for each card of a zip. Never throws. */
export async function takeIn(
  store: LibraryStore,
  known: Known,
  file: Incoming,
  onRow: (row: IntakeRow) => void | Promise<void>,
  stopped: () => boolean,
): Promise<void> {
  const { key, name, blob } = file;
  try {
    const bytes = new Uint8Array(await blob.arrayBuffer());
    const row = await takeBytes(store, known, file, bytes);
    if (row.state !== 'bad') return await onRow(row);
    const members = cardsInZip(bytes, name);
    if (members.length === 0) return await onRow(row);
    for (const [index, member] of members.entries()) {
      if (stopped()) return;
      const inner = { ...file, key: `${key}/${index}`, name: member.name, blob: new Blob([]) };
      try {
        const content = member.bytes().slice();
        await onRow(await takeBytes(store, known, { ...inner, blob: new Blob([content]) }, content));
      } catch (error) {
        await onRow({ key: inner.key, name: member.name, state: 'bad', fault: faultOf(error, member.name) });
      }
    }
  } catch (error) {
    await onRow({ key, name, state: 'bad', fault: faultOf(error, name) });
  }
}

async function takeBytes(store: LibraryStore, known: Known, file: Incoming, bytes: Uint8Array): Promise<IntakeRow> {
  const { key, name, blob, mode } = file;
  const source = await hashOf(bytes);
  const here = known.bySource.get(source);
  try {
    const inspection = await inspect({ bytes, filename: name });
    const { format, container, warnings, label, entities: found } = inspection;
    const facts = { key, name, blob, inspection: { format, container, warnings, label, entities: found } };
    if (mode === 'ask' && here) return { ...facts, state: 'here', summary: here };
    const opened = await openFile(bytes, name);
    const now = Date.now();
    const replaced = typeof mode === 'object' ? await store.get(mode.replace) : undefined;
    const id = newId();
    const edits = replaced && (await updatedBy(store, replaced, opened));
    const side = {
      id,
      ...fileFacts(inspection),
      file: name,
      source,
      size: bytes.byteLength,
      addedAt: replaced?.summary.addedAt ?? now,
    };
    const put = await putOf({
      side,
      entities: edits ? edits.written : opened.read,
      edits: edits?.edits,
      blobs: { [source]: blob, ...edits?.blobs },
      now,
    });
    const stored = await store.put(put);
    if (replaced) await store.remove([replaced.summary.id]);
    const sameName = stored.name === '' ? [] : (known.byName.get(nameKey(stored)) ?? []);
    remember(known, stored);
    return { ...facts, state: 'added', summary: stored, ...(sameName.length > 0 ? { sameName: [...sameName] } : {}) };
  } catch (error) {
    return { key, name, state: 'bad', blob, fault: faultOf(error, name) };
  }
}

/**
 * A newer file in the place of an older item: what the file says counts, what it does not say stays (a portrait, a
 * note), as edits over the new file. Undefined where nothing has to stay.
 */
async function updatedBy(store: LibraryStore, old: StoredItem, opened: OpenFile) {
  const blob = await store.blob(old.summary.source);
  if (!blob) return undefined;
  const file = await openFile(new Uint8Array(await blob.arrayBuffer()), old.summary.file);
  const [mine] = storedEntities(file, old.edits, await loadBlobs(store, blobsOf(old.edits)));
  const [theirs, ...others] = opened.read;
  if (!mine || !theirs || mine.kind !== theirs.kind) return undefined;
  const body = updated(mine, theirs).body;
  if (same(body, theirs.body)) return undefined;
  const blobs: Record<string, Blob> = {};
  const place = async (value: Bytes): Promise<unknown> => {
    const token = sourceTokenOf(opened, value);
    if (token) return token;
    const bytes = value.bytes();
    const hash = await hashOf(bytes);
    blobs[hash] = new Blob([bytes as Uint8Array<ArrayBuffer>], value.mime ? { type: value.mime } : {});
    return tokenOf(`blob:${hash}`, value.size, value.mime);
  };
  const plain = (await mappedBytes(body, place)) as PlainEntity['body'];
  const now = [{ ...opened.base[0], id: theirs.id, body: plain } as PlainEntity, ...opened.base.slice(1)];
  return { edits: editsOf(opened.base, now), written: [{ ...theirs, body } as AnyEntity, ...others], blobs };
}

/** The members of a zip that is no format of its own: a bundle of cards. */
function cardsInZip(bytes: Uint8Array, filename: string) {
  const source = sourceOf(bytes, filename);
  if (sniffContainer(source) !== 'zip') return [];
  const zip = zipOf(source);
  if (!zip || zip instanceof Error) return [];
  return zip.members
    .filter(({ name, directory }) => !directory && isSafeName(name) && !BESIDE.test(name))
    .slice(0, MAX_IN_ZIP)
    .map((member) => ({ name: member.name, bytes: () => member.content.bytes() }));
}
