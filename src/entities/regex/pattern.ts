/** Just enough of a regular expression's grammar to judge its repeats. Patterns are read, never run. */

/** Characters as bits: 0 to 127 as they are, then one for all other letters, one for all other characters. */
export type Chars = bigint;

/** What a pattern is made of. `min` and `max` of a repeat are folded: at most one, or without end. */
export type Part =
  | { readonly is: 'char'; readonly chars: Chars }
  | { readonly is: 'empty' }
  /** `^`, `$`, `\b`, a look-around, a back-reference: takes nothing, and may say no. */
  | { readonly is: 'check'; readonly inner?: Part }
  | { readonly is: 'row'; readonly parts: readonly Part[] }
  | { readonly is: 'choice'; readonly parts: readonly Part[] }
  | { readonly is: 'repeat'; readonly part: Part; readonly skippable: boolean; readonly endless: boolean };

const OTHER_LETTER = 128n;
const OTHER = 129n;
const ALL: Chars = (1n << 130n) - 1n;

const only = (code: number): Chars => 1n << (code < 128 ? BigInt(code) : isLetter(code) ? OTHER_LETTER : OTHER);
const isLetter = (code: number): boolean => /[\p{L}\p{N}]/u.test(String.fromCodePoint(code));
const range = (from: number, to: number): Chars => {
  let chars = 0n;
  for (let code = from; code <= Math.min(to, 127); code++) chars |= 1n << BigInt(code);
  return to > 127 ? chars | (1n << OTHER_LETTER) | (1n << OTHER) : chars;
};
const of = (text: string): Chars => [...text].reduce((chars, one) => chars | only(one.codePointAt(0) ?? 0), 0n);

const DIGITS = range(48, 57);
const LETTERS = range(65, 90) | range(97, 122);
const WORD = DIGITS | LETTERS | of('_');
const SPACE = of('\t\n\v\f\r ') | (1n << OTHER);
const BREAKS = of('\n\r');

const CLASSES: Readonly<Record<string, Chars>> = {
  d: DIGITS,
  D: ALL & ~DIGITS,
  w: WORD,
  W: ALL & ~WORD,
  s: SPACE,
  S: ALL & ~of('\t\n\v\f\r '),
};
const CONTROLS: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, v: 11, f: 12, '0': 0 };

const BACKSLASH = 92;

/** Deepest nesting of groups that is followed. */
const MAX_DEPTH = 200;

/** Repeats of more than this count as endless: the time they take grows all the same. */
const LARGE_COUNT = 10;

/** Reads a pattern; undefined where it is not understood. */
export function parsePattern(pattern: string, flags = ''): Part | undefined {
  const fold = flags.includes('i');
  const dot = flags.includes('s') ? ALL : ALL & ~BREAKS;
  let at = 0;
  let depth = 0;

  const char = (chars: Chars): Part => ({ is: 'char', chars: fold ? folded(chars) : chars });
  const take = (text: string): boolean => {
    if (!pattern.startsWith(text, at)) return false;
    at += text.length;
    return true;
  };
  const taken = (shape: RegExp): RegExpExecArray | undefined => {
    shape.lastIndex = at;
    const hit = shape.exec(pattern);
    if (hit) at += hit[0].length;
    return hit ?? undefined;
  };

  /** What stands behind a backslash, inside a class or out of it. */
  const escaped = (): Chars | undefined => {
    const hex = taken(/x([0-9a-f]{2})|u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\}/iy);
    if (hex) return only(Number.parseInt(hex[1] ?? hex[2] ?? hex[3] ?? '0', 16));
    if (taken(/p\{[^}]*\}/iy)) return LETTERS | (1n << OTHER_LETTER) | (1n << OTHER);
    const one = pattern[at++];
    if (one === undefined) return undefined;
    const control = CONTROLS[one];
    return CLASSES[one] ?? (control === undefined ? of(one) : only(control));
  };

  const set = (): Part | undefined => {
    const negated = take('^');
    let chars = 0n;
    while (!take(']')) {
      if (at >= pattern.length) return undefined;
      const from = pattern.codePointAt(at) ?? 0;
      at += from > 0xffff ? 2 : 1;
      const step = from === BACKSLASH ? escaped() : only(from);
      if (step === undefined) return undefined;
      const span = from === BACKSLASH ? undefined : taken(/-([^\]\\])/y);
      chars |= span ? range(from, span[1]?.codePointAt(0) ?? from) : step;
    }
    return char(negated ? ALL & ~chars : chars);
  };

  const atom = (): Part | undefined => {
    if (taken(/\(\?<?[=!]/y)) {
      const inner = choice();
      return inner && take(')') ? { is: 'check', inner } : undefined;
    }
    if (taken(/\((?:\?(?:[a-z-]*:|<[^>]*>))?/y)) {
      const inner = choice();
      return inner && take(')') ? inner : undefined;
    }
    if (take('[')) return set();
    if (take('.')) return char(dot);
    if (take('^') || take('$')) return { is: 'check' };
    if (take('\\')) {
      if (taken(/[bB]|[1-9]\d*|k<[^>]*>/y)) return { is: 'check' };
      const chars = escaped();
      return chars === undefined ? undefined : char(chars);
    }
    const code = pattern.codePointAt(at);
    if (code === undefined || code === 41) return undefined;
    at += code > 0xffff ? 2 : 1;
    return char(only(code));
  };

  const repeated = (part: Part): Part => {
    const count = taken(/(?:([*+?])|\{(\d+)(,?)(\d*)\})[?+]?/y);
    if (!count) return part;
    const [, sign, from, comma, to] = count;
    const max = from === undefined ? (sign === '?' ? 1 : Infinity) : bound(from, comma, to);
    const skippable = sign === '*' || sign === '?' || from === '0';
    return { is: 'repeat', part, skippable, endless: max > LARGE_COUNT };
  };

  const row = (): Part | undefined => {
    const parts: Part[] = [];
    while (at < pattern.length && pattern[at] !== '|' && pattern[at] !== ')') {
      const part = atom();
      if (!part) return undefined;
      parts.push(repeated(part));
    }
    return parts.length === 1 ? parts[0] : { is: 'row', parts };
  };

  const choice = (): Part | undefined => {
    if (++depth > MAX_DEPTH) return undefined;
    const parts: Part[] = [];
    do {
      const part = row();
      if (!part) return undefined;
      parts.push(part);
    } while (take('|'));
    depth--;
    return parts.length === 1 ? parts[0] : { is: 'choice', parts };
  };

  const whole = choice();
  return at === pattern.length ? whole : undefined;
}

const bound = (from: string, comma: string | undefined, to: string | undefined): number =>
  to ? Number(to) : comma ? Infinity : Number(from);

/** Both cases of every ASCII letter in the set. */
function folded(chars: Chars): Chars {
  const upper = chars & range(65, 90);
  const lower = chars & range(97, 122);
  return chars | (upper << 32n) | (lower >> 32n);
}
