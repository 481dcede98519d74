import { endOfText } from './json.ts';

/** The texts of the elements of a JSON list, as they stand in it. `text` is a list that has been parsed: it is sound. */
export function elementsOf(text: string): string[] {
  const elements: string[] = [];
  let depth = 0;
  let start = -1;
  for (let i = 0; i < text.length; i++) {
    const sign = text[i];
    if (sign === '"') i = endOfText(text, i);
    else if (sign === '{' || sign === '[') {
      if (++depth === 1) start = i + 1;
    } else if (sign === '}' || sign === ']') depth--;
    if ((sign === ',' && depth === 1) || depth === 0) {
      const element = start < 0 ? '' : text.slice(start, i).trim();
      if (element !== '') elements.push(element);
      start = sign === ',' ? i + 1 : -1;
    }
  }
  return elements;
}
