import { visit } from 'jsonc-parser';
import type { Warning } from './errors.ts';

/** A place in a text, both counted from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
  readonly offset: number;
}

const STRICT = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false };

/** Where a broken JSON text goes wrong first. Engines word this differently and often name no place. */
export function firstFault(text: string): Place | undefined {
  let first: Place | undefined;
  const onError = (_code: unknown, offset: number, _length: number, line: number, column: number) => {
    first = { line: line + 1, column: column + 1, offset };
    // Behind the fault nothing bounds the depth of what a tolerant reader makes of the rest.
    throw first;
  };
  try {
    visit(text, { onError }, STRICT);
  } catch (stop) {
    if (stop !== first) throw stop;
  }
  return first;
}

/** Repeated keys that are named one by one. */
const MAX_REPEATED = 100;

/** One warning for each key that an object repeats; beyond MAX_REPEATED one that counts the rest. */
export function repeatedKeys(text: string): Warning[] {
  const warnings: Warning[] = [];
  let more = 0;
  const open: Set<string>[] = [];
  visit(
    text,
    {
      onObjectBegin: () => void open.push(new Set()),
      onObjectEnd: () => void open.pop(),
      onObjectProperty(key, _offset, _length, line) {
        const seen = open.at(-1);
        if (seen?.has(key) && warnings.length === MAX_REPEATED) more++;
        else if (seen?.has(key)) {
          const message = `"${key}" stands twice in one object (again in line ${line + 1}): the last one counts`;
          warnings.push({ code: 'json.repeated-key', message });
        }
        seen?.add(key);
      },
    },
    STRICT,
  );
  if (more > 0) warnings.push({ code: 'json.repeated-key', message: `${more} more keys stand twice in one object` });
  return warnings;
}
