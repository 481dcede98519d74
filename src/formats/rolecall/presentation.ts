import { asBytes, isBytes } from '../../core/bytes.ts';
import { type Codec, number, text } from '../../core/codec.ts';
import { isRecord, same, saysNothing, type Wire } from '../../core/draft.ts';
import { at, lensesFor } from '../../core/lenses.ts';
import { record } from '../../core/record.ts';
import type { CharacterBody, MediaRef } from '../../entities/character/schema.ts';
import { MAX_INLINE_BYTES } from '../_shared/tavern-media.ts';

type Presentation = NonNullable<CharacterBody['presentation']>;
type Swatch = NonNullable<Presentation['palette']>[number];
type Background = NonNullable<Presentation['background']>;

const swatch = lensesFor<Swatch>();
const anySwatch = record<Swatch>(
  [
    swatch.field('label', at('label'), text()),
    swatch.field('name', at('name'), text()),
    swatch.field('hex', at('hex'), text(), { absent: '' }),
  ],
  () => ({ hex: '' }),
);

/** A named colour; a row without a colour stays in escrow. */
export const swatches: Codec<Swatch> = {
  ...anySwatch,
  read(raw) {
    const value = anySwatch.read(raw);
    return saysNothing(value?.hex) ? undefined : value;
  },
};

/** The picture of a background: an address of one's own before an id of RoleCall's shelf. */
function refOf(raw: Wire): MediaRef | undefined {
  for (const ref of [raw.customUrl, raw.backgroundId]) {
    const inline = asBytes(ref);
    if (inline) return inline;
    if (typeof ref === 'string' && ref !== '') return ref;
  }
  return undefined;
}

const KNOWN = new Set(['customUrl', 'backgroundId', 'overlayOpacity', 'videoPlaybackRate']);
const isAddress = (ref: MediaRef): boolean => typeof ref !== 'string' || /^[a-z][a-z0-9+.-]*:|^\//i.test(ref);

/** The default background of a character. Without a picture it says nothing: its settings wait in the twin. */
export const background: Codec<Background> = {
  shape: 'record of customUrl, backgroundId, overlayOpacity, videoPlaybackRate',
  lossy: true,
  read(raw) {
    const ref = isRecord(raw) ? refOf(raw) : undefined;
    if (!isRecord(raw) || ref === undefined) return undefined;
    const overlayOpacity = number().read(raw.overlayOpacity);
    const videoPlaybackRate = number().read(raw.videoPlaybackRate);
    return {
      ref,
      ...(overlayOpacity === undefined ? {} : { overlayOpacity }),
      ...(videoPlaybackRate === undefined ? {} : { videoPlaybackRate }),
    };
  },
  write(value, previous) {
    const old = isRecord(previous) ? previous : {};
    const now: Record<string, unknown> = { ...old };
    if (!same(value.ref, refOf(old))) {
      if (isBytes(value.ref) && value.ref.size > MAX_INLINE_BYTES) return undefined;
      const own = isAddress(value.ref) || (saysNothing(old.backgroundId) && !saysNothing(old.customUrl));
      now.backgroundId = own ? null : value.ref;
      now.customUrl = own ? value.ref : null;
    }
    for (const key of ['overlayOpacity', 'videoPlaybackRate'] as const) {
      if (value[key] === number().read(old[key])) continue;
      if (value[key] === undefined) delete now[key];
      else now[key] = number().write(value[key], old[key]);
    }
    return now;
  },
  account(raw, path, out) {
    if (!isRecord(raw)) return;
    for (const key of Object.keys(raw))
      if (!KNOWN.has(key) && raw[key] !== null) out.unread(`${path}.${key}`, raw[key]);
    if (same(refOf(raw), raw.customUrl) && !saysNothing(raw.backgroundId)) {
      out.unread(`${path}.backgroundId`, raw.backgroundId);
    }
  },
};
