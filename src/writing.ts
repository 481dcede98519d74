/** What every write goes through; an engine loads it with its first write. */
import { groupPieces } from './bundle.ts';
import { BunzaiError } from './core/errors.ts';
import type { Registry } from './core/registry.ts';
import { type Emitted, emit, type WriteOptions } from './emit.ts';
import type { TargetOutlook, WriteResult } from './engine-types.ts';
import type { AnyAdapter, AnyEntity } from './entities/kinds.ts';
import { renamedIn, uniqueNames } from './naming.ts';
import { reportOf } from './reporting.ts';
import { assertWritable, refusalOf, routeOf } from './route.ts';
import { forSharing } from './share.ts';

/** Lets every adapter that a write to `format` may use load what it needs. */
export async function ready(
  { adapters }: Registry<AnyAdapter>,
  entities: readonly AnyEntity[],
  format: string,
): Promise<void> {
  const family = adapters.find(({ id }) => id === format)?.family ?? format;
  const kinds = new Set(entities.map(({ kind }) => kind));
  for (const adapter of adapters) {
    if (adapter.family === family && kinds.has(adapter.kind)) await adapter.prepare?.('write');
  }
}

/** Holds what a caller wrote against the schema. Throws `canonical.invalid` with the first fault. */
export async function checked(entities: readonly AnyEntity[]): Promise<void> {
  const { entityFaults } = await import('./entities/validate.ts');
  for (const entity of entities) {
    const [fault] = entityFaults(entity);
    if (fault)
      throw new BunzaiError('canonical.invalid', { path: `${entity.id}: ${fault.path}`, detail: fault.message });
  }
}

/**
 * Entities as files of `format`, with the report. `from` is the id of the adapter that read them. Needs `ready` before.
 * Throws `convert.lossy` where `strict` is asked for and something is lost.
 */
export function writePieces(
  registry: Registry<AnyAdapter>,
  given: readonly AnyEntity[],
  format: string,
  from: string,
  options: WriteOptions,
): WriteResult {
  const { entities, warnings } = options.share ? forSharing(registry, given) : { entities: given, warnings: [] };
  const [main] = entities;
  if (!main) throw new BunzaiError('usage.invalid', { detail: 'no entities to write' });
  const target = routeOf(registry, format, main);
  const groups = groupPieces(entities, (entity) => routeOf(registry, format, entity).escrowIds[0]);
  const made = groups.map((group, index) => {
    const adapter = routeOf(registry, format, group.entities[0]);
    for (const entity of group.entities) assertWritable(registry, adapter, entity);
    const { name, ...rest } = options;
    const own = name === undefined ? rest : { ...rest, name: index === 0 ? name : `${name}.${group.entities[0].id}` };
    return { group, adapter, ...emit(registry, adapter, group, own) };
  });
  const names = uniqueNames(made.map(({ files }) => files.map(({ name }) => name)));
  const emitted = made.map((one) => named(one, names.splice(0, one.files.length)));
  const report = reportOf(registry, target, from, main.kind, entities, emitted, warnings);
  if (options.strict && report.losses.length > 0) {
    throw new BunzaiError('convert.lossy', {
      format: target.id,
      path: report.losses[0]?.path,
      detail: `${report.losses.length} lost`,
      hint: 'leave strict out to write it all the same, or see targets for a format that keeps more',
    });
  }
  return { files: emitted.flatMap(({ files }) => files), report };
}

/** What would cross into every format that takes what `adapter` read; the fullest first. */
export async function outlooksOf(
  registry: Registry<AnyAdapter>,
  adapter: AnyAdapter,
  entities: readonly AnyEntity[],
): Promise<TargetOutlook[]> {
  const outlooks: TargetOutlook[] = [];
  for (const target of registry.adapters) {
    if (target.native || target.kind !== adapter.kind) continue;
    if (entities.some((entity) => entity.kind === target.kind && refusalOf(registry, target, entity))) continue;
    await ready(registry, entities, target.id);
    const { report } = writePieces(registry, entities, target.id, adapter.id, {});
    const { carried, populated } = report.counts;
    outlooks.push({ format: target.id, label: target.label, carried, populated, lost: report.losses });
  }
  return outlooks.sort((a, b) => b.carried - a.carried);
}

/** The files of a group under their final names, also where its losses name them. */
const named = <E extends Emitted>(emitted: E, names: readonly string[]): E => ({
  ...emitted,
  files: emitted.files.map((file, index) => ({ ...file, name: names[index] ?? file.name })),
  measured: emitted.measured.map((one) => ({ ...one, differences: renamedIn(one.differences, emitted.files, names) })),
});
