import { booksOf } from './bundle.ts';
import type { Entity } from './core/canonical.ts';
import { type Added, type CompareRules, type Comparison, compare, type Difference } from './core/compare.ts';
import { type CoverageRow, reasonFor } from './core/coverage.ts';
import type { Warning } from './core/errors.ts';
import { sourceOf } from './core/source.ts';
import { characterRules } from './entities/character/compare.ts';
import type { AnyAdapter, AnyEntity, BodyKind, EntityOf } from './entities/kinds.ts';
import { comparableBook, comparableBooks, lorebookRules } from './entities/lorebook/compare.ts';
import type { LorebookBody } from './entities/lorebook/schema.ts';
import { personaRules } from './entities/persona/compare.ts';
import { presetRules } from './entities/preset/compare.ts';
import { regexRules } from './entities/regex/compare.ts';

const RULES = {
  character: characterRules,
  lorebook: lorebookRules,
  persona: personaRules,
  regex: regexRules,
  preset: presetRules,
};

/** The rules of a kind, and the view of a body that they are about. */
export const comparable = (
  kind: BodyKind,
): { readonly rules: CompareRules; readonly view: (body: object) => unknown } => ({
  rules: RULES[kind],
  view: (body) => (kind === 'lorebook' ? comparableBook(body as LorebookBody) : body),
});

/** Compares two bodies of one kind with that kind's rules. */
export function compareBodies(kind: BodyKind, before: object, after: object): Comparison {
  const { rules, view } = comparable(kind);
  return compare(rules, view(before), view(after));
}

/** What a written file says when its own reader opens it again. */
export function readBack(
  adapter: AnyAdapter,
  bytes: Uint8Array,
): { entities: readonly AnyEntity[]; books: readonly EntityOf<'lorebook'>[] } {
  const entities = adapter.toCanonical(sourceOf(bytes)) as readonly AnyEntity[];
  const main = entities[0];
  if (adapter.kind !== 'character' || main?.kind !== 'character') return { entities, books: [] };
  return { entities, books: booksOf(adapter, main) };
}

/** Losses of one entity, with the reasons that the target's coverage gives. */
export interface Measured {
  readonly entity: string;
  readonly differences: readonly Difference[];
  readonly warnings: readonly Warning[];
  readonly populated: number;
  readonly carried: number;
}

/** Compares an entity with what the target says it is, and puts the reasons of the target's coverage to the differences. */
export function measure(entity: AnyEntity, after: AnyEntity | undefined, coverage: readonly CoverageRow[]): Measured {
  const { differences, added, populated, carried } = compareBodies(entity.kind, entity.body, after?.body ?? {});
  return {
    entity: entity.id,
    differences: differences.map((difference) => withReason(difference, coverage)),
    warnings: added.filter(isTelling).map(({ path }) => ({
      code: 'read-back.added',
      path,
      message: 'says something that the source did not say',
    })),
    populated,
    carried,
  };
}

/** Texts, media and rows are something to read; a new number or flag is the target's default. */
const isTelling = ({ value }: Added): boolean =>
  typeof value === 'string' || (typeof value === 'object' && value !== null);

/** The books of a character against those that a file holds: each with its own, or all with the only one. */
export function measureBooks(
  books: readonly EntityOf<'lorebook'>[],
  held: readonly EntityOf<'lorebook'>[],
  coverage: readonly CoverageRow[],
): Measured[] {
  if (held.length > 1) return books.map((book, index) => measure(book, held[index], coverage));
  const [after] = held;
  const merged = comparableBooks(books.map(({ body }) => body));
  const [first, ...rest] = books;
  if (!merged || !first) return [];
  const whole = measure({ ...first, body: merged }, after, coverage);
  const others = rest.map((book): Measured => {
    const { differences, populated, carried } = compareBodies(
      'lorebook',
      { ...book.body, entries: [], categories: [] },
      {},
    );
    const reason = 'several books share the one place of this format';
    // Where nothing else of a book is lost, its border still is.
    const border: Difference[] =
      differences.length === 0 && book.body.entries.length > 0
        ? [{ path: 'entries', kind: 'changed', value: 'a book of its own', now: 'in one book with the others' }]
        : [];
    return {
      entity: book.id,
      differences: [...differences, ...border].map((d) => ({ ...d, reason })),
      warnings: [],
      populated: populated + border.length,
      carried,
    };
  });
  return [whole, ...others];
}

function withReason(difference: Difference, coverage: readonly CoverageRow[]): Difference {
  if (difference.reason !== undefined) return difference;
  const reason = reasonFor(coverage, difference.path);
  return reason === undefined ? difference : { ...difference, reason };
}

/** Carries the references of a character over: those that point at nothing are a loss of their own. */
export const danglingRefs = (entity: Entity, books: readonly EntityOf<'lorebook'>[]): string[] => {
  const known = new Set(books.map(({ id }) => id));
  const refs = (entity.body as { knowledgeRefs?: readonly string[] }).knowledgeRefs ?? [];
  return refs.filter((ref) => !known.has(ref));
};
