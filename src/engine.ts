import { groupPieces, readPieces } from './bundle.ts';
import { type Entity, type Kind, primaryOriginal } from './core/canonical.ts';
import type { Difference } from './core/compare.ts';
import type { CoverageRow } from './core/coverage.ts';
import { BunzaiError, type Warning } from './core/errors.ts';
import { createRegistry, type Registry } from './core/registry.ts';
import { type EscrowLine, escrowLines, type Loss, type Report, repairWarnings } from './core/report.ts';
import { type Input, openInput, type Source } from './core/source.ts';
import { type Emitted, emit, type OutputFile, type WriteOptions } from './emit.ts';
import type { AnyAdapter, AnyEntity } from './entities/kinds.ts';
import { compareBodies } from './measure.ts';
import { unclaimed } from './unclaimed.ts';

/** The adapter that claims a file, and how surely. */
export interface Detected {
  readonly format: string;
  readonly kind: Kind;
  /** 0.5 to 1. */
  readonly score: number;
}

/** Everything a file holds: the main entity first, then its books and other parts. */
export interface ReadResult {
  readonly format: string;
  readonly entities: readonly AnyEntity[];
  /** Repairs, and facts that only their own format can keep. */
  readonly warnings: readonly Warning[];
}

export interface WriteResult {
  readonly files: readonly OutputFile[];
  readonly report: Report;
}

export interface ConvertResult extends WriteResult {
  readonly from: string;
  readonly to: string;
  readonly kind: Kind;
}

export interface ConvertOptions extends WriteOptions {
  /** Read as this format instead of detecting. */
  readonly from?: string;
}

/** One possible target and what would cross. */
export interface TargetOutlook {
  readonly format: string;
  readonly label: string;
  /** Populated canonical paths that read back equal, of `populated`. */
  readonly carried: number;
  readonly populated: number;
  readonly lost: readonly Loss[];
}

/** One adapter as the roster shows it. */
export interface FormatInfo {
  readonly id: string;
  readonly family: string;
  readonly kind: Kind;
  readonly label: string;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly native: boolean;
  readonly coverage: readonly CoverageRow[];
}

/** A canonical difference between two files, whatever formats they have. */
export interface DiffResult {
  readonly a: { readonly format: string; readonly kind: Kind; readonly id: string };
  readonly b: { readonly format: string; readonly kind: Kind; readonly id: string };
  readonly equal: boolean;
  readonly differences: readonly (Difference & { readonly entity: string })[];
  /** Paths that only `b` says. */
  readonly added: readonly string[];
}

/** The functions of the library over a chosen set of adapters. */
export interface Engine {
  detect(input: Input): Promise<Detected | undefined>;
  read(input: Input, options?: { readonly format?: string }): Promise<ReadResult>;
  write(entities: readonly AnyEntity[], format: string, options?: WriteOptions): Promise<WriteResult>;
  convert(input: Input, format: string, options?: ConvertOptions): Promise<ConvertResult>;
  targets(input: Input, options?: { readonly format?: string }): Promise<TargetOutlook[]>;
  diff(a: Input, b: Input): Promise<DiffResult>;
  formats(): FormatInfo[];
  readonly registry: Registry<AnyAdapter>;
}

