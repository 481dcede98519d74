/** Archives for the zip tests: honest ones, patched ones, and what two other libraries read in them. */
import { createRequire } from 'node:module';
import * as zipJs from '@zip.js/zip.js';
import { beforeAll } from 'vitest';
import { bytesOf } from '../../src/core/bytes.ts';
import { BunzaiError } from '../../src/core/errors.ts';
import { sourceOf } from '../../src/core/source.ts';
import { loadDeflate } from '../../src/formats/_shared/inflate.ts';
import { type Member, openZip, writeZip, type Zip } from '../../src/formats/_shared/zip.ts';

beforeAll(async () => {
  zipJs.configure({ useWebWorkers: false });
  await loadDeflate();
});

export const text = (value: string) => new TextEncoder().encode(value);
export const said = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
export const LOREM = 'The quick brown fox jumps over the lazy dog. '.repeat(200);

/** Bytes that do not compress and never repeat between runs. */
export function noise(size: number, seed = 1): Uint8Array {
  const bytes = new Uint8Array(size);
  let state = seed;
  for (let i = 0; i < size; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bytes[i] = state >>> 24;
  }
  return bytes;
}

export const concat = (...pieces: Uint8Array[]) => new Uint8Array(Buffer.concat(pieces));
export const JPEG = concat(new Uint8Array([0xff, 0xd8, 0xff, 0xe0]), noise(3000, 7), new Uint8Array([0xff, 0xd9]));
export function opened(bytes: Uint8Array): Zip {
  const zip = openZip(sourceOf(bytes));
  if (zip === undefined) throw new Error('not opened');
  return zip;
}

export function the(zip: Zip, name: string): Member {
  const member = zip.get(name);
  if (member === undefined) throw new Error(`no ${name}`);
  return member;
}

export function refusal(run: () => unknown): BunzaiError {
  try {
    run();
  } catch (error) {
    if (error instanceof BunzaiError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

type Made = readonly [name: string, content: Uint8Array, options?: zipJs.ZipWriterAddDataOptions];

/** An archive made by zip.js, the foreign writer. */
export async function made(
  entries: readonly Made[],
  options: zipJs.ZipWriterConstructorOptions = {},
  comment?: Uint8Array,
) {
  const writer = new zipJs.ZipWriter(new zipJs.Uint8ArrayWriter(), { extendedTimestamp: false, ...options });
  for (const [name, content, own] of entries) await writer.add(name, new zipJs.Uint8ArrayReader(content), own);
  return new Uint8Array(await writer.close(comment));
}

interface Judged {
  readonly name: string;
  readonly content: Uint8Array;
}

/** What zip.js reads, with all its checks on. */
export async function byZipJs(bytes: Uint8Array): Promise<Judged[]> {
  const reader = new zipJs.ZipReader(new zipJs.Uint8ArrayReader(bytes), { checkSignature: true });
  const out: Judged[] = [];
  for (const entry of await reader.getEntries()) {
    const content = entry.directory ? new Uint8Array() : await entry.getData(new zipJs.Uint8ArrayWriter());
    out.push({ name: entry.filename, content });
  }
  return out;
}

interface YauzlEntry {
  readonly fileName: string;
}

interface YauzlFile {
  readEntry(): void;
  openReadStream(entry: YauzlEntry, done: (error: Error | null, stream: NodeJS.ReadableStream) => void): void;
  on(event: 'entry', listener: (entry: YauzlEntry) => void): void;
  on(event: 'end' | 'error', listener: (error?: Error) => void): void;
}

type FromBuffer = (bytes: Buffer, options: object, done: (error: Error | null, file: YauzlFile) => void) => void;
const yauzl = createRequire(import.meta.url)('yauzl') as { fromBuffer: FromBuffer };

/** What yauzl reads, the library behind SillyTavern's import. */
export function byYauzl(bytes: Uint8Array): Promise<Judged[]> {
  return new Promise((resolve, reject) => {
    yauzl.fromBuffer(Buffer.from(bytes), { lazyEntries: true, strictFileNames: true }, (error, file) => {
      if (error) return reject(error);
      const out: Judged[] = [];
      file.on('error', reject);
      file.on('end', () => resolve(out));
      file.on('entry', (entry) => {
        file.openReadStream(entry, (failed, stream) => {
          if (failed) return reject(failed);
          const pieces: Buffer[] = [];
          stream.on('error', reject);
          stream.on('data', (piece: Buffer) => pieces.push(piece));
          stream.on('end', () => {
            out.push({ name: entry.fileName, content: new Uint8Array(Buffer.concat(pieces)) });
            file.readEntry();
          });
        });
      });
      file.readEntry();
    });
  });
}

/** Positions of the central records, to break one field of an honest archive. */
export function centralAt(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const found: number[] = [];
  for (let i = 0; i + 46 <= bytes.length; i++) if (view.getUint32(i, true) === 0x02014b50) found.push(i);
  return found;
}

export function patched(
  bytes: Uint8Array,
  change: (view: DataView, central: number[], end: number) => void,
): Uint8Array {
  const copy = bytes.slice();
  change(new DataView(copy.buffer), centralAt(copy), copy.length - 22);
  return copy;
}

export const plain = (entries: readonly (readonly [string, Uint8Array])[], prefix?: Uint8Array) =>
  writeZip(
    entries.map(([name, content]) => ({ name, content: bytesOf(content) })),
    prefix === undefined ? {} : { prefix: bytesOf(prefix) },
  );
export const SMALL: readonly (readonly [string, Uint8Array])[] = [
  ['card.json', text(LOREM)],
  ['assets/icon/image/1.png', noise(2000)],
  ['empty.txt', new Uint8Array()],
];
