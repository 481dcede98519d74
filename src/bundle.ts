import { assignIds } from './core/ids.ts';
import type { Source } from './core/source.ts';
import type { AdapterOf, AnyAdapter, AnyEntity, EntityOf } from './entities/kinds.ts';

/** The entities of a file: each one the adapter reads, followed by the books embedded in it. */
export function readPieces(adapter: AnyAdapter, source: Source): AnyEntity[] {
  if (adapter.kind !== 'character') return [...adapter.toCanonical(source)];
  return adapter.toCanonical(source).flatMap((entity): AnyEntity[] => {
    const found = booksOf(adapter, entity);
    if (found.length === 0) return [entity];
    // A book is often called as its character: the report tells entities apart by id.
    const [, ...ids] = assignIds([entity.id, ...found.map(({ id }) => id)]);
    const books = found.map((book, index) => ({ ...book, id: ids[index] ?? book.id }));
    return [{ ...entity, body: { ...entity.body, knowledgeRefs: books.map(({ id }) => id) } }, ...books];
  });
}

/** The books of a character: all that stand beside the card, else the embedded one. */
export function booksOf(adapter: AdapterOf<'character'>, entity: EntityOf<'character'>): EntityOf<'lorebook'>[] {
  const shelved = adapter.extractLorebooks?.(entity) ?? [];
  if (shelved.length > 0) return [...shelved];
  const embedded = adapter.extractLorebook?.(entity);
  return embedded ? [embedded] : [];
}

/** One file to be: the entities that go into it, and the linked books for a character. */
export interface Group {
  readonly entities: readonly [AnyEntity, ...AnyEntity[]];
  /** Absent: nobody resolved the references, the twin keeps its book. */
  readonly books?: readonly EntityOf<'lorebook'>[];
}

/**
 * Sorts entities into files: entities that share a twin of `twinKey` go back into one file, a book that a character
 * refers to goes with that character, everything else is a file of its own.
 */
export function groupPieces(entities: readonly AnyEntity[], twinKey: (entity: AnyEntity) => string): Group[] {
  const books = new Map(
    entities.flatMap((entity) => (entity.kind === 'lorebook' ? [[entity.id, entity] as const] : [])),
  );
  const linked = new Set<string>();
  const groups: Group[] = [];
  const byTwin = new Map<unknown, AnyEntity[]>();
  const characters = entities.filter((entity) => entity.kind === 'character');
  for (const entity of characters) {
    const refs = entity.body.knowledgeRefs ?? [];
    const own = refs.flatMap((ref) => books.get(ref) ?? []);
    for (const book of own) linked.add(book.id);
    const unresolved = refs.length > 0 && own.length === 0;
    groups.push(unresolved ? { entities: [entity] } : { entities: [entity], books: own });
  }
  for (const entity of entities) {
    if (entity.kind === 'character' || linked.has(entity.id)) continue;
    const twin = entity.original?.[twinKey(entity)]?.raw;
    const shared = twin === undefined ? undefined : byTwin.get(twin);
    if (shared) {
      shared.push(entity);
      continue;
    }
    const mates: [AnyEntity, ...AnyEntity[]] = [entity];
    if (twin !== undefined) byTwin.set(twin, mates);
    groups.push({ entities: mates });
  }
  return groups;
}
