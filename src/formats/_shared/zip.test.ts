import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { deflateRawSync, deflateSync, crc32 as zlibCrc32 } from 'node:zlib';
import * as zipJs from '@zip.js/zip.js';
import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { CORPUS } from '../../../test/kit/corpus.ts';
import { type Bytes, bytesOf, lazyBytes } from '../../core/bytes.ts';
import { BunzaiError } from '../../core/errors.ts';
import { sourceOf } from '../../core/source.ts';
import { crc32 } from './crc32.ts';
import * as inflating from './inflate.ts';
import { inflate as inflateByFflate } from './inflate-fallback.ts';
import {
  isSafeName,
  MAX_ZIP_MEMBERS,
  type Member,
  openZip,
  safeMemberName,
  writeZip,
  type Zip,
  type ZipEntry,
  zipOf,
} from './zip.ts';
import { decodeName, unicodePath } from './zip-names.ts';

const { loadDeflate, inflateRaw, inflateZlib, deflateRaw } = inflating;

beforeAll(async () => {
  zipJs.configure({ useWebWorkers: false });
  await loadDeflate();
});

const text = (value: string) => new TextEncoder().encode(value);
const said = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const LOREM = 'The quick brown fox jumps over the lazy dog. '.repeat(200);

/** Bytes that do not compress and never repeat between runs. */
function noise(size: number, seed = 1): Uint8Array {
  const bytes = new Uint8Array(size);
  let state = seed;
  for (let i = 0; i < size; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bytes[i] = state >>> 24;
  }
  return bytes;
}

const concat = (...pieces: Uint8Array[]) => new Uint8Array(Buffer.concat(pieces));
const JPEG = concat(new Uint8Array([0xff, 0xd8, 0xff, 0xe0]), noise(3000, 7), new Uint8Array([0xff, 0xd9]));

function opened(bytes: Uint8Array): Zip {
  const zip = openZip(sourceOf(bytes));
  if (zip === undefined) throw new Error('not opened');
  return zip;
}

function the(zip: Zip, name: string): Member {
  const member = zip.get(name);
  if (member === undefined) throw new Error(`no ${name}`);
  return member;
}

