/** TIFF blocks and the pictures around them for the EXIF tests. */
import { crc32 } from 'node:zlib';
import { joined } from '../../src/core/bytes.ts';
import { BunzaiError } from '../../src/core/errors.ts';
import { sourceOf } from '../../src/core/source.ts';
import { commentOf } from '../../src/formats/_shared/exif.ts';

export const bin = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'));
export const utf8 = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text));
export const ASCII = bin('ASCII\0\0\0');
export const CARD = '{"name":"Bram \u2603","description":"keeps the harbour light"}';
export const OTHER = '{"name":"Bram","description":"left the harbour, and a longer note about it \u{1f30a}"}';
interface Shape {
  readonly little?: boolean;
  /** The comment stands in the Exif IFD instead of IFD0. */
  readonly sub?: boolean;
  readonly value: Uint8Array;
  /** Bytes after the value, which another tag points to. */
  readonly after?: Uint8Array;
}

/** A TIFF block: IFD0 with an orientation, the comment or the pointer to an Exif IFD with a version and the comment. */
export function tiff({ little = true, sub = false, value, after = bin('') }: Shape): Uint8Array {
  const ifds = 8 + (2 + 3 * 12 + 4) + (2 + 2 * 12 + 4);
  const block = new Uint8Array(ifds + value.length + after.length);
  const view = new DataView(block.buffer);
  block.set(bin(little ? 'II' : 'MM'));
  view.setUint16(2, 42, little);
  view.setUint32(4, 8, little);
  const entry = (at: number, tag: number, type: number, count: number, offset: number) => {
    view.setUint16(at, tag, little);
    view.setUint16(at + 2, type, little);
    view.setUint32(at + 4, count, little);
    if (type === 3) view.setUint16(at + 8, offset, little);
    else view.setUint32(at + 8, offset, little);
  };
  const comment = (at: number) => {
    entry(at, 0x9286, 7, value.length, ifds);
    if (value.length <= 4) block.set(value, at + 8);
  };
  view.setUint16(8, 3, little);
  entry(10, 0x0112, 3, 1, 1);
  entry(22, 0x8769, 4, 1, 50);
  if (sub) entry(34, 0x9c9c, 1, after.length, ifds + value.length);
  else comment(34);
  view.setUint16(50, 2, little);
  entry(52, 0x9000, 7, 4, 0x32333230);
  if (sub) comment(64);
  else entry(64, 0x9c9c, 1, after.length, ifds + value.length);
  block.set(value, ifds);
  block.set(after, ifds + value.length);
  return block;
}

export function pngChunk(type: string, data: Uint8Array): Uint8Array {
  const body = joined([bin(type), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length);
  out.set(body, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return Uint8Array.from(out);
}

export const png = (exif: Uint8Array, ...more: Uint8Array[]) =>
  joined([
    bin('\x89PNG\r\n\x1a\n'),
    pngChunk('IHDR', bin('\0\0\0\x01\0\0\0\x01\x08\0\0\0\0')),
    pngChunk('eXIf', exif),
    ...more,
    pngChunk('IDAT', bin('picture')),
    pngChunk('IEND', bin('')),
    bin('tail'),
  ]);
export function riffChunk(type: string, data: Uint8Array): Uint8Array {
  const out = Buffer.alloc(8 + data.length + (data.length & 1));
  out.write(type, 'latin1');
  out.writeUInt32LE(data.length, 4);
  out.set(data, 8);
  return Uint8Array.from(out);
}

export function riff(...chunks: Uint8Array[]): Uint8Array {
  const body = joined([bin('WEBP'), ...chunks]);
  const head = Buffer.from('RIFF....', 'latin1');
  head.writeUInt32LE(body.length, 4);
  return joined([Uint8Array.from(head), body]);
}

export const VP8X = riffChunk('VP8X', bin('\x2c\0\0\0\x01\0\0\x01\0\0'));
export const webp = (exif: Uint8Array) =>
  riff(VP8X, riffChunk('VP8 ', bin('picture')), riffChunk('EXIF', exif), riffChunk('XMP ', bin('<x/>')));
function segment(marker: number, data: Uint8Array): Uint8Array {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return joined([Uint8Array.from(head), data]);
}

export const JFIF = segment(0xe0, bin('JFIF\0\x01\x02\0\0\x01\0\x01\0\0'));
export const XMP = segment(0xe1, bin('http://ns.adobe.com/xap/1.0/\0<x/>'));
export const SCAN = joined([segment(0xda, bin('\x01\x01\0\0?\0')), bin('scan\xff\0data\xff\xd9')]);
export const jpeg = (exif: Uint8Array) => joined([bin('\xff\xd8'), JFIF, XMP, segment(0xe1, exif), SCAN]);
export const PREFIX = bin('Exif\0\0');
export const text = (bytes: Uint8Array) => commentOf(sourceOf(bytes))?.text();
export function codeOf(run: () => unknown): string | undefined {
  try {
    run();
  } catch (error) {
    return error instanceof BunzaiError ? error.code : `other: ${String(error)}`;
  }
  return undefined;
}
