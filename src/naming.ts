import type { Difference } from './core/compare.ts';

/** Why a book is in a file of its own. */
export const besideReason = (names: readonly string[]): string =>
  `no place for a book in this format: written beside it as ${names.join(', ')}`;

/**
 * What was found lost, with the new names of the files that hold it instead. Without it a report would send people to
 * a file that is called otherwise. `files` and `names` are in step.
 */
export function renamedIn<L extends Difference>(
  losses: readonly L[],
  files: readonly { readonly name: string }[],
  names: readonly string[],
): readonly L[] {
  const now = new Map(files.map(({ name }, index) => [name, names[index] ?? name]));
  if (files.every(({ name }) => now.get(name) === name) || !losses.some((one) => one.beside)) return losses;
  return losses.map((loss) => {
    if (loss.beside === undefined) return loss;
    const beside = loss.beside.map((name) => now.get(name) ?? name);
    // A function, because a name may hold what `replace` would take for a pattern of its own.
    const reason = loss.reason?.replace(besideReason(loss.beside), () => besideReason(beside));
    return { ...loss, beside, ...(reason === undefined ? {} : { reason }) };
  });
}

/** File names that differ, whatever the letter case: a repeated one gets `-2`, and so do the files that belong to it. */
export function uniqueNames(groups: readonly (readonly string[])[]): string[] {
  const taken = new Set<string>();
  return groups.flatMap((group) => {
    const own = group.length > 1 ? uniqueNames(group.map((name) => [name])) : group;
    let names = own;
    for (let n = 2; names.some((name) => taken.has(name.toLowerCase())); n++)
      names = own.map((name) => name.replace(/(\.[^.]*)?$/, `-${n}$1`));
    for (const name of names) taken.add(name.toLowerCase());
    return names;
  });
}
