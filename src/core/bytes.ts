import { cleanSize, decodeBase64, encodeBase64 } from './base64.ts';

/**
 * Binary content, in memory as bytes and nothing else. Base64 is made only when JSON is printed:
 * `{ b64, mime }` under the key `sourceMedia`, a `data:` URI everywhere else.
 */
export interface Bytes {
  /** Length in bytes, known without reading them. */
  readonly size: number;
  /** Media type, absent when nothing says it. */
  readonly mime?: string;
  /** The bytes in one piece; made once. */
  bytes(): Uint8Array;
  /** The same bytes as views that need no copy. */
  segments(): readonly Uint8Array[];
  toJSON(key?: string): unknown;
}

export const isBytes = (value: unknown): value is Bytes =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === KIN;

const CUT = Symbol('cuts the views of bytes');
const FORM = Symbol('how bytes stand in a container');

/** How content stands in a container: where method, checksum and packed bytes are equal, so is the content. */
export interface PackedForm {
  readonly method: number;
  readonly crc: number;
  /** The packed bytes, as views. */
  segments(): readonly Uint8Array[];
}

/** Bytes as they are held: the views, or what cuts them when someone asks. */
interface Held {
  readonly size: number;
  readonly mime?: string;
  [CUT]: readonly Uint8Array[] | (() => readonly Uint8Array[]);
  [FORM]?: PackedForm;
}

/** What all `Bytes` and nothing else descend from: asking for it costs less than looking for a mark. */
const KIN = Object.freeze({
  segments(this: Held): readonly Uint8Array[] {
    const held = this[CUT];
    const views = typeof held === 'function' ? held() : held;
    this[CUT] = views;
    return views;
  },
  bytes(this: Bytes & Held): Uint8Array {
    const pieces = this.segments();
    const [first] = pieces;
    const whole = pieces.length === 1 && first ? first : joined(pieces);
    if (whole !== first) this[CUT] = [whole];
    return whole;
  },
  toJSON(this: Bytes, key?: string): unknown {
    const mime = this.mime ?? 'application/octet-stream';
    const b64 = encodeBase64(this.bytes());
    return key === 'sourceMedia' ? { b64, mime } : `data:${mime};base64,${b64}`;
  },
});

/** Bytes that are made of views, cut or fetched when someone asks. */
export function lazyBytes(size: number, mime: string | undefined, segments: () => readonly Uint8Array[]): Bytes {
  const held: Held = Object.create(KIN);
  (held as { size: number }).size = size;
  if (mime !== undefined) (held as { mime?: string }).mime = mime;
  held[CUT] = segments;
  return held as unknown as Bytes;
}

export const bytesOf = (bytes: Uint8Array, mime?: string): Bytes => lazyBytes(bytes.byteLength, mime, () => [bytes]);

/** Tells of bytes how they stand in a container, so that they are compared there without unpacking. */
export function keepForm(bytes: Bytes, form: PackedForm): void {
  (bytes as unknown as Held)[FORM] = form;
}

/**
 * An array for a file, to be written to its last byte: Node does not clear it first, which would take as long as the
 * copy that follows. Test "no byte of a file is left unwritten".
 */
export function roomFor(size: number): Uint8Array {
  const room = node?.allocUnsafeSlow?.(size);
  return room ? new Uint8Array(room.buffer, room.byteOffset, size) : new Uint8Array(size);
}

/** One array out of many views. */
export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  let size = 0;
  for (const piece of pieces) size += piece.byteLength;
  const whole = roomFor(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}

const DATA_URI = /^data:([^;,]*)((?:;[^;,]*)*?)(;base64)?,/i;

/** The bytes behind a `data:` URI, decoded when asked; undefined for any other text or broken base64. */
export function bytesOfDataUri(uri: string): Bytes | undefined {
  const head = DATA_URI.exec(uri.length > 200 ? uri.slice(0, 200) : uri);
  if (!head?.[3]) return undefined;
  const mime = head[1] === '' ? undefined : head[1];
  const text = uri.slice(head[0].length);
  if (/^[A-Za-z0-9+/]*={0,2}$/.test(text) && text.length % 4 === 0) {
    return lazyBytes(cleanSize(text), mime, () => [decodeBase64(text) as Uint8Array]);
  }
  const bytes = decodeBase64(text);
  return bytes instanceof Uint8Array ? bytesOf(bytes, mime) : undefined;
}

/** Bytes from any shape they have in a parsed native file: `Bytes`, a `data:` URI, `{ b64, mime }`. */
export function asBytes(value: unknown): Bytes | undefined {
  if (isBytes(value)) return value;
  if (typeof value === 'string') return bytesOfDataUri(value);
  if (typeof value !== 'object' || value === null) return undefined;
  const { b64, mime } = value as { b64?: unknown; mime?: unknown };
  if (typeof b64 !== 'string') return undefined;
  return bytesOfDataUri(`data:${typeof mime === 'string' ? mime : ''};base64,${b64}`);
}

/** Equal content: identity, then size, then equal packed forms, then the bytes. */
export function equalBytes(a: Bytes, b: Bytes): boolean {
  if (a === b) return true;
  if (a.size !== b.size) return false;
  const one = (a as unknown as Held)[FORM];
  const two = (b as unknown as Held)[FORM];
  // Views of a member are checked when they are first asked for: one side's check then stands for both.
  const views = a.segments();
  const packedAlike = one && two && one.method === two.method && one.crc === two.crc;
  return (packedAlike && sameViews(one.segments(), two.segments())) || sameViews(views, b.segments());
}

/** The same bytes, whatever pieces they lie in. */
function sameViews(left: readonly Uint8Array[], right: readonly Uint8Array[]): boolean {
  if (lengthOf(left) !== lengthOf(right)) return false;
  let i = 0;
  let j = 0;
  let x = 0;
  let y = 0;
  while (i < left.length && j < right.length) {
    const one = left[i]!;
    const two = right[j]!;
    const run = Math.min(one.byteLength - x, two.byteLength - y);
    if (!sameRun(one.subarray(x, x + run), two.subarray(y, y + run))) return false;
    x += run;
    y += run;
    if (x === one.byteLength) {
      i++;
      x = 0;
    }
    if (y === two.byteLength) {
      j++;
      y = 0;
    }
  }
  return true;
}

const lengthOf = (views: readonly Uint8Array[]) => views.reduce((sum, view) => sum + view.byteLength, 0);

interface NodeBuffer {
  compare(a: Uint8Array, b: Uint8Array): number;
  allocUnsafeSlow?(size: number): Uint8Array;
}
const node = (globalThis as { Buffer?: NodeBuffer }).Buffer;

function sameRun(a: Uint8Array, b: Uint8Array): boolean {
  if (node) return node.compare(a, b) === 0;
  for (let k = 0; k < a.byteLength; k++) if (a[k] !== b[k]) return false;
  return true;
}
