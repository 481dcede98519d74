/** Base64 in every runtime: the engine's own decoder where there is one, else a table. */

interface NativeBase64 {
  fromBase64?(text: string): Uint8Array;
}
interface NodeBuffer {
  from(text: string, encoding: 'base64'): Uint8Array;
  from(buffer: ArrayBufferLike, offset: number, length: number): { toString(encoding: 'base64' | 'latin1'): string };
}

const native = Uint8Array as unknown as NativeBase64;
const node = (globalThis as { Buffer?: NodeBuffer }).Buffer;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = new Int8Array(128).fill(-1);
for (let i = 0; i < 64; i++) VALUES[ALPHABET.charCodeAt(i)] = i;
VALUES['-'.charCodeAt(0)] = 62;
VALUES['_'.charCodeAt(0)] = 63;

/** One character a byte, as in a PNG text chunk. */
export function latin1(bytes: Uint8Array): string {
  if (node) return node.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  let text = '';
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return text;
}

/** Bytes of a text of code points below 256. */
export function latin1Bytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

export function encodeBase64(bytes: Uint8Array): string {
  if (node) return node.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  const own = bytes as { toBase64?(): string };
  if (own.toBase64) return own.toBase64();
  let text = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const a = bytes[i]!;
    const b = bytes[i + 1] ?? 0;
    const c = bytes[i + 2] ?? 0;
    text += ALPHABET[a >> 2]! + ALPHABET[((a & 3) << 4) | (b >> 4)]!;
    text += i + 1 < bytes.length ? ALPHABET[((b & 15) << 2) | (c >> 6)]! : '=';
    text += i + 2 < bytes.length ? ALPHABET[c & 63]! : '=';
  }
  return text;
}

/** The offset of the first character that no base64 dialect has, or -1. White space and padding are fine. */
function firstStranger(text: string): number {
  return text.search(/[^A-Za-z0-9+/\-_=\s]/);
}

/**
 * Decodes base64, the url-safe alphabet, missing padding and white space.
 * Returns the offset of the first foreign character instead when there is one.
 */
export function decodeBase64(text: string): Uint8Array | { readonly strangerAt: number } {
  if (node) {
    const bytes = node.from(text, 'base64');
    if (bytes.length === cleanSize(text)) return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  const strangerAt = firstStranger(text);
  if (strangerAt >= 0) return { strangerAt };
  const clean = text
    .replace(/[\s=]+/g, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/');
  const whole = clean.length % 4 === 1 ? clean.slice(0, -1) : clean;
  if (native.fromBase64) return native.fromBase64(whole);
  return decodeTable(whole);
}

/** Size that `text` decodes to if it is clean base64: no white space, padding at most at the end. */
export function cleanSize(text: string): number {
  const end = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return Math.floor(((text.length - end) * 3) / 4);
}

function decodeTable(text: string): Uint8Array {
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let held = 0;
  let bits = 0;
  let at = 0;
  for (let i = 0; i < text.length; i++) {
    held = (held << 6) | VALUES[text.charCodeAt(i)]!;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[at++] = (held >> bits) & 255;
    }
  }
  return bytes;
}
