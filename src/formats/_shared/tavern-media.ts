import type { Claim } from '../../core/account.ts';
import { asBytes, isBytes } from '../../core/bytes.ts';
import { type Draft, isRecord, keysOf, same, valueAt, type Wire } from '../../core/draft.ts';
import type { Lens } from '../../core/lens.ts';
import { table } from '../../core/table.ts';
import { character } from '../../entities/character/lenses.ts';
import type { CharacterBody, MediaAsset, MediaRef } from '../../entities/character/schema.ts';
import type { AssetMaps } from './asset-maps.ts';
import { sealing } from './card-carriers.ts';
import { isPlaceholder } from './placeholder.ts';
import { isPng } from './png.ts';

/**
 * Media that is written into a JSON or PNG card as `data:` text, all together. What does not fit is dropped by name;
 * an archive has no such bound.
 */
export const MAX_INLINE_BYTES = 16 * 1024 * 1024;

/** V3 asset types and the roles they have; anything else is `other` and keeps its type in the twin. */
export const ROLE_OF = table<MediaAsset['role']>({
  icon: 'portrait',
  emotion: 'emotion',
  expression: 'emotion',
  outfit: 'outfit',
  pose: 'pose',
  background: 'background',
});
const MIME_OF = table<string>({
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  heic: 'image/heic',
  svg: 'image/svg+xml',
  mp4: 'video/mp4',
  webm: 'video/webm',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  wav: 'audio/wav',
});
const EXT_OF = new Map(
  Object.entries(MIME_OF)
    .reverse()
    .map(([ext, mime]) => [mime, ext]),
);

/** File extension of a media type that cards know. */
export const extensionOf = (mime: string | undefined): string | undefined => EXT_OF.get(mime ?? '');

export const EMBEDDED = /^(?:embeded:\/\/|embedded:\/\/)/i;
const ASSET_KEY = /^(?:__asset:|asset:|pngchunk:)/i;

