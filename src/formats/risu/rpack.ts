/**
 * RPack, the byte substitution of RisuAI's binary files: same length, the same for every position. Row and column of a
 * byte in the table give its code. Facts: RisuAI 166.3.3, section 5.1.
 */
const TABLE = [
  'c40d1e0bbd2b3f55fc456ef566534f1a',
  'e0bb309486ba6bbf41506f9befdeb710',
  '611720df3289a89d6dabc990000c5daf',
  'd2c156e516649182657497ca23d652d1',
  'ffb4a0e82f8a58385a60199649dbd7c8',
  '3b3e434ba56347aa6a2992f415cf6234',
  '78d31d3ce2058e2a570e1bcd4c2df240',
  '2c2579480fb27ab5a76c37e69c7b547e',
  'fe87dc9a02e433a2ebb12e03dd99a6b0',
  'e7d58818837cf6bee15c9fc321461f08',
  '4ed076125feefd8f44eaa35e8b280935',
  '9e69cc0ac78507ad4af377e967d4da84',
  '8093b64d73fa27267f04c6fbf1723951',
  'c236a968acf8edc5b9cbce75a43d81d9',
  '42701c9511bcd88c98f959a113f7147d',
  'b3ec71c0e38df001ae5b310624223ab8',
];

/** The code of each byte. */
export const RPACK: Uint8Array = Uint8Array.from(TABLE.join('').match(/../g) ?? [], (hex) => Number.parseInt(hex, 16));
const INVERSE = new Uint8Array(256);
RPACK.forEach((code, byte) => {
  INVERSE[code] = byte;
});

const mapped = (bytes: Uint8Array, table: Uint8Array): Uint8Array => {
  const out = new Uint8Array(bytes.length);
  for (let i = 0; i < bytes.length; i++) out[i] = table[bytes[i] as number] as number;
  return out;
};

/** Bytes as RisuAI writes them. */
export const packed = (bytes: Uint8Array): Uint8Array => mapped(bytes, RPACK);
/** The bytes behind RisuAI's code. */
export const unpacked = (bytes: Uint8Array): Uint8Array => mapped(bytes, INVERSE);
