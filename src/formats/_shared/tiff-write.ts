import { type CommentPlace, directories, ENTRY_BYTES, HEADER_BYTES, INLINE_BYTES, valueSpan } from './tiff.ts';

/**
 * The block with another UserComment. The value goes to the end of the block and the entry is pointed at it, so nothing
 * else moves. The old value is cut where it was the last thing, else zeroed, unless other parts share its bytes.
 */
export function replaceComment(block: Uint8Array, place: CommentPlace, value: Uint8Array): Uint8Array {
  const { little, entry, start, length } = place;
  const isOwn = length > INLINE_BYTES && !isShared(block, place);
  const kept = isOwn && start + length === block.length ? start : block.length;
  // TIFF wants values at even offsets.
  const at = value.length <= INLINE_BYTES ? entry + 8 : kept + (kept & 1);
  const written = new Uint8Array(Math.max(kept, at + value.length));
  written.set(block.subarray(0, kept));
  if (isOwn && kept === block.length) written.fill(0, start, start + length);
  const view = new DataView(written.buffer);
  view.setUint32(entry + 4, value.length, little);
  view.setUint32(entry + 8, value.length <= INLINE_BYTES ? 0 : at, little);
  written.set(value, at);
  return written;
}

/** Whether the header, an IFD or the value of another tag lies in the bytes of the comment. */
function isShared(block: Uint8Array, { little, entry, start, length }: CommentPlace): boolean {
  const view = new DataView(block.buffer, block.byteOffset, block.byteLength);
  const touches = (from: number, to: number) => from < start + length && to > start;
  if (touches(0, HEADER_BYTES)) return true;
  return directories(view, little).some((directory) => {
    const end = directory.start + 2 + directory.entries.length * ENTRY_BYTES + 4;
    if (touches(directory.start, end)) return true;
    return directory.entries.some((other) => other !== entry && touches(...valueSpan(view, other, little)));
  });
}
