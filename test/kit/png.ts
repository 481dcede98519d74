/** Chunks and pictures for the PNG tests, made with Node’s own checksum. */
import { crc32, deflateSync } from 'node:zlib';
import { joined } from '../../src/core/bytes.ts';
import { BunzaiError } from '../../src/core/errors.ts';
import { sourceOf } from '../../src/core/source.ts';
import { type Png, pngOf, textChunks } from '../../src/formats/_shared/png.ts';

export const bin = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'));
export const SIGNATURE = bin('\x89PNG\r\n\x1a\n');

/** A chunk made with Node's own checksum. */
export function chunk(type: string, data: Uint8Array | string = ''): Uint8Array {
  const body = joined([bin(type), typeof data === 'string' ? bin(data) : data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(body.length - 4);
  out.set(body, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return Uint8Array.from(out);
}

export const IHDR = chunk('IHDR', '\0\0\0\x01\0\0\0\x01\x08\0\0\0\0');
export const IDAT = chunk('IDAT', 'picture data');
export const IEND = chunk('IEND');
export const text = (keyword: string, value: string) => chunk('tEXt', `${keyword}\0${value}`);
export const zText = (keyword: string, value: string) =>
  chunk('zTXt', joined([bin(`${keyword}\0\0`), deflateSync(bin(value))]));
export const iText = (keyword: string, value: string, packed = false) => {
  const utf8 = Uint8Array.from(Buffer.from(value));
  return chunk(
    'iTXt',
    joined([bin(`${keyword}\0${packed ? '\x01' : '\0'}\0en\0title\0`), packed ? deflateSync(utf8) : utf8]),
  );
};

export const file = (...chunks: Uint8Array[]) => joined([SIGNATURE, ...chunks]);
export function open(bytes: Uint8Array): Png {
  const png = pngOf(sourceOf(bytes));
  if (png === undefined) throw new Error('not a PNG');
  return png;
}

export const texts = (png: Png) => textChunks(png).map((it) => [it.kind, it.keyword, it.text()]);
export const types = (png: Png) => png.chunks.map((it) => it.type).join(' ');

/** A copy whose length field at `at` says `length`. */
export function withLength(bytes: Uint8Array, at: number, length: number): Uint8Array {
  const copy = bytes.slice();
  new DataView(copy.buffer).setUint32(at, length);
  return copy;
}

export function codeOf(run: () => unknown): string | undefined {
  try {
    run();
  } catch (error) {
    return error instanceof BunzaiError ? error.code : `other: ${String(error)}`;
  }
  return undefined;
}
