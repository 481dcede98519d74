import { same } from '../../core/draft.ts';
import type { RegexRule } from '../../entities/regex/schema.ts';

const idOf = ({ id }: RegexRule): string => id;
const numberOf = ({ sortOrder }: RegexRule): number | undefined => sortOrder;

/**
 * The rules with numbers that say the order of the rows. Rules in another order deal their numbers anew; a new rule
 * keeps a number that fits its place, else it is counted on at the end or shares its neighbour's (the rows decide among
 * equals). Rules without numbers stay without.
 */
export function inStep(now: readonly RegexRule[], before: readonly RegexRule[]): RegexRule[] {
  if (before.length > 0 && before.every((rule) => numberOf(rule) === undefined)) return [...now];
  const old = new Set(before.map(idOf));
  const dealt = dealAnew(
    now.filter(({ id }) => old.has(id)),
    before,
  );
  const last = Math.max(-1, ...dealt.map((rule) => numberOf(rule) ?? -1));
  const written: RegexRule[] = [];
  let left = dealt.length;
  for (const rule of now) {
    const kept = old.has(rule.id) ? dealt[dealt.length - left] : undefined;
    if (kept) {
      written.push(kept);
      left--;
      continue;
    }
    const above = written.map(numberOf).findLast((number) => number !== undefined);
    const below = dealt
      .slice(dealt.length - left)
      .map(numberOf)
      .find((number) => number !== undefined);
    const own = numberOf(rule);
    const fits = own !== undefined && own >= (above ?? own) && own <= (below ?? own);
    const next = left === 0 ? Math.max(last, above ?? -1) + 1 : (above ?? below ?? 0);
    written.push(fits ? rule : { ...rule, sortOrder: next });
  }
  return written;
}

/** Rules of the file in a new order: the same numbers, from low to high. */
function dealAnew(now: readonly RegexRule[], before: readonly RegexRule[]): readonly RegexRule[] {
  const still = new Set(now.map(idOf));
  const was = before.filter(({ id }) => still.has(id)).map(idOf);
  const numbers = now.flatMap((rule) => numberOf(rule) ?? []);
  if (same(now.map(idOf), was) || numbers.length < now.length) return now;
  numbers.sort((a, b) => a - b);
  return now.map((rule, index) => {
    const number = numbers[index] ?? index;
    return rule.sortOrder === number ? rule : { ...rule, sortOrder: number };
  });
}
