/** Text as a terminal shows it: safe, and measured in columns rather than letters. */

/** Controls, escape sequences, marks that turn the reading direction: from a card, none of them reaches the screen. */
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\ud800-\udfff\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/gu;
const ASCII = /^[\x20-\x7e]*$/;
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u;
const NONE = /\p{M}|\u200b|\u200c|\u200d|[\ufe00-\ufe0f]/u;

/** One line without anything that a terminal would obey. */
export const clean = (text: string): string => (ASCII.test(text) ? text : text.replace(UNSAFE, ' ')).trim();

/** Most letters need no look into the Unicode tables, which are slow to load: European ones, and signs such as · → ×. */
const isNarrow = (code: number): boolean => code < 0x300 || (code >= 0x2010 && code < 0x231a);

const widthOf = (letter: string): number => {
  if (isNarrow(letter.codePointAt(0) ?? 0)) return 1;
  if (NONE.test(letter)) return 0;
  return WIDE.test(letter) ? 2 : 1;
};

/** Columns a text takes: two for East Asian wide letters and emoji, none for combining marks. */
export function width(text: string): number {
  if (ASCII.test(text)) return text.length;
  let columns = 0;
  for (const letter of text) columns += widthOf(letter);
  return columns;
}

/** The start of a text that fits into `columns`, with an ellipsis where something is cut. */
export function cut(text: string, columns: number): string {
  if (width(text) <= columns) return text;
  return `${headOf(text, columns - 1)}…`;
}

function headOf(text: string, columns: number): string {
  let used = 0;
  let end = 0;
  for (const letter of text) {
    used += widthOf(letter);
    if (used > columns) break;
    end += letter.length;
  }
  return text.slice(0, end);
}

/** The end of a text that fits into `columns`: of a path, the part that tells files apart. */
export function cutStart(text: string, columns: number): string {
  if (width(text) <= columns) return text;
  let used = 1;
  let start = text.length;
  for (const letter of [...text].reverse()) {
    used += widthOf(letter);
    if (used > columns) break;
    start -= letter.length;
  }
  return `…${text.slice(start)}`;
}

/** Padded with blanks on the right to `columns`; a longer text stays. */
export const pad = (text: string, columns: number): string => text + ' '.repeat(Math.max(0, columns - width(text)));

/** Lines of at most `columns`, broken at blanks, or anywhere in a word that is longer than a line. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (let word of text.split(' ')) {
    if (line !== '' && width(line) + 1 + width(word) > columns) {
      lines.push(line);
      line = '';
    }
    while (width(word) > columns) {
      const head = headOf(word, columns);
      lines.push(head);
      word = word.slice(head.length);
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

const ODD_SINGULARS: Readonly<Record<string, string>> = { entries: 'entry', categories: 'category' };

/** `1 entry`, `12 entries`, from the plural word. */
export function counted(count: number, plural: string): string {
  if (count !== 1) return `${count} ${plural}`;
  const last = plural.split(' ').at(-1) ?? plural;
  return `1 ${plural.slice(0, -last.length)}${ODD_SINGULARS[last] ?? last.replace(/s$/, '')}`;
}

/** A size in bytes for people. */
export function sized(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  const [value, unit] = bytes < 999_500 ? [bytes / 1000, 'kB'] : [bytes / 1_000_000, 'MB'];
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}
