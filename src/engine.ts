import { groupPieces, readPieces } from './bundle.ts';
import { primaryOriginal } from './core/canonical.ts';
import { BunzaiError } from './core/errors.ts';
import { createRegistry } from './core/registry.ts';
import { type Input, openInput, type Source } from './core/source.ts';
import { diffPieces } from './diff.ts';
import { type Emitted, emit, type WriteOptions } from './emit.ts';
import type { Engine, TargetOutlook, WriteResult } from './engine-types.ts';
import type { AnyAdapter, AnyEntity } from './entities/kinds.ts';
import { loadFallback } from './formats/_shared/inflate.ts';
import { inspectSource, labelSource } from './inspect.ts';
import { isTold, listItems } from './lists.ts';
import { renamedIn, uniqueNames } from './naming.ts';
import { accountOfEntity, readWarnings, reportOf } from './reporting.ts';
import { assertWritable, refusalOf, routeOf } from './route.ts';
import { forSharing } from './share.ts';
import { unclaimed } from './unclaimed.ts';

/** An engine that knows exactly these adapters. */
export function createEngine(adapters: readonly AnyAdapter[]): Engine {
  const registry = createRegistry(adapters);

  const choose = (source: Source, format: string | undefined): AnyAdapter => {
    if (source.bytes.byteLength === 0)
      throw new BunzaiError('input.empty', { file: source.filename, hint: 'the file has no bytes: fetch it again' });
    const asked = format === undefined ? undefined : registry.named(format);
    if (asked && asked.detect(source) > 0) return asked;
    const hit = registry.detect(source);
    // What another reader recognises as another kind would become a blank entity of this one.
    if (asked && hit && hit.adapter.kind !== asked.kind) {
      const detail = `it is a ${hit.adapter.kind} (${hit.adapter.id}), not a ${asked.kind}`;
      throw new BunzaiError('format.mismatch', { format: asked.id, detail, hint: `read it as ${hit.adapter.id}` });
    }
    if (asked) return asked;
    if (hit) return hit.adapter;
    throw unclaimed(source);
  };
  const opened = async (input: Input, format: string | undefined) => {
    const source = await opening(input);
    const adapter = inFile(source.filename, () => choose(source, format));
    await adapter.prepare?.('read');
    return inFile(source.filename, () => ({ source, adapter, entities: readPieces(adapter, source) }));
  };

  /** Lets every adapter that a write to `format` may use load what it needs. */
  const ready = async (entities: readonly AnyEntity[], format: string): Promise<void> => {
    const family = adapters.find(({ id }) => id === format)?.family ?? format;
    const kinds = new Set(entities.map(({ kind }) => kind));
    for (const adapter of adapters) {
      if (adapter.family === family && kinds.has(adapter.kind)) await adapter.prepare?.('write');
    }
  };

  const write = (given: readonly AnyEntity[], format: string, from: string, options: WriteOptions): WriteResult => {
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
  };

  return {
    registry,
    async detect(input) {
      const hit = registry.detect(await opening(input));
      return hit && { format: hit.adapter.id, kind: hit.adapter.kind, score: hit.score };
    },
    async read(input, options = {}) {
      const { adapter, entities } = await opened(input, options.format);
      return {
        format: adapter.id,
        entities,
        get warnings() {
          return readWarnings(registry, entities);
        },
      };
    },
    async write(entities, format, options = {}) {
      const from = primaryOriginal(entities[0]?.original)?.[0] ?? 'vaud-json';
      await checked(entities);
      await ready(entities, format);
      return write(entities, format, from, options);
    },
    async convert(input, format, options = {}) {
      const { source, adapter, entities } = await opened(input, options.from);
      const name = options.name ?? stem(source.filename);
      await ready(entities, format);
      const result = inFile(source.filename, () =>
        write(entities, format, adapter.id, name === undefined ? options : { ...options, name }),
      );
      return { from: result.report.from, to: result.report.to, kind: result.report.kind, entities, ...result };
    },
    async inspect(input, options = {}) {
      const { source, adapter, entities } = await opened(input, options.format);
      const score = adapter.detect(source);
      return inspectSource({
        source,
        adapter,
        score,
        entities,
        accountOf: (entity) => accountOfEntity(registry, entity),
      });
    },
    async label(input) {
      const source = await opening(input);
      const hit = registry.detect(source);
      await hit?.adapter.prepare?.('read');
      try {
        return labelSource(source, hit?.adapter.toCanonical(source));
      } catch (error) {
        if (error instanceof BunzaiError) return labelSource(source);
        throw error;
      }
    },
    async targets(input, options = {}) {
      const { adapter, entities } = await opened(input, options.format);
      const outlooks: TargetOutlook[] = [];
      for (const target of adapters) {
        if (target.native || target.kind !== adapter.kind) continue;
        if (entities.some((entity) => entity.kind === target.kind && refusalOf(registry, target, entity))) continue;
        await ready(entities, target.id);
        const { report } = write(entities, target.id, adapter.id, {});
        const { carried, populated } = report.counts;
        outlooks.push({ format: target.id, label: target.label, carried, populated, lost: report.losses });
      }
      return outlooks.sort((a, b) => b.carried - a.carried);
    },
    async split(input) {
      const items = listItems(registry, await opening(input)) ?? [];
      const [first] = items;
      return first && isTold((await opened(first, undefined)).entities[0]) ? items : [];
    },
    async diff(a, b) {
      const [left, right] = [await opened(a, undefined), await opened(b, undefined)];
      return diffPieces(left.adapter.id, left.entities, right.adapter.id, right.entities);
    },
    formats: () =>
      adapters.map(({ id, family, kind, label, containers, reads, native, coverage }) => {
        const writes = containers.map(({ name }) => name);
        return { id, family, kind, label, reads: [...(reads ?? writes)], writes, native: native ?? false, coverage };
      }),
  };
}

/** Opens an input, with what detectors need where the runtime has no inflater of its own. */
async function opening(input: Input): Promise<Source> {
  await loadFallback();
  return openInput(input);
}

/** Holds what a caller wrote against the schema. Throws `canonical.invalid` with the first fault. */
async function checked(entities: readonly AnyEntity[]): Promise<void> {
  const { entityFaults } = await import('./entities/validate.ts');
  for (const entity of entities) {
    const [fault] = entityFaults(entity);
    if (fault)
      throw new BunzaiError('canonical.invalid', { path: `${entity.id}: ${fault.path}`, detail: fault.message });
  }
}

/** Runs `work`, and puts the name of the file to a refusal that lacks one. */
function inFile<T>(file: string | undefined, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof BunzaiError) || error.file !== undefined || file === undefined) throw error;
    const { code, format, path, detail, hint } = error;
    throw new BunzaiError(code, { file, format, path, detail, hint, cause: error });
  }
}

/** The file name without folder and extension. */
const stem = (filename: string | undefined): string | undefined => {
  const base = filename?.replace(/^.*[\\/]/, '').replace(/\.[^.]{1,10}$/, '');
  return base === '' ? undefined : base;
};

/** The files of a group under their final names, also where its losses name them. */
const named = <E extends Emitted>(emitted: E, names: readonly string[]): E => ({
  ...emitted,
  files: emitted.files.map((file, index) => ({ ...file, name: names[index] ?? file.name })),
  measured: emitted.measured.map((one) => ({ ...one, differences: renamedIn(one.differences, emitted.files, names) })),
});
