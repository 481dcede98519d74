import { joined } from '../../core/bytes.ts';
import { BunzaiError } from '../../core/errors.ts';
import type { Source } from '../../core/source.ts';
import { APP1, type ExifBlock, type ImageHost, MAX_SEGMENT_BYTES, resizeRiff, viewOf } from './exif-host.ts';
import { chunkBytes } from './png-write.ts';

/** The file with another TIFF block in place of one; its prefix stays. Throws `container.unsupported`, see `jpegSegment`. */
export function withBlock(source: Source, host: ImageHost, block: ExifBlock, tiff: Uint8Array): Uint8Array {
  const { bytes } = source;
  const [from, to] = block.span;
  const data = joined([bytes.subarray(block.data, block.tiff), tiff]);
  const wrap = { png: (it: Uint8Array) => chunkBytes('eXIf', it), webp: riffChunk, jpeg: jpegSegment }[host];
  const file = joined([bytes.subarray(0, from), wrap(data), bytes.subarray(to)]);
  if (host === 'webp') resizeRiff(file, bytes, [{ to, added: file.length - bytes.length }]);
  return file;
}

function riffChunk(data: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(8 + data.length + (data.length & 1));
  for (let i = 0; i < 4; i++) chunk[i] = 'EXIF'.charCodeAt(i);
  viewOf(chunk).setUint32(4, data.length, true);
  chunk.set(data, 8);
  return chunk;
}

function jpegSegment(data: Uint8Array): Uint8Array {
  if (data.length > MAX_SEGMENT_BYTES) {
    throw new BunzaiError('container.unsupported', {
      detail: `${data.length} bytes of EXIF, a JPEG holds MAX_SEGMENT_BYTES (${MAX_SEGMENT_BYTES})`,
      hint: 'shorten the card or write it as PNG or JSON',
    });
  }
  const segment = new Uint8Array(4 + data.length);
  segment.set([0xff, APP1]);
  viewOf(segment).setUint16(2, data.length + 2);
  segment.set(data, 4);
  return segment;
}
