/** Changes of bytes that know nothing of what the bytes mean, and some that know where a container keeps its lengths. */
import { crc32 } from 'node:zlib';
import { pngPieces, riffPieces } from '../kit/carriers.ts';
import type { Dice } from './dice.ts';

/** Numbers that bounds are made of. */
const EDGES = [0, 1, 2, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff];
/** Largest file that a change makes. */
const MAX_BYTES = 4 * 1024 * 1024;

type Change = (file: Buffer, dice: Dice, other: Buffer) => Buffer;

const cutOut = (file: Buffer, dice: Dice): Buffer => {
  const from = dice.upTo(file.length + 1);
  return file.subarray(from, from + dice.upTo(Math.min(file.length - from + 1, dice.once(3) ? file.length : 64)));
};
const spliced = (file: Buffer, at: number, removed: number, piece: Buffer) =>
  Buffer.concat([file.subarray(0, at), piece, file.subarray(at + removed)]);

const flip: Change = (file, dice) => {
  for (let n = dice.upTo(8); n >= 0 && file.length > 0; n--) file[dice.upTo(file.length)]! ^= 1 << dice.upTo(8);
  return file;
};
const set: Change = (file, dice) => {
  for (let n = dice.upTo(4); n >= 0 && file.length > 0; n--)
    file[dice.upTo(file.length)] = dice.pick([0, 0xff, 0x20, 0x22, 0x5b, 0x7b, 0x50]);
  return file;
};
const truncate: Change = (file, dice) =>
  dice.once(4) ? file.subarray(dice.upTo(file.length)) : file.subarray(0, dice.upTo(file.length));
const splice: Change = (file, dice, other) => spliced(file, dice.upTo(file.length), dice.upTo(40), cutOut(other, dice));
const remove: Change = (file, dice) => spliced(file, dice.upTo(file.length), 1 + dice.upTo(200), Buffer.alloc(0));
const repeat: Change = (file, dice) => {
  const piece = cutOut(file, dice);
  const times = Math.min(1 + dice.upTo(dice.once(5) ? 3000 : 4), Math.floor(MAX_BYTES / (piece.length + 1)));
  return spliced(file, dice.upTo(file.length), 0, Buffer.concat(Array.from({ length: times }, () => piece)));
};
const join: Change = (file, dice, other) =>
  dice.once(2) ? Buffer.concat([file, other]) : Buffer.concat([other.subarray(0, dice.upTo(4000)), file]);

/** A number of 16 or 32 bits in either order, set to an edge or moved a little: what a length field would be. */
function setNumber(file: Buffer, at: number, dice: Dice): Buffer {
  if (at < 0 || at + 4 > file.length) return file;
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  const little = dice.once(2);
  if (dice.once(2))
    view.setUint16(at, dice.once(2) ? dice.pick(EDGES) : view.getUint16(at, little) + dice.upTo(9) - 4, little);
  else view.setUint32(at, dice.once(2) ? dice.pick(EDGES) : view.getUint32(at, little) + dice.upTo(9) - 4, little);
  return file;
}
const lengthField: Change = (file, dice) => {
  for (let n = dice.upTo(3); n >= 0; n--) setNumber(file, dice.upTo(file.length), dice);
  return file;
};

const RECORDS = ['PK\x01\x02', 'PK\x03\x04', 'PK\x05\x06', 'II*\0', 'MM\0*', 'Exif', 'EXIF', 'VP8X', 'tEXt', 'IHDR'];
/** The same beside a signature, where the numbers of a container are. */
const header: Change = (file, dice) => {
  const places: number[] = [];
  for (const mark of RECORDS) {
    for (
      let at = file.indexOf(mark, 0, 'latin1');
      at >= 0 && places.length < 200;
      at = file.indexOf(mark, at + 1, 'latin1')
    )
      places.push(at);
  }
  if (places.length === 0) return lengthField(file, dice, file);
  for (let n = dice.upTo(3); n >= 0; n--) setNumber(file, dice.pick(places) + dice.upTo(60) - 8, dice);
  return file;
};

/** A PNG chunk whose checksum fits. */
export function pngChunk(type: string, body: Uint8Array): Buffer {
  const chunk = Buffer.alloc(body.length + 12);
  chunk.writeUInt32BE(body.length);
  chunk.write(type, 4, 'latin1');
  chunk.set(body, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, body.length + 8)), body.length + 8);
  return chunk;
}

const TYPES = ['tEXt', 'zTXt', 'iTXt', 'eXIf', 'IDAT', 'IEND', 'IHDR', 'acTL', 'fdAT', 'aaaa'];
/** Chunks of a PNG moved, doubled, dropped or changed inside, with checksums that fit. */
const pngChunks: Change = (file, dice, other) => {
  if (file[0] !== 0x89) return flip(file, dice, other);
  const chunks = pngPieces(file).map(({ name, body }) => ({ type: name, body }));
  for (let n = dice.upTo(4); n >= 0 && chunks.length > 0; n--) {
    const at = dice.upTo(chunks.length);
    const [chunk] = chunks.splice(at, 1);
    if (!chunk) continue;
    const kind = dice.upTo(5);
    if (kind === 0) chunks.splice(dice.upTo(chunks.length + 1), 0, chunk);
    else if (kind === 1) chunks.splice(at, 0, chunk, chunk);
    else if (kind === 2) chunks.splice(at, 0, { ...chunk, type: dice.pick(TYPES) });
    else if (kind === 3) chunks.splice(at, 0, { ...chunk, body: one(chunk.body, dice, other) });
  }
  return Buffer.concat([file.subarray(0, 8), ...chunks.map(({ type, body }) => pngChunk(type, body))]);
};
/** Chunks of a RIFF file moved, doubled or dropped, the size of the whole kept true. */
const riffChunks: Change = (file, dice, other) => {
  if (file.toString('latin1', 0, 4) !== 'RIFF') return set(file, dice, other);
  const chunks = riffPieces(file).map(({ whole }) => whole);
  if (chunks.length > 0) {
    const [chunk] = chunks.splice(dice.upTo(chunks.length), 1);
    for (let n = dice.upTo(3); chunk && n > 0; n--) chunks.splice(dice.upTo(chunks.length + 1), 0, chunk);
  }
  const out = Buffer.concat([file.subarray(0, 12), ...chunks]);
  out.writeUInt32LE(out.length - 8, 4);
  return out;
};

const PLAIN: readonly Change[] = [flip, set, truncate, splice, remove, repeat, join, lengthField, header];
const ALL: readonly Change[] = [...PLAIN, header, pngChunks, pngChunks, riffChunks];

function one(file: Buffer, dice: Dice, other: Buffer): Buffer {
  return dice.pick(PLAIN)(Buffer.from(file), dice, other);
}

/** One to three changes of a file; `other` lends pieces. */
export function changedBytes(file: Uint8Array, dice: Dice, other: Uint8Array): Uint8Array {
  let changed: Buffer = Buffer.from(file);
  for (let n = dice.upTo(3); n >= 0; n--) changed = Buffer.from(dice.pick(ALL)(changed, dice, Buffer.from(other)));
  return new Uint8Array(changed.subarray(0, MAX_BYTES));
}
