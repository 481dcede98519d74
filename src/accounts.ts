/** What the readers of entities left behind and repaired, with what a person should know of each. */
import type { AccountResult } from './core/account.ts';
import type { Adapter } from './core/adapter.ts';
import { primaryOriginal } from './core/canonical.ts';
import type { Warning } from './core/errors.ts';
import type { Registry } from './core/registry.ts';
import { repairWarnings } from './core/report.ts';
import type { AnyAdapter, AnyEntity, EntityOf } from './entities/kinds.ts';
import { runawayWarnings } from './entities/regex/runaway.ts';
import { nameOf } from './parts.ts';

/** What is missing from a character that apps read without a word. */
function characterDoubts(entity: EntityOf<'character'>): Warning[] {
  const { worldName, knowledgeRefs = [] } = entity.body;
  const doubts: Warning[] = [];
  if (nameOf(entity).trim() === '') {
    const message = 'the character has no name: give it one, or apps will not show it';
    doubts.push({ code: 'card.nameless', path: 'identity.name', message });
  }
  if (worldName && knowledgeRefs.length === 0) {
    const message = `the book "${worldName}" is linked by name and is not in the file`;
    doubts.push({ code: 'card.book-elsewhere', path: 'worldName', message });
  }
  return doubts;
}

/** Repairs, and what stays in escrow, over all entities of a file. */
export function readWarnings(registry: Registry<AnyAdapter>, entities: readonly AnyEntity[]): Warning[] {
  return entities.flatMap((entity) => {
    const account = accountOfEntity(registry, entity);
    return account ? [...repairWarnings(account.repairs), ...(account.warnings ?? [])] : [];
  });
}

/** The account of an entity, from the adapter that owns its twin; of an embedded book, from the one that owns the card. */
export function accountOfEntity(registry: Registry<AnyAdapter>, entity: AnyEntity): AccountResult | undefined {
  const key = primaryOriginal(entity.original)?.[0];
  if (key === undefined) return undefined;
  const owners = registry.adapters.filter(({ escrowIds }) => escrowIds.includes(key));
  const own = owners.find(({ kind }) => kind === entity.kind) as Adapter | undefined;
  const account = own?.account(entity);
  if (account && entity.kind === 'regex')
    return { ...account, warnings: [...(account.warnings ?? []), ...runawayWarnings(entity.body)] };
  if (account && entity.kind === 'character')
    return { ...account, warnings: [...(account.warnings ?? []), ...characterDoubts(entity)] };
  if (account) return account;
  if (entity.kind !== 'lorebook') return undefined;
  return owners.find(({ accountLorebook }) => accountLorebook)?.accountLorebook?.(entity);
}
