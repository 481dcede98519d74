/** Every bound of docs/limits.md: the page says what the code does, and both sides of each are tried. */
import { readFileSync } from 'node:fs';
import { deflateRawSync, deflateSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { bytesOf, joined } from '../../src/core/bytes.ts';
import * as json from '../../src/core/json.ts';
import * as jsonPrint from '../../src/core/json-print.ts';
import * as source from '../../src/core/source.ts';
import * as texts from '../../src/core/text.ts';
import * as runaway from '../../src/entities/regex/runaway.ts';
import * as names from '../../src/file-name.ts';
import { commentOf } from '../../src/formats/_shared/exif.ts';
import * as exifHost from '../../src/formats/_shared/exif-host.ts';
import { writeComment } from '../../src/formats/_shared/exif-write.ts';
import * as inflating from '../../src/formats/_shared/inflate.ts';
import * as png from '../../src/formats/_shared/png.ts';
import * as media from '../../src/formats/_shared/tavern-media.ts';
import * as tiffs from '../../src/formats/_shared/tiff.ts';
import * as zips from '../../src/formats/_shared/zip.ts';
import { openModule, sealModule } from '../../src/formats/risu/risum.ts';
import * as lists from '../../src/lists.ts';
import * as kit from '../cases/rest-kit.ts';
import * as exif from '../kit/exif.ts';
import { bombZip, deflated, zlibbed } from './bombs.ts';

const { engine } = kit;
const MIB = 1024 * 1024;
beforeAll(() => inflating.loadDeflate());

/** The refusal of `work`, or what it gave. */
async function outcome(work: () => unknown): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    return error;
  }
}
const refused = (code: string, name: string, value: number | string) =>
  expect.objectContaining({
    code,
    detail: expect.stringMatching(new RegExp(`\\b${value}\\b.*\\b${name} \\(`)),
    hint: expect.any(String),
  });
const opened = (bytes: Uint8Array) => outcome(() => zips.openZip(source.sourceOf(bytes)));
const content = (bytes: Uint8Array) =>
  outcome(() => zips.openZip(source.sourceOf(bytes))?.members[0]?.content.bytes().length);

/** An archive of two members that declare so much together. */
const declaring = (total: number) => {
  const file = Buffer.from(
    kit.zip([
      { name: 'a', body: kit.utf8('x') },
      { name: 'b', body: kit.utf8('x') },
    ]),
  );
  const list = file.indexOf('PK\x01\x02', 0, 'latin1');
  file.writeUInt32LE(total - 1, list + 24);
  return new Uint8Array(file);
};
/** A stored member of so many bytes, which the file has. */
const stored = (size: number) => {
  const whole = Buffer.alloc(size + 200);
  const small = Buffer.from(kit.zip([{ name: 'a', body: new Uint8Array() }]));
  const list = small.indexOf('PK\x01\x02', 0, 'latin1');
  small.copy(whole, 0, 0, list);
  small.copy(whole, list + size, list);
  for (const at of [18, 22, list + size + 20, list + size + 24]) whole.writeUInt32LE(size, at);
  const end = list + size + (small.length - 22 - list);
  whole.writeUInt32LE(list + size, end + 16);
  return new Uint8Array(whole.subarray(0, end + 22));
};
const packedText = (...streams: Buffer[]) =>
  kit.png(
    kit.IHDR,
    ...streams.map((one) => kit.chunk('zTXt', Buffer.concat([Buffer.from('note\0\0'), one]))),
    kit.IDAT,
  );
const textsOf = (file: Uint8Array) =>
  outcome(() => png.textChunks(png.pngOf(source.sourceOf(file)) as png.Png).map((one) => one.text().length));
