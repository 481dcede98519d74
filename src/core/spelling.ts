/**
 * Numbers whose spelling JavaScript would not print back (`1.0`, `1e3`, integers beyond 2^53) are plain numbers in a
 * twin; their spelling stands here, by holder and key. `Draft` carries it over when it copies a holder.
 */
const table = new WeakMap<object, Map<string, string>>();
let any = false;

/** True once any such number was parsed: until then printing needs no look at the table. */
export const spellingsExist = (): boolean => any;

export function keepSpelling(holder: object, key: string, spelled: string): void {
  any = true;
  const known = table.get(holder);
  if (known) known.set(key, spelled);
  else table.set(holder, new Map([[key, spelled]]));
}

/** Lets a copy of a holder print its numbers as the original would. */
export function carrySpelling(from: object, to: object): void {
  const known = any ? table.get(from) : undefined;
  if (known) table.set(to, known);
}

/** The spelling of `held`, if it still is the number that was parsed there. */
export function spellingOf(holder: unknown, key: string, held: number): string | undefined {
  const spelled = typeof holder === 'object' && holder !== null ? table.get(holder)?.get(key) : undefined;
  return spelled !== undefined && Object.is(Number(spelled), held) ? spelled : undefined;
}

/** True when some object below `value` has a spelling of its own. */
export function isSpelled(value: unknown): boolean {
  const stack: unknown[] = [value];
  while (stack.length > 0) {
    const node = stack.pop();
    if (typeof node !== 'object' || node === null) continue;
    if (table.has(node)) return true;
    for (const child of Array.isArray(node) ? node : Object.values(node)) {
      if (typeof child === 'object' && child !== null) stack.push(child);
    }
  }
  return false;
}
