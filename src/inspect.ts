import { accountOfEntity } from './accounts.ts';
import { cautionsOf } from './cautions.ts';
import { sniffContainer } from './container.ts';
import { append } from './core/append.ts';
import { type Kind, primaryOriginalRaw } from './core/canonical.ts';
import type { Warning } from './core/errors.ts';
import { jsonValueOf } from './core/json.ts';
import type { Registry } from './core/registry.ts';
import { type EscrowLine, escrowLines, repairWarnings } from './core/report.ts';
import type { Source } from './core/source.ts';
import { type Label, labelOf } from './entities/character/provenance.ts';
import type { AnyAdapter, AnyEntity } from './entities/kinds.ts';
import { compareBodies } from './measure.ts';
import { nameOf, partsOf } from './parts.ts';

export type { Label } from './entities/character/provenance.ts';

/** What one entity of a file holds, in numbers. */
export interface EntitySummary {
  readonly kind: Kind;
  readonly id: string;
  readonly name: string;
  /** Parts that are there, by the plural word for them: `greetings`, `entries`, `assets`, `tags`, `rules`, `scripts`. */
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
  /** Repairs, doubts, and what a person should know before using the file. */
  readonly warnings: readonly Warning[];
}

/** A file that was opened and read. */
export interface InspectionJob {
  readonly registry: Registry<AnyAdapter>;
  readonly source: Source;
  readonly adapter: AnyAdapter;
  readonly score: number;
  readonly entities: readonly AnyEntity[];
}

/** Puts together what is known of a file. */
export function inspectSource({ registry, source, adapter, score, entities }: InspectionJob): Inspection {
  const escrowed: EscrowLine[] = [];
  const warnings: Warning[] = [];
  for (const entity of entities) {
    const account = accountOfEntity(registry, entity);
    if (account) {
      append(escrowed, escrowLines(entity.id, account.left));
      append(warnings, [...repairWarnings(account.repairs), ...(account.warnings ?? [])]);
    }
    append(warnings, cautionsOf(primaryOriginalRaw(entity.original), entity));
  }
  return {
    format: adapter.id,
    kind: adapter.kind,
    score,
    container: sniffContainer(source),
    entities: entities.map(summaryOf),
    label: labelSource(source, entities),
    escrowed,
    warnings,
  };
}

/** Labels a source by the twin of its main entity, else by its parsed text. Never throws. */
export function labelSource(source: Source, entities: readonly AnyEntity[] = []): Label {
  const raw = primaryOriginalRaw(entities[0]?.original) ?? jsonValueOf(source);
  return labelOf(raw, sniffContainer(source));
}

/** An entity in numbers. */
export const summaryOf = (entity: AnyEntity): EntitySummary => ({
  kind: entity.kind,
  id: entity.id,
  name: nameOf(entity),
  parts: partsOf(entity),
  populated: compareBodies(entity.kind, entity.body, entity.body).populated,
});
