/** The archive: a card, pictures in two folders, and the app's own modules beside the card. */
import { asBytes, type Bytes, isBytes } from '../../core/bytes.ts';
import { type Draft, define, isRecord, type Keys, valueAt, type Wire } from '../../core/draft.ts';
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
}

/** Puts bytes under a free name of a folder and returns the path; the very bytes of a member keep that member. */
export function addMember(draft: Draft, { folder, label, bytes, mime }: NewMember): string {
  const files = isRecord(draft.wire.files) ? draft.wire.files : {};
  const known = Object.keys(files).find((path) => files[path] === bytes && path.startsWith(folder));
  if (known !== undefined) return known;
  const inFolder = Object.keys(files).filter((path) => path.startsWith(folder));
  const taken = new Set(inFolder.map((path) => path.slice(folder.length).toLowerCase()));
  const path = folder + safeMemberName(label, extensionOf(bytes.mime ?? mime) ?? 'png', taken);
  const next = { ...files };
  define(next, path, bytes);
  draft.set(['files'], next);
  return path;
}

/** Takes members away that nothing in the written file points at. */
export function dropMembers(draft: Draft, paths: readonly string[]): void {
  const kept = pointedAt(draft.wire);
  const gone = new Set(paths.filter((path) => !kept.has(path)));
  if (gone.size === 0 || !isRecord(draft.wire.files)) return;
  draft.set(['files'], Object.fromEntries(Object.entries(draft.wire.files).filter(([path]) => !gone.has(path))));
}

/** The values of a map, or of the maps in a map. */
const valuesAt = (wire: Wire, keys: Keys): unknown[] => {
  const held = valueAt(wire, keys);
  return isRecord(held) ? Object.values(held) : [];
};
const pathsOf = (rows: unknown): unknown[] =>
  Array.isArray(rows) ? rows.map((row) => (isRecord(row) ? row.path : undefined)) : [];

/** Members that the modules or the rows of the card point at. */
export function pointedAt(wire: Wire): Set<string> {
  const rows = valueAt(wire.card, ['data', 'assets']);
  const uris = Array.isArray(rows)
    ? rows.map((row) => (isRecord(row) ? String(row.uri).replace(/^embedd?ed:\/\//i, '') : undefined))
    : [];
  const found = [
    ...valuesAt(wire, ['modules', 'expressions', 'mappings']),
    ...valuesAt(wire, ['modules', 'expression_groups', 'groups']).flatMap((map) =>
      isRecord(map) ? Object.values(map) : [],
    ),
    ...pathsOf(valueAt(wire, ['modules', 'alternate_avatars'])),
    ...pathsOf(valueAt(wire, ['modules', 'landing_perspective_layers'])),
    ...uris,
  ];
  return new Set(found.filter((path) => typeof path === 'string'));
}

/** The bytes of a picture that can go into an archive. */
export const bytesFor = (ref: MediaRef | undefined): Bytes | undefined =>
  ref === undefined ? undefined : asBytes(ref);
