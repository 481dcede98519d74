import { BunzaiError } from './errors.ts';

/** What a caller may hand in. A name is a hint for messages and fallback labels, never for detection. */
export type Input =
  | Uint8Array
  | ArrayBuffer
  | Blob
  | string
  | { readonly bytes: Uint8Array | ArrayBuffer | Blob | string; readonly filename?: string };

/**
 * One opened file. Everything that is worked out from its bytes (text, JSON, PNG chunks, EXIF, zip directory)
 * is worked out at most once and shared by all detectors and readers.
 */
export interface Source {
  readonly filename?: string;
  readonly bytes: Uint8Array;
  /** The text, where the caller handed in text rather than bytes. */
  readonly given?: string;
  /** The result of `compute` for this source, worked out on the first call. `compute` itself is the key. */
  once<T>(compute: (source: Source) => T): T;
}

/** Largest input that is opened at all. */
export const MAX_INPUT_BYTES = 1024 * 1024 * 1024;

export function sourceOf(bytes: Uint8Array, filename?: string, given?: string): Source {
  const memo = new Map<unknown, unknown>();
  const source: Source = {
    bytes,
    ...(filename === undefined ? {} : { filename }),
    ...(given === undefined ? {} : { given }),
    once<T>(compute: (source: Source) => T): T {
      if (!memo.has(compute)) memo.set(compute, compute(source));
      return memo.get(compute) as T;
    },
  };
  return source;
}

/** Opens what the caller gave. Only a Blob has to wait. */
export async function openInput(input: Input): Promise<Source> {
  if (typeof input === 'string') {
    // A letter takes at least one byte: a text that is too long is not encoded first.
    if (input.length > MAX_INPUT_BYTES) throw tooLarge(input.length);
    return sourceOf(bounded(new TextEncoder().encode(input)), undefined, input);
  }
  if (input instanceof Uint8Array) return sourceOf(bounded(input));
  if (input instanceof ArrayBuffer) return sourceOf(bounded(new Uint8Array(input)));
  if (isBlob(input)) {
    if (input.size > MAX_INPUT_BYTES) throw tooLarge(input.size);
    const { name } = input as { name?: unknown };
    return sourceOf(new Uint8Array(await input.arrayBuffer()), typeof name === 'string' ? name : undefined);
  }
  const inner = await openInput(input.bytes);
  return sourceOf(inner.bytes, input.filename ?? inner.filename, inner.given);
}

const isBlob = (input: object): input is Blob => typeof Blob !== 'undefined' && input instanceof Blob;

function bounded(bytes: Uint8Array): Uint8Array {
  if (bytes.byteLength > MAX_INPUT_BYTES) throw tooLarge(bytes.byteLength);
  return bytes;
}

const tooLarge = (size: number) =>
  new BunzaiError('input.too-large', {
    detail: `${size} bytes, the limit is MAX_INPUT_BYTES (${MAX_INPUT_BYTES})`,
    hint: 'split it, or take the largest files out of it',
  });
