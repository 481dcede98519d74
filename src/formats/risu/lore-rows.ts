/** Rows of a lorebook: entries and the folders they are in share one list. Facts: RisuAI 166.3.3, section 7. */

import { accountFor } from '../../core/account.ts';
import { append } from '../../core/append.ts';
import { freeUuid } from '../../core/derived-id.ts';
import { isRecord, keysOf, saysNothing, valueAt, type Wire } from '../../core/draft.ts';
import { assignIds } from '../../core/ids.ts';
import { claimsOf, create, get, type Lens, put, varied } from '../../core/lens.ts';
import { lensesFor } from '../../core/lenses.ts';
import { lorebook } from '../../entities/lorebook/lenses.ts';
import {
  emptyEntry,
  type LorebookBody,
  type LorebookCategory,
  type LorebookEntry,
} from '../../entities/lorebook/schema.ts';

/** One spelling of rows: RisuAI's own, or the card book that it writes. */
export interface RowDialect {
  readonly entry: readonly Lens<LorebookEntry>[];
  readonly folder: readonly Lens<LorebookCategory>[];
  /** What the row calls itself; undefined: its place is its name. */
  entryId(row: Wire): string | undefined;
  /** The key text of a folder row, which its members repeat. */
  folderKey(row: Wire): string | undefined;
  freshEntry(id: string): Wire;
  freshFolder(key: string): Wire;
  /** Whether a switched-off entry can be said: RisuAI has no such switch and would run it. */
  readonly off: boolean;
}

/** Lens constructors for a folder. */
export const folderLens = lensesFor<LorebookCategory>();

export const isFolder = (row: Wire): boolean => row.mode === 'folder';

interface Row {
  readonly row: Wire;
  readonly id: string;
  readonly folder: boolean;
}

/** The private-use character that RisuAI puts before a folder key, so that no text of a chat meets it. */
const FOLDER_MARK = '\uf000';

function rowsIn(list: unknown, dialect: RowDialect): Row[] {
  const rows = Array.isArray(list) ? list : [];
  const good = rows.flatMap((row: unknown, index) => (isRecord(row) ? [{ row, index, folder: isFolder(row) }] : []));
  const idsOf = (folder: boolean) => {
    const ones = good.filter((one) => one.folder === folder);
    const name = (row: Wire) => (folder ? dialect.folderKey(row) : dialect.entryId(row));
    const ids = assignIds(ones.map(({ row, index }) => name(row) ?? String(index)));
    return new Map(ones.map(({ row }, at) => [row, ids[at] ?? '']));
  };
  const [entries, folders] = [idsOf(false), idsOf(true)];
  return good.map(({ row, folder }) => ({ row, folder, id: (folder ? folders : entries).get(row) ?? '' }));
}

/** Entries and categories over the list at `path`. */
export function loreRows(path: string, dialect: RowDialect): Lens<LorebookBody> {
  const home = keysOf(path);
  const lens = lorebook.joint(['entries', 'categories'], {
    wire: [path],
    shape: 'list of records, folders among them',
    lossy: true,
    note: dialect.off
      ? 'a folder is a row of the list: its order and its switch have no place'
      : 'RisuAI has no switch for an entry: one that is off is left out',
    read(wire) {
      const rows = rowsIn(valueAt(wire, home), dialect);
      return {
        entries: rows.filter(({ folder }) => !folder).map(({ row, id }) => get(dialect.entry, row, emptyEntry(id))),
        categories: rows
          .filter(({ folder }) => folder)
          .map(({ row, id }, sortOrder) => get(dialect.folder, row, { id, name: '', sortOrder })),
      };
    },
    write({ twin, set }, { entries = [], categories = [] }) {
      const raw = valueAt(twin, home);
      const next = written(Array.isArray(raw) ? raw : [], dialect, entries, categories);
      if (!sameRows(raw, next)) set(home, next);
    },
    claims: () => [{ keys: home, inside: (raw, at, out) => accountRows(dialect, raw, at, out) }],
  });
  return varied(lens, { rows: dialect.entry as readonly Lens<never>[] }) as Lens<LorebookBody>;
}

