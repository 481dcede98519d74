/** Names for new files, made of any label. */
import { withoutEnd } from '../../core/ends.ts';

/** Length of the part of a generated name that comes from its label, in UTF-8 bytes (file systems allow 255). */
const MAX_STEM_BYTES = 200;
/** The same in characters. */
const MAX_STEM_LETTERS = 100;

/** Path separators, wildcards, controls, line breaks, half surrogates, marks that turn the reading direction. */
const UNFIT = /[<>:"/\\|?*\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069\ufeff]/gu;
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?=\.|$)/i;

/** Number for the next repeat of a stem, so that many equal labels stay linear. */
const repeats = new WeakMap<Set<string>, Map<string, number>>();

/**
 * A file name made of any label: one path segment, safe on every system, letters of all scripts kept, unlike every
 * name in `taken` also where case does not count (`-2`, `-3` are appended). It is added to `taken`, which may start
 * with names that exist already: as they are, or in lower case where case must not count for them either.
 * `extension` comes with or without its dot; one that the label ends with already is not repeated.
 */
export function safeMemberName(label: string, extension: string, taken: Set<string>): string {
  const ending = extension
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .slice(0, 16);
  const tail = ending === '' ? '' : `.${ending}`;
  const stem = safeStem(label, tail);
  const counts = repeats.get(taken) ?? new Map<string, number>();
  repeats.set(taken, counts);
  const key = (stem + tail).toLowerCase();
  let count = counts.get(key) ?? 1;
  let name = count === 1 ? stem + tail : `${stem}-${count}${tail}`;
  while (taken.has(name) || taken.has(name.toLowerCase())) {
    count++;
    name = `${stem}-${count}${tail}`;
  }
  counts.set(key, count);
  taken.add(name);
  taken.add(name.toLowerCase());
  return name;
}

/** Letters, digits, `_` and `-`: nothing in such a label has to change. */
const PLAIN = /^[\w-]{1,100}$/;

function safeStem(label: string, tail: string): string {
  if (PLAIN.test(label)) return RESERVED.test(label) ? `_${label}` : label;
  let text = label.normalize('NFC').replace(UNFIT, '_').replace(/\s+/g, ' ').trim();
  if (tail !== '' && text.toLowerCase().endsWith(tail)) text = text.slice(0, -tail.length);
  const stem = withoutEnd(cut(text.replace(/^[. ]+/, '')), /[. ]/);
  if (stem === '') return 'unnamed';
  return RESERVED.test(stem) ? `_${stem}` : stem;
}

function cut(text: string): string {
  let bytes = 0;
  let letters = 0;
  let end = 0;
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    letters++;
    if (bytes > MAX_STEM_BYTES || letters > MAX_STEM_LETTERS) break;
    end += letter.length;
  }
  return text.slice(0, end);
}