/** An engine that knows exactly these adapters. */
export function createEngine(adapters: readonly AnyAdapter[]): Engine {
  const registry = createRegistry(adapters);

  const choose = (source: Source, format: string | undefined): AnyAdapter => {
    if (source.bytes.byteLength === 0)
      throw new BunzaiError('input.empty', { file: source.filename, hint: 'the file has no bytes: fetch it again' });
    if (format !== undefined) return registry.named(format);
    const hit = registry.detect(source);
    if (hit) return hit.adapter;
    throw unclaimed(source);
  };
  const opened = async (input: Input, format: string | undefined) => {
    const source = await openInput(input);
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

  const write = (entities: readonly AnyEntity[], format: string, from: string, options: WriteOptions): WriteResult => {
    const [main] = entities;
    if (!main) throw new BunzaiError('usage.invalid', { detail: 'no entities to write' });
    const target = registry.resolve(format, main.kind);
    const groups = groupPieces(entities, (entity) => registry.resolve(format, entity.kind).escrowIds[0]);
    const emitted = groups.map((group, index) => {
      const adapter = registry.resolve(format, group.entities[0].kind);
      const { name, ...rest } = options;
      const own = name === undefined ? rest : { ...rest, name: index === 0 ? name : `${name}.${group.entities[0].id}` };
      return { group, adapter, ...emit(registry, adapter, group, own) };
    });
    const report = reportOf(registry, target, from, main.kind, entities, emitted);
    if (options.strict && report.losses.length > 0) {
      throw new BunzaiError('convert.lossy', {
        format: target.id,
        path: report.losses[0]?.path,
        detail: `${report.losses.length} lost`,
        hint: 'leave strict out to write it all the same, or see targets for a format that keeps more',
      });
    }
    return { files: uniqueNames(emitted.flatMap(({ files }) => files)), report };
  };

  return {
    registry,
    async detect(input) {
      const hit = registry.detect(await openInput(input));
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
      return { from: result.report.from, to: result.report.to, kind: result.report.kind, ...result };
    },
    async targets(input, options = {}) {
      const { adapter, entities } = await opened(input, options.format);
      const outlooks: TargetOutlook[] = [];
      for (const target of adapters) {
        if (target.native || target.kind !== adapter.kind) continue;
        await ready(entities, target.id);
        const { report } = write(entities, target.id, adapter.id, {});
        const { carried, populated } = report.counts;
        outlooks.push({ format: target.id, label: target.label, carried, populated, lost: report.losses });
      }
      return outlooks.sort((a, b) => b.carried - a.carried);
    },
    async diff(a, b) {
      const [left, right] = [await opened(a, undefined), await opened(b, undefined)];
      return diffPieces(left.adapter.id, left.entities, right.adapter.id, right.entities);
    },
    formats: () =>
      adapters.map(({ id, family, kind, label, containers, native, coverage }) => {
        const names = containers.map(({ name }) => name);
        return { id, family, kind, label, reads: names, writes: names, native: native ?? false, coverage };
      }),
  };
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

/** Repairs, and what stays in escrow, over all entities of a file. */
function readWarnings(registry: Registry<AnyAdapter>, entities: readonly AnyEntity[]): Warning[] {
  return entities.flatMap((entity) => {
    const account = accountOfEntity(registry, entity);
    return account ? [...repairWarnings(account.repairs), ...(account.warnings ?? [])] : [];
  });
}

/** The adapter that owns the twin of an entity gives the account of it; books embedded in a card are accounted by their own dialect. */
export function accountOfEntity(registry: Registry<AnyAdapter>, entity: AnyEntity) {
  const key = primaryOriginal(entity.original)?.[0];
  const owner = registry.adapters.find(
    (adapter) => adapter.kind === entity.kind && key !== undefined && adapter.escrowIds.includes(key),
  );
  return owner && (owner as { account(entity: AnyEntity): ReturnType<AnyAdapter['account']> }).account(entity);
}

type EmittedGroup = Emitted & { readonly adapter: AnyAdapter };

function reportOf(
  registry: Registry<AnyAdapter>,
  target: AnyAdapter,
  from: string,
  kind: Kind,
  entities: readonly AnyEntity[],
  emitted: readonly EmittedGroup[],
): Report {
  const measured = emitted.flatMap((one) => one.measured);
  const losses = measured.flatMap(({ entity, differences }) =>
    differences.map((difference) => ({ entity, ...difference })),
  );
  const populated = measured.reduce((sum, one) => sum + one.populated, 0);
  const written = new Set(emitted.flatMap(({ adapter }) => adapter.escrowIds));
  const escrowed: EscrowLine[] = [];
  const shadowed: EscrowLine[] = [];
  const warnings: Warning[] = [];
  for (const entity of entities) {
    const account = accountOfEntity(registry, entity);
    const key = primaryOriginal(entity.original)?.[0] ?? '';
    if (account) warnings.push(...repairWarnings(account.repairs), ...(account.warnings ?? []));
    if (target.native || !account) continue;
    if (!written.has(key)) escrowed.push(...escrowLines(entity.id, account.left));
    else shadowed.push(...replacedEscrow(registry, entity, account.left, emitted));
    for (const foreign of Object.keys(entity.original ?? {}).slice(1)) {
      if (!written.has(foreign)) escrowed.push({ entity: entity.id, path: `original.${foreign}`, count: 1, value: '' });
    }
  }
  warnings.push(...emitted.flatMap((one) => [...one.warnings, ...one.measured.flatMap((m) => m.warnings)]));
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
      carried: Math.max(0, populated - losses.length),
      losses: losses.length,
      escrowed: escrowed.length,
      escrowShadowed: shadowed.length,
      warnings: warnings.length,
    },
  };
}

/** Escrowed values of a same-format write that are not there any more: an edit took their home. */
function replacedEscrow(
  registry: Registry<AnyAdapter>,
  entity: AnyEntity,
  left: readonly { readonly path: string; readonly value: unknown }[],
  emitted: readonly EmittedGroup[],
): EscrowLine[] {
  const after = emitted.flatMap((one) => one.after).find((one) => one.kind === entity.kind && one.id === entity.id);
  if (!after) return [];
  const still = new Set((accountOfEntity(registry, after)?.left ?? []).map(({ path }) => path));
  return escrowLines(
    entity.id,
    left.filter(({ path }) => !still.has(path)),
  );
}

/** File names that differ: a repeated one gets `-2`. */
function uniqueNames(files: readonly OutputFile[]): OutputFile[] {
  const taken = new Set<string>();
  return files.map((file) => {
    let { name } = file;
    for (let n = 2; taken.has(name.toLowerCase()); n++) name = file.name.replace(/(\.[^.]*)?$/, `-${n}$1`);
    taken.add(name.toLowerCase());
    return name === file.name ? file : { ...file, name };
  });
}

/** Compares the pieces of two files, kind by kind, in order. */
function diffPieces(
  formatA: string,
  left: readonly AnyEntity[],
  formatB: string,
  right: readonly AnyEntity[],
): DiffResult {
  const [a, b] = [left[0] as Entity, right[0] as Entity];
  if (a.kind !== b.kind) {
    throw new BunzaiError('kind.mismatch', { detail: `one file holds a ${a.kind}, the other a ${b.kind}` });
  }
  const differences: DiffResult['differences'][number][] = [];
  const added: string[] = [];
  const kinds = [...new Set([...left, ...right].map(({ kind }) => kind))];
  for (const kind of kinds) {
    const mine = left.filter((entity) => entity.kind === kind);
    const yours = right.filter((entity) => entity.kind === kind);
    mine.forEach((entity, index) => {
      const result = compareBodies(kind, entity.body, yours[index]?.body ?? {});
      differences.push(...result.differences.map((difference) => ({ entity: entity.id, ...difference })));
      added.push(...result.added);
    });
    for (const extra of yours.slice(mine.length)) added.push(`${kind} ${extra.id}`);
  }
  return {
    a: { format: formatA, kind: a.kind, id: a.id },
    b: { format: formatB, kind: b.kind, id: b.id },
    equal: differences.length === 0 && added.length === 0,
    differences,
    added,
  };
}
