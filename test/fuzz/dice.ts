/** Reproducible chance: the same seed, target and number always give the same case. */
export interface Dice {
  /** A whole number from 0 to `below` - 1; 0 where `below` is 0. */
  upTo(below: number): number;
  pick<T>(from: readonly T[]): T;
  /** True once in `times`. */
  once(times: number): boolean;
}

/** Dice for one case. */
export function diceFor(seed: number, target: string, index: number): Dice {
  let state = seed >>> 0;
  for (const letter of `${target}#${index}`) state = Math.imul(state ^ letter.charCodeAt(0), 0x01000193) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const upTo = (below: number) => (below <= 0 ? 0 : next() % below);
  return {
    upTo,
    pick: (from) => {
      if (from.length === 0) throw new Error('nothing to pick from');
      return from[upTo(from.length)] as (typeof from)[number];
    },
    once: (times) => upTo(times) === 0,
  };
}
