/** The part of `inflate.ts` that needs fflate. Only that module imports this one, and only when it must. */
import { deflateSync, Inflate } from 'fflate';
import { joined } from '../../core/bytes.ts';

/** Input is pushed in slices of this size, so one push inflates to about 4 MiB at most (1,032 to 1). */
const SLICE = 4 * 1024;
/** Output that is kept while it is counted. What is larger is counted first and then inflated once more, to its size. */
const KEPT_BYTES = 4 * 1024 * 1024;

/** Deflated at level 6. The same bytes in every runtime. */
export const deflate = (bytes: Uint8Array): Uint8Array => deflateSync(bytes, { level: 6 });

/** Inflates a raw stream; bytes after its end are ignored. Throws what `tooLarge` makes as soon as `limit` is passed. */
export function inflate(bytes: Uint8Array, limit: number, tooLarge: () => Error): Uint8Array {
  if (bytes.length === 0) throw new Error('unexpected end of file');
  let pieces: Uint8Array[] | undefined = [];
  let size = 0;
  run(bytes, (piece) => {
    size += piece.length;
    if (size > limit) throw tooLarge();
    if (size > KEPT_BYTES) pieces = undefined;
    if (piece.length > 0) pieces?.push(piece);
  });
  if (pieces) return pieces.length === 1 ? pieces[0]! : joined(pieces);
  const whole = new Uint8Array(size);
  let at = 0;
  run(bytes, (piece) => {
    whole.set(piece, at);
    at += piece.length;
  });
  return whole;
}

function run(bytes: Uint8Array, take: (piece: Uint8Array) => void): void {
  const stream = new Inflate(take);
  // The last slice is pushed as final and is never empty: that is what makes fflate notice a cut stream.
  for (let at = 0; at < bytes.length; at += SLICE) {
    stream.push(bytes.subarray(at, at + SLICE), at + SLICE >= bytes.length);
  }
}
