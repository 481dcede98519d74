/** Brands of the ISO media box that say a picture, by the type they are. Source: ISO/IEC 14496-12 and 23008-12. */
const BRANDS: ReadonlyMap<string, string> = new Map([
  ['avif', 'image/avif'],
  ['avis', 'image/avif'],
  ['heic', 'image/heic'],
  ['heix', 'image/heic'],
  ['hevc', 'image/heic'],
  ['mif1', 'image/heif'],
  ['msf1', 'image/heif'],
]);

/** The type of a HEIC or AVIF picture by its first 12 bytes, whatever it is called; undefined for anything else. */
export function boxedPictureType(bytes: Uint8Array): string | undefined {
  const letters = (from: number) => String.fromCharCode(...bytes.subarray(from, from + 4));
  return letters(4) === 'ftyp' ? BRANDS.get(letters(8)) : undefined;
}
