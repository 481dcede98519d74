/** Real-world cases RW-016 and RW-030 to RW-032: archives that readers miss or refuse. */
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { card, character, converted, engine, json, png, zip } from './making.ts';

const charx = () => zip({ 'card.json': json(card({}, 3)), 'assets/icon/main.png': png({}) });
const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const joined = (...parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));

/** A JPEG of 300 KiB: its marks, and a remark that fills it. */
function jpeg(): Uint8Array {
  const remark = Buffer.alloc(65_000, 0x61);
  const segment = Buffer.concat([Buffer.from([0xff, 0xfe, (65_002 >> 8) & 255, 65_002 & 255]), remark]);
  return joined(Buffer.from([0xff, 0xd8]), ...Array.from({ length: 5 }, () => segment), Buffer.from([0xff, 0xd9]));
}

/** The archive with its offsets counted from the start of the file that it stands in. */
function rebased(archive: Uint8Array, shift: number): Uint8Array {
  const bytes = Buffer.from(archive);
  const end = bytes.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  const start = bytes.readUInt32LE(end + 16);
  for (let at = start, n = bytes.readUInt16LE(end + 10); n > 0; n--) {
    bytes.writeUInt32LE(bytes.readUInt32LE(at + 42) + shift, at + 42);
    at += 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  bytes.writeUInt32LE(start + shift, end + 16);
  return new Uint8Array(bytes);
}

describe('RW-030: an archive behind a picture', () => {
  const front = jpeg();

  test('is found, whichever start its offsets count from, and goes back as it was', async () => {
    for (const archive of [charx(), rebased(charx(), front.length)]) {
      const file = joined(front, archive);
      expect((await character(file)).body.identity.name).toBe('Mira Vale');
      const { file: written } = await converted(file, 'risu');
      expect(Buffer.from(written.bytes).subarray(0, front.length).equals(Buffer.from(front))).toBe(true);
    }
  });

  test('is found where a comment ends it', async () => {
    const archive = Buffer.from(charx());
    archive.writeUInt16LE(5, archive.length - 2);
    expect((await character(joined(front, archive, text('thank')))).body.identity.name).toBe('Mira Vale');
  });

  test('is not there because of some PK bytes', async () => {
    const bytes = joined(front, text('PK\x03\x04 PK\x01\x02 PK\x05\x06 and so on'));
    await expect(engine.read(bytes)).rejects.toMatchObject({ code: 'input.unknown' });
  });
});

describe('RW-031: an archive', () => {
  test('one folder deep is named with its place', async () => {
    const deep = zip({ 'Mira/card.json': json(card({}, 3)), 'Mira/assets/icon/main.png': png({}) });
    const result = await engine.read(deep).catch((error: unknown) => error);
    expect(result).toMatchObject({
      code: 'input.unknown',
      hint: expect.stringContaining('Mira/card.json lies in a folder'),
    });
  });

  test('without a card is refused with what was expected, where, and what was found', async () => {
    const bare = zip({ 'pictures/a.png': png({}), 'notes.txt': text('mine') });
    await expect(engine.read(bare)).rejects.toMatchObject({
      code: 'input.unknown',
      detail: 'it is a ZIP archive of 2 files: pictures/a.png, notes.txt',
      hint: expect.stringContaining('expected card.json (charx) or manifest.json (byaf) at its top'),
    });
  });
});

describe('RW-032: other archives', () => {
  test('a picture card zipped with its gallery is pointed at', async () => {
    const gallery = zip({ 'card.png': png({ chara: card() }), 'a.png': png({}), 'b.png': png({}) });
    await expect(engine.read(gallery)).rejects.toMatchObject({
      code: 'input.unknown',
      hint: 'the card is in card.png: unpack it and give that file',
    });
  });

  test('a RAR archive is named', async () => {
    await expect(engine.read(joined(text('Rar!\x1a\x07\x00'), new Uint8Array(64)))).rejects.toMatchObject({
      code: 'input.unknown',
      detail: expect.stringContaining('RAR'),
    });
  });
});

test('RW-016: a gzip stream is named as one, whatever it is called', async () => {
  for (const filename of ['mira.gz', 'mira.json', 'mira']) {
    await expect(engine.read({ bytes: new Uint8Array(gzipSync(json(card()))), filename })).rejects.toMatchObject({
      code: 'input.unknown',
      detail: 'it is a gzip stream',
    });
  }
});
