import type { Warning } from './errors.ts';
import { walkJson } from './json-walk.ts';

/** A place in a text, both counted from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
  readonly offset: number;
}

/** Where a broken JSON text goes wrong first. Engines word this differently and often name no place. */
export function firstFault(text: string): Place | undefined {
  const offset = walkJson(text);
  if (offset === undefined) return undefined;
  const column = offset - text.lastIndexOf('\n', offset - 1);
  return { line: linesBefore(text, offset) + 1, column, offset };
}

function linesBefore(text: string, offset: number, from = 0): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** Repeated keys that are named one by one. */
const MAX_REPEATED = 100;

/** One warning for each key that an object repeats; beyond MAX_REPEATED one that counts the rest. */
export function repeatedKeys(text: string): Warning[] {
  const warnings: Warning[] = [];
  let more = 0;
  let line = 1;
  let counted = 0;
  const open: Set<string>[] = [];
  walkJson(text, {
    open: () => void open.push(new Set()),
    close: () => void open.pop(),
    key(spelled, at) {
      const seen = open.at(-1);
      const key = JSON.parse(spelled) as string;
      if (seen?.has(key) && warnings.length === MAX_REPEATED) more++;
      else if (seen?.has(key)) {
        line += linesBefore(text, at, counted);
        counted = at;
        const message = `"${key}" stands twice in one object (again in line ${line}): the last one counts`;
        warnings.push({ code: 'json.repeated-key', message });
      }
      seen?.add(key);
    },
  });
  if (more > 0) warnings.push({ code: 'json.repeated-key', message: `${more} more keys stand twice in one object` });
  return warnings;
}
