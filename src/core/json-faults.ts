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
    first ??= { line: line + 1, column: column + 1, offset };
  };
  visit(text, { onError }, STRICT);
  return first;
}

/** One warning for each key that an object repeats. */
export function repeatedKeys(text: string): Warning[] {
  const warnings: Warning[] = [];
  const open: Set<string>[] = [];
  visit(
    text,
    {
      onObjectBegin: () => void open.push(new Set()),
      onObjectEnd: () => void open.pop(),
      onObjectProperty(key, _offset, _length, line) {
        const seen = open.at(-1);
        if (seen?.has(key)) {
          const message = `"${key}" stands twice in one object (again in line ${line + 1}): the last one counts`;
          warnings.push({ code: 'json.repeated-key', message });
        }
        seen?.add(key);
      },
    },
    STRICT,
  );
  return warnings;
}
