import type { AccountResult } from './account.ts';
import { preview } from './account.ts';
import type { Kind } from './canonical.ts';
import type { Difference } from './compare.ts';
import type { Warning } from './errors.ts';

/** A populated canonical path that did not cross, and whose it was. */
export interface Loss extends Difference {
  /** Id of the entity, for bundles. */
  readonly entity: string;
}

/** Source facts without a canonical slot that stayed behind, by the topmost wire key that no field reads. */
export interface EscrowLine {
  readonly entity: string;
  /** Wire path; rows are folded: `entries[*].extensions.weight`. */
  readonly path: string;
  readonly count: number;
  /** Preview of the first one. */
  readonly value: string;
}

/** What crossed and what did not, measured on the written bytes. */
export interface Report {
  readonly from: string;
  readonly to: string;
  readonly kind: Kind;
  /** `native`: our own format holds everything. */
  readonly coverage: 'measured' | 'native';
  readonly losses: readonly Loss[];
  readonly escrowed: readonly EscrowLine[];
  /** Escrowed values that an edit has replaced. */
  readonly escrowShadowed: readonly EscrowLine[];
  readonly warnings: readonly Warning[];
  readonly counts: {
    /** Populated canonical paths of the source, and how many of them read back equal. */
    readonly populated: number;
    readonly carried: number;
    readonly losses: number;
    readonly escrowed: number;
    readonly escrowShadowed: number;
    readonly warnings: number;
  };
}

/** Folds the rows of a list into one line each key. */
export function escrowLines(entity: string, left: AccountResult['left']): EscrowLine[] {
  const lines = new Map<string, { path: string; count: number; value: string }>();
  for (const { path, value } of left) {
    const folded = path.replace(/\[\d+\]/g, '[*]');
    const line = lines.get(folded);
    if (line) line.count++;
    else lines.set(folded, { path: folded, count: 1, value: preview(value) });
  }
  return [...lines.values()].map((line) => ({ entity, ...line }));
}

/** One warning for each repaired spelling, rows folded. */
export function repairWarnings(repairs: AccountResult['repairs']): Warning[] {
  const seen = new Map<string, { path: string; what: string; count: number }>();
  for (const { path, what } of repairs) {
    const folded = path.replace(/\[\d+\]/g, '[*]');
    const line = seen.get(`${folded} ${what}`);
    if (line) line.count++;
    else seen.set(`${folded} ${what}`, { path: folded, what, count: 1 });
  }
  return [...seen.values()].map(({ path, what, count }) => ({
    code: 'read.repaired',
    path,
    message: count === 1 ? what : `${what} (${count} times)`,
  }));
}
