import { isBytes } from './bytes.ts';
import { wholeFile } from './json.ts';
import { isSpelled, spellingOf, spellingsExist } from './spelling.ts';
import { encodeText } from './text.ts';

/** Most white space that printing puts in front of lines; JSON that would need more is printed in one line. */
export const MAX_INDENT_BYTES = 64 * 1024 * 1024;

/**
 * Prints JSON. A number that still has the value it was parsed with is printed as it was spelled.
 * `asked` spaces for each level; 0 prints one line, and so does white space beyond MAX_INDENT_BYTES.
 */
export function printJson(value: unknown, asked = 2): string {
  const indent = asked > 0 && isIndentHuge(value, asked) ? 0 : asked;
  if (!spellingsExist() || !isSpelled(value)) return JSON.stringify(value, null, indent);
  const plain = JSON.stringify(value, null, indent);
  let mark = '@number:';
  while (plain.includes(mark)) mark = `@${mark}`;
  const marked = JSON.stringify(
    value,
    function spell(this: unknown, key: string, held: unknown) {
      const spelled = typeof held === 'number' ? spellingOf(this, key, held) : undefined;
      return spelled === undefined ? held : mark + spelled;
    },
    indent,
  );
  return marked.replaceAll(new RegExp(`"${mark}([^"]*)"`, 'g'), '$1');
}

/** A value as a file: the very bytes it was read from where it is that very value, else printed. */
export const jsonFile = (value: unknown, indent?: number): Uint8Array =>
  (typeof value === 'object' && value !== null ? wholeFile.of(value) : undefined) ??
  encodeText(printJson(value, indent));

/** Whether the white space alone passes its bound: some thousand values at great depth would print as gigabytes. */
function isIndentHuge(value: unknown, indent: number): boolean {
  let spaces = 0;
  const waiting: { readonly box: object; readonly depth: number }[] = [];
  const meet = (one: unknown, depth: number) => {
    if (typeof one === 'object' && one !== null && !isBytes(one)) waiting.push({ box: one, depth });
  };
  meet(value, 1);
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const children = Array.isArray(next.box) ? next.box : Object.values(next.box);
    spaces += (children.length + 1) * next.depth * indent;
    if (spaces > MAX_INDENT_BYTES) return true;
    for (const child of children) meet(child, next.depth + 1);
  }
  return false;
}