/** The bytes behind a uri, where the file has them; else the text itself. */
function resolve(uri: unknown, files: unknown): MediaRef | undefined {
  const inline = asBytes(uri);
  if (inline) return inline;
  if (typeof uri !== 'string' || uri === '') return undefined;
  const names = EMBEDDED.test(uri)
    ? [uri.replace(EMBEDDED, '')]
    : ASSET_KEY.test(uri)
      ? [uri.replace(ASSET_KEY, '')]
      : [];
  for (const name of names) {
    const held = valueAt(files, [name]) ?? valueAt(files, [name.replaceAll('\\', '/').replace(/^\.\//, '')]);
    if (isBytes(held)) return held;
  }
  return uri;
}

/** One row as the model sees it. `portrait` marks the row that is the main picture. */
export interface Slot {
  readonly asset: MediaAsset;
  readonly portrait: boolean;
}

const isIcon = (row: Wire): boolean => row.type === 'icon';
const isMain = (row: Wire): boolean => isIcon(row) && typeof row.name === 'string' && row.name.toLowerCase() === 'main';
/** An icon with `ccdefault:` is the picture of the carrier, not a second one. */
const isCarrierIcon = (row: Wire): boolean => isIcon(row) && row.uri === 'ccdefault:';

export function decode(row: unknown, files: unknown): MediaAsset | undefined {
  if (!isRecord(row) || typeof row.type !== 'string' || isCarrierIcon(row)) return undefined;
  const ref = resolve(row.uri, files);
  if (ref === undefined || (isBytes(ref) && isPlaceholder(ref))) return undefined;
  const asset: MediaAsset = { role: ROLE_OF[row.type.toLowerCase()] ?? 'other', ref };
  if (typeof row.name === 'string' && row.name !== '') asset.label = row.name;
  const mime = (isBytes(ref) ? ref.mime : undefined) ?? MIME_OF[String(row.ext).toLowerCase()];
  if (mime !== undefined && mime !== 'application/octet-stream') asset.mime = mime;
  return asset;
}

/**
 * Which row is the portrait: the icon named main, else the first icon; a picture around the card, or one that the app
 * keeps beside it, beats mere text.
 */
function portraitRow(rows: readonly unknown[], wire: Wire, beside: MediaHome | undefined): number {
  const icons = rows.flatMap((row, index) => (isRecord(row) && isIcon(row) ? [[row, index] as const] : []));
  const main = icons.find(([row]) => isMain(row)) ?? icons[0];
  if (!main || isCarrierIcon(main[0])) return -1;
  const asset = decode(main[0], wire.files);
  if (!asset) return -1;
  const shown = isBytes(asset.ref) || !(isBytes(wire.picture) || isBytes(beside?.read(wire, false).portrait?.ref));
  return shown ? main[1] : -1;
}

/** Whether no row of a card is an icon, so that its first picture stands in for one. */
const lacksIcon = (rows: readonly unknown[]): boolean => !rows.some((row) => isRecord(row) && isIcon(row));
const isPicture = ({ ref, mime }: MediaAsset): boolean =>
  ((isBytes(ref) ? ref.mime : undefined) ?? mime)?.startsWith('image/') ?? false;
const firstPicture = (assets: readonly MediaAsset[]): MediaAsset | undefined => assets.find(isPicture);
/** A picture as the portrait that it stands in for; it stays among the assets as what it is. */
const asPortrait = ({ ref, mime }: MediaAsset): MediaAsset => ({
  role: 'portrait',
  ref,
  ...(mime === undefined ? {} : { mime }),
});

/** Assets that an app keeps in the file beside the rows of the card. */
export interface MediaHome {
  /** Wire homes, for docs and laws. */
  readonly wire: readonly string[];
  /** The assets there in order, and the portrait where no row `inRow` is one: its picture is an asset then. */
  read(
    wire: Wire,
    inRow: boolean,
  ): { readonly portrait?: MediaAsset | undefined; readonly assets: readonly MediaAsset[] };
  /**
   * Puts there what belongs there, members of the archive too, and returns what is left for the rows. `portrait` is
   * given only where it changed and no row of the twin holds it (`inRow`); it comes back unless it is kept there.
   */
  write(
    draft: Draft,
    now: { readonly portrait?: MediaAsset | undefined; readonly assets: readonly MediaAsset[] },
    moved: boolean,
    inRow: boolean,
  ): { readonly portrait?: MediaAsset | undefined; readonly assets: readonly MediaAsset[] };
  claims(wire: Wire): readonly Claim[];
}

/** Words of an app's own in rows that it writes. */
export interface MediaStyle {
  /** A place of the app's own beside the rows. */
  readonly home?: MediaHome;
  /** Row types, where they are not those of the V3 specification. */
  readonly types?: Partial<Readonly<Record<MediaAsset['role'], string>>>;
  /** The name of the nth asset that has none; absent: `asset`. */
  unnamed?(type: string, n: number): string;
  /** Maps from the label of an expression to its address, below `data`. */
  maps?(data: string): AssetMaps;
}

/**
 * The portrait and the assets of a card over the opened file: rows of `assets` when `withRows`, the picture around
 * the card, members of the archive. A new file goes where the carrier has room for it.
 */
export function mediaFields(data: string, withRows: boolean, style: MediaStyle = {}): Lens<CharacterBody>[] {
  const home = keysOf(`${data}.assets`);
  const rowsOf = (wire: Wire): readonly unknown[] => {
    const raw = withRows ? valueAt(wire, home) : undefined;
    return Array.isArray(raw) ? raw : [];
  };
  const maps = style.maps?.(data);
  const pictureOf = (wire: Wire): MediaAsset | undefined =>
    isBytes(wire.picture)
      ? { role: 'portrait', ref: wire.picture, ...(wire.picture.mime ? { mime: wire.picture.mime } : {}) }
      : undefined;

  /** Neither a row, nor the file around the card, nor the app's own place says which picture is the portrait. */
  const loneIn = (wire: Wire, main: number): boolean =>
    main < 0 && !pictureOf(wire) && !style.home?.read(wire, false).portrait;

  const lens = character.joint(['media.portrait', 'media.assets'], {
    wire: [
      ...(withRows ? [`${data}.assets`, 'picture', 'files'] : ['picture']),
      ...(maps?.wire ?? []),
      ...(style.home?.wire ?? []),
    ],
    shape: `${withRows ? 'asset rows, ' : ''}${maps ? 'addresses by expression, ' : ''}the picture around the card`,
    lossy: true,
    note: withRows
      ? 'pictures without bytes here, or past the bound of inlined media, have no place'
      : 'one picture, where the file is a picture',
    read(wire) {
      const rows = rowsOf(wire);
      const main = portraitRow(rows, wire, style.home);
      const assets = rows.flatMap((row, index) => (index === main ? [] : (decode(row, wire.files) ?? [])));
      const beside = style.home?.read(wire, main >= 0);
      const lent = lacksIcon(rows) ? firstPicture(assets) : undefined;
      const shown = beside?.portrait ?? pictureOf(wire) ?? (lent && asPortrait(lent));
      return {
        'media.portrait': main < 0 ? shown : decode(rows[main], wire.files),
        'media.assets': [...(maps?.read(wire) ?? []), ...(beside?.assets ?? []), ...assets],
      };
    },
    write(draft, { 'media.portrait': portrait, 'media.assets': assets = [] }, before) {
      const old = rowsOf(draft.twin);
      const main = portraitRow(old, draft.twin, style.home);
      const moved = !same(portrait?.ref, before['media.portrait']?.ref);
      const around = takesPicture(draft, portrait);
      if (moved && around) draft.set(['picture'], portrait?.ref);
      else if (moved && isBytes(draft.twin.picture) && !portrait) draft.delete(['picture']);
      const unmapped = maps?.put(draft, assets, old.length === 0) ?? assets;
      const loose = moved && !around && main < 0;
      const left = style.home?.write(draft, { assets: unmapped, ...(loose ? { portrait } : {}) }, loose, main >= 0);
      const rest = left?.assets ?? unmapped;
      if (!withRows) return;
      const shown = left && loose ? left.portrait : portrait;
      // A portrait that the first picture lends needs a row of its own where another picture is the first one now.
      const lent = before['media.portrait'] && loneIn(draft.twin, main) && !same(firstPicture(rest)?.ref, shown?.ref);
      const inRow = shown !== undefined && (moved ? !around : main >= 0 || lent === true);
      const values: Slot[] = rest.map((asset) => ({ asset, portrait: false }));
      const place = main < 0 ? 0 : old.slice(0, main).filter((row) => decode(row, draft.twin.files)).length;
      if (inRow) values.splice(place, 0, { asset: shown, portrait: true });
      const rows = sealing.loaded().writeRows(draft, values, old, main, style);
      if (rows.length !== old.length || rows.some((row, index) => row !== old[index])) draft.set(home, rows);
    },
    claims: (wire) => [
      { keys: ['carrier'] },
      { keys: ['picture'] },
      { keys: ['files'] },
      ...(maps?.claims(wire) ?? []),
      ...(style.home?.claims(wire) ?? []),
      ...(withRows ? [{ keys: home, inside: accountRows(wire, loneIn(wire, -1)) }] : []),
    ],
  });
  return [lens as Lens<CharacterBody>];
}

/** A PNG goes around the card where the file is to be a PNG; other carriers keep only the picture they came with. */
function takesPicture(draft: Draft, portrait: MediaAsset | undefined): boolean {
  return (
    draft.twin.carrier === 'png' && isBytes(portrait?.ref) && isPng(portrait.ref.segments()[0] ?? new Uint8Array())
  );
}

/** Characters of an address that a message shows. */
const MAX_SHOWN_REF = 120;

/** Rows that no asset was read from, a picture that stands in for an icon, and pictures whose bytes are nowhere in the file. */
const accountRows =
  (wire: Wire, isLone: boolean) =>
  (
    raw: unknown,
    path: string,
    out: { unread(path: string, value: unknown): void; repaired(path: string, what: string): void },
  ): void => {
    if (!Array.isArray(raw)) return raw === null ? undefined : out.unread(path, raw);
    const assets = raw.map((row) => decode(row, wire.files));
    const lent = lacksIcon(raw) && isLone ? assets.findIndex((asset) => asset && isPicture(asset)) : -1;
    if (lent >= 0) out.repaired(`${path}[${lent}]`, 'no icon: the first picture is the portrait');
    raw.forEach((row, index) => {
      const asset = assets[index];
      if (!asset && !(isRecord(row) && isCarrierIcon(row))) out.unread(`${path}[${index}]`, row);
      if (asset && typeof asset.ref === 'string' && (EMBEDDED.test(asset.ref) || ASSET_KEY.test(asset.ref))) {
        out.repaired(
          `${path}[${index}].uri`,
          `points at ${asset.ref.slice(0, MAX_SHOWN_REF)}, which is not in the file`,
        );
      }
    });
  };
