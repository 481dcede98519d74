import { append } from '../../core/append.ts';
import { roomFor } from '../../core/bytes.ts';
import { BunzaiError } from '../../core/errors.ts';
import { crc32 } from './crc32.ts';
import type { Png } from './png.ts';

/** What a `tEXt` chunk says. Both are Latin-1; a card is base64. */
export interface Text {
  readonly keyword: string;
  readonly text: string;
}

/** One change to the text chunks of a PNG. Numbers are places in `png.chunks`; the last edit of a place counts. */
export type TextEdit =
  | { readonly replace: number; readonly by: Text }
  | { readonly remove: number }
  | { readonly insert: Text };

/**
 * The file with its text chunks edited, in one allocation. A replaced chunk stays where it stood and becomes `tEXt`;
 * new ones go before IEND, or before the tail where there is none. All else is byte for byte; without edits it is
 * `png.bytes` itself. Throws `container.unsupported` for a text or keyword that `tEXt` cannot hold.
 */
export function writeTextChunks(png: Png, edits: readonly TextEdit[]): Uint8Array {
  if (edits.length === 0) return png.bytes;
  const parts = partsOf(png, edits);
  let size = 0;
  for (const part of parts) size += part instanceof Uint8Array ? part.length : sizeOf(part);
  const file = roomFor(size);
  let at = 0;
  for (const part of parts) {
    if (part instanceof Uint8Array) file.set(part, at);
    else writeText(file, at, part);
    at += part instanceof Uint8Array ? part.length : sizeOf(part);
  }
  return file;
}

/** Kept runs as views, changed chunks as texts, in file order. */
function partsOf(png: Png, edits: readonly TextEdit[]): (Uint8Array | Text)[] {
  const changed = new Map<number, Text | undefined>();
  const inserted: Text[] = [];
  for (const edit of edits) {
    if ('insert' in edit) inserted.push(edit.insert);
    else if ('replace' in edit) changed.set(edit.replace, edit.by);
    else changed.set(edit.remove, undefined);
  }
  const parts: (Uint8Array | Text)[] = [];
  let at = 0;
  const keepTo = (end: number) => {
    if (end > at) parts.push(png.bytes.subarray(at, end));
    at = end;
  };
  for (const [index, chunk] of png.chunks.entries()) {
    if (chunk.type === 'IEND') {
      keepTo(chunk.start);
      append(parts, inserted.splice(0));
    }
    if (!changed.has(index)) continue;
    keepTo(chunk.start);
    const by = changed.get(index);
    if (by !== undefined) parts.push(by);
    at = chunk.start + 12 + chunk.length;
  }
  keepTo(png.bytes.length - (png.tail?.length ?? 0));
  append(parts, inserted);
  keepTo(png.bytes.length);
  return parts;
}

const sizeOf = ({ keyword, text }: Text): number => keyword.length + text.length + 13;

function writeText(file: Uint8Array, at: number, { keyword, text }: Text): void {
  const length = keyword.length + 1 + text.length;
  if (keyword.includes('\0')) refuse(keyword, 'a NUL in the keyword');
  writeLatin1(file.subarray(at + 8, at + 8 + keyword.length), keyword, keyword);
  file[at + 8 + keyword.length] = 0;
  writeLatin1(file.subarray(at + 9 + keyword.length, at + 8 + length), text, keyword);
  frame(file, at, 'tEXt', length);
}

/** ASCII goes the fast way: as UTF-8 it fills its room exactly. */
function writeLatin1(room: Uint8Array, text: string, keyword: string): void {
  if (new TextEncoder().encodeInto(text, room).read === text.length) return;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0xff) refuse(keyword, `a character outside Latin-1 at ${i}`);
    room[i] = code;
  }
}

function refuse(keyword: string, detail: string): never {
  throw new BunzaiError('container.unsupported', { path: `chunk ${keyword}`, detail, hint: 'encode it as base64' });
}

/** Puts length, type and checksum around data that is in place already. */
function frame(file: Uint8Array, at: number, type: string, length: number): void {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  view.setUint32(at, length);
  for (let i = 0; i < 4; i++) file[at + 4 + i] = type.charCodeAt(i);
  view.setUint32(at + 8 + length, crc32(file.subarray(at + 4, at + 8 + length)));
}

/** A whole chunk around `data`. `type` is four ASCII letters. */
export function chunkBytes(type: string, data: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(data.length + 12);
  chunk.set(data, 8);
  frame(chunk, 0, type, data.length);
  return chunk;
}
