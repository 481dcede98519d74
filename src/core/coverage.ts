import { type AccountResult, accountFor, type Claim, emptyAccount } from './account.ts';
import type { Lens } from './lens.ts';

/** One row of the coverage table and of the generated docs page. */
export interface CoverageRow {
  readonly canonical: string;
  readonly wire: string;
  readonly shape: string;
  /** `exact`: every value of the slot survives. `converted`: some do not, and the report names those. */
  readonly fidelity: 'exact' | 'converted';
  readonly note: string;
}

/** The coverage of a table; rows of a list follow their list as `entries[*].content`. */
export function coverage(lenses: readonly Lens<never>[], at = '', wireAt = ''): CoverageRow[] {
  return lenses.flatMap((lens) => {
    const own = lens.canonical.map((path) => ({
      canonical: at + path,
      wire: lens.wire.map((name) => wireAt + name).join(', '),
      shape: lens.shape,
      fidelity: lens.lossy ? ('converted' as const) : ('exact' as const),
      note: lens.note ?? '',
    }));
    const inside = lens.rows
      ? coverage(lens.rows, `${at}${lens.canonical[0]}[*].`, `${wireAt}${lens.wire[0]}[*].`)
      : [];
    return [...own, ...inside];
  });
}

/** Why `path` may not have crossed to a target with this coverage, in one clause; undefined when the table is silent. */
export function reasonFor(rows: readonly CoverageRow[], path: string): string | undefined {
  const general = path.replace(/\[\d+\]/g, '[*]');
  const covers = (row: CoverageRow) =>
    general === row.canonical || general.startsWith(`${row.canonical}.`) || general.startsWith(`${row.canonical}[`);
  const best = rows.filter(covers).sort((a, b) => b.canonical.length - a.canonical.length)[0];
  // A list that is covered field by field covers no other fields of its rows.
  const rowed =
    best !== undefined &&
    best.canonical !== general &&
    rows.some(({ canonical }) => canonical.startsWith(`${best.canonical}[*].`));
  if (!best || rowed) return 'no place for it in this format';
  return best.note === '' ? undefined : best.note;
}

/** Runs the claims of a table over a twin. */
export function accountOf(claims: Iterable<Claim>, raw: unknown, path = ''): AccountResult {
  const result = emptyAccount();
  accountFor(claims, raw, path, result);
  return result;
}
