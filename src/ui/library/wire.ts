/** What the page and the local server say to each other about the library, beside plain JSON. */
import type { NewBlobs } from './store.ts';

/** The header that carries the token of this launch. */
export const TOKEN_HEADER = 'x-bunzai-token';

/** What a packed message starts with, in one line of JSON. */
interface Head {
  readonly message: unknown;
  /** Name and bytes of each content, in the order in which they follow. */
  readonly blobs: readonly (readonly [hash: string, size: number])[];
}

/** A message with content: a line of JSON, then the content. A form would be held several times over to take it apart. */
export function packed(message: unknown, blobs: NewBlobs = {}): Blob {
  const head: Head = { message, blobs: Object.entries(blobs).map(([hash, { size }]) => [hash, size]) };
  return new Blob([`${JSON.stringify(head)}\n`, ...Object.values(blobs)]);
}

/** The line and the content of a packed message, as views into it. `readHead` checks what the line says. */
export function unpacked<T>(
  bytes: Uint8Array,
  readHead: (line: string) => { readonly message: T; readonly blobs: Head['blobs'] },
): { readonly message: T; readonly blobs: Readonly<Record<string, Uint8Array>> } {
  const end = bytes.indexOf(10);
  const { message, blobs } = readHead(new TextDecoder().decode(bytes.subarray(0, Math.max(0, end))));
  let at = end + 1;
  const contents = blobs.map(([hash, size]) => {
    const start = at;
    at += size;
    return [hash, bytes.subarray(start, at)] as const;
  });
  if (at !== bytes.byteLength) throw new SyntaxError('the content is not as long as the message says');
  return { message, blobs: Object.fromEntries(contents) };
}

/** The lines of a stream of text, as they come. */
export async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = stream.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + value).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
