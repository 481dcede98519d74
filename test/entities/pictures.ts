const HEAD = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42m';

/** Four whole PNG files of 1 x 1 pixel in four shades of gray, as base64. */
export const PNGS: readonly string[] = [
  `${HEAD}NgAAAAAgAB5Sfe/AAAAABJRU5ErkJggg==`,
  `${HEAD}MIAAAAUgBRWqmjOgAAAABJRU5ErkJggg==`,
  `${HEAD}NYAAAAogChcQXLQQAAAABJRU5ErkJggg==`,
  `${HEAD}P4DwABAQEAHLCMmQAAAABJRU5ErkJggg==`,
];

export const pngBytes = (shade: number): Uint8Array => new Uint8Array(Buffer.from(PNGS[shade] as string, 'base64'));
