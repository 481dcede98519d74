/** What the page and the local server say to each other about the library, beside plain JSON. */
import type { NewBlobs } from './store.ts';

/** The header that carries the token of this launch. */
export const TOKEN_HEADER = 'x-bunzai-token';

/** A message with content: JSON in the field `message`, each blob in a field named by its hash. */
export function packed(message: unknown, blobs: NewBlobs = {}): FormData {
  const form = new FormData();
  form.set('message', JSON.stringify(message));
  for (const [hash, blob] of Object.entries(blobs)) form.set(`blob:${hash}`, blob);
  return form;
}

/** The two parts of a packed message. Throws a `SyntaxError` for anything else. */
export function unpacked(form: FormData): { readonly message: string; readonly blobs: NewBlobs } {
  const message = form.get('message');
  if (typeof message !== 'string') throw new SyntaxError('the field "message" is missing');
  const blobs: [string, Blob][] = [];
  form.forEach((value, name) => {
    if (name.startsWith('blob:') && typeof value !== 'string') blobs.push([name.slice('blob:'.length), value]);
  });
  return { message, blobs: Object.fromEntries(blobs) };
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
