import { asBytes, type Bytes, isBytes } from '../../core/bytes.ts';
import { type Codec, dictionary, text } from '../../core/codec.ts';
import { same, valueAt, type Wire } from '../../core/draft.ts';
import { table } from '../../core/table.ts';
import { character } from '../../entities/character/lenses.ts';
import type { MediaAsset, MediaRef, Sprite } from '../../entities/character/schema.ts';
import { isPngPortrait } from '../_shared/card.ts';

const AVATAR = ['card', 'avatar'];
const PICTURE = ['picture'];

const MIME_OF = table<string>({
  png: 'image/png',
  apng: 'image/apng',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
});

/** The media type that a `data:` text says, or that the ending of a path suggests. */
function mimeOf(ref: MediaRef): string | undefined {
  if (isBytes(ref)) return ref.mime;
  const ending = /\.([A-Za-z]{3,4})(?:[?#]|$)/.exec(ref)?.[1];
  return ending === undefined ? undefined : MIME_OF[ending.toLowerCase()];
}

const avatarIn = (wire: Wire): string | Bytes | undefined => {
  const raw = valueAt(wire, AVATAR);
  return asBytes(raw) ?? (typeof raw === 'string' && raw !== '' ? raw : undefined);
};

/** Bytes in the card come first, then the picture around it, then a mere address. */
const portraitIn = (wire: Wire): MediaRef | undefined => {
  const avatar = avatarIn(wire);
  return !isBytes(avatar) && isBytes(wire.picture) ? wire.picture : avatar;
};

/** Bytes and web addresses mean the same everywhere; a path on some server only where it came from. */
const canWrite = (ref: MediaRef): boolean => isBytes(ref) || /^(https?:|data:)/i.test(ref);

/** The face: a `data:` text, a web address or a path on Agnai's server; in a picture file, the picture. */
export const portrait = character.joint(['media.portrait'], {
  wire: ['card.avatar', 'picture'],
  shape: 'data: text or address',
  lossy: true,
  note: 'one picture, as its bytes or a web address',
  read(wire) {
    const ref = portraitIn(wire);
    if (ref === undefined) return {};
    const mime = mimeOf(ref);
    const value: MediaAsset = { role: 'portrait', ref, ...(mime === undefined ? {} : { mime }) };
    return { 'media.portrait': value };
  },
  write(draft, { 'media.portrait': now }, { 'media.portrait': before }) {
    const ref = now && (asBytes(now.ref) ?? now.ref);
    if (same(ref, before?.ref)) return;
    if (ref === undefined) {
      draft.delete(PICTURE);
      draft.delete(AVATAR);
    } else if (draft.twin.carrier === 'png' && isPngPortrait(ref) && !isBytes(avatarIn(draft.twin))) {
      draft.set(PICTURE, ref);
    } else if (canWrite(ref)) draft.set(AVATAR, ref);
  },
  claims(wire) {
    const avatar = avatarIn(wire);
    const read = avatar !== undefined && same(portraitIn(wire), avatar);
    return [{ keys: PICTURE }, ...(read ? [{ keys: AVATAR }] : [])];
  },
});

const flat = dictionary(text());

/** The sprite recipe: parts and four features side by side on the wire. Source: Agnai `common/types/sprite.ts`. */
export const sprite: Codec<Sprite> = {
  ...flat,
  shape: 'parts, gender and colours in one object',
  read(raw) {
    const all = flat.read(raw);
    if (!all) return undefined;
    const { gender, eyeColor, bodyColor, hairColor, ...parts } = all;
    const features = Object.entries({ gender, eyeColor, bodyColor, hairColor }).filter(
      ([, held]) => held !== undefined,
    );
    return { parts, ...Object.fromEntries(features) };
  },
  write({ parts, ...features }, previous) {
    const said = Object.entries({ ...parts, ...features }).filter(([, held]) => held !== undefined);
    return flat.write(Object.fromEntries(said), previous);
  },
};
