import { type Account, joinPath } from '../../core/account.ts';
import { asBytes, type Bytes, isBytes } from '../../core/bytes.ts';
import { type Codec, list } from '../../core/codec.ts';
import { type Draft, existsAt, isRecord, type Keys, same, saysNothing, valueAt, type Wire } from '../../core/draft.ts';
import type { Lens } from '../../core/lens.ts';
import { character } from '../../entities/character/lenses.ts';
import type { CharacterBody, MediaAsset } from '../../entities/character/schema.ts';
import { MAX_INLINE_BYTES } from '../_shared/tavern-media.ts';

const AVATAR: Keys = ['card', 'avatar'];
const SPRITES: Keys = ['card', 'sprites'];
const GALLERY: Keys = ['card', 'gallery'];

const stem = (filename: unknown): string =>
  typeof filename === 'string' ? filename.replace(/^.*[\\/]/, '').replace(/\.[^.]{1,10}$/, '') : '';

/** The ending of a media type: `jpg`, `png`, `svg`. */
function endingOf(mime: string | undefined): string {
  const ending = /^\w+\/([a-z0-9]+)/i.exec(mime ?? '')?.[1]?.toLowerCase() ?? 'png';
  return ending === 'jpeg' ? 'jpg' : ending;
}

/** A row `{filename, data}`: the label is the file name without its ending. Keys beside the two stay. */
function pictureRow(role: 'emotion' | 'other', fits: (bytes: Bytes) => boolean): Codec<MediaAsset> {
  return {
    shape: '{filename, data}',
    lossy: true,
    read(raw) {
      const ref = isRecord(raw) ? asBytes(raw.data) : undefined;
      if (!isRecord(raw) || !ref) return undefined;
      const label = stem(raw.filename);
      return { role, ...(label === '' ? {} : { label }), ref, ...(ref.mime === undefined ? {} : { mime: ref.mime }) };
    },
    write(asset, previous) {
      const data = asBytes(asset.ref);
      if (!data || !fits(data)) return undefined;
      const row = isRecord(previous) ? previous : {};
      const label = asset.label ?? asset.name ?? asset.role;
      const filename = stem(row.filename) === label ? row.filename : `${label}.${endingOf(data.mime ?? asset.mime)}`;
      return { ...row, filename, data };
    },
    account(raw, path, out) {
      for (const [key, held] of Object.entries(isRecord(raw) ? raw : {})) {
        if (key !== 'filename' && key !== 'data' && !saysNothing(held)) out.unread(joinPath(path, key), held);
      }
    },
  };
}

const any = () => true;
const inside = (raw: unknown, path: string, out: Account) => list(pictureRow('other', any)).account?.(raw, path, out);
const rowsAt = (wire: Wire, keys: Keys): readonly unknown[] => {
  const raw = valueAt(wire, keys);
  return Array.isArray(raw) ? raw : [];
};
const assetsAt = (wire: Wire, keys: Keys, role: 'emotion' | 'other') =>
  list(pictureRow(role, any)).read(rowsAt(wire, keys)) ?? [];

/**
 * Pictures beside the card, as `data:` text: the avatar, the sprites by expression, the gallery. Only later releases
 * of the app write them; every one that reads them keeps them.
 */
export const media = character.joint(['media.portrait', 'media.assets'], {
  wire: ['card.avatar', 'card.sprites', 'card.gallery'],
  shape: 'data: text, and two lists of {filename, data}',
  lossy: true,
  note: 'pictures go inside as their bytes: a sprite for each emotion, the gallery for all others; an address has no place',
  read(wire) {
    const ref = asBytes(valueAt(wire, AVATAR));
    const mime = ref?.mime === undefined ? {} : { mime: ref.mime };
    return {
      'media.portrait': ref && { role: 'portrait', ref, ...mime },
      'media.assets': [...assetsAt(wire, SPRITES, 'emotion'), ...assetsAt(wire, GALLERY, 'other')],
    };
  },
  write(draft, { 'media.portrait': portrait, 'media.assets': assets = [] }, { 'media.portrait': before }) {
    let room = MAX_INLINE_BYTES;
    const fits = ({ size }: Bytes): boolean => {
      if (size > room) return false;
      room -= size;
      return true;
    };
    if (!same(portrait?.ref, before?.ref)) writeAvatar(draft, portrait && asBytes(portrait.ref), fits);
    const emotions = assets.filter(({ role }) => role === 'emotion');
    writeRows(draft, SPRITES, pictureRow('emotion', fits), emotions);
    // A gallery row reads back as `other`, whatever it was: only then is it the row that stands there.
    const others = assets
      .filter(({ role }) => role !== 'emotion')
      .map((asset) => ({ ...asset, role: 'other' as const }));
    writeRows(draft, GALLERY, pictureRow('other', fits), others);
  },
  claims: (wire) => [
    ...(asBytes(valueAt(wire, AVATAR)) ? [{ keys: AVATAR }] : []),
    ...[SPRITES, GALLERY].filter((keys) => Array.isArray(valueAt(wire, keys))).map((keys) => ({ keys, inside })),
  ],
}) as Lens<CharacterBody>;

function writeAvatar(draft: Draft, bytes: Bytes | undefined, fits: (bytes: Bytes) => boolean): void {
  if (bytes && isBytes(bytes)) {
    if (fits(bytes)) draft.set(AVATAR, bytes);
  } else draft.delete(AVATAR);
}

function writeRows(draft: Draft, keys: Keys, row: Codec<MediaAsset>, assets: readonly MediaAsset[]): void {
  const old = rowsAt(draft.twin, keys);
  const next = list(row).write([...assets], old) as unknown[];
  const untouched = next.length === old.length && next.every((held, index) => held === old[index]);
  if (untouched || (next.length === 0 && !existsAt(draft.twin, keys))) return;
  draft.set(keys, next);
}
