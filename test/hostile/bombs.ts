/** Files of a megabyte that would inflate to a gigabyte, made without inflating anything here. */
import { constants, deflateRawSync } from 'node:zlib';
import { chunk, IDAT, IHDR, png, text, utf8, v3, zip } from '../cases/rest-kit.ts';

const MIB = 1024 * 1024;
/** A MiB of one byte, deflated and flushed so that it can be said again and again. */
const block = (letter: number) =>
  deflateRawSync(Buffer.alloc(MIB, letter), { level: 9, finishFlush: constants.Z_FULL_FLUSH });
/** An empty last block. */
const LAST = Buffer.from([0x03, 0x00]);

/** A raw deflate stream of so many MiB: about 1 KB each. */
export const deflated = (mib: number, letter = 0x41): Buffer => {
  const one = block(letter);
  return Buffer.concat([...Array.from({ length: mib }, () => one), LAST]);
};
/** The same as a zlib stream; its checksum is wrong, which shows at its end alone. */
export const zlibbed = (mib: number, letter = 0x41): Buffer =>
  Buffer.concat([Buffer.from([0x78, 0xda]), deflated(mib, letter), Buffer.alloc(4)]);

/** An archive whose member `name` is this stream and says that it has `size` bytes. */
export function bombZip(
  name: string,
  stream: Buffer,
  size: number,
  others: Parameters<typeof zip>[0] = [],
): Uint8Array {
  const file = Buffer.from(zip([...others, { name, body: stream }]));
  const mark = (at: number, method: number, declared: number) => {
    file.writeUInt16LE(8, method);
    file.writeUInt32LE(size, declared);
    if (file.readUInt32LE(at) === 0) throw new Error('no header');
  };
  const list = file.lastIndexOf('PK\x01\x02', undefined, 'latin1');
  const local = file.readUInt32LE(list + 42);
  mark(list, list + 10, list + 24);
  mark(local, local + 8, local + 22);
  return new Uint8Array(file);
}

const chunkOf = (type: 'zTXt' | 'iTXt', stream: Buffer) =>
  chunk(type, Buffer.concat([Buffer.from(type === 'zTXt' ? 'chara\0\0' : 'chara\0\x01\0\0\0', 'latin1'), stream]));

/** Every carrier, each about a megabyte. */
export const bombs = (): Readonly<Record<string, Uint8Array>> => {
  const gib = deflated(1024);
  const card = {
    name: 'card.json',
    body: utf8(text(v3({ assets: [{ type: 'icon', name: 'main', ext: 'png', uri: 'embeded://a.png' }] }))),
  };
  return {
    'charx, honest': bombZip('card.json', gib, 1024 * MIB - 1),
    'charx, lies small': bombZip('card.json', gib, 1000),
    'charx, lies at the ratio': bombZip('card.json', gib, 50 * gib.length - 1),
    'charx, an asset': bombZip('a.png', gib, 500 * MIB, [card]),
    'byaf manifest': bombZip('manifest.json', gib, 1024 * 1024),
    zTXt: png(IHDR, chunkOf('zTXt', zlibbed(1024)), IDAT),
    iTXt: png(IHDR, chunkOf('iTXt', zlibbed(1024)), IDAT),
    'sixteen zTXt': png(IHDR, ...Array.from({ length: 16 }, () => chunkOf('zTXt', zlibbed(64))), IDAT),
    'a hundred and fifty zTXt': png(IHDR, ...Array.from({ length: 150 }, () => chunkOf('zTXt', zlibbed(7))), IDAT),
  };
};
