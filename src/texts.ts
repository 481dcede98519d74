/** The texts of a body, with their canonical paths. */
import { isBytes } from './core/bytes.ts';
import { pathOf } from './core/compare.ts';
import { isRecord } from './core/draft.ts';

/** Calls `visit` for every text in a body, or those with `part` in them; bytes are not looked into. */
export function eachText(body: object, visit: (text: string, path: string) => void, part = ''): void {
  const way: (string | number)[] = [];
  const step = (key: string | number, value: unknown): void => {
    const text = typeof value === 'string';
    if (text ? !value.includes(part) : typeof value !== 'object' || value === null) return;
    way.push(key);
    if (text) visit(value, pathOf(way));
    else walk(value as object);
    way.pop();
  };
  const walk = (value: object): void => {
    if (Array.isArray(value)) for (let i = 0; i < value.length; i++) step(i, value[i]);
    else if (isRecord(value) && !isBytes(value)) for (const key of Object.keys(value)) step(key, value[key]);
  };
  walk(body);
}

/** The first few of a list, and how many more there are. */
export const few = (all: readonly string[]): string =>
  all.length > 3 ? `${all.slice(0, 3).join(', ')} and ${all.length - 3} more` : all.join(', ');
