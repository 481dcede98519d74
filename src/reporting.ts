import { accountOfEntity } from './accounts.ts';
import type { Group } from './bundle.ts';
import { cautionsOf } from './cautions.ts';
import type { AccountResult } from './core/account.ts';
import { append } from './core/append.ts';
import { type Kind, primaryOriginal, primaryOriginalRaw } from './core/canonical.ts';
import type { Warning } from './core/errors.ts';
import type { Registry } from './core/registry.ts';
import { type EscrowLine, escrowLines, type Report, repairWarnings } from './core/report.ts';
import type { Emitted } from './emit.ts';
import type { AnyAdapter, AnyEntity, EntityOf } from './entities/kinds.ts';
import { macroWarnings } from './macros.ts';

/** A written group and the adapter that wrote it. */
export type EmittedGroup = Emitted & { readonly adapter: AnyAdapter; readonly group: Group };

/** The report of a write: what was measured on every group, and what stayed in escrow. */
export function reportOf(
  registry: Registry<AnyAdapter>,
  target: AnyAdapter,
  from: string,
  kind: Kind,
  entities: readonly AnyEntity[],
  emitted: readonly EmittedGroup[],
  before: readonly Warning[] = [],
): Report {
  const measured = emitted.flatMap((one) => one.measured);
  const losses = measured.flatMap(({ entity, differences }) =>
    differences.map((difference) => ({ entity, ...difference })),
  );
  const populated = measured.reduce((sum, one) => sum + one.populated, 0);
  const escrowed: EscrowLine[] = [];
  const shadowed: EscrowLine[] = [];
  const warnings: Warning[] = [...before];
  const written = new Set(emitted.flatMap(({ adapter }) => adapter.escrowIds));
  const source = registry.adapters.find(({ id, escrowIds }) => id === from || escrowIds.includes(from));
  const elsewhere = source?.family !== target.family;
  for (const entity of entities) {
    const account = accountOfEntity(registry, entity);
    if (account) append(warnings, [...repairWarnings(account.repairs), ...(account.warnings ?? [])]);
    append(warnings, cautionsOf(primaryOriginalRaw(entity.original), entity));
    if (target.native) continue;
    if (elsewhere) append(warnings, macroWarnings(entity));
    const gone = escrowLines(entity.id, account ? stayedBehind(registry, entity, account.left, emitted) : []);
    const same = written.has(primaryOriginal(entity.original)?.[0] ?? '') && entity.kind === kind;
    append(same ? shadowed : escrowed, gone);
    for (const foreign of Object.keys(entity.original ?? {}).slice(1)) {
      if (!written.has(foreign)) escrowed.push({ entity: entity.id, path: `original.${foreign}`, count: 1, value: '' });
    }
  }
  append(
    warnings,
    emitted.flatMap((one) => [...one.warnings, ...one.measured.flatMap((m) => m.warnings)]),
  );
  return {
    from,
    to: target.id,
    kind,
    coverage: target.native ? 'native' : 'measured',
    losses,
    escrowed,
    escrowShadowed: shadowed,
    warnings,
    counts: {
      populated,
      carried: measured.reduce((sum, one) => sum + one.carried, 0),
      losses: losses.length,
      escrowed: escrowed.length,
      escrowShadowed: shadowed.length,
      warnings: warnings.length,
    },
  };
}

/** The facts in escrow that the written file does not hold: all of them in another format, none after an unedited write. */
function stayedBehind(
  registry: Registry<AnyAdapter>,
  entity: AnyEntity,
  left: AccountResult['left'],
  emitted: readonly EmittedGroup[],
): AccountResult['left'] {
  if (left.length === 0) return left;
  const key = primaryOriginal(entity.original)?.[0] ?? '';
  const group = emitted.find(
    ({ group }) => group.entities.includes(entity) || group.books?.some((book) => book === entity),
  );
  const index = group?.group.entities.indexOf(entity) ?? -1;
  const ofKind = group?.after.filter(({ kind }) => kind === entity.kind) ?? [];
  const shelf = group?.group.books?.indexOf(entity as EntityOf<'lorebook'>) ?? -1;
  const after = index >= 0 ? group?.after[index] : (ofKind[shelf] ?? ofKind[0]);
  if (!after || primaryOriginal(after.original)?.[0] !== key) return left;
  const still = new Set((accountOfEntity(registry, after)?.left ?? []).map(({ path }) => path));
  return left.filter(({ path }) => !still.has(path));
}
