import { encodeBase64, latin1Bytes } from '../../core/base64.ts';
import { joined } from '../../core/bytes.ts';
import { BunzaiError } from '../../core/errors.ts';
import type { Source } from '../../core/source.ts';
import { encodeText } from '../../core/text.ts';
import { type ExifComment, findIn, tiffOf, utf16Of } from './exif.ts';
import { withBlock } from './exif-host-write.ts';
import { replaceComment } from './tiff-write.ts';

/**
 * The same file with another text in its UserComment: same encoding, same character code, same trailing NULs. The value
 * goes to the end of the TIFF block, sizes and checksum of the carrier follow, all else is byte for byte. An equal text
 * gives `source.bytes` itself. Throws `exif.damaged` when there is no comment, `container.unsupported` when the text is
 * too long for a JPEG.
 */
export function writeComment(source: Source, text: string): Uint8Array {
  const found = source.once(findIn);
  if (found === undefined) throw new BunzaiError('exif.damaged', { detail: 'there is no UserComment to write to' });
  const { comment, block, place } = found;
  if (textOrNothing(comment) === text) return source.bytes;
  const tiff = tiffOf(source, block);
  const padding = tiff.subarray(place.start + comment.code.length + comment.payload.length, place.start + place.length);
  const value = joined([comment.code, encode(text, comment), padding]);
  return withBlock(source, comment.host, block, replaceComment(tiff, place, value));
}

function textOrNothing(comment: ExifComment): string | undefined {
  try {
    return comment.text();
  } catch {
    return undefined;
  }
}

function encode(text: string, { payload, encoding }: ExifComment): Uint8Array {
  const wide = encoding === 'json' ? utf16Of(payload) : undefined;
  if (wide !== undefined) return utf16Bytes(text, wide === 'le', payload[0]! >= 0xfe);
  const bytes = encodeText(text);
  if (encoding === 'json') return bytes;
  return latin1Bytes(encoding === 'base64' ? encodeBase64(bytes) : bytes.join(','));
}

function utf16Bytes(text: string, little: boolean, marked: boolean): Uint8Array {
  const units = marked ? `\uFEFF${text}` : text;
  const view = new DataView(new ArrayBuffer(units.length * 2));
  for (let i = 0; i < units.length; i++) view.setUint16(i * 2, units.charCodeAt(i), little);
  return new Uint8Array(view.buffer);
}
