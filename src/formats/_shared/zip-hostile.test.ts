/** What is no archive, what is refused, and bytes changed at random. */
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  centralAt,
  concat,
  JPEG,
  LOREM,
  made,
  noise,
  opened,
  patched,
  plain,
  refusal,
  SMALL,
  text,
  the,
} from '../../../test/kit/zip.ts';
import { bytesOf } from '../../core/bytes.ts';
import { BunzaiError } from '../../core/errors.ts';
import { sourceOf } from '../../core/source.ts';
import { inflate as inflateByFflate } from './inflate-fallback.ts';
import { MAX_ZIP_MEMBERS, openZip, writeZip, type ZipEntry, zipOf } from './zip.ts';

const openRefusal = (bytes: Uint8Array) => {
  const result = zipOf(sourceOf(bytes));
  expect(result).toBeInstanceOf(BunzaiError);
  return refusal(() => openZip(sourceOf(bytes)));
};

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
