import type { Group } from './bundle.ts';
import type { EmitContext, Sealed } from './core/adapter.ts';
import { bodyFor, type Entity } from './core/canonical.ts';
import { BunzaiError, type Warning } from './core/errors.ts';
import type { Registry } from './core/registry.ts';
import type { AnyAdapter, AnyEntity, EntityOf } from './entities/kinds.ts';
import { danglingRefs, type Measured, measure, measureBooks, readBack } from './measure.ts';

/** How a write chooses among the shapes of a format. */
export interface WriteOptions {
  /** Container by name (`png`, `json`, `charx` …); absent: the one the source came in, else the format's choice. */
  readonly container?: string;
  /** Version of the format for fresh files: `v2`, `v3`. */
  readonly variant?: string;
  /** Refuse, with `convert.lossy`, when anything would be lost. */
  readonly strict?: boolean;
  /** Base name of the files, without extension; absent: the id of the main entity. */
  readonly name?: string;
}

/** One written file. */
export interface OutputFile {
  readonly name: string;
  readonly extension: string;
  readonly mime: string;
  readonly format: string;
  readonly bytes: Uint8Array;
  /** Ids of the entities in it. */
  readonly entities: readonly string[];
}

/** A group of entities as files, with what its readers find in them. */
export interface Emitted {
  readonly files: readonly OutputFile[];
  readonly measured: readonly Measured[];
  readonly warnings: readonly Warning[];
  /** The entities as they read back, in step with the group: what `escrowShadowed` is measured on. */
  readonly after: readonly AnyEntity[];
}

/** Writes one group in the target format, reads the bytes back and compares. */
export function emit(registry: Registry<AnyAdapter>, target: AnyAdapter, group: Group, options: WriteOptions): Emitted {
  const books = group.books ?? [];
  const hasSlot = target.kind === 'character' && target.extractLorebook !== undefined;
  const sealed = seal(target, group, options, hasSlot ? group.books : undefined);
  const main = fileOf(target, sealed, options.name ?? group.entities[0].id, group.entities);
  const back = readBack(target, sealed.bytes);
  const measured = group.entities.map((entity, index) => measure(entity, back.entities[index], target));
  const beside = hasSlot ? [] : books.map((book) => emitBook(registry, target, book, options));
  const warnings = [...sealed.warnings];
  if (hasSlot) measured.push(...measureBooks(books, back.book, target));
  for (const entity of group.entities) {
    if (group.books === undefined) continue;
    for (const ref of danglingRefs(entity as Entity, books)) {
      warnings.push({
        code: 'write.missing-book',
        path: 'knowledgeRefs',
        message: `the linked book "${ref}" was not given`,
      });
    }
  }
  const [first] = measured;
  if (first && beside.length > 0 && !target.native)
    measured[0] = { ...first, differences: [...first.differences, unlinked(books, beside)] };
  return {
    files: [main, ...beside.flatMap(({ files }) => files)],
    measured: [...measured, ...beside.flatMap((one) => one.measured)],
    warnings: [...warnings, ...beside.flatMap((one) => one.warnings)],
    after: back.book ? [...back.entities, back.book] : back.entities,
  };
}

function seal(target: AnyAdapter, group: Group, options: WriteOptions, lorebooks: Group['books']): Sealed {
  const context: EmitContext<EntityOf<'lorebook'>['body']> = {
    ...(lorebooks === undefined ? {} : { lorebooks }),
    ...(options.container === undefined ? {} : { container: containerName(target, options.container) }),
    ...(options.variant === undefined ? {} : { variant: options.variant }),
  };
  const entities = group.entities.map((entity) => ({ ...entity, body: bodyFor(entity as Entity, target.id) }));
  return target.fromCanonical(entities as never, context);
}

/** The name of a container of `target`, given by name or by extension. */
function containerName(target: AnyAdapter, asked: string): string {
  const hit =
    target.containers.find(({ name }) => name === asked) ??
    target.containers.find(({ extension }) => extension === asked);
  if (hit) return hit.name;
  throw new BunzaiError('container.unsupported', {
    format: target.id,
    detail: `"${asked}"`,
    hint: `${target.id} is written as: ${target.containers.map(({ name }) => name).join(', ')}`,
  });
}

const fileOf = (target: AnyAdapter, sealed: Sealed, name: string, entities: readonly AnyEntity[]): OutputFile => ({
  name: `${name}.${sealed.container.extension}`,
  extension: sealed.container.extension,
  mime: sealed.container.mime,
  format: target.id,
  bytes: sealed.bytes,
  entities: entities.map(({ id }) => id),
});

/** A book that the target has no place for, as a file of its own: the family's book format, else the generic one. */
function emitBook(
  registry: Registry<AnyAdapter>,
  target: AnyAdapter,
  book: EntityOf<'lorebook'>,
  options: WriteOptions,
): Emitted {
  const candidates = registry.adapters.filter((adapter) => adapter.kind === 'lorebook');
  const adapter =
    candidates.find(({ family }) => family === target.family) ??
    candidates.find(({ generic }) => generic) ??
    candidates[0];
  if (!adapter) return { files: [], measured: [lostBook(book)], warnings: [], after: [] };
  const name = options.name === undefined ? book.id : `${options.name}.${book.id}`;
  return emit(registry, adapter, { entities: [book] }, { name });
}

const lostBook = (book: EntityOf<'lorebook'>): Measured => ({
  entity: book.id,
  differences: [
    {
      path: 'entries',
      kind: 'dropped',
      value: `${book.body.entries.length} entries`,
      reason: 'no lorebook format is registered',
    },
  ],
  warnings: [],
  populated: 1,
});

const unlinked = (books: readonly EntityOf<'lorebook'>[], beside: readonly Emitted[]) => ({
  path: 'knowledgeRefs',
  kind: 'dropped' as const,
  value: books.map(({ id }) => id).join(', '),
  reason: `no place for a book in this format: written beside it as ${beside.flatMap(({ files }) => files.map((file) => file.name)).join(', ')}`,
});
