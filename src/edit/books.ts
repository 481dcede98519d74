import type { AnyEntity, EntityOf } from '../entities/kinds.ts';
import { compareBodies } from '../measure.ts';

/**
 * The entities with each book that says the same as an earlier one left out, and the links of its characters led to
 * the earlier one. Books of one name that say different things stay apart.
 */
export function shareEqualBooks(entities: readonly AnyEntity[]): {
  readonly entities: readonly AnyEntity[];
  /** Id of a book that was left out, to the id of the one that stays. */
  readonly led: ReadonlyMap<string, string>;
} {
  const byName = new Map<string, EntityOf<'lorebook'>[]>();
  const led = new Map<string, string>();
  for (const entity of entities) {
    if (entity.kind !== 'lorebook') continue;
    const key = `${entity.body.name}\u0000${entity.body.entries.length}`;
    const others = byName.get(key) ?? [];
    const twin = others.find((one) => sameBook(one, entity));
    if (twin) led.set(entity.id, twin.id);
    else byName.set(key, [...others, entity]);
  }
  const kept = entities.filter(({ kind, id }) => kind !== 'lorebook' || !led.has(id));
  return { entities: kept.map((entity) => relinked(entity, (ref) => led.get(ref) ?? ref)), led };
}

const sameBook = (a: EntityOf<'lorebook'>, b: EntityOf<'lorebook'>): boolean => {
  const { differences, added } = compareBodies('lorebook', a.body, b.body);
  return differences.length === 0 && added.length === 0;
};

/**
 * Gives a book another name. Links by id follow by themselves; links by the old name (a card's world, a persona's books)
 * are led to the new one.
 */
export function renameBook(entities: readonly AnyEntity[], id: string, name: string): readonly AnyEntity[] {
  const book = entities.find((one) => one.kind === 'lorebook' && one.id === id);
  if (book?.kind !== 'lorebook' || book.body.name === name) return entities;
  const old = book.body.name;
  return entities.map((entity): AnyEntity => {
    if (entity === book) return { ...book, body: { ...book.body, name } };
    if (old === '') return entity;
    const linked = relinked(entity, (ref) => (ref === old && ref !== id ? name : ref));
    if (linked.kind !== 'character' || linked.body.worldName !== old) return linked;
    return { ...linked, body: { ...linked.body, worldName: name } };
  });
}

/** The entity with its links changed; itself where none changes. */
function relinked(entity: AnyEntity, next: (ref: string) => string): AnyEntity {
  if (entity.kind !== 'character' && entity.kind !== 'persona') return entity;
  const refs = entity.body.knowledgeRefs;
  const now = [...new Set(refs?.map(next))];
  if (!refs || (now.length === refs.length && now.every((ref, at) => ref === refs[at]))) return entity;
  return { ...entity, body: { ...entity.body, knowledgeRefs: now } } as AnyEntity;
}
