import type { PlainEntity } from '../../item/model.ts';

/** The name an entity goes by; its id where it has none. */
export function nameOfPlain(entity: PlainEntity): string {
  const name = entity.kind === 'character' ? entity.body.identity.name : entity.body.name;
  return name || entity.id;
}

/** The numbers of the entities of a kind. */
export const numbersOf = (entities: readonly PlainEntity[], kind: PlainEntity['kind']): number[] =>
  entities.flatMap((entity, index) => (entity.kind === kind ? [index] : []));

/** An id for a new entity that none of the others has. */
export function freshEntityId(entities: readonly PlainEntity[], stem: string): string {
  const taken = new Set(entities.map(({ id }) => id));
  if (!taken.has(stem)) return stem;
  let number = 2;
  while (taken.has(`${stem}-${number}`)) number++;
  return `${stem}-${number}`;
}
