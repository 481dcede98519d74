/** The texts of a body, with their canonical paths. */
import { isBytes } from './core/bytes.ts';
import { isRecord } from './core/draft.ts';

/** Calls `visit` for every text in a body; bytes are not looked into. */
export function eachText(body: object, visit: (text: string, path: string) => void): void {
  const walk = (value: unknown, path: string): void => {
    if (typeof value === 'string') visit(value, path);
    else if (Array.isArray(value)) value.forEach((item, index) => walk(item, `${path}[${index}]`));
    else if (isRecord(value) && !isBytes(value))
      for (const [key, item] of Object.entries(value)) walk(item, path === '' ? key : `${path}.${key}`);
  };
  walk(body, '');
}

/** The first few of a list, and how many more there are. */
export const few = (all: readonly string[]): string =>
  all.length > 3 ? `${all.slice(0, 3).join(', ')} and ${all.length - 3} more` : all.join(', ');
