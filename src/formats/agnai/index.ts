/**
 * Agnai (Agnaistic): a character with a structured persona, and memory books.
 * Facts: Agnai's public type files `library.ts`, `memory.ts`, `texttospeech-schema.ts`, `sprite.ts`, `image-schema.ts`
 * (AGPL-3.0, facts only).
 */
import { existsAt, isRecord, type Keys, openDraft, type Wire } from '../../core/draft.ts';
import { create, put } from '../../core/lens.ts';
import type { AnyAdapter } from '../../entities/kinds.ts';
import { type CardWrite, type CardWritten, cardIn, defineCard } from '../_shared/card.ts';
import { plainCarriers } from '../_shared/card-carriers.ts';
import { cardValueOf } from '../_shared/card-io.ts';
import { JSON_CONTAINER } from '../_shared/containers.ts';
import { embedBooks, extractBook } from '../_shared/embedded-book.ts';
import { agnaiBase, agnaiFields } from './fields.ts';
import { agnaiLorebook, memoryBook } from './lorebook.ts';

const BOOK_HOMES: readonly Keys[] = [['characterBook']];
const TEXTS = ['name', 'greeting', 'scenario', 'sampleChat'] as const;
const isText = (value: unknown): value is string => typeof value === 'string';

/** Refuses our own wrapper, then asks for Agnai's mark, or for all that Agnai's importer asks of a file without it. */
function recognize(card: unknown): number {
  if (!isRecord(card) || !isRecord(card.persona) || !isText(card.greeting)) return 0;
  if (existsAt(card, ['schemaVersion']) || existsAt(card, ['body'])) return 0;
  if (card.kind === 'character') return 1;
  const foreign = ['kind', 'spec', 'data'].some((key) => existsAt(card, [key]));
  const structured = isText(card.persona.kind) && isRecord(card.persona.attributes);
  return !foreign && structured && TEXTS.every((key) => isText(card[key])) ? 0.8 : 0;
}

function write({ twin, base, body, context }: CardWrite): CardWritten {
  const wire = twin ? put(agnaiFields, base, body) : create(agnaiFields, base, body);
  const draft = openDraft(wire);
  for (const [home, book] of embedBooks(cardIn(wire), memoryBook, BOOK_HOMES, context.lorebooks)) {
    if (book === undefined) draft.delete(['card', ...home]);
    else draft.set(['card', ...home], book);
  }
  const keyword = twin?.entry.unmapped?.slot === 'ccv3' ? 'ccv3' : 'chara';
  return { wire: draft.wire, payloads: [{ keyword, value: cardIn(draft.wire) }] };
}

/** Native characters. A picture around the card is read and written back, never made. */
export const agnai = defineCard({
  id: 'agnai',
  family: 'agnai',
  label: 'Agnai',
  containers: [JSON_CONTAINER],
  carriers: [plainCarriers],
  table: () => agnaiFields,
  detect: (source) => recognize(cardValueOf(source)),
  fields: () => agnaiFields,
  structure: ({ card }: Wire) => [
    { keys: ['card', 'kind'] },
    ...(isRecord(card) && isRecord(card.characterBook) ? [{ keys: ['card', 'characterBook'] }] : []),
  ],
  fresh: agnaiBase,
  write,
  book: memoryBook,
  extractLorebook: (card) => extractBook(card, memoryBook, BOOK_HOMES),
});

export default [agnai, agnaiLorebook] satisfies AnyAdapter[];
