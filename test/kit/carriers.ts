/** Walkers over picture and archive files, for the tests only: they share no code with the library. */
import { inflateRawSync, inflateSync } from 'node:zlib';

/** A stretch of a file: a chunk with its name, or the bytes between. */
export interface Piece {
  readonly name: string;
  /** Everything of it, frame included. */
  readonly whole: Buffer;
  /** Its content. */
  readonly body: Buffer;
}

export const isPng = (file: Buffer): boolean => file.subarray(1, 4).toString('latin1') === 'PNG';
export const isRiff = (file: Buffer): boolean => file.subarray(0, 4).toString('latin1') === 'RIFF';
/** A zip, also one with something else in front. */
export const isZip = (file: Buffer): boolean => file.lastIndexOf('PK\x05\x06', undefined, 'latin1') >= 0;

/** The chunks of a PNG; what follows the last sound one is a piece without name. */
export function pngPieces(file: Buffer): Piece[] {
  const pieces: Piece[] = [];
  let at = 8;
  while (at + 12 <= file.length) {
    const length = file.readUInt32BE(at);
    const name = file.subarray(at + 4, at + 8).toString('latin1');
    if (!/^[A-Za-z]{4}$/.test(name) || at + 12 + length > file.length) break;
    const whole = file.subarray(at, at + 12 + length);
    pieces.push({ name, whole, body: whole.subarray(8, 8 + length) });
    at += 12 + length;
    if (name === 'IEND') break;
  }
  const rest = file.subarray(at);
  return rest.length === 0 ? pieces : [...pieces, { name: '', whole: rest, body: rest }];
}

/** Keyword and text of a PNG text chunk. */
export function pngText({ name, body }: Piece): { readonly keyword: string; readonly text: string } | undefined {
  const end = body.indexOf(0);
  if (end < 0) return undefined;
  const keyword = body.subarray(0, end).toString('latin1');
  if (name === 'tEXt') return { keyword, text: body.subarray(end + 1).toString('latin1') };
  if (name === 'zTXt') return { keyword, text: inflateSync(body.subarray(end + 2)).toString('latin1') };
  if (name !== 'iTXt') return undefined;
  const packed = body[end + 1] === 1;
  const start = body.indexOf(0, body.indexOf(0, end + 3) + 1) + 1;
  const content = body.subarray(start);
  return { keyword, text: (packed ? inflateSync(content) : content).toString('utf8') };
}

/** The card payloads of a PNG: the text behind each `chara` and `ccv3`, with the keyword in lower case. */
export function pngCards(file: Buffer): { readonly keyword: string; readonly text: string }[] {
  return pngPieces(file).flatMap((piece) => {
    const text = pngText(piece);
    if (!text || !/^(chara|ccv3)$/i.test(text.keyword)) return [];
    const plain = text.text.trimStart().startsWith('{') ? text.text : Buffer.from(text.text, 'base64').toString('utf8');
    return [{ keyword: text.keyword.toLowerCase(), text: plain.replace(/^\uFEFF/, '') }];
  });
}

/** The chunks of a RIFF file. */
export function riffPieces(file: Buffer): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 12; at + 8 <= file.length; ) {
    const size = file.readUInt32LE(at + 4);
    const whole = file.subarray(at, Math.min(file.length, at + 8 + size + (size % 2)));
    pieces.push({ name: file.subarray(at, at + 4).toString('latin1'), whole, body: whole.subarray(8, 8 + size) });
    at += 8 + size + (size % 2);
  }
  return pieces;
}

/** The packed size of a member that keeps it in a ZIP64 field; undefined where the header itself says it. */
function wide(file: Buffer, at: number, name: number, extra: number): number | undefined {
  if (file.readUInt32LE(at + 20) !== 0xffffffff) return undefined;
  const end = at + 46 + name + extra;
  for (let field = at + 46 + name; field + 4 <= end; field += 4 + file.readUInt16LE(field + 2)) {
    // The unpacked size stands before it where that one is wide too.
    const skipped = file.readUInt32LE(at + 24) === 0xffffffff ? 8 : 0;
    if (file.readUInt16LE(field) === 1) return Number(file.readBigUInt64LE(field + 4 + skipped));
  }
  return undefined;
}

/** The members of a zip in the order of its directory, and whatever stands before it. */
export function zipPieces(file: Buffer): Piece[] {
  const end = file.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  const count = file.readUInt16LE(end + 10);
  const size = file.readUInt32LE(end + 12);
  const directory = end - size;
  const shift = directory - file.readUInt32LE(end + 16);
  const pieces: Piece[] = [];
  let at = directory;
  let first = directory;
  for (let i = 0; i < count; i++) {
    const method = file.readUInt16LE(at + 10);
    const [name, extra, comment] = [file.readUInt16LE(at + 28), file.readUInt16LE(at + 30), file.readUInt16LE(at + 32)];
    const packed = wide(file, at, name, extra) ?? file.readUInt32LE(at + 20);
    const local = file.readUInt32LE(at + 42) + shift;
    first = Math.min(first, local);
    const start = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28);
    const raw = file.subarray(start, start + packed);
    pieces.push({
      name: file.subarray(at + 46, at + 46 + name).toString('utf8'),
      whole: raw,
      body: method === 0 ? raw : inflateRawSync(raw),
    });
    at += 46 + name + extra + comment;
  }
  const prefix = file.subarray(0, first);
  return prefix.length === 0 ? pieces : [{ name: '(before the archive)', whole: prefix, body: prefix }, ...pieces];
}
