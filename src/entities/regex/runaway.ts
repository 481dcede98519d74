/**
 * Patterns that can run away: a repeat that can read one text in two ways takes, on a text that does not match in the
 * end, a time that doubles with every letter. Found from the pattern alone; nothing is run.
 */
import type { Warning } from '../../core/errors.ts';
import { type Chars, type Part, parsePattern } from './pattern.ts';
import type { RegexBody } from './schema.ts';

/** Longest pattern that is looked at. */
export const MAX_PATTERN = 20_000;
/** Most steps that are followed in one repeat; a repeat with more is taken for harmless. */
export const MAX_STEPS = 1_000_000;
/** Most places of one repeat. */
export const MAX_PLACES = 600;

/** Whether some repeat of the pattern can read one text in two ways, and something after it may still say no. */
export function canRunAway(pattern: string, flags = ''): boolean {
  if (pattern.length > MAX_PATTERN || !/[*+{]/.test(pattern)) return false;
  const whole = parsePattern(pattern, flags);
  return whole !== undefined && hasBadRepeat(whole, false);
}

/** Walks to the outermost endless repeats. `mayFail`: what follows this part can refuse. */
function hasBadRepeat(part: Part, mayFail: boolean): boolean {
  switch (part.is) {
    case 'check':
      return part.inner !== undefined && hasBadRepeat(part.inner, true);
    case 'choice':
      return part.parts.some((one) => hasBadRepeat(one, mayFail));
    case 'row': {
      let fails = mayFail;
      for (const one of [...part.parts].reverse()) {
        if (hasBadRepeat(one, fails)) return true;
        fails ||= canRefuse(one);
      }
      return false;
    }
    case 'repeat':
      if (part.endless && mayFail && isAmbiguous(part.part)) return true;
      return hasBadRepeat(part.part, mayFail || (part.endless && canRefuse(part.part)));
    default:
      return false;
  }
}

/** A part that does not match everywhere. */
function canRefuse(part: Part): boolean {
  switch (part.is) {
    case 'char':
    case 'check':
      return true;
    case 'row':
      return part.parts.some(canRefuse);
    case 'choice':
      return part.parts.every(canRefuse);
    case 'repeat':
      return !part.skippable && canRefuse(part.part);
    default:
      return false;
  }
}

/** The places of a repeat: which characters each takes, and which places may come next. */
interface Places {
  readonly chars: Chars[];
  readonly next: Set<number>[];
  /** Some place follows another in two ways. */
  twice: boolean;
}

interface Span {
  readonly first: readonly number[];
  readonly last: readonly number[];
  readonly skippable: boolean;
}

/** Whether going round `body` again and again can read one text along two paths that meet again. */
function isAmbiguous(body: Part): boolean {
  const places: Places = { chars: [], next: [], twice: false };
  const span = spanOf(body, places);
  if (!span) return false;
  join(places, span.last, span.first);
  return places.twice || twoPaths(places);
}

function spanOf(part: Part, places: Places): Span | undefined {
  switch (part.is) {
    case 'char': {
      if (places.chars.length >= MAX_PLACES) return undefined;
      const place = places.chars.push(part.chars) - 1;
      places.next.push(new Set());
      return { first: [place], last: [place], skippable: false };
    }
    case 'row': {
      let whole: Span = { first: [], last: [], skippable: true };
      for (const one of part.parts) {
        const span = spanOf(one, places);
        if (!span) return undefined;
        join(places, whole.last, span.first);
        whole = {
          first: whole.skippable ? [...whole.first, ...span.first] : whole.first,
          last: span.skippable ? [...whole.last, ...span.last] : span.last,
          skippable: whole.skippable && span.skippable,
        };
      }
      return whole;
    }
    case 'choice': {
      const spans = part.parts.map((one) => spanOf(one, places));
      const known = spans.filter((span) => span !== undefined);
      if (known.length < spans.length) return undefined;
      return {
        first: known.flatMap(({ first }) => first),
        last: known.flatMap(({ last }) => last),
        skippable: known.some(({ skippable }) => skippable),
      };
    }
    case 'repeat': {
      const span = spanOf(part.part, places);
      if (!span) return undefined;
      if (part.endless) join(places, span.last, span.first);
      return { ...span, skippable: part.skippable || span.skippable };
    }
    default:
      return { first: [], last: [], skippable: true };
  }
}

function join(places: Places, last: readonly number[], first: readonly number[]): void {
  for (const from of last) {
    for (const to of first) {
      if (places.next[from]?.has(to)) places.twice = true;
      places.next[from]?.add(to);
    }
  }
}

/** From one place to two that take the same character, and on in step until both are at one place again. */
function twoPaths({ chars, next }: Places): boolean {
  let steps = 0;
  const met = new Set<number>();
  const waiting: (readonly [number, number])[] = [];
  const meets = (a: number, b: number): boolean => ((chars[a] ?? 0n) & (chars[b] ?? 0n)) !== 0n;
  const follow = (left: number, right: number): boolean => {
    for (const a of next[left] ?? []) {
      for (const b of next[right] ?? []) {
        if (++steps > MAX_STEPS) return false;
        if (a === b) {
          if (left !== right) return true;
        } else if (meets(a, b) && !met.has(a * chars.length + b)) {
          met.add(a * chars.length + b);
          waiting.push([a, b]);
        }
      }
    }
    return false;
  };
  for (let place = 0; place < chars.length; place++) follow(place, place);
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    if (follow(pair[0], pair[1])) return true;
  }
  return false;
}

/** What a person reads about such a pattern. */
export const RUNAWAY =
  'a repeat inside a repeat can read one text in many ways: on long texts this pattern may freeze an app';

/** One warning for each rule whose pattern can run away. */
export const runawayWarnings = ({ rules }: RegexBody): Warning[] =>
  rules.flatMap(({ find, flags }, index) =>
    canRunAway(find, flags) ? [{ code: 'regex.run-away', path: `rules[${index}].find`, message: RUNAWAY }] : [],
  );
