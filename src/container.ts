/** What a file is on the outside, told by its bytes alone. */
import { BunzaiError } from './core/errors.ts';
import type { Source } from './core/source.ts';
import { textOf } from './core/text.ts';
import { isJpeg, isWebp } from './formats/_shared/exif.ts';
import { isPng } from './formats/_shared/png.ts';
import { zipOf } from './formats/_shared/zip.ts';

/** The outside of a file. `charx` and `byaf` are archives, told apart by their members. */
export type ContainerName = 'png' | 'webp' | 'jpeg' | 'charx' | 'byaf' | 'zip' | 'risum' | 'json' | 'yaml' | 'unknown';

/** The container of a source, by content and never by name. A picture with an archive behind it is that archive. */
export function sniffContainer(source: Source): ContainerName {
  const { bytes } = source;
  if (source.given === undefined) {
    if (isPng(bytes)) return 'png';
    if (isWebp(bytes)) return 'webp';
    if (isJpeg(bytes)) return archiveOf(source) ?? 'jpeg';
    if (bytes[0] === 0x50 && bytes[1] === 0x4b) return archiveOf(source) ?? 'unknown';
    if (isModule(bytes)) return 'risum';
  }
  const text = textOf(source);
  if (text === undefined) return archiveOf(source) ?? 'unknown';
  if (/^\s*[[{]/.test(text)) return 'json';
  return isYaml(text.slice(0, 4096)) ? 'yaml' : 'unknown';
}

/** The first line that says anything is a key: `name: Mira`. */
function isYaml(text: string): boolean {
  const line = text.split(/\r?\n/).find((one) => !/^\s*(?:#|---|$)/.test(one));
  return line !== undefined && /^[A-Za-z_][\w-]*:(?:\s|$)/.test(line);
}

function archiveOf(source: Source): ContainerName | undefined {
  const zip = zipOf(source);
  if (zip === undefined) return undefined;
  if (zip instanceof BunzaiError) return source.bytes[0] === 0x50 ? 'zip' : undefined;
  if (zip.get('card.json')) return 'charx';
  return zip.get('manifest.json') && zip.members.some(({ name }) => name.startsWith('characters/')) ? 'byaf' : 'zip';
}

/** A RisuAI module: the mark 111, version 0, and a first block that fits into the file. */
function isModule(bytes: Uint8Array): boolean {
  if (bytes.byteLength < 6 || bytes[0] !== 0x6f || bytes[1] !== 0) return false;
  const length = new DataView(bytes.buffer, bytes.byteOffset, 6).getUint32(2, true);
  return length > 0 && length <= bytes.byteLength - 6;
}
