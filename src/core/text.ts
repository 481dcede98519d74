import { BunzaiError } from './errors.ts';
import type { Source } from './source.ts';

/** Longest text that is decoded: a file, a member, a chunk. Strings of JavaScript end at half a gigabyte. */
export const MAX_TEXT_BYTES = 256 * 1024 * 1024;

/** The decoded text of a source, or undefined when its bytes are no text. A BOM is dropped; UTF-16 is decoded. */
export function textOf(source: Source): string | undefined {
  return source.once(decode);
}

function decode(source: Source): string | undefined {
  if (source.bytes.byteLength > MAX_TEXT_BYTES) return undefined;
  if (source.given !== undefined) return source.given.replace(/^\uFEFF/, '');
  return isBinary(source.bytes) ? undefined : decodeText(source.bytes);
}

/** Whether the bytes begin as text may: a text that is too long is named as one. */
export const isTooLongText = ({ bytes }: Source): boolean =>
  bytes.byteLength > MAX_TEXT_BYTES && !isBinary(bytes) && /^\s*[[{]/.test(decodeText(bytes.subarray(0, 64)) ?? '');

/** Signatures of containers that are never text: PNG, JPEG, RIFF, ZIP, gzip, RAR. */
function isBinary(bytes: Uint8Array): boolean {
  const [a, b] = bytes;
  if (a === 0x89 && b === 0x50) return true;
  if (a === 0xff && b === 0xd8) return true;
  if (a === 0x50 && b === 0x4b) return true;
  if (a === 0x1f && b === 0x8b) return true;
  return a === 0x52 && (b === 0x49 || b === 0x61);
}

/** UTF-16 by its byte order mark, or by the zero byte beside the first ASCII character. */
function encodingOf(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  const [a, b] = bytes;
  if ((a === 0xff && b === 0xfe) || (a !== undefined && a !== 0 && b === 0)) return 'utf-16le';
  if ((a === 0xfe && b === 0xff) || (a === 0 && b !== undefined && b !== 0)) return 'utf-16be';
  return 'utf-8';
}

/** Text of bytes in UTF-8 or UTF-16, without its byte order mark; undefined when they are neither, or too many. */
export function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes.byteLength > MAX_TEXT_BYTES) return undefined;
  try {
    const encoding = encodingOf(bytes);
    if (encoding === 'utf-8') return quickUtf8(bytes) ?? new TextDecoder(encoding, { fatal: true }).decode(bytes);
    if (encoding !== 'utf-16be') return new TextDecoder(encoding, { fatal: true }).decode(bytes);
    const swapped = new Uint8Array(bytes.byteLength & ~1);
    for (let i = 0; i + 1 < bytes.byteLength; i += 2) {
      swapped[i] = bytes[i + 1]!;
      swapped[i + 1] = bytes[i]!;
    }
    return new TextDecoder('utf-16le', { fatal: true }).decode(swapped);
  } catch {
    return undefined;
  }
}

interface NodeText {
  isAscii?(bytes: Uint8Array): boolean;
  transcode?(bytes: Uint8Array, from: 'utf8' | 'ucs2', to: 'utf8' | 'ucs2'): Uint8Array & { ucs2Slice(): string };
}
interface RuntimeBuffer {
  from(buffer: ArrayBufferLike, offset: number, length: number): { toString(encoding: 'utf8' | 'latin1'): string };
  from(text: string, encoding: 'utf16le'): Uint8Array;
  allocUnsafeSlow(size: number): Uint8Array & { write(text: string, offset: number, encoding: 'utf16le'): number };
}
interface Runtime {
  Buffer?: RuntimeBuffer;
  process?: { getBuiltinModule?(id: 'node:buffer'): NodeText | undefined };
}
const runtime = globalThis as Runtime;
const native = runtime.process?.getBuiltinModule?.('node:buffer');

/** Up to here UTF-8 is turned into UTF-16 first, in a third of the time; its memory is only worth it for a card. */
const MAX_TRANSCODED = 128 * 1024;
/** The same on the way back, in letters. */
const MAX_ENCODED = 512 * 1024;

/** What Node decodes in a fraction of the time; a text that it does not vouch for is left to the strict decoder. */
function quickUtf8(bytes: Uint8Array): string | undefined {
  const held = runtime.Buffer?.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!held) return undefined;
  if (bytes.byteLength <= MAX_TRANSCODED && native?.isAscii && native.transcode) {
    return native.isAscii(bytes) ? held.toString('latin1') : transcoded(bytes, native.transcode);
  }
  const text = held.toString('utf8');
  return text.includes('\ufffd') ? undefined : text.replace(/^\ufeff/, '');
}

function transcoded(bytes: Uint8Array, transcode: NonNullable<NodeText['transcode']>): string | undefined {
  try {
    return transcode(bytes, 'utf8', 'ucs2')
      .ucs2Slice()
      .replace(/^\ufeff/, '');
  } catch {
    return undefined;
  }
}

/** A text as UTF-8. Half a surrogate pair becomes a replacement character. */
export function encodeText(text: string): Uint8Array {
  const { Buffer } = runtime;
  if (Buffer && native?.transcode && text.length <= MAX_ENCODED) {
    try {
      const bytes = native.transcode(asUtf16(text, Buffer), 'ucs2', 'utf8');
      return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    } catch {
      // Half a pair, or a runtime that has the name alone.
    }
  }
  return new TextEncoder().encode(text);
}

/** Letters for which UTF-16 has a place of its own; it is made once. */
const MAX_SCRATCH = 32 * 1024;
let scratch: ReturnType<RuntimeBuffer['allocUnsafeSlow']> | undefined;

function asUtf16(text: string, Buffer: RuntimeBuffer): Uint8Array {
  if (text.length > MAX_SCRATCH) return Buffer.from(text, 'utf16le');
  scratch ??= Buffer.allocUnsafeSlow(2 * MAX_SCRATCH);
  return scratch.subarray(0, scratch.write(text, 0, 'utf16le'));
}

/** The refusal of a text of so many bytes, at a place of the file or as the file. */
export const textTooLong = (size: number, path?: string): BunzaiError =>
  new BunzaiError('input.too-large', {
    path,
    detail: `${size} bytes of text, the limit is MAX_TEXT_BYTES (${MAX_TEXT_BYTES})`,
    hint: 'split it, or take the pictures out of it',
  });

/** As `decodeText`, for bytes that must be text. */
export function mustDecodeText(bytes: Uint8Array, path: string): string {
  if (bytes.byteLength > MAX_TEXT_BYTES) throw textTooLong(bytes.byteLength, path);
  const text = decodeText(bytes);
  if (text === undefined) throw new BunzaiError('text.encoding', { path });
  return text;
}
