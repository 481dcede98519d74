import type { Kind } from './core/canonical.ts';
import type { Warning } from './core/errors.ts';
import type { EscrowLine } from './core/report.ts';

/** What one entity of a file holds, in numbers. */
export interface EntitySummary {
  readonly kind: Kind;
  readonly id: string;
  readonly name: string;
  /** Parts that are there, by the word for them: `greetings`, `entries`, `assets`, `tags`, `rules`. */
  readonly parts: Readonly<Record<string, number>>;
  /** Populated canonical paths. */
  readonly populated: number;
}

/** What a file is and what is in it. */
export interface Inspection {
  readonly format: string;
  readonly kind: Kind;
  readonly score: number;
  readonly container: string;
  readonly entities: readonly EntitySummary[];
  readonly label: Label;
  /** Facts that only their own format keeps. */
  readonly escrowed: readonly EscrowLine[];
  readonly warnings: readonly Warning[];
}

/** Which app probably wrote a file. A guess by marks; unrelated to detection. */
export interface Label {
  /** Card spec, not an adapter id: `chara_card_v3`, `agnai`, `byaf`, `unknown` … */
  readonly format: string;
  readonly container: string;
  readonly likelyOrigin?: string;
  /** Weight of the winning rule, 0 to 1. */
  readonly confidence: number;
  /** Every rule that fired. */
  readonly signals: readonly string[];
}
