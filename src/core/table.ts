/**
 * A fixed table that is asked with words of a stranger. It inherits nothing: `constructor` and `__proto__` are as
 * unknown as any other word.
 */
export const table = <T>(rows: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.freeze(Object.assign(Object.create(null), rows));
