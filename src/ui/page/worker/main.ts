/** The engine worker: the library of formats and the library of items. Nothing else parses a file. */
import { expose } from 'comlink';
import { primaryOriginalRaw } from '../../../core/canonical.ts';
import { BunzaiError } from '../../../core/errors.ts';
import { printJson } from '../../../core/json-print.ts';
import type { AnyEntity } from '../../../entities/kinds.ts';
import { formats, label, write } from '../../../index.ts';
import { blobsOf } from '../../item/edits.ts';
import { openFile, storedEntities } from '../../item/entities.ts';
import { wordsOf } from '../../item/summary.ts';
import { openIdbStore } from '../../library/idb-store.ts';
import type { LibraryStore } from '../../library/store.ts';
import type { StudioApi } from './api.ts';
import { differencesOf } from './comparing.ts';
import { editing } from './editing.ts';
import { batchOf, exported, outlookOf } from './exporting.ts';
import { faultOf } from './fault.ts';
import { openFolder } from './folder.ts';
import { knownOf, takeIn } from './intake.ts';
import {
  addMedia,
  applyTo,
  discardDraft,
  entitiesNow,
  loadBlobs,
  mediaBlob,
  openSession,
  type Session,
  saveCopy,
  saveSession,
} from './sessions.ts';

/** How long a removed item can come back after the page is opened again, in milliseconds. */
const KEEP_REMOVED = 24 * 60 * 60 * 1000;

let opened: LibraryStore | undefined;
let stops = 0;
const sessions = new Map<string, Session>();

function library(): LibraryStore {
  if (!opened) throw new Error('the library is not open yet');
  return opened;
}

function session(id: string): Session {
  const found = sessions.get(id);
  if (!found) throw new Error(`${id} is not open`);
  return found;
}

/** The entities of an item, open or not. */
async function entitiesOf(id: string): Promise<readonly AnyEntity[]> {
  const open = sessions.get(id);
  if (open) return entitiesNow(open);
  const store = library();
  const stored = await store.get(id);
  const blob = stored && (await store.blob(stored.summary.source));
  if (!stored || !blob) throw new BunzaiError('input.unreadable', { detail: 'it is not in the library any more' });
  const file = await openFile(new Uint8Array(await blob.arrayBuffer()), stored.summary.file);
  return storedEntities(file, stored.edits, await loadBlobs(store, blobsOf(stored.edits)));
}

/** Lets other calls in between two steps of long work. */
const breathe = () => new Promise((done) => setTimeout(done));

const api: StudioApi = {
  ...editing({ library, session, entitiesOf }),
  async start(endpoint) {
    opened ??= endpoint === undefined ? await openIdbStore() : await openFolder(endpoint);
    await opened.sweep(Date.now() - KEEP_REMOVED);
  },
  formats: async () => formats(),
  list: () => library().list(),
  drafts: () => library().drafts(),
  async watch(listener) {
    library().watch(listener);
  },
  search: (query) => library().search(wordsOf(query)),
  remove: (ids) => library().remove(ids),
  restore: (ids) => library().restore(ids),
  blob: (hash) => library().blob(hash),
  async original(id) {
    const stored = await library().get(id);
    const blob = stored && (await library().blob(stored.summary.source));
    if (!stored || !blob) throw new BunzaiError('input.unreadable', { detail: 'its original file is gone' });
    return { name: stored.summary.file.replace(/^.*[\\/]/, ''), blob };
  },

  async intake(files, onRow) {
    const mine = stops;
    const known = knownOf(await library().list());
    let done = 0;
    for (const file of files) {
      if (stops !== mine) return;
      done++;
      const progress = { done, total: files.length };
      await takeIn(
        library(),
        known,
        file,
        (row) => onRow(row, progress),
        () => stops !== mine,
      );
    }
  },
  async stop() {
    stops++;
  },

  async open(id) {
    const { session: fresh, hasDraft } = await openSession(library(), id);
    sessions.set(id, fresh);
    const { stored, file, saved, now, inspection } = fresh;
    return { summary: stored.summary, base: file.base, saved, ...(hasDraft ? { draft: now } : {}), inspection };
  },
  async close(id) {
    await sessions.get(id)?.drafting;
    sessions.delete(id);
  },
  async apply(id, patches) {
    applyTo(library(), session(id), patches);
  },
  async settled(id) {
    const open = session(id);
    await open.drafting;
    if (open.draftFault !== undefined) throw open.draftFault;
  },
  save: (id) => saveSession(library(), session(id)),
  saveCopy: (id) => saveCopy(library(), session(id)),
  discard: (id) => discardDraft(library(), session(id)),
  addMedia: (id, blob) => addMedia(session(id), blob),
  media: async (id, token) => mediaBlob(session(id), token),

  async outlook(id, onOutlook) {
    const open = session(id);
    const { version } = open;
    const entities = entitiesNow(open);
    const targets = formats().filter(({ kind }) => kind === entities[0]?.kind);
    for (const target of targets) {
      const outlook = await outlookOf(entities, target);
      await breathe();
      if (open.version !== version || sessions.get(id) !== open) return false;
      await onOutlook(outlook);
    }
    return true;
  },
  async outlookOf(id, { format, ...options }) {
    const target = formats().find((one) => one.id === format);
    if (!target) throw new BunzaiError('format.unknown', { format });
    return outlookOf(entitiesNow(session(id)), target, options);
  },
  async losses(id, { format, ...options }) {
    return (await write(entitiesNow(session(id)), format, options)).report.losses;
  },
  convert: async (id, choice) => exported(await entitiesOf(id), choice),
  async convertMany(ids, choice, onStep) {
    const mine = stops;
    const batch = batchOf(choice);
    for (const [index, id] of ids.entries()) {
      if (stops !== mine) break;
      const summary = (await library().get(id))?.summary;
      await batch.add(summary?.format ?? '', summary?.name || (summary?.file ?? id), () => entitiesOf(id));
      await onStep({ done: index + 1, total: ids.length });
      await breathe();
    }
    return batch.finish();
  },

  async sourceText(id, entity) {
    const raw = primaryOriginalRaw(session(id).file.read[entity]?.original);
    return raw === undefined ? undefined : printJson(raw);
  },
  async changes(id) {
    return differencesOf(session(id).file.read, entitiesNow(session(id)));
  },
  compare: async (a, b) => differencesOf(await entitiesOf(a), await entitiesOf(b)),
  async label(id) {
    const { blob, name } = await api.original(id);
    return label({ bytes: blob, filename: name });
  },
};

/** Every function with its errors as plain data. */
const guarded = Object.fromEntries(
  Object.entries(api).map(([name, work]) => [
    name,
    async (...given: unknown[]) => {
      try {
        return await (work as (...given: unknown[]) => Promise<unknown>)(...given);
      } catch (error) {
        throw faultOf(error);
      }
    },
  ]),
);

expose(guarded);
