/** What lists and searches need of an item, worked out once when it is stored. */
import type { AnyEntity } from '../../entities/kinds.ts';
import type { Inspection } from '../../inspect.ts';
import { nameOf, partsOf } from '../../parts.ts';
import { eachText } from '../../texts.ts';
import type { ItemSummary } from './model.ts';

/** What a summary says of the entities. */
export type EntityFacts = Pick<ItemSummary, 'kind' | 'name' | 'creator' | 'tags' | 'counts' | 'pieces'>;

/** The facts of the entities of an item, the main one first. */
export function entityFacts(entities: readonly AnyEntity[]): EntityFacts {
  const [main, ...others] = entities as readonly [AnyEntity, ...AnyEntity[]];
  const creator = creatorOf(main);
  return {
    kind: main.kind,
    name: nameOf(main),
    ...(creator ? { creator } : {}),
    tags: tagsOf(main),
    counts: partsOf(main),
    pieces: others.map((entity) => ({ kind: entity.kind, name: nameOf(entity), counts: partsOf(entity) })),
  };
}

/** What a summary says of the original file. */
export const fileFacts = ({ format, container, warnings, escrowed }: Inspection) => ({
  format,
  container,
  cautions: [
    ...new Set([
      ...warnings.map(({ code }) => code),
      ...(escrowed.some(({ value }) => SECRET.test(value)) ? ['preset.secret'] : []),
    ]),
  ],
});

/** How the engine names a secret that it does not show. */
const SECRET = /secrets?, not shown\)$/;

/** All texts of an item in one string, folded as searches fold their words. */
export function searchText(entities: readonly AnyEntity[]): string {
  const texts: string[] = [];
  for (const { body } of entities) eachText(body, (text) => texts.push(text));
  return folded(texts.join('\n'));
}

/** Text as searches compare it: one form, small letters. */
export const folded = (text: string): string => text.normalize('NFKC').toLowerCase();

/** The words of a query; all of them have to stand in the text. */
export const wordsOf = (query: string): string[] => folded(query).split(/\s+/).filter(Boolean);

export const hasWords = (text: string, words: readonly string[]): boolean => words.every((word) => text.includes(word));

function creatorOf(entity: AnyEntity): string | undefined {
  return entity.kind === 'character' || entity.kind === 'persona' ? entity.body.attribution?.creator : undefined;
}

function tagsOf(entity: AnyEntity): string[] {
  if (entity.kind === 'character') return entity.body.discovery.tags ?? [];
  if (entity.kind === 'lorebook') return entity.body.tags ?? [];
  return [];
}
