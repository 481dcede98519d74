import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { decodeText, encodeText } from './text.ts';

const strict = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

describe('decodeText: what the quick ways of a runtime say is what the strict decoder says', () => {
  it('of any text, short or long', () => {
    const long = fc.tuple(fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }), fc.nat(9000));
    fc.assert(
      fc.property(long, ([text, times]) => {
        const bytes = new TextEncoder().encode(`{}${text.repeat(times)}`);
        expect(decodeText(bytes)).toBe(strict(bytes));
      }),
      { numRuns: 40 },
    );
  });

  it('of bytes that may be no text', () => {
    const part = fc.oneof(
      fc.constantFrom([0xc3], [0xa9], [0xe7, 0x81], [0xed, 0xa0, 0x80], [0xf0, 0x9f, 0x98, 0x80], [0xc0, 0x80]),
      fc.constantFrom([0x41], [0xef, 0xbf, 0xbd], [0xef, 0xbb, 0xbf], [0xf4, 0x90, 0x80, 0x80], [0xff]),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const bytes = Uint8Array.from([0x7b, 0x7d, ...parts.flat()]);
        expect(decodeText(bytes)).toBe(strict(bytes));
      }),
      { numRuns: 500 },
    );
  });

  it('drops a byte order mark and keeps a replacement character that was written', () => {
    for (const filler of ['', 'x'.repeat(200_000)]) {
      expect(decodeText(new TextEncoder().encode(`\ufeff{"a":"é\ufffd霧"}${filler}`))).toBe(
        `{"a":"é\ufffd霧"}${filler}`,
      );
    }
  });
});

test('encodeText: what the quick way says is what the plain encoder says, half surrogate pairs too', () => {
  const unit = fc.oneof(fc.string({ unit: 'binary', maxLength: 5 }), fc.constantFrom('\ud83d', '\udc00', '\ufeff', ''));
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 6 }), fc.nat(30_000), (parts, times) => {
      const text = parts.join('').repeat(times);
      expect(Buffer.compare(encodeText(text), new TextEncoder().encode(text))).toBe(0);
    }),
    { numRuns: 200 },
  );
});
