import { derivedUuid } from '../../core/derived-id.ts';
import type { RegexRule } from '../../entities/regex/schema.ts';

/** The id that a row brings along, else one made from what it says; free among `taken`. */
export function freeId(id: string, says: readonly string[], taken: ReadonlySet<string>): string {
  let free = id;
  for (let n = 1; free === '' || taken.has(free); n++) free = derivedUuid(JSON.stringify([...says, n]));
  return free;
}

/** Tells a new script from the others while the file is written; it does not stand in the file. */
export const mintRuleId = ({ id, find, replace }: RegexRule, taken: ReadonlySet<string>): string =>
  freeId(id, ['script', find, replace], taken);
