import { asBytes, type Bytes } from '../../core/bytes.ts';
import { type Codec, list } from '../../core/codec.ts';
import { type Draft, isRecord, same, valueAt, type Wire } from '../../core/draft.ts';
import type { Lens } from '../../core/lens.ts';
import { character } from '../../entities/character/lenses.ts';
import type { CharacterBody, MediaAsset, MediaRef } from '../../entities/character/schema.ts';
import { mimeOfName, safeMemberName } from '../_shared/zip.ts';
import {
  dropFile,
  editPrimary,
  fileAt,
  folderOf,
  listOf,
  primaryOf,
  scenariosOf,
  takenNames,
  textIn,
} from './byaf-archive.ts';

const IMAGES = ['card', 'character', 'images'];

/** The five picture types that the format allows, by their first bytes. */
function extensionOf(bytes: Bytes): string | undefined {
  const head = bytes.segments()[0] ?? new Uint8Array();
  const word = (from: number, to: number) => String.fromCharCode(...head.subarray(from, to));
  if (word(1, 4) === 'PNG') return 'png';
  if (head[0] === 0xff && head[1] === 0xd8) return 'jpg';
  if (word(0, 4) === 'RIFF' && word(8, 12) === 'WEBP') return 'webp';
  return word(0, 4) === 'GIF8' ? 'gif' : undefined;
}

const rowsOf = (wire: Wire): readonly unknown[] => listOf(valueAt(wire, IMAGES));
const pathOf = (row: unknown, wire: Wire): string | undefined => {
  const path = textIn(row, 'path');
  return path === undefined ? undefined : folderOf(wire) + path;
};
const isAvatar = (row: unknown): boolean => textIn(row, 'label')?.toLowerCase() === 'avatar';

/** A row whose file is there. */
function decode(row: unknown, wire: Wire): MediaAsset | undefined {
  const path = pathOf(row, wire);
  const ref = fileAt(wire, path);
  if (!ref || path === undefined) return undefined;
  const label = textIn(row, 'label') ?? '';
  const mime = ref.mime ?? mimeOfName(path);
  return { role: 'other', ref, ...(label === '' ? {} : { label }), ...(mime === undefined ? {} : { mime }) };
}

/** The row of the portrait: labelled avatar, else the first one. */
function portraitRow(rows: readonly unknown[], wire: Wire): unknown {
  const there = rows.filter((row) => decode(row, wire));
  return there.find(isAvatar) ?? there[0];
}

/** One row as the model sees it. */
interface Slot {
  readonly asset: MediaAsset;
  readonly portrait: boolean;
  /** A row that has to be written anew although it shows the same picture. */
  readonly stale?: true;
}

/** Pictures of the character: rows with a label, and files below `images/`. */
export const pictureLens = character.joint(['media.portrait', 'media.assets'], {
  wire: ['card.character.images', 'card.files'],
  shape: 'picture files with a label',
  lossy: true,
  note: 'PNG, JPEG, WebP and GIF in the file itself; roles have no place',
  read(wire) {
    const rows = rowsOf(wire);
    const main = portraitRow(rows, wire);
    const portrait = decode(main, wire);
    return {
      'media.portrait': portrait && { ...portrait, role: 'portrait' },
      'media.assets': rows.flatMap((row) => (row === main ? [] : (decode(row, wire) ?? []))),
    };
  },
  write(draft, { 'media.portrait': portrait, 'media.assets': assets = [] }) {
    const old = rowsOf(draft.twin);
    const main = portraitRow(old, draft.twin);
    const slots: Slot[] = assets.map((asset) => ({ asset, portrait: false }));
    const readable = old.filter((row) => decode(row, draft.twin));
    const rival = assets.some(({ label }) => label?.toLowerCase() === 'avatar');
    const place = isAvatar(main) && !rival ? Math.max(readable.indexOf(main), 0) : 0;
    if (portrait) slots.splice(place, 0, { asset: portrait, portrait: true });
    const rows = list(rowCodec(draft, main, rival)).write(slots, old) as readonly unknown[];
    if (rows.length === old.length && rows.every((row, index) => row === old[index])) return;
    draft.set(IMAGES, rows);
    for (const row of readable) dropFile(draft, pathOf(row, draft.twin));
  },
  claims: () => [],
}) as Lens<CharacterBody>;

