/** Checksums and inflating, with the runtime’s own inflater and without it. */
import { deflateRawSync, deflateSync, crc32 as zlibCrc32 } from 'node:zlib';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { concat, LOREM, noise, said, text } from '../../../test/kit/zip.ts';
import { crc32 } from './crc32.ts';
import * as inflating from './inflate.ts';
import { inflate as inflateByFflate } from './inflate-fallback.ts';

const { inflateRaw, inflateZlib, deflateRaw } = inflating;

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
    expect(reasonOf(() => other.inflateRaw(packed, 10_000))).toContain('internal');
    expect(reasonOf(() => other.deflateRaw(text('a')))).toContain('internal');
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
