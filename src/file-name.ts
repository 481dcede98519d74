import { withoutEnd } from './core/ends.ts';

/** Longest file name in bytes of UTF-8, the extension included: every file system takes it, with room for a number. */
export const MAX_FILE_NAME_BYTES = 200;

/** Separators, wildcards, controls, line breaks, half surrogates, marks that turn the reading direction. */
const UNFIT = /[<>:"/\\|?*\u0000-\u001f\u007f-\u009f\ud800-\udfff\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;
const PLAIN = /^[\w.()-]*$/;
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?=\.|$)/i;
const EXTENSION = /\.[A-Za-z0-9]{1,12}$/;

/**
 * A file name out of any text: one path segment that every system takes. Letters of all scripts stay; a name that is
 * too long is cut before its extension and never inside a character.
 */
export function safeFileName(name: string): string {
  const clean = PLAIN.test(name) ? name : name.normalize('NFC').replace(UNFIT, '_').replace(/\s+/g, ' ').trim();
  const extension = EXTENSION.exec(clean)?.[0] ?? '';
  const stem = clean
    .slice(0, clean.length - extension.length)
    .replace(/^[. ]+/, '')
    .replace(/^-+/, '_');
  const room = MAX_FILE_NAME_BYTES - sizeOf(extension);
  const short = withoutEnd(sizeOf(stem) > room ? cutTo(stem, room) : stem, /[. ]/);
  if (short === '') return `unnamed${extension}`;
  return (DEVICE.test(short) ? `_${short}` : short) + extension;
}

const sizeOf = (text: string): number => new TextEncoder().encode(text).byteLength;

/** Whole characters as people see them, as many as fit. */
function cutTo(text: string, bytes: number): string {
  let size = 0;
  let end = 0;
  for (const { segment, index } of new Intl.Segmenter('und', { granularity: 'grapheme' }).segment(text)) {
    size += sizeOf(segment);
    if (size > bytes) break;
    end = index + segment.length;
  }
  return text.slice(0, end);
}
