import type { Group } from './bundle.ts';
import type { EmitContext, Sealed } from './core/adapter.ts';
import { append } from './core/append.ts';
import { bodyFor, type Entity } from './core/canonical.ts';
import type { Difference } from './core/compare.ts';
import { BunzaiError, type Warning } from './core/errors.ts';
import { assignIds } from './core/ids.ts';
import type { Registry } from './core/registry.ts';
import type { AnyAdapter, AnyEntity, EntityOf } from './entities/kinds.ts';
import { danglingRefs, type Measured, measure, measureBooks, readBack } from './measure.ts';
import { besideReason } from './naming.ts';
import { spelledOut, spelledWarning } from './persona-text.ts';

/** How a write chooses among the shapes of a format. */
export interface WriteOptions {
  /** Container by name (`png`, `json`, `charx` …); absent: the one the source came in, else the format's choice. */
  readonly container?: string;
  /** Version of the format for fresh files: `v2`, `v3`. */
  readonly variant?: string;
  /** Refuse, with `convert.lossy`, when anything would be lost. */
  readonly strict?: boolean;
  /** Leave out secrets and marks of private use, and name what was left out. */
  readonly share?: boolean;
  /** Base name of the files, without extension; absent: the id of the main entity. */
  readonly name?: string;
}

/** One written file. */
export interface OutputFile {
  readonly name: string;
  readonly extension: string;
  readonly mime: string;
  readonly format: string;
  /** To be read, not written into: where nothing changed, they may be the very bytes that were read. */
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
  const spelled = group.entities.map((entity) => spelledOut(forTarget(entity, target), target));
  const sealed = seal(target, spelled, options, hasSlot ? group.books : undefined);
  const held = hasSlot ? [...group.entities, ...books] : group.entities;
  const main = fileOf(target, sealed, options.name ?? group.entities[0].id, held);
  const back = readBack(target, sealed.bytes);
  const after = inStep(target, group, back.entities);
  const measured = group.entities.map((entity, index) =>
    told(measure(entity, after[index], target.coverage), spelled[index]?.slot),
  );
  const beside = hasSlot ? [] : books.map((book) => emitBook(registry, target, book, options));
  const warnings = [...sealed.warnings, ...spelled.flatMap(({ slot }) => (slot ? [spelledWarning(slot)] : []))];
  if (hasSlot) append(measured, measureBooks(books, back.books, target.lorebookCoverage ?? []));
  for (const entity of group.entities) {
    if (group.books === undefined || entity.kind !== 'character') continue;
    for (const ref of danglingRefs(entity as Entity, books)) {
      warnings.push({
        code: 'write.missing-book',
        path: 'knowledgeRefs',
        message: `the linked book "${ref}" was not given`,
      });
    }
  }
  const [first] = measured;
  const unlinked = target.native ? [] : lostRefs(group, books, beside, hasSlot ? back : undefined);
  if (first && unlinked.length > 0) {
    const differences = [...first.differences, ...unlinked];
    measured[0] = { ...first, differences, populated: first.populated + unlinked.length };
  }
  return {
    files: [main, ...beside.flatMap(({ files }) => files)],
    measured: [...measured, ...beside.flatMap((one) => one.measured)],
    warnings: [...warnings, ...beside.flatMap((one) => one.warnings)],
    after: [...after, ...back.books],
  };
}

/**
 * The entities of a written file in the order of the group. In a file of several each is known by its row: those that
 * nobody passed stand between them.
 */
function inStep(target: AnyAdapter, group: Group, back: readonly AnyEntity[]): readonly AnyEntity[] {
  const rowOf = ({ original }: AnyEntity) => original?.[target.escrowIds[0]]?.unmapped?.row;
  const byRow = new Map(back.map((entity) => [rowOf(entity), entity]));
  const met = group.entities.map((entity) => (rowOf(entity) === undefined ? undefined : byRow.get(rowOf(entity))));
  if (met.every((entity) => entity === undefined)) return back;
  const rest = back.filter((entity) => !met.includes(entity));
  return [...met.map((entity) => entity ?? rest.shift()).filter((entity) => entity !== undefined), ...rest];
}

/** The entity with the body that goes to `target`. */
const forTarget = (entity: AnyEntity, target: AnyAdapter): AnyEntity =>
  ({ ...entity, body: bodyFor(entity as Entity, target.id) }) as AnyEntity;

/** What is said in a slot on purpose is no surprise, and what it stands for is not gone without a trace. */
function told(measured: Measured, slot: string | undefined): Measured {
  if (slot === undefined) return measured;
  const reason = `written out as text in ${slot}`;
  return {
    ...measured,
    differences: measured.differences.map((one) =>
      one.path.startsWith('persona.structured') ? { ...one, reason } : one,
    ),
    warnings: measured.warnings.filter(({ code, path }) => code !== 'read-back.added' || path !== slot),
  };
}

function seal(
  target: AnyAdapter,
  spelled: readonly { readonly entity: AnyEntity }[],
  options: WriteOptions,
  lorebooks: Group['books'],
): Sealed {
  const context: EmitContext<EntityOf<'lorebook'>['body']> = {
    ...(lorebooks === undefined ? {} : { lorebooks }),
    ...(options.container === undefined ? {} : { container: containerName(target, options.container) }),
    ...(options.variant === undefined ? {} : { variant: options.variant }),
  };
  return target.fromCanonical(spelled.map(({ entity }) => entity) as never, context);
}

/** The name of a container of `target`, given by name or by extension. */
function containerName(target: AnyAdapter, asked: string): string {
  const hit =
    target.containers.find(({ name }) => name === asked) ??
    target.containers.find(({ extension }) => extension === asked);
  if (hit) return hit.name;
  if (target.reads?.includes(asked)) return asked;
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
  carried: 0,
});

/**
 * The references of a character that the file does not carry: their books lie beside it, the place for a book (in
 * `back`, where there is one) took nothing, or nobody gave them.
 */
function lostRefs(
  group: Group,
  books: readonly EntityOf<'lorebook'>[],
  beside: readonly Emitted[],
  back: ReturnType<typeof readBack> | undefined,
): readonly Difference[] {
  const vanished = back?.books.length === 0 ? books.map(({ id }) => id) : [];
  // Nobody resolved the references: the book that the twin keeps answers to its own id.
  const [, ...kept] = group.books
    ? []
    : assignIds([back?.entities[0], ...(back?.books ?? [])].map((one) => one?.id ?? ''));
  const missing = group.entities
    .flatMap((one) => (one.kind === 'character' ? danglingRefs(one as Entity, books) : []))
    .filter((ref) => !kept.includes(ref));
  const lost = [...(beside.length > 0 ? books.map(({ id }) => id) : vanished), ...missing];
  if (lost.length === 0) return [];
  const files = beside.flatMap((one) => one.files.map((file) => file.name));
  const reasons = [
    ...(files.length === 0 ? [] : [besideReason(files)]),
    ...(vanished.length === 0 ? [] : ['no place for a book without entries']),
    ...(missing.length === 0 ? [] : [`the linked book was not given: ${missing.join(', ')}`]),
  ];
  const named = files.length === 0 ? {} : { beside: files };
  return [{ path: 'knowledgeRefs', kind: 'dropped', value: lost.join(', '), reason: reasons.join('; '), ...named }];
}
