const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A text that is spelled as a UUID, of any version. */
export const isUuid = (text: string): boolean => UUID.test(text);

/** A UUID that depends on nothing but these texts: the same content gets the same id in every file. Not for secrets. */
export function derivedUuid(...texts: readonly string[]): string {
  const hex = hash128(JSON.stringify(texts))
    .map((word) => word.toString(16).padStart(8, '0'))
    .join('');
  const variant = '89ab'[Number.parseInt(hex[16] ?? '0', 16) & 3];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}

const SEEDS: readonly number[] = [0x9e3779b1, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f];

/** Four 32-bit words, each a multiplicative hash with a seed of its own and a last mix of its bits. */
function hash128(text: string): number[] {
  return SEEDS.map((seed) => {
    let word = seed;
    for (let i = 0; i < text.length; i++) word = Math.imul(word ^ text.charCodeAt(i), 0x01000193 + (seed & 0xfffe));
    word = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
    word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
    return (word ^ (word >>> 16)) >>> 0;
  });
}
