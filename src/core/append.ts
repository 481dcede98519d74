/** Puts `more` behind `list`. `push(...more)` would hand each row over as an argument: past some 100,000 it throws. */
export function append<T>(list: T[], more: Iterable<T>): void {
  for (const one of more) list.push(one);
}
