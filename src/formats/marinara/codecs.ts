import { type Codec, epochSeconds, flag, isoSeconds } from '../../core/codec.ts';

/** True or false. Some columns of the app's database are text, so `"true"` and `"false"` are ordinary, and stay text. */
export function columnFlag(): Codec<boolean> {
  const { read, write } = flag();
  return { shape: 'flag, as text too', read, write };
}

const HEX = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;

/** One colour. The app takes any CSS, so gradients and names stay in escrow, and only a hex colour is written. */
export const hexColor = (): Codec<string> => ({
  shape: 'hex colour',
  lossy: true,
  read: (raw) => (typeof raw === 'string' && HEX.test(raw) ? raw : undefined),
  write: (value) => (HEX.test(value) ? value : undefined),
});

/** Seconds since 1970, as ISO 8601 text; numbers are read too and stay numbers. */
export const isoTime = (): Codec<number> => ({
  shape: 'ISO 8601 time',
  lossy: true,
  read: epochSeconds().read,
  write: (value, previous) =>
    typeof previous === 'number' ? epochSeconds().write(value, previous) : isoSeconds().write(value, previous),
});

/** An empty text says the same as none; for slots that a file of this app always has. */
export const spokenText = (): Codec<string> => ({
  shape: 'text',
  read: (raw) => (typeof raw === 'string' && raw !== '' ? raw : undefined),
  write: (value) => value,
  blank: '',
});