/** `mib` MiB that deflate to a fiftieth and more: some noise in front of one letter. */
const plausible = (size: number) => {
  const bytes = Buffer.alloc(size, 0x41);
  let state = 1;
  for (let at = 0; at < size / 25; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bytes[at] = 0x20 + ((state >>> 24) & 63);
  }
  return deflateSync(bytes, { level: 1 });
};
const list = (values: number) => `[${'0,'.repeat(values - 2)}0]`;
const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const withIfd = (count: number) => {
  const block = new Uint8Array(14_000);
  block.set(exif.tiff({ value: kit.utf8(exif.CARD) }));
  new DataView(block.buffer).setUint16(8, count, true);
  return commentOf(source.sourceOf(exif.webp(block))) !== undefined;
};
const empty = exif.riffChunk('EXIF', exif.bin('II*\0\x08\0\0\0\0\0'));
const behind = (blocks: number) =>
  exif.riff(
    ...Array.from({ length: blocks }, () => empty),
    exif.riffChunk('EXIF', exif.tiff({ value: kit.utf8(exif.CARD) })),
  );
const jpegWith = (size: number) => {
  const file = source.sourceOf(exif.jpeg(joined([exif.PREFIX, exif.tiff({ value: kit.utf8('{"a":1}') })])));
  return outcome(() => writeComment(file, `{"a":"${'x'.repeat(size)}"}`));
};
const picture = (size: number) => Buffer.concat([kit.picture(0), Buffer.alloc(size - kit.picture(0).length)]);
const inlined = async (size: number) => {
  const { entities } = await engine.read(kit.text(kit.v3()));
  const entity = kit.character(entities);
  const asset = { role: 'emotion' as const, label: 'big', ref: bytesOf(new Uint8Array(picture(size)), 'image/png') };
  const given = { ...entity, body: { ...entity.body, media: { assets: [asset] } } };
  const { report } = await engine.write([given], 'sillytavern', { container: 'json', variant: 'v3' });
  return report.losses.map(({ path }) => path);
};
const choice = (letters: number, tail: string) =>
  `(?:${Array.from({ length: letters }, (_, n) => String.fromCharCode(0x4e00 + n)).join('|')}|${tail})*;`;
const module = (size: number) => {
  const file = sealModule({ type: 'risuModule' }, undefined);
  const whole = Buffer.alloc(size + 7);
  whole.set(file.subarray(0, 60));
  whole.writeUInt32LE(size, 2);
  return new Uint8Array(whole);
};

interface Sides {
  readonly value: number;
  readonly under: () => unknown;
  readonly over: () => unknown;
}

