import { type Bytes, bytesOf } from '../../core/bytes.ts';
import type { Warning } from '../../core/errors.ts';
import { sourceOf } from '../../core/source.ts';
import { isChecked, type Png, pngOf } from './png.ts';
import { chunkBytes } from './png-write.ts';

const MENDED: Warning = {
  code: 'png.mended',
  path: 'media.portrait',
  message: 'the picture is cut off or damaged: it got right checksums and an end, so that apps open the card in it',
};

/**
 * A picture as a fresh card can be put into it: every checksum right, and an IEND. SillyTavern refuses the whole file
 * over either. All else stays; what followed the damage stands behind the end. A sound picture is the very same one,
 * and so is one that is no PNG.
 */
export function mended(picture: Bytes): { readonly picture: Bytes; readonly warnings: readonly Warning[] } {
  const png = pngOf(sourceOf(picture.bytes()));
  if (!png) return { picture, warnings: [] };
  const wrong = png.chunks.filter((chunk) => !isChecked(png, chunk));
  const ended = png.chunks.at(-1)?.type === 'IEND';
  if (ended && wrong.length === 0) return { picture, warnings: [] };
  return { picture: bytesOf(mend(png, wrong, ended), 'image/png'), warnings: [MENDED] };
}

function mend({ bytes, tail }: Png, wrong: Png['chunks'], ended: boolean): Uint8Array {
  const end = ended ? new Uint8Array() : chunkBytes('IEND', new Uint8Array());
  const cut = bytes.length - (tail?.length ?? 0);
  const whole = new Uint8Array(bytes.length + end.length);
  whole.set(bytes.subarray(0, cut));
  for (const { type, start, length } of wrong)
    whole.set(chunkBytes(type, bytes.subarray(start + 8, start + 8 + length)), start);
  whole.set(end, cut);
  if (tail) whole.set(tail, cut + end.length);
  return whole;
}
