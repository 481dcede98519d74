/** The archive: a card, pictures in two folders, and the app's own modules beside the card. */
import { asBytes, type Bytes, isBytes } from '../../core/bytes.ts';
import { type Draft, define, isRecord, type Keys, valueAt, type Wire } from '../../core/draft.ts';
import { hidden } from '../../core/hidden.ts';
import type { MediaRef } from '../../entities/character/schema.ts';
import type { CharxPart } from '../_shared/charx.ts';
import { extensionOf } from '../_shared/tavern-media.ts';
import { safeMemberName } from '../_shared/zip.ts';

/** The member that makes an archive Lumiverse's, parsed under `modules` of the opened file. */
export const MODULES: CharxPart = { member: 'lumiverse_modules.json', key: 'modules', base: { version: 1 } };

export const ICONS = 'assets/icon/image/';
export const OTHERS = 'assets/other/image/';

/** The bytes of a member, or the path itself where it leads nowhere. */
export function memberAt(wire: Wire, path: unknown): MediaRef | undefined {
  if (typeof path !== 'string' || path === '') return undefined;
  const held = valueAt(wire.files, [path]);
  return isBytes(held) ? held : path;
}

/** A member of an archive, before it has a name. */
export interface NewMember {
  readonly folder: string;
  readonly label: string;
  readonly bytes: Bytes;
  readonly mime?: string | undefined;
  /** A member that it stands in for; it goes where this one stood, unless something else points there too. */
  readonly instead?: string | undefined;
}

/** Members by their bytes, and the names taken in a folder, kept up while members are added to a draft. */
interface Index {
  readonly byBytes: Map<unknown, string>;
  readonly taken: Map<string, Set<string>>;
}
const indexes = hidden<Index | undefined>('members of an archive');

function indexOf(draft: Draft, folder: string): { readonly index: Index; readonly taken: Set<string> } {
  const files = isRecord(draft.wire.files) ? draft.wire.files : {};
  let index = indexes.of(draft);
  if (!index) {
    index = { byBytes: new Map(Object.entries(files).map(([path, bytes]) => [bytes, path])), taken: new Map() };
    indexes.keep(draft, index);
  }
  let taken = index.taken.get(folder);
  if (!taken) {
    const inFolder = Object.keys(files).filter((path) => path.startsWith(folder));
    taken = new Set(inFolder.map((path) => path.slice(folder.length).toLowerCase()));
    index.taken.set(folder, taken);
  }
  return { index, taken };
}

/** Puts bytes under a free name of a folder and returns the path; the very bytes of a member keep that member. */
export function addMember(draft: Draft, { folder, label, bytes, mime, instead }: NewMember): string {
  const { index, taken } = indexOf(draft, folder);
  const known = index.byBytes.get(bytes);
  if (known?.startsWith(folder)) return known;
  const old = instead !== undefined && (pointersIn(draft.twin).get(instead) ?? 0) < 2 ? instead : undefined;
  if (old?.startsWith(folder)) taken.delete(old.slice(folder.length).toLowerCase());
  const path = folder + safeMemberName(label, extensionOf(bytes.mime ?? mime) ?? 'png', taken);
  if (old === undefined) draft.set(['files', path], bytes);
  else replaceMember(draft, old, path, bytes);
  index.byBytes.set(bytes, path);
  return path;
}

/** The archive with one member in the place of another. */
function replaceMember(draft: Draft, old: string, path: string, bytes: Bytes): void {
  const files = isRecord(draft.wire.files) ? draft.wire.files : {};
  const next: Record<string, unknown> = {};
  for (const name of Object.keys(files)) define(next, name === old ? path : name, name === old ? bytes : files[name]);
  define(next, path, bytes);
  draft.set(['files'], next);
}

/** Takes members away that nothing in the written file points at. */
export function dropMembers(draft: Draft, paths: readonly string[]): void {
  const kept = pointedAt(draft.wire);
  const gone = new Set(paths.filter((path) => !kept.has(path)));
  if (gone.size === 0 || !isRecord(draft.wire.files)) return;
  draft.set(['files'], Object.fromEntries(Object.entries(draft.wire.files).filter(([path]) => !gone.has(path))));
  indexes.keep(draft, undefined);
}

/** The values of a map, or of the maps in a map. */
const valuesAt = (wire: Wire, keys: Keys): unknown[] => {
  const held = valueAt(wire, keys);
  return isRecord(held) ? Object.values(held) : [];
};
const pathsOf = (rows: unknown): unknown[] =>
  Array.isArray(rows) ? rows.map((row) => (isRecord(row) ? row.path : undefined)) : [];

/** How often the modules and the rows of the card point at each member. */
function pointersIn(wire: Wire): Map<string, number> {
  const rows = valueAt(wire.card, ['data', 'assets']);
  const uris = Array.isArray(rows)
    ? rows.map((row) => (isRecord(row) ? String(row.uri).replace(/^embedd?ed:\/\//i, '') : undefined))
    : [];
  const groups = valuesAt(wire, ['modules', 'expression_groups', 'groups']);
  const found = [
    ...valuesAt(wire, ['modules', 'expressions', 'mappings']),
    ...groups.flatMap((map) => (isRecord(map) ? Object.values(map) : [])),
    ...pathsOf(valueAt(wire, ['modules', 'alternate_avatars'])),
    ...pathsOf(valueAt(wire, ['modules', 'landing_perspective_layers'])),
    ...pathsOf(valueAt(wire.card, ['data', 'extensions', 'alternate_avatars'])),
    ...uris,
  ];
  const counts = new Map<string, number>();
  for (const path of found) if (typeof path === 'string') counts.set(path, (counts.get(path) ?? 0) + 1);
  return counts;
}

/** Members that the modules or the rows of the card point at. */
export const pointedAt = (wire: Wire): Set<string> => new Set(pointersIn(wire).keys());

/** The bytes of a picture that can go into an archive. */
export const bytesFor = (ref: MediaRef | undefined): Bytes | undefined =>
  ref === undefined ? undefined : asBytes(ref);
