/**
 * Text without the letters at its end that a one-letter pattern matches. `/[. ]+$/` would try again at each letter of
 * each run: on a long name that is all dots it takes minutes.
 */
export function withoutEnd(text: string, letter: RegExp): string {
  let end = text.length;
  while (end > 0 && letter.test(text[end - 1] as string)) end--;
  return text.slice(0, end);
}
