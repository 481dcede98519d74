/** Where a loss was, in words, and the whole value there. */
import type { PlainEntity } from '../../item/model.ts';
import { type Path, valueAtPath } from '../../item/patch.ts';

/** `greetings.alternateGreetings[2].text` as keys. */
function keysOfPath(path: string): Path {
  return [...path.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|([^.[\]]+)/g)].map(([, quoted, row, key]) =>
    row === undefined ? (quoted ?? key ?? '') : Number(row),
  );
}

/** `alternate greetings 3`: the last name on the path, with its row. */
export function placeWords(path: string): string {
  const keys = keysOfPath(path);
  const words: string[] = [];
  for (const key of keys.slice(-3)) {
    if (typeof key === 'number') words.push(String(key + 1));
    else words.push(key.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase());
  }
  const shown =
    keys.length > 1 && typeof keys.at(-1) === 'string' && typeof keys.at(-2) === 'string' ? words.slice(-1) : words;
  return shown.join(' ');
}

/** The value at the place of a loss as the open item has it; undefined where it is no plain text or number. */
export function wholeValue(entities: readonly PlainEntity[], entity: string, path: string): string | undefined {
  const body = entities.find(({ id }) => id === entity)?.body;
  const value = valueAtPath(body, keysOfPath(path));
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return undefined;
  const text = JSON.stringify(value, undefined, 1);
  return text.includes('"$media"') ? undefined : text;
}
