/**
 * Bounded inflate and reproducible deflate, both synchronous.
 *
 * Inflating uses `node:zlib` where the runtime has it. Elsewhere fflate does it, which costs 26 ms to import and
 * cannot be imported synchronously: whoever opens a file awaits `loadFallback()` first (it does nothing where
 * `node:zlib` is there). Deflating is fflate in every runtime, because native deflaters print different bytes:
 * whoever writes awaits `loadDeflate()` first.
 */
import { later, NotLoadedError } from '../../core/later.ts';

interface NodeZlib {
  inflateRawSync(bytes: Uint8Array, options: { maxOutputLength: number; chunkSize: number }): Uint8Array;
  inflateSync(bytes: Uint8Array, options: { maxOutputLength: number; chunkSize: number }): Uint8Array;
}

/** Most output for each byte of input. Texts and pictures stay far below it; what is made to take the memory does not. */
export const MAX_INFLATE_RATIO = 50;
/** Output that every stream may have, whatever its ratio: silence and blank pictures shrink to nothing. */
export const RATIO_FREE_BYTES = 8 * 1024 * 1024;
/** Deflate cannot shrink further than this, so neither can it grow further. */
const DEFLATE_RATIO = 1032;

let zlib: NodeZlib | undefined;
const fallback = later(() => import('./inflate-fallback.ts'));

/** Most output of a stream of so many bytes, whatever it claims. */
export const inflatedAtMost = (packed: number): number => Math.max(RATIO_FREE_BYTES, packed * MAX_INFLATE_RATIO);

/** Why a stream was not inflated: more output than allowed, more than its input may grow to, or not a whole valid stream. */
export class InflateError extends Error {
  readonly reason: 'too-large' | 'ratio' | 'damaged';

  constructor(reason: InflateError['reason'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'InflateError';
    this.reason = reason;
  }
}

/** To be awaited before anything is inflated. Loads fflate only in a runtime without `node:zlib`. */
export async function loadFallback(): Promise<void> {
  if (!isNodeLike() && nodeZlib() === undefined) await loadDeflate();
}

/** Node, Bun and Deno have `node:zlib`: it is loaded with the first stream, as most files have none. */
function isNodeLike(): boolean {
  const { process } = runtime();
  return process?.versions?.node !== undefined && process.getBuiltinModule !== undefined;
}

/** To be awaited before `deflateRaw`. */
export const loadDeflate = (): Promise<void> => fallback.load();

/**
 * The output of a raw deflate stream, at most `limit` bytes; bytes after the stream's end are ignored.
 * `expected` is the size someone declared: a hint that saves a copy, not a check.
 * Throws `InflateError`: 'too-large' and 'ratio' while inflating, without doing the rest of the work, else 'damaged'.
 */
export function inflateRaw(bytes: Uint8Array, limit: number, expected?: number): Uint8Array {
  const native = nodeZlib();
  return bounded(bytes.length, limit, (most) => {
    if (native) return native.inflateRawSync(bytes, nativeOptions(bytes, most, expected));
    return fallback.loaded().inflate(bytes, most, () => pastBound(bytes.length, limit));
  });
}

/** The same for a zlib stream (RFC 1950). Without `node:zlib` its Adler-32 is not checked: carriers have a CRC. */
export function inflateZlib(bytes: Uint8Array, limit: number, expected?: number): Uint8Array {
  const native = nodeZlib();
  return bounded(bytes.length, limit, (most) => {
    if (native) return native.inflateSync(bytes, nativeOptions(bytes, most, expected));
    const [method = 0, flags = 0] = bytes;
    if ((method & 15) !== 8 || ((method << 8) | flags) % 31 !== 0 || flags & 32) throw new Error('no zlib header');
    return fallback.loaded().inflate(bytes.subarray(2), most, () => pastBound(bytes.length, limit));
  });
}

/** A raw deflate stream, the same bytes in every runtime. Needs `await loadDeflate()` at some time before. */
export function deflateRaw(bytes: Uint8Array): Uint8Array {
  return fallback.loaded().deflate(bytes);
}

interface Runtime {
  process?: { getBuiltinModule?(id: string): unknown; versions?: { node?: string } };
}
const runtime = () => globalThis as Runtime;

function nodeZlib(): NodeZlib | undefined {
  zlib ??= runtime().process?.getBuiltinModule?.('node:zlib') as NodeZlib | undefined;
  return zlib;
}

/** A size that is believed before anything is inflated: real files shrink less than that. */
const BELIEVED_RATIO = 20;

/** One output buffer with room for all of the output where its size can be believed, so that it needs no copy. */
function nativeOptions(bytes: Uint8Array, limit: number, expected = bytes.length * 4) {
  const room = Math.min(expected, limit, bytes.length * DEFLATE_RATIO) + 1;
  const most = expected > bytes.length * BELIEVED_RATIO ? RATIO_FREE_BYTES / 4 : room;
  return { maxOutputLength: Math.max(1, limit), chunkSize: Math.max(64, Math.min(room, most)) };
}

/** Runs `inflate` under the nearer of the two bounds. */
function bounded(packed: number, limit: number, inflate: (most: number) => Uint8Array): Uint8Array {
  const most = Math.min(limit, inflatedAtMost(packed));
  try {
    const out = inflate(most);
    if (out.length > most) throw pastBound(packed, limit);
    return new Uint8Array(out.buffer, out.byteOffset, out.length);
  } catch (cause) {
    if (cause instanceof InflateError || cause instanceof NotLoadedError) throw cause;
    if ((cause as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') throw pastBound(packed, limit, cause);
    const said = cause instanceof Error ? cause.message : String(cause);
    throw new InflateError('damaged', `not a whole deflate stream (${said})`, cause);
  }
}

function pastBound(packed: number, limit: number, cause?: unknown): InflateError {
  const most = inflatedAtMost(packed);
  if (limit <= most) return new InflateError('too-large', `inflates to more than ${limit} bytes`, cause);
  return new InflateError('ratio', ratioDetail(packed, `more than ${most}`), cause);
}

/** What a refusal by ratio says. */
export const ratioDetail = (packed: number, inflated: string): string =>
  `${packed} bytes inflate to ${inflated}, the limit is MAX_INFLATE_RATIO (${MAX_INFLATE_RATIO} to 1 beyond ${RATIO_FREE_BYTES})`;
