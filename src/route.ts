/** Which adapter writes an entity, and whether it may. */
import type { Adapter } from './core/adapter.ts';
import { primaryOriginal } from './core/canonical.ts';
import { BunzaiError } from './core/errors.ts';
import type { Registry } from './core/registry.ts';
import type { AnyAdapter, AnyEntity } from './entities/kinds.ts';

/** The adapter that an entity was read with, by its primary twin. */
export function ownerOf(registry: Registry<AnyAdapter>, entity: AnyEntity): AnyAdapter | undefined {
  const key = primaryOriginal(entity.original)?.[0];
  if (key === undefined) return undefined;
  return registry.adapters.find(({ kind, escrowIds }) => kind === entity.kind && escrowIds.includes(key));
}

/**
 * The adapter that `format` means for an entity. A family with several adapters of one kind takes an entity of its own
 * back with the one that read it. Throws as `Registry.resolve` does.
 */
export function routeOf(registry: Registry<AnyAdapter>, format: string, entity: AnyEntity): AnyAdapter {
  const owner = ownerOf(registry, entity);
  return owner && owner.family === format ? owner : registry.resolve(format, entity.kind);
}

/** Why `target` does not write an entity; undefined: it does. */
export function refusalOf(registry: Registry<AnyAdapter>, target: AnyAdapter, entity: AnyEntity): string | undefined {
  if (target.native) return undefined;
  const owner = ownerOf(registry, entity);
  const bound = owner && owner.id !== target.id ? (owner as Adapter).bound?.(entity) : undefined;
  return bound ?? (target as Adapter).refuses?.(entity);
}

/** Throws `format.cannot-write` where `target` does not write an entity. */
export function assertWritable(registry: Registry<AnyAdapter>, target: AnyAdapter, entity: AnyEntity): void {
  const detail = refusalOf(registry, target, entity);
  if (detail === undefined) return;
  const owner = ownerOf(registry, entity);
  const home = owner && owner.id !== target.id ? { hint: `it goes back into its own format: ${owner.id}` } : {};
  throw new BunzaiError('format.cannot-write', { format: target.id, detail, ...home });
}
