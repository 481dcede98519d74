import { parse } from 'lossless-json';
import { define } from './draft.ts';
import { keepSpelling } from './spelling.ts';

const ODD = Symbol('a number as it was written, between parsing and the walk that unwraps it');

/** Parses a text that holds odd numbers: plain numbers in the result, their spellings in the side table. */
export function parseSpelled(text: string): unknown {
  const parseNumber = (spelled: string) => (String(Number(spelled)) === spelled ? Number(spelled) : { [ODD]: spelled });
  const value = parse(text, undefined, { parseNumber, onDuplicateKey: ({ newValue }) => newValue });
  return unwrap({ value }, 'value').value;
}

function unwrap(holder: Record<string, unknown>, key: string): Record<string, unknown> {
  const node = holder[key];
  if (typeof node !== 'object' || node === null) return holder;
  const spelled = (node as { [ODD]?: string })[ODD];
  if (spelled !== undefined) {
    define(holder, key, Number(spelled));
    keepSpelling(holder, key, spelled);
  } else {
    for (const child of Object.keys(node)) unwrap(node as Record<string, unknown>, child);
  }
  return holder;
}