function refusal(run: () => unknown): BunzaiError {
  try {
    run();
  } catch (error) {
    if (error instanceof BunzaiError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

const openRefusal = (bytes: Uint8Array) => {
  const result = zipOf(sourceOf(bytes));
  expect(result).toBeInstanceOf(BunzaiError);
  return refusal(() => openZip(sourceOf(bytes)));
};

type Made = readonly [name: string, content: Uint8Array, options?: zipJs.ZipWriterAddDataOptions];

/** An archive made by zip.js, the foreign writer. */
async function made(entries: readonly Made[], options: zipJs.ZipWriterConstructorOptions = {}, comment?: Uint8Array) {
  const writer = new zipJs.ZipWriter(new zipJs.Uint8ArrayWriter(), { extendedTimestamp: false, ...options });
  for (const [name, content, own] of entries) await writer.add(name, new zipJs.Uint8ArrayReader(content), own);
  return new Uint8Array(await writer.close(comment));
}

interface Judged {
  readonly name: string;
  readonly content: Uint8Array;
}

/** What zip.js reads, with all its checks on. */
async function byZipJs(bytes: Uint8Array): Promise<Judged[]> {
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
function byYauzl(bytes: Uint8Array): Promise<Judged[]> {
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
function centralAt(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const found: number[] = [];
  for (let i = 0; i + 46 <= bytes.length; i++) if (view.getUint32(i, true) === 0x02014b50) found.push(i);
  return found;
}

function patched(bytes: Uint8Array, change: (view: DataView, central: number[], end: number) => void): Uint8Array {
  const copy = bytes.slice();
  change(new DataView(copy.buffer), centralAt(copy), copy.length - 22);
  return copy;
}

const plain = (entries: readonly (readonly [string, Uint8Array])[], prefix?: Uint8Array) =>
  writeZip(
    entries.map(([name, content]) => ({ name, content: bytesOf(content) })),
    prefix === undefined ? {} : { prefix: bytesOf(prefix) },
  );

const SMALL: readonly (readonly [string, Uint8Array])[] = [
  ['card.json', text(LOREM)],
  ['assets/icon/image/1.png', noise(2000)],
  ['empty.txt', new Uint8Array()],
];

describe('crc32', () => {
  test('agrees with the known check value, with itself over segments and with zlib', () => {
    expect(crc32(text('123456789'))).toBe(0xcbf43926);
    expect(crc32(new Uint8Array())).toBe(0);
    const bytes = noise(5003);
    for (const cut of [0, 1, 7, 8, 9, 2500, 5003]) {
      expect(crc32(bytes.subarray(cut), crc32(bytes.subarray(0, cut)))).toBe(crc32(bytes));
    }
    if (typeof zlibCrc32 === 'function') expect(crc32(bytes)).toBe(zlibCrc32(bytes));
  });
});

describe('inflate', () => {
  const packed = new Uint8Array(deflateRawSync(text(LOREM)));
  const zlibbed = new Uint8Array(deflateSync(text(LOREM)));
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });

  /** The module as a runtime without node:zlib gets it. */
  async function elsewhere(): Promise<typeof inflating> {
    // The ordinary module looks node:zlib up at its first call; that has to be before the lookup is taken away.
    inflateRaw(packed, LOREM.length);
    vi.resetModules();
    vi.stubGlobal('process', Object.create(process, { getBuiltinModule: { value: undefined } }));
    const fresh = await import('./inflate.ts');
    return fresh;
  }

  const reasonOf = (run: () => unknown) => {
    try {
      run();
    } catch (error) {
      if (error instanceof Error) return (error as { reason?: string }).reason ?? error.message;
    }
    return 'fine';
  };

  test('with node:zlib and without it: the same output, the same refusals', async () => {
    const other = await elsewhere();
    expect(reasonOf(() => other.inflateRaw(packed, 10_000))).toContain('loadFallback');
    expect(reasonOf(() => other.deflateRaw(text('a')))).toContain('loadDeflate');
    await other.loadFallback();
    for (const { raw, zlib } of [
      { raw: inflateRaw, zlib: inflateZlib },
      { raw: other.inflateRaw, zlib: other.inflateZlib },
    ]) {
      for (const [run, bytes] of [
        [raw, packed],
        [zlib, zlibbed],
      ] as const) {
        expect(said(run(bytes, LOREM.length))).toBe(LOREM);
        expect(said(run(bytes, LOREM.length * 9))).toBe(LOREM);
        expect(said(run(bytes, LOREM.length, LOREM.length))).toBe(LOREM);
        expect(said(run(bytes, LOREM.length, 3))).toBe(LOREM);
        expect(said(run(concat(bytes, text('trailing')), LOREM.length))).toBe(LOREM);
        expect(reasonOf(() => run(bytes, LOREM.length - 1))).toBe('too-large');
        expect(reasonOf(() => run(bytes, 0))).toBe('too-large');
        expect(reasonOf(() => run(new Uint8Array(), 10))).toBe('damaged');
        expect(reasonOf(() => run(new Uint8Array([7, 7, 7]), 10))).toBe('damaged');
      }
      for (let cut = 1; cut < packed.length; cut++) {
        expect(reasonOf(() => raw(packed.subarray(0, cut), LOREM.length))).toBe('damaged');
      }
      expect(reasonOf(() => zlib(packed, 99_999))).toBe('damaged');
      expect(reasonOf(() => raw(new Uint8Array(deflateRawSync(text('a'))), 0))).toBe('too-large');
      expect(raw(new Uint8Array(deflateRawSync(new Uint8Array())), 0)).toHaveLength(0);
    }
  });

  test('many slices', async () => {
    const long = concat(noise(70_000), new Uint8Array(400_000), text(LOREM), noise(50_000, 3));
    const stream = new Uint8Array(deflateRawSync(long));
    const out = inflateByFflate(stream, long.length, () => new Error('limit'));
    expect(Buffer.compare(out, long)).toBe(0);
    for (const cut of [16_384, 32_768, 65_536, stream.length - 1]) {
      expect(() => inflateByFflate(stream.subarray(0, cut), long.length, () => new Error('limit'))).toThrow();
    }
  });

  test('deflate is reproducible', () => {
    const out = deflateRaw(text(LOREM));
    expect(crc32(out).toString(16)).toMatchInlineSnapshot(`"19368391"`);
    expect(said(inflateRaw(out, LOREM.length))).toBe(LOREM);
  });
});

describe('reading', () => {
  const files: readonly (readonly [string, Uint8Array])[] = [...SMALL, ['notes/日本語.md', text('漢字')]];

  test.each([
    ['deflated', { level: 6 }],
    ['stored', { level: 0 }],
    ['stored with data descriptors', { level: 0, dataDescriptor: true }],
    ['deflated with data descriptors', { level: 6, dataDescriptor: true }],
    ['Zip64', { zip64: true }],
    ['Zip64 with data descriptors', { zip64: true, dataDescriptor: true }],
    ['extended timestamps', { extendedTimestamp: true }],
    ['unflagged UTF-8 names', { useUnicodeFileNames: false }],
  ] as const)('%s', async (_label, options) => {
    const bytes = await made(files, { ...options, keepOrder: true });
    const zip = opened(bytes);
    expect(zip.prefix.size).toBe(0);
    expect(zip.members.map((member) => member.name)).toEqual(files.map(([name]) => name));
    for (const [name, content] of files) {
      const member = the(zip, name);
      expect(member.size).toBe(content.length);
      expect(Buffer.compare(member.content.bytes(), content)).toBe(0);
    }
  });

  test('opening inflates nothing, copies nothing, and is memoised', async () => {
    const source = sourceOf(await made(files));
    const spy = vi.spyOn(inflating, 'inflateRaw');
    const zip = source.once(openZip);
    expect(zipOf(source)).toBe(zip);
    expect(openZip(source)).toBe(zip);
    for (const member of zip?.members ?? []) expect(member.raw().buffer).toBe(source.bytes.buffer);
    expect(zip?.get('card.json')?.content).toBe(zip?.get('card.json')?.content);
    expect(spy).not.toHaveBeenCalled();
    for (let i = 0; i < 2; i++) zip?.get('card.json')?.content.bytes();
    expect(spy).toHaveBeenCalledTimes(1);
    spy.mockRestore();
  });

  test('mime by extension, size without reading', () => {
    const zip = opened(
      plain([
        ['a.PNG', noise(9)],
        ['b.mp3', noise(9)],
        ['c', noise(9)],
        ['d.constructor', noise(9)],
      ]),
    );
    expect(zip.members.map((member) => member.content.mime)).toEqual(['image/png', 'audio/mpeg', undefined, undefined]);
    expect(the(zip, 'c').content.size).toBe(9);
  });

  test('a picture in front, offsets counted from the archive', async () => {
    const zip = opened(concat(JPEG, await made(files)));
    expect(Buffer.compare(zip.prefix.bytes(), JPEG)).toBe(0);
    expect(zip.prefix.mime).toBe('image/jpeg');
    expect(said(the(zip, 'card.json').content.bytes())).toBe(LOREM);
  });

  test('a picture in front, offsets counted from the file', async () => {
    const bytes = patched(concat(JPEG, await made(files)), (view, central, end) => {
      for (const at of central) view.setUint32(at + 42, view.getUint32(at + 42, true) + JPEG.length, true);
      view.setUint32(end + 16, view.getUint32(end + 16, true) + JPEG.length, true);
    });
    const zip = opened(bytes);
    expect(Buffer.compare(zip.prefix.bytes(), JPEG)).toBe(0);
    expect(said(the(zip, 'card.json').content.bytes())).toBe(LOREM);
    expect((await byZipJs(bytes)).map((file) => file.name)).toEqual(files.map(([name]) => name));
  });

  test('a picture in front, only the member offsets counted from the file', async () => {
    const bytes = patched(concat(JPEG, await made(files)), (view, central) => {
      for (const at of central) view.setUint32(at + 42, view.getUint32(at + 42, true) + JPEG.length, true);
    });
    const zip = opened(bytes);
    expect(Buffer.compare(zip.prefix.bytes(), JPEG)).toBe(0);
    expect(said(the(zip, 'card.json').content.bytes())).toBe(LOREM);
  });

  test('bytes between the directory and the end record', () => {
    const bytes = plain(SMALL);
    const zip = opened(concat(bytes.subarray(0, -22), noise(33), bytes.subarray(-22)));
    expect(zip.members).toHaveLength(3);
    expect(said(the(zip, 'card.json').content.bytes())).toBe(LOREM);
  });

  test('an archive comment and bytes behind the archive', async () => {
    const commented = await made(files, {}, text('made with love ♥'));
    expect(opened(commented).comment).toBe('made with love ♥');
    expect(opened(concat(JPEG, commented)).comment).toBe('made with love ♥');
    expect(opened(concat(commented, noise(500))).members).toHaveLength(4);
    expect(opened(concat(await made(files), noise(500))).members).toHaveLength(4);
    const longest = await made(files, {}, noise(0xffff));
    expect(opened(longest).members).toHaveLength(4);
  });

  test('an end record inside the comment does not hide the real one', async () => {
    const fake = new Uint8Array(22);
    fake.set([0x50, 0x4b, 5, 6]);
    new DataView(fake.buffer).setUint16(8, 1, true);
    new DataView(fake.buffer).setUint16(10, 1, true);
    new DataView(fake.buffer).setUint32(12, 60, true);
    expect(opened(await made(files, {}, fake)).members).toHaveLength(4);
    expect(opened(await made(files, {}, concat(fake, noise(50)))).members).toHaveLength(4);
  });

  test('names: UTF-8, else code page 437', () => {
    expect(decodeName(text('Ünï'))).toBe('Ünï');
    expect(decodeName(new Uint8Array([0x61, 0x81, 0x2e, 0xff]))).toBe('aü.\u00a0');
    const bytes = patched(plain([['ab.txt', text('x')]]), (view, [at = 0]) => view.setUint8(at + 47, 0x9b));
    expect(opened(bytes).members[0]?.name).toBe('a¢.txt');
  });

  test('names: the Unicode path field counts while it is for this name', () => {
    const plainName = new Uint8Array([0x81, 0x2e, 0x61]);
    const field = concat(new Uint8Array([1, 0, 0, 0, 0]), text('ü.a'));
    new DataView(field.buffer).setUint32(1, crc32(plainName), true);
    expect(unicodePath(field, plainName)).toBe('ü.a');
    expect(unicodePath(field, text('other'))).toBeUndefined();
    expect(unicodePath(field.subarray(0, 5), plainName)).toBeUndefined();
  });

  test('equal names: the first is got, all are listed', () => {
    const zip = opened(
      plain([
        ['a.txt', text('one')],
        ['a.txt', text('two')],
        ['b.txt', text('')],
        ['a.txt', text('3')],
      ]),
    );
    expect(zip.duplicates).toEqual(['a.txt']);
    expect(said(the(zip, 'a.txt').content.bytes())).toBe('one');
    expect(zip.members.map((member) => said(member.content.bytes()))).toEqual(['one', 'two', '', '3']);
  });

  test('__proto__ and constructor are names like others', () => {
    const zip = opened(plain([['__proto__', text('p')]]));
    expect(said(the(zip, '__proto__').content.bytes())).toBe('p');
    expect(zip.get('constructor')).toBeUndefined();
    expect(zip.get('toString')).toBeUndefined();
  });

  test('traversal names are read, and not written', async () => {
    const bytes = await made([['../../evil.txt', text('boo')]]);
    const zip = opened(bytes);
    const member = the(zip, '../../evil.txt');
    expect(said(member.content.bytes())).toBe('boo');
    expect(refusal(() => writeZip([{ name: member.name, content: member }])).code).toBe('zip.unsafe-name');
    expect(writeZip([{ name: 'evil.txt', content: member }]).length).toBeGreaterThan(0);
  });

  test('an empty archive is one, only when nothing else is there', () => {
    expect(opened(writeZip([])).members).toEqual([]);
    expect(openZip(sourceOf(concat(JPEG, writeZip([]))))).toBeUndefined();
  });

  test('dead space in front of the first member is no prefix', () => {
    const dead = plain([['old.txt', text('x')]]).subarray(0, 38);
    const bytes = patched(concat(dead, plain(SMALL)), (view, central, end) => {
      for (const at of central) view.setUint32(at + 42, view.getUint32(at + 42, true) + dead.length, true);
      view.setUint32(end + 16, view.getUint32(end + 16, true) + dead.length, true);
    });
    expect(opened(bytes).prefix.size).toBe(0);
    expect(opened(bytes).members).toHaveLength(3);
  });

  test('2,200 members', async () => {
    const many = Array.from(
      { length: 2200 },
      (_, i): ZipEntry => ({ name: `assets/${i}.png`, content: bytesOf(noise(64, i)) }),
    );
    const bytes = writeZip(many);
    const zip = opened(bytes);
    expect(zip.members).toHaveLength(2200);
    expect(Buffer.compare(the(zip, 'assets/2199.png').content.bytes(), noise(64, 2199))).toBe(0);
    expect(await byYauzl(bytes)).toHaveLength(2200);
  });
});

describe('no archive', () => {
  test('chance PK bytes in a picture', () => {
    const marks = [
      [0x50, 0x4b, 3, 4],
      [0x50, 0x4b, 1, 2],
      [0x50, 0x4b, 5, 6],
      [0x50, 0x4b, 6, 6],
      [0x50, 0x4b, 6, 7],
    ];
    for (let seed = 1; seed < 300; seed++) {
      const bytes = concat(JPEG, noise(400, seed));
      for (const [i, mark] of marks.entries()) bytes.set(mark, 40 + ((seed * 131 + i * 977) % (bytes.length - 80)));
      bytes.set([0x50, 0x4b, 5, 6], bytes.length - 22 - (seed % 60));
      expect(zipOf(sourceOf(bytes))).toBeUndefined();
    }
  });

  test('an end record in a picture, with numbers that fit each other, that does not close the file', () => {
    const end = new Uint8Array(22);
    end.set([0x50, 0x4b, 5, 6, 0, 0, 0, 0, 1, 0, 1, 0, 60, 0, 0, 0, 9, 0, 0, 0]);
    expect(zipOf(sourceOf(concat(JPEG, end, noise(40))))).toBeUndefined();
    expect(zipOf(sourceOf(concat(JPEG, end)))).toBeInstanceOf(BunzaiError);
  });

  test.each([
    ['nothing', new Uint8Array()],
    ['text', text('{"name":"PK"}')],
    ['an end record of zeros behind a picture', concat(JPEG, new Uint8Array([0x50, 0x4b, 5, 6]), new Uint8Array(18))],
    ['gzip', new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0])],
  ])('%s', (_label, bytes) => {
    expect(zipOf(sourceOf(bytes))).toBeUndefined();
    expect(openZip(sourceOf(bytes))).toBeUndefined();
  });
});

describe('refused', () => {
  test('encrypted, both kinds', async () => {
    for (const options of [{ zipCrypto: true }, { encryptionStrength: 3 as const }]) {
      const bytes = await made([['card.json', text(LOREM)]], { password: 'x', ...options });
      const error = openRefusal(bytes);
      expect(error.code).toBe('zip.encrypted');
      expect(error.path).toBe('card.json');
      expect(error.hint).toBeTruthy();
    }
  });

  test('too many members: named with limit and value', () => {
    const entries = Array.from(
      { length: MAX_ZIP_MEMBERS },
      (_, i): ZipEntry => ({ name: `${i}`, content: bytesOf(text('')) }),
    );
    const full = writeZip(entries);
    expect(opened(full).members).toHaveLength(MAX_ZIP_MEMBERS);
    expect(refusal(() => writeZip([...entries, ...entries.slice(0, 1)])).code).toBe('zip.too-many');
    const more = patched(full, (view, _central, end) => view.setUint16(end + 10, MAX_ZIP_MEMBERS + 1, true));
    const error = openRefusal(more);
    expect(error.code).toBe('zip.too-many');
    expect(error.message).toMatch(/10001.*10000/);
    const hidden = patched(full, (view, _central, end) => view.setUint16(end + 10, 5, true));
    expect(openRefusal(hidden).code).toBe('zip.damaged');
  });

  test('100,000 empty members', () => {
    const one = plain([['a', text('')]]);
    const local = one.subarray(0, 31);
    const central = one.subarray(31, 31 + 47);
    const end = one.slice(31 + 47);
    const count = 100_000;
    const body = new Uint8Array(count * local.length);
    const list = new Uint8Array(count * central.length);
    for (let i = 0; i < count; i++) {
      body.set(local, i * local.length);
      list.set(central, i * central.length);
      new DataView(list.buffer).setUint32(i * central.length + 42, i * local.length, true);
    }
    const view = new DataView(end.buffer);
    view.setUint32(12, list.length, true);
    view.setUint32(16, body.length, true);
    for (const stated of [count & 0xffff, 5]) {
      view.setUint16(10, stated, true);
      expect(openRefusal(concat(body, list, end)).code).toBe('zip.too-many');
    }
  });

  test('declared total above the limit', () => {
    const bytes = patched(plain(SMALL), (view, [one = 0, two = 0]) => {
      view.setUint32(one + 24, 600 * 1024 * 1024, true);
      view.setUint32(two + 24, 600 * 1024 * 1024, true);
    });
    const error = openRefusal(bytes);
    expect(error.code).toBe('zip.too-large');
    expect(error.message).toContain('1073741824');
  });

  test('one member above the limit: the others can be read', () => {
    const zip = opened(patched(plain(SMALL), (view, [one = 0]) => view.setUint32(one + 24, 600 * 1024 * 1024, true)));
    const error = refusal(() => the(zip, 'card.json').content.bytes());
    expect(error.code).toBe('zip.too-large');
    expect(error.path).toBe('card.json');
    expect(the(zip, 'assets/icon/image/1.png').content.bytes()).toHaveLength(2000);
  });

  test('members that overlap, lie outside, or are not there', () => {
    const bytes = plain(SMALL);
    const codes = [
      patched(bytes, (view, [one = 0, two = 0]) => view.setUint32(two + 42, view.getUint32(one + 42, true), true)),
      patched(bytes, (view, [one = 0]) => view.setUint32(one + 20, 5000, true)),
      patched(bytes, (view, [, two = 0]) => view.setUint32(two + 20, 5000, true)),
      patched(bytes, (view, [, , three = 0]) => view.setUint32(three + 20, 5000, true)),
      patched(bytes, (view, [, two = 0]) => view.setUint32(two + 42, 0x7fffffff, true)),
      patched(bytes, (view, [one = 0]) => view.setUint32(one + 42, 3, true)),
      patched(bytes, (view, [, two = 0]) => view.setUint16(two + 28, 0xffff, true)),
      patched(bytes, (view, [one = 0]) => view.setUint32(one, 0, true)),
      patched(bytes, (view, [, two = 0]) => view.setUint32(two, 0, true)),
      patched(bytes, (view, _central, end) => view.setUint16(end + 10, 2, true)),
      patched(bytes, (view, _central, end) => view.setUint32(end + 12, 5000, true)),
      concat(bytes.subarray(0, 100), bytes.subarray(300)),
    ].map((broken) => openRefusal(broken).code);
    expect(codes).toEqual(codes.map(() => 'zip.damaged'));
  });

  test('an archive cut short, whose last whole member is an archive, is not taken for that one', async () => {
    const inner = plain(SMALL);
    const outer = await made([
      ['card.json', text('{}'), { level: 0 }],
      ['inner.zip', inner, { level: 0 }],
    ]);
    expect(opened(outer).members).toHaveLength(2);
    const cut = outer.subarray(0, (centralAt(outer)[3] ?? 0) + 10);
    expect(openRefusal(cut).code).toBe('zip.damaged');
    expect(openRefusal(cut).hint).toContain('cut short');
  });

  test('sizes that lie, in both directions and methods', () => {
    for (const [name, by] of [
      ['card.json', -1],
      ['card.json', 1],
      ['assets/icon/image/1.png', -1],
      ['assets/icon/image/1.png', 1],
    ] as const) {
      const zip = opened(
        patched(plain(SMALL), (view, central) => {
          const at = central[name === 'card.json' ? 0 : 1] ?? 0;
          view.setUint32(at + 24, view.getUint32(at + 24, true) + by, true);
        }),
      );
      const error = refusal(() => the(zip, name).content.bytes());
      expect([error.code, error.path]).toEqual(['zip.damaged', name]);
      expect(error.hint).toBeTruthy();
    }
  });

  test('a wrong checksum, and a damaged stream', () => {
    const bytes = plain(SMALL);
    const wrong = patched(bytes, (view, [one = 0, two = 0]) => {
      view.setUint32(one + 16, 1, true);
      view.setUint32(two + 16, 0xfffffffe, true);
    });
    for (const name of ['card.json', 'assets/icon/image/1.png']) {
      const error = refusal(() => the(opened(wrong), name).content.bytes());
      expect([error.code, error.path]).toEqual(['zip.crc', name]);
    }
    const torn = patched(bytes, (view) => {
      for (let i = 45; i < 60; i++) view.setUint8(i, 0xff);
    });
    const member = the(opened(torn), 'card.json');
    expect(['zip.damaged', 'zip.crc']).toContain(refusal(() => member.content.bytes()).code);
    expect(['zip.damaged', 'zip.crc']).toContain(refusal(() => member.content.bytes()).code);
  });

  test('a method bunzai does not read is named, and passed through', () => {
    const bytes = patched(plain(SMALL), (view, [one = 0]) => view.setUint16(one + 10, 14, true));
    const member = the(opened(bytes), 'card.json');
    expect(refusal(() => member.content.bytes()).code).toBe('zip.method');
    const again = the(opened(writeZip([{ name: 'card.json', content: member.content }])), 'card.json');
    expect([again.method, again.crc]).toEqual([14, member.crc]);
    expect(Buffer.compare(again.raw(), member.raw())).toBe(0);
  });

  test('a zip bomb dies at once', () => {
    const bomb = new Uint8Array(deflateRawSync(new Uint8Array(100_000_000), { level: 9 }));
    const honest = plain([['bomb.bin', bomb]]);
    const bytes = patched(honest, (view, [at = 0]) => {
      view.setUint16(at + 10, 8, true);
      view.setUint32(at + 24, 1000, true);
    });
    const start = performance.now();
    const error = refusal(() => the(opened(bytes), 'bomb.bin').content.bytes());
    expect(error.code).toBe('zip.damaged');
    expect(error.message).toContain('1000');
    expect(performance.now() - start).toBeLessThan(100);
    const middle = performance.now();
    expect(() => inflateByFflate(bomb, 1000, () => new RangeError('limit'))).toThrow(RangeError);
    expect(performance.now() - middle).toBeLessThan(1000);
  });
});

describe('hostile bytes', () => {
  /** Opens and reads all there is; only a BunzaiError may come out. */
  function probe(bytes: Uint8Array): void {
    const result = zipOf(sourceOf(bytes));
    if (result === undefined || result instanceof BunzaiError) return;
    for (const member of result.members) {
      try {
        member.content.bytes();
      } catch (error) {
        if (!(error instanceof BunzaiError)) throw error;
      }
    }
  }

  test('truncated at every 97th byte', async () => {
    const zip = await made([...SMALL, ['nested.zip', plain(SMALL), { level: 0 }]], { zip64: true });
    for (const whole of [zip, concat(JPEG, zip), concat(JPEG, plain(SMALL))]) {
      for (let size = 0; size < whole.length; size += 97) probe(whole.subarray(0, size));
      for (let from = 1; from < whole.length; from += 97) probe(whole.subarray(from));
    }
  });

  test('bytes changed at random', async () => {
    const zip = await made(
      SMALL.map(([name, content]) => [name, content.subarray(0, 40)]),
      { zip64: true },
    );
    const bases = [
      zip,
      concat(JPEG.subarray(0, 30), plain(SMALL.map(([name, content]) => [name, content.subarray(0, 40)]))),
    ];
    const change = fc.tuple(fc.nat(), fc.oneof(fc.constantFrom(0, 0xff, 0x50), fc.nat(255)));
    fc.assert(
      fc.property(fc.constantFrom(...bases), fc.array(change, { minLength: 1, maxLength: 6 }), (base, changes) => {
        const bytes = base.slice();
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        probe(bytes);
      }),
      { numRuns: 5000, seed: 42 },
    );
  });
});

describe('writing', () => {
  test('both judges read every content back', async () => {
    const entries: (ZipEntry & { content: Bytes })[] = [
      { name: 'card.json', content: bytesOf(text(LOREM)) },
      { name: 'stored.json', content: bytesOf(text(LOREM)), store: true },
      { name: 'tiny.txt', content: bytesOf(text('a')) },
      { name: 'assets/', content: bytesOf(new Uint8Array()) },
      { name: 'assets/ü 漢字 😀.png', content: lazyBytes(12, 'image/png', () => [noise(5), noise(7)]) },
      { name: 'module.risum', content: bytesOf(text(LOREM)) },
    ];
    const bytes = writeZip(entries, { comment: 'hello' });
    const zip = opened(bytes);
    expect(zip.members.map((member) => member.method)).toEqual([8, 0, 0, 0, 0, 0]);
    expect(zip.comment).toBe('hello');
    for (const judged of [await byYauzl(bytes), await byZipJs(bytes)]) {
      expect(judged.map((file) => file.name)).toEqual(entries.map((entry) => entry.name));
      for (const [i, file] of judged.entries()) {
        expect(Buffer.compare(file.content, entries[i]?.content.bytes() ?? new Uint8Array())).toBe(0);
      }
    }
  });

  test('is reproducible, without clock, extra fields, descriptors', () => {
    const bytes = plain(SMALL);
    expect(Buffer.compare(bytes, plain(SMALL))).toBe(0);
    const view = new DataView(bytes.buffer);
    for (const at of centralAt(bytes)) {
      expect(view.getUint16(at + 8, true)).toBe(0);
      expect(view.getUint32(at + 12, true)).toBe(0x00210000);
      expect(view.getUint16(at + 30, true)).toBe(0);
    }
    const named = plain([['é', text('')]]);
    expect(new DataView(named.buffer).getUint16(6, true)).toBe(0x0800);
  });

  test('with a picture in front offsets count from the archive', async () => {
    const bytes = plain(SMALL, JPEG);
    expect(Buffer.compare(bytes.subarray(0, JPEG.length), JPEG)).toBe(0);
    expect(Buffer.compare(bytes.subarray(JPEG.length), plain(SMALL))).toBe(0);
    const zip = opened(bytes);
    expect(Buffer.compare(zip.prefix.bytes(), JPEG)).toBe(0);
    const again = writeZip(
      zip.members.map((member) => ({ name: member.name, content: member })),
      { prefix: zip.prefix },
    );
    expect(Buffer.compare(again, bytes)).toBe(0);
    expect(await byYauzl(bytes.subarray(JPEG.length))).toHaveLength(3);
  });

  test('members and their untouched content pass through as compressed, not inflated', async () => {
    const foreign = await made(
      [
        ['card.json', text(LOREM), { level: 1 }],
        ['a.png', noise(300), { level: 9 }],
      ],
      { dataDescriptor: true },
    );
    const zip = opened(foreign);
    const spy = vi.spyOn(inflating, 'inflateRaw');
    const bytes = writeZip([
      { name: 'card.json', content: the(zip, 'card.json').content },
      { name: 'renamed.png', content: the(zip, 'a.png'), store: true },
      { name: 'new.txt', content: bytesOf(text('new')) },
    ]);
    expect(spy).not.toHaveBeenCalled();
    spy.mockRestore();
    const again = opened(bytes);
    for (const [before, after] of [
      ['card.json', 'card.json'],
      ['a.png', 'renamed.png'],
    ] as const) {
      expect(Buffer.compare(the(again, after).raw(), the(zip, before).raw())).toBe(0);
      expect(the(again, after).method).toBe(the(zip, before).method);
    }
    expect((await byYauzl(bytes)).map((file) => file.name)).toEqual(['card.json', 'renamed.png', 'new.txt']);
    expect(said((await byZipJs(bytes))[0]?.content ?? new Uint8Array())).toBe(LOREM);
  });

  test.each(['../a', 'a/../b', '..', '/a', 'C:/a', 'c:a', 'a\\b', 'a\0b', ''])('%j is refused', (name) => {
    expect(isSafeName(name)).toBe(false);
    expect(refusal(() => plain([[name, text('')]])).code).toBe('zip.unsafe-name');
  });

  test.each(['a', 'a/b.c', '.hidden', '...', 'a..b', 'ü/漢字', '__proto__', 'dir/'])('%j is fine', (name) => {
    expect(isSafeName(name)).toBe(true);
  });
});

describe('safeMemberName', () => {
  const fresh = (label: string, extension = 'png') => safeMemberName(label, extension, new Set());

  test.each([
    ['smile', 'smile.png'],
    ['a/b', 'a_b.png'],
    ['..', 'unnamed.png'],
    ['../../etc/passwd', '_.._etc_passwd.png'],
    ['', 'unnamed.png'],
    ['con', '_con.png'],
    ['COM1.old', '_COM1.old.png'],
    ['concert', 'concert.png'],
    ['x.png', 'x.png'],
    ['x.PNG', 'x.png'],
    ['v1.2 happy', 'v1.2 happy.png'],
    ['  spaced \n out. ', 'spaced _ out.png'],
    ['what? "no" <b>|*:', 'what_ _no_ _b____.png'],
    ['ありがとう', 'ありがとう.png'],
    ['Привет', 'Привет.png'],
    ['👩‍👩‍👧 family', '👩‍👩‍👧 family.png'],
    ['\u202egnp.exe', '_gnp.exe.png'],
    ['half \ud800', 'half _.png'],
  ])('%j becomes %j', (label, name) => {
    expect(fresh(label)).toBe(name);
    expect(isSafeName(name)).toBe(true);
  });

  test('extensions are cleaned, and may be absent', () => {
    expect(fresh('a', '.PNG')).toBe('a.png');
    expect(fresh('a', '')).toBe('a');
    expect(fresh('a', '../sh')).toBe('a.sh');
  });

  test('long labels stay under what file systems take', () => {
    expect(fresh('x'.repeat(300))).toBe(`${'x'.repeat(100)}.png`);
    expect(text(fresh('漢'.repeat(300))).length).toBeLessThan(255);
    expect(text(fresh('😀'.repeat(300))).length).toBeLessThan(255);
  });

  test('equal labels are numbered, also where case does not count', () => {
    const taken = new Set(['kept.png']);
    const names = ['x', 'x', 'X', 'x-2', 'kept', 'x.png'].map((label) => safeMemberName(label, 'png', taken));
    expect(names).toEqual(['x.png', 'x-2.png', 'X-3.png', 'x-2-2.png', 'kept-2.png', 'x-4.png']);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
  });

  test('ten thousand equal labels', () => {
    const taken = new Set<string>();
    const start = performance.now();
    for (let i = 0; i < 10_000; i++) safeMemberName('same', 'png', taken);
    expect(taken.size).toBe(10_000);
    expect(performance.now() - start).toBeLessThan(1000);
  });
});

describe.skipIf(!existsSync(CORPUS))('corpus', () => {
  const ZIP_NAME = /\.(?:charx|byaf|voxpkg|jar|epub|docx|zip)$/;
  const files = ['charx', 'byaf', 'negative', 'voxta'].flatMap((folder) => {
    const at = new URL(`${folder}/`, CORPUS);
    return existsSync(at) ? readdirSync(at).map((name) => [`${folder}/${name}`] as const) : [];
  });

  test.each(files)('%s', async (path) => {
    const bytes = new Uint8Array(readFileSync(new URL(path, CORPUS)));
    const zip = openZip(sourceOf(bytes));
    expect(zip !== undefined).toBe(ZIP_NAME.test(path));
    if (zip === undefined) return;
    const passed = writeZip(zip.members.map((member) => ({ name: member.name, content: member.content })));
    const fresh = writeZip(
      zip.members.map((member) => ({ name: member.name, content: bytesOf(member.content.bytes()) })),
    );
    const truth = await byZipJs(bytes);
    for (const output of [passed, fresh]) {
      const read = await byYauzl(output);
      expect(read.map((file) => file.name)).toEqual(truth.map((file) => file.name));
      for (const [i, file] of read.entries()) {
        expect(Buffer.compare(file.content, truth[i]?.content ?? new Uint8Array())).toBe(0);
      }
      expect(opened(output).members.map((member) => member.crc)).toEqual(zip.members.map((member) => member.crc));
    }
  });
});
