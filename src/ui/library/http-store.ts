/** The library on the disk, as the page reaches it through the local server. */
import type { ItemSummary } from '../item/model.ts';
import { type Change, LibraryConflict, LibraryFull, type LibraryStore, libraryError } from './store.ts';
import { linesOf, packed, TOKEN_HEADER } from './wire.ts';

/** A library in a folder that other programs write to as well: what they put there has no cover yet. */
export interface FolderStore extends LibraryStore {
  /** Ids of the items that a cover may be drawn of. */
  coverless(): Promise<string[]>;
  /** Keeps a cover; absent: none can be drawn. */
  putCover(id: string, cover: { readonly hash: string; readonly blob: Blob } | undefined): Promise<void>;
  /** Ends the connection. */
  close(): void;
}

/** Milliseconds until a lost connection is tried again. */
const RETRY = 1_000;

/** Opens the library at `endpoint`: the address of the server's library, with the token of this launch after `#`. */
export async function openHttpStore(endpoint: string): Promise<FolderStore> {
  const [address = '', token = ''] = endpoint.split('#');
  const base = address.replace(/\/$/, '');
  const headers = { [TOKEN_HEADER]: token };
  const listeners = new Set<(change: Change) => void>();
  const ended = new AbortController();
  /** Revisions as this page knows them, to tell what happened while the connection was lost. */
  let known = new Map<string, number>();

  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const response = await reach(`${base}/${path}`, { ...init, headers: { ...headers, ...init.headers } });
    // What is asked for may be gone; what is told has to arrive.
    if (response.ok || (response.status === 404 && init.method === undefined)) return response;
    throw await refusalOf(response);
  };
  const got = async <T>(path: string): Promise<T | undefined> => {
    const response = await ask(path);
    return response.status === 404 ? undefined : ((await response.json()) as T);
  };
  const post = (path: string, message: unknown) =>
    ask(path, { method: 'POST', body: JSON.stringify(message), headers: { 'content-type': 'application/json' } });

  const tell = (change: Change) => {
    for (const { id, revision } of change.put) known.set(id, revision);
    for (const id of change.removed) known.delete(id);
    for (const listener of listeners) listener(change);
  };
  const list = async (): Promise<ItemSummary[]> => (await got<ItemSummary[]>('items')) ?? [];

  /** Listens until the connection ends. Calls back when the server listens to this page. */
  const follow = async (whenOpen: () => Promise<void> | void): Promise<void> => {
    const { body } = await ask('changes', { signal: ended.signal });
    if (!body) return;
    for await (const line of linesOf(body)) {
      if (line === 'open') await whenOpen();
      else if (line !== '') tell(JSON.parse(line) as Change);
    }
  };
  /** What the list says now against what this page knows. */
  const catchUp = async (): Promise<void> => {
    const now = await list();
    const ids = new Set(now.map(({ id }) => id));
    const put = now.filter(({ id, revision }) => known.get(id) !== revision);
    const removed = [...known.keys()].filter((id) => !ids.has(id));
    if (put.length + removed.length > 0) tell({ put, removed });
  };

  await new Promise<void>((open, fail) => {
    const stay = async () => {
      let first = true;
      while (!ended.signal.aborted) {
        try {
          await follow(first ? open : catchUp);
        } catch (error) {
          if (first) return fail(error);
        }
        first = false;
        await new Promise((done) => setTimeout(done, RETRY));
      }
    };
    void stay();
  });
  known = new Map((await list()).map(({ id, revision }) => [id, revision]));

  return {
    list,
    get: (id) => got(`items/${encodeURIComponent(id)}`),
    async put({ blobs, ...rest }) {
      const response = await ask('items', { method: 'POST', body: packed(rest, blobs) });
      return (await response.json()) as ItemSummary;
    },
    remove: async (ids) => void (await post('remove', ids)),
    restore: async (ids) => void (await post('restore', ids)),
    search: async (words) => (await (await post('search', words)).json()) as string[],
    async blob(hash) {
      const response = await ask(`blobs/${encodeURIComponent(hash)}`);
      return response.status === 404 ? undefined : response.blob();
    },
    draft: (id) => got(`drafts/${encodeURIComponent(id)}`),
    async putDraft(id, draft, blobs) {
      await ask(`drafts/${encodeURIComponent(id)}`, { method: 'PUT', body: packed(draft ?? null, blobs) });
    },
    drafts: async () => (await got<string[]>('drafts')) ?? [],
    watch(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    sweep: async (before) => void (await post('sweep', before)),
    coverless: async () => (await got<string[]>('coverless')) ?? [],
    async putCover(id, cover) {
      const body = packed(cover?.hash ?? null, cover ? { [cover.hash]: cover.blob } : {});
      await ask(`covers/${encodeURIComponent(id)}`, { method: 'PUT', body });
    },
    close: () => ended.abort(),
  };
}

async function reach(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch (cause) {
    throw new Error('bunzai studio does not answer: start it again, then open the address that it prints', { cause });
  }
}

/** A refusal of the server in the words of the library. */
async function refusalOf(response: Response): Promise<Error> {
  const { error } = (await response.json().catch(() => ({}))) as {
    error?: { readonly code?: string; readonly message?: string };
  };
  const message = error?.message ?? `the local server answered ${response.status}`;
  if (error?.code === LibraryConflict || error?.code === LibraryFull) return libraryError(error.code, message);
  return new Error(message);
}
