import { renameBook } from '../../../edit/books.ts';
import type { AnyEntity } from '../../../entities/kinds.ts';
import type { PlainEntity } from '../../item/model.ts';
import type { Patch } from '../../item/patch.ts';

/** Slots that a new name of a book can change. */
const SLOTS = ['name', 'worldName', 'knowledgeRefs'] as const;

/**
 * What has to change in `now` so that the book is called `name` and its links follow. `before` is the item when the
 * typing began: half a name leads no link astray.
 */
export function renamePatches(
  before: readonly PlainEntity[],
  now: readonly PlainEntity[],
  book: number,
  name: string,
): Patch[] {
  const id = now[book]?.id;
  if (id === undefined) return [];
  if (name === '') return [{ path: [book, 'body', 'name'], value: '' }];
  const wanted = renameBook(before as readonly AnyEntity[], id, name);
  return now.flatMap((entity, index) =>
    SLOTS.flatMap((slot): Patch[] => {
      const mate = wanted[index];
      if (mate?.id !== entity.id || mate.kind !== entity.kind) return [];
      if (slot === 'name' && index !== book) return [];
      const value = (mate.body as unknown as Record<string, unknown>)[slot];
      const held = (entity.body as unknown as Record<string, unknown>)[slot];
      return JSON.stringify(value) === JSON.stringify(held) ? [] : [{ path: [index, 'body', slot], value }];
    }),
  );
}
