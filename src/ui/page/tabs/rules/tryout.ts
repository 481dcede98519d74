/** One rule on one text, as apps run it. Only ever called in a worker that can be ended. */

/** What is tried. */
export interface Trial {
  readonly find: string;
  readonly flags: string;
  readonly replace: string;
  readonly trim: readonly string[];
  readonly text: string;
}

/** Matches that are shown; all are replaced. */
export const MAX_MATCHES = 500;
/** Letters of a result. */
const MAX_RESULT = 200_000;

export type Tried =
  | { readonly state: 'bad'; readonly message: string }
  | {
      readonly state: 'done';
      /** Start and end of each match. */
      readonly matches: readonly (readonly [start: number, end: number])[];
      readonly count: number;
      readonly result: string;
    };

/** The matches, and the text after the rule. `{{match}}`, `$0` and `$&` stand for the match, `$1` and `$<name>` for groups. */
export function tryOut({ find, flags, replace, trim, text }: Trial): Tried {
  let pattern: RegExp;
  try {
    pattern = new RegExp(find, flags);
  } catch (error) {
    return { state: 'bad', message: error instanceof Error ? error.message : String(error) };
  }
  const matches: [number, number][] = [];
  let count = 0;
  const result = text.replace(pattern, (match: string, ...rest: unknown[]) => {
    const named = typeof rest.at(-1) === 'object' ? (rest.pop() as Record<string, string | undefined>) : {};
    const groups = rest.slice(0, -2) as (string | undefined)[];
    const start = rest.at(-2) as number;
    count++;
    if (matches.length < MAX_MATCHES) matches.push([start, start + match.length]);
    const cut = (part: string | undefined) =>
      trim.reduce((left, one) => (one ? left.replaceAll(one, '') : left), part ?? '');
    return replace.replace(
      /\{\{match\}\}|\$(?:(\$)|(&|0)|(\d{1,2})|<([^>]*)>)/gi,
      (whole, dollar, all, digits, name) => {
        if (dollar) return '$';
        if (all || whole.startsWith('{')) return cut(match);
        if (digits) return Number(digits) <= groups.length ? cut(groups[Number(digits) - 1]) : whole;
        return name !== undefined && Object.hasOwn(named, name) ? cut(named[name]) : whole;
      },
    );
  });
  return { state: 'done', matches, count, result: result.slice(0, MAX_RESULT) };
}
