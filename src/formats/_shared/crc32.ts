/** CRC-32 as in ZIP and PNG (polynomial 0xEDB88320), eight bytes a step. */

interface Zlib {
  crc32?(data: Uint8Array, value?: number): number;
}
interface Runtime {
  process?: { getBuiltinModule?(id: 'node:zlib'): Zlib | undefined };
}

/** The runtime's own, where it has one: it needs no warming up. Looked for when it is first needed. */
let native: Zlib['crc32'] | null | undefined;
const nativeCrc = (): Zlib['crc32'] | null =>
  (globalThis as Runtime).process?.getBuiltinModule?.('node:zlib')?.crc32 ?? null;
let made: Uint32Array | undefined;

/** Eight tables in one array: table k at `k * 256` moves a byte over k more zero bytes. */
function tables(): Uint32Array {
  const all = new Uint32Array(8 * 256);
  for (let n = 0; n < 256; n++) {
    let c = n;
    for (let bit = 0; bit < 8; bit++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
    all[n] = c;
  }
  for (let n = 256; n < all.length; n++) {
    const before = all[n - 256]!;
    all[n] = (before >>> 8) ^ all[before & 255]!;
  }
  return all;
}

/**
 * The checksum of `bytes` as an unsigned 32-bit number. Content in several segments: hand the result for the
 * earlier ones in as `seed` (`crc32(b, crc32(a))`).
 */
export function crc32(bytes: Uint8Array, seed = 0): number {
  if (native === undefined) native = nativeCrc();
  if (native) return native(bytes, seed);
  made ??= tables();
  const t = made;
  let c = ~seed;
  let i = 0;
  for (const end = bytes.length - 7; i < end; i += 8) {
    c ^= bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24);
    c =
      t[1792 + (c & 255)]! ^
      t[1536 + ((c >>> 8) & 255)]! ^
      t[1280 + ((c >>> 16) & 255)]! ^
      t[1024 + (c >>> 24)]! ^
      t[768 + bytes[i + 4]!]! ^
      t[512 + bytes[i + 5]!]! ^
      t[256 + bytes[i + 6]!]! ^
      t[bytes[i + 7]!]!;
  }
  for (; i < bytes.length; i++) c = t[(c ^ bytes[i]!) & 255]! ^ (c >>> 8);
  return ~c >>> 0;
}
