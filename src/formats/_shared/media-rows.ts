/** Asset rows and the files they point at, as they are written. */
import { asBytes, type Bytes, isBytes } from '../../core/bytes.ts';
import { type Codec, list } from '../../core/codec.ts';
import { type Draft, define, isRecord, openDraft, type Wire } from '../../core/draft.ts';
import type { MediaAsset } from '../../entities/character/schema.ts';
import { safeMemberName } from './member-names.ts';
import {
  decode,
  EMBEDDED,
  extensionOf,
  MAX_INLINE_BYTES,
  type MediaStyle,
  ROLE_OF,
  type Slot,
} from './tavern-media.ts';

const TYPE_OF: Readonly<Record<MediaAsset['role'], string>> = {
  portrait: 'icon',
  emotion: 'emotion',
  outfit: 'outfit',
  pose: 'pose',
  background: 'background',
  other: 'x-risu-asset',
};

/** The RisuAI folder of a media class inside an archive. */
const folderOf = (mime: string | undefined): string => {
  const [top] = (mime ?? '').split('/');
  return top === 'image' || top === 'audio' || top === 'video' ? top : 'other';
};

/** The rows of a card for these slots, over its `old` ones; the portrait was the one at `main`. New files go to the draft. */
export function writeRows(
  draft: Draft,
  slots: Slot[],
  old: readonly unknown[],
  main: number,
  style: MediaStyle,
): unknown[] {
  const shelf = openShelf(draft);
  const rows = list(rowCodec(draft, shelf, old, main, style)).write(slots, old) as unknown[];
  shelf.close(orphans(old, rows));
  return rows;
}

const EMPTY_ROW: Wire = {};

/** Rows of `assets` against slots; the portrait is the row at `main`. */
function rowCodec(draft: Draft, shelf: Shelf, old: readonly unknown[], main: number, style: MediaStyle): Codec<Slot> {
  const mainRow = old[main];
  let room = MAX_INLINE_BYTES;
  let nameless = 0;
  const known = new Set(old.flatMap((row) => (isRecord(row) && typeof row.uri === 'string' ? [row.uri] : [])));
  const typeOf = (role: MediaAsset['role']) => style.types?.[role] ?? TYPE_OF[role];
  return {
    shape: 'asset row',
    lossy: true,
    read(row) {
      const asset = decode(row, draft.twin.files);
      return asset && { asset, portrait: row === mainRow && main >= 0 };
    },
    write({ asset, portrait }, previous) {
      const uri = uriOf(asset, draft, shelf, known, (size) => {
        if (size > room) return false;
        room -= size;
        return true;
      });
      if (uri === undefined) return undefined;
      const row = isRecord(previous) ? previous : EMPTY_ROW;
      const keepsType = asset.role === 'other' || ROLE_OF[String(row.type).toLowerCase()] === asset.role;
      const type = (keepsType ? row.type : undefined) ?? typeOf(asset.role);
      const mime = (isBytes(asset.ref) ? asset.ref.mime : undefined) ?? asset.mime;
      const ext = extensionOf(mime) ?? (typeof row.ext === 'string' ? row.ext : 'unknown');
      const name = asset.label ?? row.name ?? style.unnamed?.(String(type), ++nameless) ?? 'asset';
      const told = { type, uri, name: portrait ? 'main' : name, ext };
      if (row === EMPTY_ROW) return told;
      const next = openDraft(row);
      for (const [key, value] of Object.entries(told)) next.set([key], value);
      return next.wire;
    },
  };
}

/** The uri of a new or changed asset; undefined where this carrier has no way to hold it. */
function uriOf(
  asset: MediaAsset,
  draft: Draft,
  shelf: Shelf,
  known: ReadonlySet<string>,
  fits: (size: number) => boolean,
): unknown {
  const bytes = asBytes(asset.ref);
  if (!bytes) {
    const { ref } = asset;
    return typeof ref === 'string' && (/^(https?:|data:|ccdefault:)/i.test(ref) || known.has(ref)) ? ref : undefined;
  }
  if (draft.twin.carrier !== 'charx') return fits(bytes.size) ? bytes : undefined;
  return `embeded://${shelf.add(asset, bytes)}`;
}

/** The members of an archive while assets are added to it. */
interface Shelf {
  /** Puts bytes under a free, safe name and returns it; the very bytes of a member keep that member. */
  add(asset: MediaAsset, bytes: Bytes): string;
  /** Writes the new members to the draft, if there are any, without those that nothing points at any more. */
  close(orphans: ReadonlySet<string>): void;
}

function openShelf(draft: Draft): Shelf {
  const old = isRecord(draft.wire.files) ? draft.wire.files : {};
  // Of two members with the same bytes the first counts: the main picture stands before an expression that shows it.
  const placed = new Map<unknown, string>(
    Object.entries(old)
      .reverse()
      .map(([path, held]) => [held, path]),
  );
  const taken = new Map<string, Set<string>>();
  const added: (readonly [string, Bytes])[] = [];
  const namesIn = (folder: string): Set<string> => {
    let names = taken.get(folder);
    if (!names) {
      names = new Set(
        Object.keys(old).flatMap((path) => (path.startsWith(folder) ? [path.slice(folder.length).toLowerCase()] : [])),
      );
      taken.set(folder, names);
    }
    return names;
  };
  return {
    add(asset, bytes) {
      const known = placed.get(bytes);
      if (known !== undefined) return known;
      const mime = bytes.mime ?? asset.mime;
      const type = TYPE_OF[asset.role];
      const folder = `assets/${ARCHIVE_FOLDERS.has(type) ? type : 'other'}/${folderOf(mime)}/`;
      const path = folder + safeMemberName(asset.label ?? asset.role, extensionOf(mime) ?? 'bin', namesIn(folder));
      placed.set(bytes, path);
      added.push([path, bytes]);
      return path;
    },
    close(orphans) {
      if (added.length === 0 && !Object.keys(old).some((path) => orphans.has(path))) return;
      const next: Record<string, unknown> = {};
      for (const path of Object.keys(old)) if (!orphans.has(path)) define(next, path, old[path]);
      for (const [path, bytes] of added) define(next, path, bytes);
      draft.set(['files'], next);
    },
  };
}

/** Members of the archive that a row of the twin pointed at and no row points at now. */
function orphans(old: readonly unknown[], rows: readonly unknown[]): Set<string> {
  if (old.length === 0) return new Set();
  const members = (list: readonly unknown[]) =>
    list.flatMap((row) =>
      isRecord(row) && typeof row.uri === 'string' && EMBEDDED.test(row.uri) ? [row.uri.replace(EMBEDDED, '')] : [],
    );
  const kept = new Set(members(rows));
  return new Set(members(old).filter((path) => !kept.has(path)));
}

const ARCHIVE_FOLDERS: ReadonlySet<string> = new Set(['icon', 'background', 'emotion', 'user_icon']);