const accountRows = (
  { entry, folder }: RowDialect,
  raw: unknown,
  at: string,
  out: Parameters<typeof accountFor>[3],
): void => {
  if (!Array.isArray(raw)) {
    if (!saysNothing(raw)) out.unread(at, raw);
    return;
  }
  raw.forEach((row: unknown, index) => {
    const place = `${at}[${index}]`;
    if (isRecord(row)) accountFor(claimsOf((isFolder(row) ? folder : entry) as never, row), row, place, out);
    else out.unread(place, row);
  });
};

/** The list with these entries and folders: rows that stay keep their place, what is new follows. */
function written(
  raw: readonly unknown[],
  dialect: RowDialect,
  entries: readonly LorebookEntry[],
  categories: readonly LorebookCategory[],
): unknown[] {
  const twins = rowsIn(raw, dialect);
  const twinOf = (folder: boolean, id: string) => twins.find((one) => one.folder === folder && one.id === id);
  const taken = new Set(twins.flatMap(({ row }) => [dialect.folderKey(row) ?? '', dialect.entryId(row) ?? '']));
  const keys = new Map<string, string>();
  const used = new Set<Wire>();
  /** Each twin is met once; a second entry of one id is a new row. */
  const meet = (folder: boolean, id: string): Wire | undefined => {
    const row = twinOf(folder, id)?.row;
    if (!row || used.has(row)) return undefined;
    used.add(row);
    return row;
  };

  const folders = [...categories]
    .sort((a, b) => a.sortOrder - b.sortOrder)
    .map((category) => {
      const twin = meet(true, category.id);
      const key = (twin && dialect.folderKey(twin)) ?? mintFolder(category, taken);
      keys.set(category.id, key);
      return {
        twin,
        row: twin ? put(dialect.folder, twin, category) : create(dialect.folder, dialect.freshFolder(key), category),
      };
    });
  const rows = entries
    .filter(({ enabled }) => enabled || dialect.off)
    .map((entry) => {
      const key = entry.categoryId === undefined ? undefined : keys.get(entry.categoryId);
      const said = key === undefined || key === entry.categoryId ? entry : { ...entry, categoryId: key };
      const twin = meet(false, entry.id);
      return {
        twin,
        row: twin ? put(dialect.entry, twin, said) : create(dialect.entry, dialect.freshEntry(entry.id), said),
      };
    });

  const queues = [rows, folders].map((all) => all.filter(({ twin }) => twin).map(({ row }) => row));
  const out = raw.flatMap((row): unknown[] => {
    if (!isRecord(row)) return [row];
    if (!used.has(row)) return [];
    return [queues[isFolder(row) ? 1 : 0]?.shift()];
  });
  append(
    out,
    rows.filter(({ twin }) => !twin).map(({ row }) => row),
  );
  for (const { twin, row } of folders) {
    if (twin) continue;
    const member = out.findIndex((one) => isRecord(one) && !isFolder(one) && one.folder === dialect.folderKey(row));
    out.splice(member < 0 ? out.length : member, 0, row);
  }
  return out;
}

/** A key as RisuAI makes one; the id that a folder brings along is kept where it is such a key. */
function mintFolder({ id, name }: LorebookCategory, taken: Set<string>): string {
  const own = id.startsWith(`${FOLDER_MARK}folder:`) && !taken.has(id);
  const uuids = new Set([...taken].map((key) => key.slice(key.lastIndexOf(':') + 1)));
  const key = own ? id : `${FOLDER_MARK}folder:${freeUuid(JSON.stringify([id, name]), uuids)}`;
  taken.add(key);
  return key;
}

const sameRows = (raw: unknown, next: readonly unknown[]): boolean =>
  Array.isArray(raw) ? raw.length === next.length && raw.every((row, index) => row === next[index]) : next.length === 0;
