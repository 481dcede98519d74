/** Changes to the books of an item, as patches over its list of entities. */
import type { LorebookBody } from '../../../../entities/lorebook/schema.ts';
import type { PlainEntity } from '../../../item/model.ts';
import type { Patch } from '../../../item/patch.ts';
import { freshEntityId } from '../../editing/names.ts';

const refsOf = (entity: PlainEntity): readonly string[] =>
  entity.kind === 'character' || entity.kind === 'persona' ? (entity.body.knowledgeRefs ?? []) : [];

/** Adds a book, linked from where `beside` is linked from; without it, from the main card or persona. */
export function addBook(entities: readonly PlainEntity[], body: LorebookBody, beside?: string): Patch[] {
  const id = freshEntityId(entities, 'book');
  const links = entities.flatMap((entity, index): Patch[] => {
    const refs = refsOf(entity);
    const isHome = entity.kind === 'character' || entity.kind === 'persona';
    const wanted = beside === undefined ? index === 0 && isHome : refs.includes(beside);
    return wanted ? [{ path: [index, 'body', 'knowledgeRefs'], value: [...refs, id] }] : [];
  });
  return [...links, { path: [entities.length], value: { kind: 'lorebook', id, body } }];
}

/** Takes a book out, and the links to it. */
export function removeBook(entities: readonly PlainEntity[], book: number): Patch[] {
  const id = entities[book]?.id;
  const links = entities.flatMap((entity, index): Patch[] => {
    const refs = refsOf(entity);
    if (id === undefined || !refs.includes(id)) return [];
    const left = refs.filter((ref) => ref !== id);
    return [{ path: [index, 'body', 'knowledgeRefs'], value: left.length > 0 ? left : undefined }];
  });
  return [...links, { path: [book], value: undefined }];
}
