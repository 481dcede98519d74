import { keepSpelling } from './spelling.ts';

/** From and to (exclusive) of a number in a text. */
export type NumberSpan = readonly [from: number, to: number];

/**
 * Notes how the odd numbers of a text are spelled, for the value that the text was parsed to. The text is parsed once
 * more with these numbers as texts: wherever the value has a number and this has a text, there it is.
 */
export function noteSpellings(text: string, value: unknown, odd: readonly NumberSpan[]): void {
  const pieces: string[] = [];
  let at = 0;
  for (const [from, to] of odd) {
    pieces.push(text.slice(at, from), '"', text.slice(from, to), '"');
    at = to;
  }
  walk(value, JSON.parse(pieces.join('') + text.slice(at)));
}

/** Both in step: they differ in nothing but the odd numbers. */
function walk(value: unknown, spelled: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const holder = value as Record<string, unknown>;
  for (const key of Object.keys(holder)) {
    const said = (spelled as Record<string, unknown>)[key];
    if (typeof holder[key] !== 'number') walk(holder[key], said);
    else if (typeof said === 'string') keepSpelling(holder, key, said);
  }
}
