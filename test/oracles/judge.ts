/** What a judge is: an app or a library of other people that reads a file which bunzai wrote. */
import { bunzai, type Fresh, type Job } from './fresh.ts';

/** A place where what the judge has differs from what we wrote. */
export interface Change {
  readonly path: string;
  /** undefined: it is not there. */
  readonly ours: unknown;
  readonly theirs: unknown;
}

export interface Verdict {
  readonly accepted: boolean;
  /** Why it was refused, in the judge's words. */
  readonly said?: string;
  /** undefined: this judge accepts or refuses, and gives nothing back. */
  readonly changes?: readonly Change[];
}

export interface Judge {
  readonly name: string;
  /** What it was asked, for the table. */
  readonly asks: string;
  readonly version: string;
  readonly reads: (job: Job) => boolean;
  /** undefined: the file has nothing for this judge. */
  readonly judge: (file: Fresh) => Promise<Verdict | undefined>;
}

const isTree = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Every leaf or missing branch that differs, by dotted path. */
export function changesOf(ours: unknown, theirs: unknown, path = ''): Change[] {
  if (!isTree(ours) || !isTree(theirs) || Array.isArray(ours) !== Array.isArray(theirs))
    return Object.is(ours, theirs) ? [] : [{ path, ours, theirs }];
  return [...new Set([...Object.keys(ours), ...Object.keys(theirs)])].flatMap((key) => {
    const own = Object.hasOwn(ours, key) ? ours[key] : undefined;
    const other = Object.hasOwn(theirs, key) ? theirs[key] : undefined;
    return changesOf(own, other, path === '' ? key : `${path}.${key}`);
  });
}

/** A file refused, with the judge's words. */
export const refused = (said: unknown): Verdict => ({ accepted: false, said: String(said) });
export const accepted = (changes?: readonly Change[]): Verdict =>
  changes === undefined ? { accepted: true } : { accepted: true, changes };

/** What two files mean differently, by bunzai's own readers. */
export async function meant(ours: Uint8Array, theirs: Uint8Array): Promise<Change[]> {
  const { differences, added } = await bunzai.diff(ours, theirs);
  return [
    ...differences.map(({ path, value, now }) => ({ path, ours: value, theirs: now })),
    ...added.map((path) => ({ path, ours: undefined, theirs: 'added' })),
  ];
}
