/** Files that are to be shared: without secrets and without marks of private use. */
import type { Adapter } from './core/adapter.ts';
import { primaryOriginal } from './core/canonical.ts';
import { isRecord } from './core/draft.ts';
import type { Warning } from './core/errors.ts';
import type { Registry } from './core/registry.ts';
import type { AnyAdapter, AnyEntity } from './entities/kinds.ts';
import { ownerOf } from './route.ts';

/** Entities fit to be shared, and one warning for each thing that was left out. */
export interface Shared {
  readonly entities: AnyEntity[];
  readonly warnings: Warning[];
}

/** Takes out of every twin what its own format says is private; see `stripSecrets` of the adapters. */
export function forSharing(registry: Registry<AnyAdapter>, entities: readonly AnyEntity[]): Shared {
  const warnings: Warning[] = [];
  return { warnings, entities: entities.map((entity) => shared(registry, entity, warnings)) };
}

function shared(registry: Registry<AnyAdapter>, entity: AnyEntity, warnings: Warning[]): AnyEntity {
  const primary = primaryOriginal(entity.original);
  const strip = (ownerOf(registry, entity) as Adapter | undefined)?.stripSecrets;
  if (!primary || !strip) return entity;
  const [key, entry] = primary;
  const { raw, removed } = strip(entry.raw);
  if (removed.length === 0) return entity;
  warnings.push(
    ...removed.map((path) => ({ code: 'share.removed', path, message: 'left out, because the file is to be shared' })),
  );
  const others = entry.unmapped?.payloads;
  const payloads = Array.isArray(others)
    ? { payloads: others.map((one) => (isRecord(one) ? { ...one, value: strip(one.value).raw } : one)) }
    : {};
  const original = {
    ...entity.original,
    [key]: { ...entry, raw, unmapped: { ...entry.unmapped, ...payloads, edited: true } },
  };
  if (entity.kind !== 'character' || !removed.some((path) => path.endsWith('extensions.world')))
    return { ...entity, original };
  const { worldName: _, ...body } = entity.body;
  return { ...entity, body, original };
}