/** `under` passes with what it gives, `over` gives a refusal or the other outcome that the page names. */
const SIDES: Readonly<Record<string, Sides & { readonly passes?: unknown; readonly fails: unknown }>> = {
  MAX_INPUT_BYTES: {
    value: source.MAX_INPUT_BYTES,
    under: () => engine.detect(new Uint8Array(source.MAX_INPUT_BYTES)),
    over: () => outcome(() => engine.detect(new Uint8Array(source.MAX_INPUT_BYTES + 1))),
    passes: undefined,
    fails: refused('input.too-large', 'MAX_INPUT_BYTES', source.MAX_INPUT_BYTES + 1),
  },
  MAX_TEXT_BYTES: {
    value: texts.MAX_TEXT_BYTES,
    under: async () => texts.textOf(source.sourceOf(Buffer.alloc(texts.MAX_TEXT_BYTES, '[')))?.length,
    over: () => outcome(() => engine.read(Buffer.alloc(texts.MAX_TEXT_BYTES + 1, '['))),
    passes: texts.MAX_TEXT_BYTES,
    fails: refused('input.too-large', 'MAX_TEXT_BYTES', texts.MAX_TEXT_BYTES + 1),
  },
  MAX_JSON_DEPTH: {
    value: json.MAX_JSON_DEPTH,
    under: () => json.parseJson(deep(json.MAX_JSON_DEPTH)).warnings,
    over: () => outcome(() => json.parseJson(deep(json.MAX_JSON_DEPTH + 1))),
    passes: [],
    fails: refused('json.too-deep', 'MAX_JSON_DEPTH', json.MAX_JSON_DEPTH + 1),
  },
  MAX_JSON_VALUES: {
    value: json.MAX_JSON_VALUES,
    under: () => (json.parseJson(list(json.MAX_JSON_VALUES)).value as unknown[]).length,
    over: () => outcome(() => json.parseJson(list(json.MAX_JSON_VALUES + 1)).warnings),
    passes: json.MAX_JSON_VALUES - 1,
    fails: refused('json.too-many', 'MAX_JSON_VALUES', json.MAX_JSON_VALUES + 1),
  },
  MAX_INDENT_BYTES: {
    value: jsonPrint.MAX_INDENT_BYTES,
    under: () => jsonPrint.printJson(new Array(jsonPrint.MAX_INDENT_BYTES / 64 - 1).fill(0), 64).includes('\n'),
    over: () => jsonPrint.printJson(new Array(jsonPrint.MAX_INDENT_BYTES / 64).fill(0), 64).includes('\n'),
    passes: true,
    fails: false,
  },
  MAX_ZIP_MEMBERS: {
    value: zips.MAX_ZIP_MEMBERS,
    under: () =>
      opened(
        kit.zip(Array.from({ length: zips.MAX_ZIP_MEMBERS }, (_, n) => ({ name: `${n}`, body: new Uint8Array() }))),
      ),
    over: () =>
      opened(
        kit.zip(Array.from({ length: zips.MAX_ZIP_MEMBERS + 1 }, (_, n) => ({ name: `${n}`, body: new Uint8Array() }))),
      ),
    passes: expect.objectContaining({ members: expect.any(Array) }),
    fails: refused('zip.too-many', 'MAX_ZIP_MEMBERS', zips.MAX_ZIP_MEMBERS + 1),
  },
  MAX_ZIP_INFLATED: {
    value: zips.MAX_ZIP_INFLATED,
    under: () => opened(declaring(zips.MAX_ZIP_INFLATED)),
    over: () => opened(declaring(zips.MAX_ZIP_INFLATED + 1)),
    passes: expect.objectContaining({ members: expect.any(Array) }),
    fails: refused('zip.too-large', 'MAX_ZIP_INFLATED', zips.MAX_ZIP_INFLATED + 1),
  },
  MAX_MEMBER_BYTES: {
    value: zips.MAX_MEMBER_BYTES,
    // The checksum of what is there is not what the directory says: the size was no reason to refuse.
    under: () => content(stored(zips.MAX_MEMBER_BYTES)),
    over: () => content(stored(zips.MAX_MEMBER_BYTES + 1)),
    passes: expect.objectContaining({ code: 'zip.crc' }),
    fails: refused('zip.too-large', 'MAX_MEMBER_BYTES', zips.MAX_MEMBER_BYTES + 1),
  },
  MAX_MANIFEST_BYTES: {
    value: zips.MAX_MANIFEST_BYTES,
    under: async () => (await engine.detect(byaf(zips.MAX_MANIFEST_BYTES)))?.format,
    over: () => outcome(() => engine.read(byaf(zips.MAX_MANIFEST_BYTES + 1))),
    passes: 'byaf',
    fails: refused('input.unknown', 'MAX_MANIFEST_BYTES', zips.MAX_MANIFEST_BYTES + 1),
  },
  MAX_INFLATE_RATIO: {
    value: inflating.MAX_INFLATE_RATIO,
    under: () => content(bombZip('a', padded(20), 20 * MIB)),
    over: () => content(bombZip('a', padded(20).subarray(1), 20 * MIB)),
    passes: expect.objectContaining({ code: 'zip.crc' }),
    fails: refused('zip.too-large', 'MAX_INFLATE_RATIO', 20 * MIB),
  },
  RATIO_FREE_BYTES: {
    value: inflating.RATIO_FREE_BYTES,
    under: () => content(bombZip('a', deflated(8), 8 * MIB)),
    over: () => content(bombZip('a', deflated(9), 8 * MIB + 1)),
    passes: expect.objectContaining({ code: 'zip.crc' }),
    fails: refused('zip.too-large', 'MAX_INFLATE_RATIO', 8 * MIB + 1),
  },
  MAX_TEXT_CHUNK_BYTES: {
    value: png.MAX_TEXT_CHUNK_BYTES,
    under: () => textsOf(packedText(plausible(40 * MIB), plausible(24 * MIB))),
    over: () => textsOf(packedText(plausible(40 * MIB), plausible(24 * MIB + 1))),
    passes: [40 * MIB, 24 * MIB],
    fails: expect.objectContaining({
      code: 'card.payload',
      detail: expect.stringContaining('MAX_TEXT_CHUNK_BYTES (64 MiB)'),
    }),
  },
  MAX_CHUNKS: {
    value: png.MAX_CHUNKS,
    under: () => chunks(png.MAX_CHUNKS),
    over: () => chunks(png.MAX_CHUNKS + 1),
    passes: [png.MAX_CHUNKS, 0],
    fails: [png.MAX_CHUNKS, 12],
  },
  MAX_KEYWORD_BYTES: {
    value: png.MAX_KEYWORD_BYTES,
    under: () => textsOf(kit.png(kit.textChunk('k'.repeat(png.MAX_KEYWORD_BYTES - 1), 'text'))),
    over: () => textsOf(kit.png(kit.textChunk('k'.repeat(png.MAX_KEYWORD_BYTES), 'text'))),
    passes: [4],
    fails: [],
  },
  MAX_IFD_ENTRIES: {
    value: tiffs.MAX_IFD_ENTRIES,
    under: () => withIfd(tiffs.MAX_IFD_ENTRIES),
    over: () => withIfd(tiffs.MAX_IFD_ENTRIES + 1),
    passes: true,
    fails: false,
  },
  MAX_EXIF_BLOCKS: {
    value: exifHost.MAX_EXIF_BLOCKS,
    under: () => commentOf(source.sourceOf(behind(exifHost.MAX_EXIF_BLOCKS - 1))) !== undefined,
    over: () => commentOf(source.sourceOf(behind(exifHost.MAX_EXIF_BLOCKS))) !== undefined,
    passes: true,
    fails: false,
  },
  MAX_SEGMENT_BYTES: {
    value: exifHost.MAX_SEGMENT_BYTES,
    under: () => jpegWith(65_000),
    over: () => jpegWith(66_000),
    passes: expect.any(Uint8Array),
    fails: expect.objectContaining({
      code: 'container.unsupported',
      detail: expect.stringContaining('MAX_SEGMENT_BYTES (65533)'),
    }),
  },
  MAX_INLINE_BYTES: {
    value: media.MAX_INLINE_BYTES,
    under: () => inlined(media.MAX_INLINE_BYTES),
    over: () => inlined(media.MAX_INLINE_BYTES + 1),
    passes: [],
    fails: ['media.assets[0]'],
  },
  MAX_PATTERN: {
    value: runaway.MAX_PATTERN,
    under: () => runaway.canRunAway(`(a+)+;${'b'.repeat(runaway.MAX_PATTERN - 6)}`),
    over: () => runaway.canRunAway(`(a+)+;${'b'.repeat(runaway.MAX_PATTERN - 5)}`),
    passes: true,
    fails: false,
  },
  MAX_PLACES: {
    value: runaway.MAX_PLACES,
    under: () => runaway.canRunAway(`(?:(?:a|a)${'b'.repeat(runaway.MAX_PLACES - 2)})*;`),
    over: () => runaway.canRunAway(`(?:(?:a|a)${'b'.repeat(runaway.MAX_PLACES - 1)})*;`),
    passes: true,
    fails: false,
  },
  MAX_STEPS: {
    value: runaway.MAX_STEPS,
    under: () => runaway.canRunAway(choice(90, 'a|a')),
    over: () => runaway.canRunAway(choice(110, 'a|a')),
    passes: true,
    fails: false,
  },
  MAX_FILE_NAME_BYTES: {
    value: names.MAX_FILE_NAME_BYTES,
    under: () => names.safeFileName(`${'a'.repeat(names.MAX_FILE_NAME_BYTES - 5)}.json`).length,
    over: () => names.safeFileName(`${'a'.repeat(names.MAX_FILE_NAME_BYTES - 4)}.json`).length,
    passes: names.MAX_FILE_NAME_BYTES,
    fails: names.MAX_FILE_NAME_BYTES,
  },
  MAX_LIST_CARDS: {
    value: lists.MAX_LIST_CARDS,
    under: async () => (await engine.split(listOf(lists.MAX_LIST_CARDS))).length,
    over: () => outcome(() => engine.split(listOf(lists.MAX_LIST_CARDS + 1))),
    passes: lists.MAX_LIST_CARDS,
    fails: refused('input.too-large', 'MAX_LIST_CARDS', lists.MAX_LIST_CARDS + 1),
  },
};

