/** Pictures that are safe and cheap to show. */

/** Types a browser draws without running anything in them. */
const RASTER: readonly (readonly [mime: string, test: (b: Uint8Array) => boolean])[] = [
  ['image/png', (b) => b[0] === 0x89 && b[1] === 0x50],
  ['image/jpeg', (b) => b[0] === 0xff && b[1] === 0xd8],
  ['image/gif', (b) => b[0] === 0x47 && b[1] === 0x49 && b[2] === 0x46],
  ['image/webp', (b) => b[0] === 0x52 && b[1] === 0x49 && b[8] === 0x57 && b[9] === 0x45],
  ['image/avif', (b) => b[4] === 0x66 && b[5] === 0x74 && b[8] === 0x61 && b[9] === 0x76],
];

/** The type of a picture by its first bytes; undefined for everything that is not a plain raster picture. */
export const rasterType = (bytes: Uint8Array): string | undefined => RASTER.find(([, test]) => test(bytes))?.[0];

/** Pixels above which a picture is not unpacked for a thumbnail: a small file can claim any size. */
const MAX_PIXELS = 64_000_000;
const WIDTH = 240;
const HEIGHT = 320;

/** A small cover of a picture, cut from its upper middle; undefined where it cannot be drawn. */
export async function thumbnailOf(bytes: Uint8Array): Promise<Blob | undefined> {
  const type = rasterType(bytes);
  if (type === undefined || pngPixels(bytes) > MAX_PIXELS) return undefined;
  try {
    const bitmap = await createImageBitmap(new Blob([bytes as Uint8Array<ArrayBuffer>], { type }));
    const scale = Math.max(WIDTH / bitmap.width, HEIGHT / bitmap.height);
    const [width, height] = [Math.ceil(bitmap.width * scale), Math.ceil(bitmap.height * scale)];
    const canvas = new OffscreenCanvas(WIDTH, HEIGHT);
    const context = canvas.getContext('2d');
    if (!context) return undefined;
    context.drawImage(bitmap, (WIDTH - width) / 2, (HEIGHT - height) / 4, width, height);
    bitmap.close();
    return await canvas.convertToBlob({ type: 'image/webp', quality: 0.82 });
  } catch {
    return undefined;
  }
}

/** Width times height of a PNG; 0 for other types. */
function pngPixels(bytes: Uint8Array): number {
  if (rasterType(bytes) !== 'image/png' || bytes.byteLength < 24) return 0;
  const view = new DataView(bytes.buffer, bytes.byteOffset, 24);
  return view.getUint32(16) * view.getUint32(20);
}