/** A row against a slot. A new portrait is labelled avatar, one that takes the place of another keeps its label. */
function rowCodec(draft: Draft, main: unknown, rival: boolean): Codec<Slot> {
  const folder = folderOf(draft.wire);
  const taken = new Set(
    [...takenNames(draft.wire)].flatMap((name) => inFolder(name, `${folder}images/`.toLowerCase())),
  );
  return {
    shape: 'picture row',
    lossy: true,
    read(row) {
      const asset = decode(row, draft.twin);
      if (!asset) return undefined;
      if (row !== main) return { asset, portrait: false };
      const stale = rival && !isAvatar(row) ? { stale: true as const } : {};
      return { asset: { ...asset, role: 'portrait' }, portrait: true, ...stale };
    },
    write({ asset, portrait }, previous) {
      const label = portrait ? (textIn(previous, 'label') ?? 'avatar') : (asset.label ?? '');
      const path = shelve(draft, asset.ref, `${folder}images/`, asset.label ?? asset.role, taken);
      if (path === undefined) return undefined;
      return {
        ...(isRecord(previous) ? previous : {}),
        path: path.slice(folder.length),
        label: portrait && rival ? 'avatar' : label,
      };
    },
  };
}

const inFolder = (name: string, folder: string): string[] =>
  name.startsWith(folder) ? [name.slice(folder.length)] : [];

/** Puts a picture under a free name of `folder` and returns its path; one that is in there already keeps its path. */
function shelve(draft: Draft, ref: MediaRef, folder: string, label: string, taken: Set<string>): string | undefined {
  const bytes = asBytes(ref);
  const extension = bytes && extensionOf(bytes);
  if (!bytes || extension === undefined) return undefined;
  const files = valueAt(draft.wire, ['card', 'files']);
  const known = Object.entries(isRecord(files) ? files : {}).find(
    ([path, held]) => held === bytes && path.startsWith(folder),
  );
  if (known) return known[0];
  const path = folder + safeMemberName(label, extension, taken);
  draft.set(['card', 'files', path], bytes);
  return path;
}

const backgroundPath = (wire: Wire): string | undefined => textIn(primaryOf(wire), 'backgroundImage');

/** The picture behind the primary scenario: a path from the root of the archive. The old file goes with the edit of the scenario. */
export const backgroundLens = character.joint(['presentation.background'], {
  wire: ['card.scenarios.0.value.backgroundImage', 'card.files'],
  shape: 'picture file',
  lossy: true,
  note: 'PNG, JPEG, WebP and GIF in the file itself',
  read(wire) {
    const ref = fileAt(wire, backgroundPath(wire));
    return { 'presentation.background': ref && { ref } };
  },
  write(draft, { 'presentation.background': now }, { 'presentation.background': before }) {
    if (now && before && same(now.ref, before.ref)) return;
    const stem =
      scenariosOf(draft.wire)[0]
        ?.path.replace(/^.*\//, '')
        .replace(/\.json$/i, '') ?? 'scenario1';
    const taken = new Set([...takenNames(draft.wire)].flatMap((name) => inFolder(name, 'scenarios/')));
    const path = now && shelve(draft, now.ref, 'scenarios/', `${stem}-background`, taken);
    if (now && path === undefined) return;
    editPrimary(draft, ({ backgroundImage: _, ...rest }) =>
      path === undefined ? rest : { ...rest, backgroundImage: path },
    );
  },
  claims: () => [],
}) as Lens<CharacterBody>;