function listOf(count: number): string {
  return JSON.stringify(Array.from({ length: count }, () => kit.v2()));
}

/** A stream of so many MiB that is exactly as long as the ratio asks for; what is behind its end is ignored. */
function padded(mib: number): Buffer {
  const stream = deflated(mib);
  const size = Math.ceil((mib * MIB) / inflating.MAX_INFLATE_RATIO);
  return Buffer.concat([Buffer.alloc(0), stream, Buffer.alloc(Math.max(0, size - stream.length))]);
}
function byaf(size: number): Uint8Array {
  const manifest = JSON.stringify({ characters: ['c.json'], scenarios: [] });
  return kit.zip([{ name: 'manifest.json', body: kit.utf8(manifest.padEnd(size)) }]);
}
function chunks(count: number): [number, number] {
  const bytes = new Uint8Array(8 + 12 * count);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  for (let at = 12; at < bytes.length; at += 12) bytes.set([0x61, 0x61, 0x61, 0x61], at);
  const read = png.pngOf(source.sourceOf(bytes));
  return [read?.chunks.length ?? 0, read?.tail?.length ?? 0];
}

const page = readFileSync(new URL('../../docs/limits.md', import.meta.url), 'utf8');
const rows = [...page.matchAll(/^\| `(\w+)` \| ([\d,]+)(?: (MiB|GiB))? \| `([^`]+)` \|/gm)].map(
  ([, name = '', number = '', unit, place = '']) => ({
    name,
    place,
    value: Number(number.replaceAll(',', '')) * (unit === 'GiB' ? 1024 * MIB : unit === 'MiB' ? MIB : 1),
  }),
);

describe('docs/limits.md', () => {
  test('has a row for each bound that is tried, and no other', () => {
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(SIDES));
  });
  test.each(rows)('$name is what the code says, where the page says', ({ name, value, place }) => {
    expect(SIDES[name]?.value).toBe(value);
    const path = place.startsWith('src/')
      ? `../../${place}`
      : `../../src/${place.startsWith('_shared') ? 'formats/' : ''}${place}`;
    expect(readFileSync(new URL(path, import.meta.url), 'utf8')).toMatch(new RegExp(`export const ${name} =`));
  });
});

describe('both sides of every bound', () => {
  test.each(Object.entries(SIDES))('%s', { timeout: 120_000 }, async (_, { under, over, passes, fails }) => {
    expect(await under()).toEqual(passes);
    expect(await over()).toEqual(fails);
  });
});

test('a module is a text: its length is held against that bound before it is decoded', async () => {
  expect(await outcome(() => openModule(module(texts.MAX_TEXT_BYTES + 1)))).toEqual(
    refused('input.too-large', 'MAX_TEXT_BYTES', texts.MAX_TEXT_BYTES + 1),
  );
  expect(await outcome(() => openModule(module(texts.MAX_TEXT_BYTES).subarray(0, 200)))).toEqual(
    expect.objectContaining({ code: 'card.payload', detail: expect.stringContaining('cut off') }),
  );
});

test('members that each keep their word never inflate to more than the archive may', async () => {
  // Each member gives what it declares and no byte more, and what all declare is added up before any is opened.
  const stream = deflateRawSync(Buffer.alloc(MIB), { level: 9 });
  const file = bombZip('b', stream, MIB - 1, [{ name: 'a', body: kit.utf8('x') }]);
  const zip = zips.openZip(source.sourceOf(file));
  expect(await outcome(() => zip?.get('b')?.content.bytes())).toEqual(expect.objectContaining({ code: 'zip.damaged' }));
});

test('a stream that lies is cut off while inflating, not after', () => {
  const start = process.cpuUsage();
  expect(() => inflating.inflateZlib(zlibbed(1024), 64 * MIB)).toThrow(expect.objectContaining({ reason: 'ratio' }));
  expect(() => inflating.inflateRaw(deflated(1024), 1000)).toThrow(expect.objectContaining({ reason: 'too-large' }));
  const { user, system } = process.cpuUsage(start);
  expect((user + system) / 1000).toBeLessThan(1500);
});
