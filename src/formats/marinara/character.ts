import { isRecord, type Keys, openDraft, valueAt, type Wire } from '../../core/draft.ts';
import { BunzaiError } from '../../core/errors.ts';
import { jsonOf, jsonValueOf } from '../../core/json.ts';
import { jsonFile } from '../../core/json-print.ts';
import { create, put } from '../../core/lens.ts';
import type { EntityOf } from '../../entities/kinds.ts';
import { type CardWrite, type CardWritten, cardIn, defineCard } from '../_shared/card.ts';
import type { CardCarriers } from '../_shared/card-carriers.ts';
import { bookHomes, embedBooks, extractBook } from '../_shared/character-book.ts';
import { JSON_CONTAINER } from '../_shared/containers.ts';
import { baseCard } from '../_shared/tavern-variant.ts';
import { CARD_MARKS, characterFields, fieldsOf } from './character-fields.ts';
import { freshExport, isExport, strangeKeys } from './envelope.ts';

const TYPE = 'marinara_character';
type Books = readonly EntityOf<'lorebook'>[] | undefined;

const BOOKS: readonly Keys[] = bookHomes(['data']);

/** The card of an export: `data` of the envelope, where it has a card in its own `data`. */
const cardOf = (file: unknown): Wire | undefined =>
  isExport(file, TYPE) && isRecord(file.data.data) ? file.data : undefined;

/** Exports of the app. The envelope is opened and put back around the card; `raw` is the whole file. */
const exportCarriers: CardCarriers = {
  names: ['json'],
  open(source) {
    const outcome = jsonOf(source);
    if (!outcome) return undefined;
    if ('fault' in outcome) throw outcome.fault;
    const { value: raw, warnings } = outcome.parsed;
    const card = cardOf(raw);
    if (card) return { wire: { carrier: 'json', card }, entry: { raw }, warnings };
    if (!isExport(raw, TYPE)) return undefined;
    throw new BunzaiError('format.mismatch', {
      format: 'marinara-character',
      path: 'data.data',
      detail: 'the export holds no card',
      hint: 'export the character again',
    });
  },
  reopen(entry) {
    const card = cardOf(entry.raw);
    return card && { wire: { carrier: 'json', card }, entry, warnings: [] };
  },
  seal({ wire, twin }) {
    const card = cardIn(wire);
    const raw = twin?.entry.raw;
    if (!isRecord(raw)) return { bytes: jsonFile(freshExport(TYPE, card)), warnings: [] };
    const draft = openDraft(raw);
    if (card !== raw.data) draft.set(['data'], card);
    return { bytes: jsonFile(draft.wire), warnings: [] };
  },
};

function write({ twin, base, body, context }: CardWrite): CardWritten {
  const fields = fieldsOf(base);
  const wire = twin ? put(fields, base, body) : create(fields, base, body);
  const draft = openDraft(wire);
  for (const [home, book] of embedBooks(cardIn(wire), BOOKS, context.lorebooks as Books)) {
    if (book === undefined) draft.delete(['card', ...home]);
    else draft.set(['card', ...home], book);
  }
  return { wire: draft.wire, payloads: [] };
}

/** A Tavern V2 card in the app's envelope, with pictures and dates beside it. */
export const marinaraCharacter = defineCard({
  id: 'marinara-character',
  family: 'marinara',
  label: 'Marinara character',
  home: 'data',
  containers: [JSON_CONTAINER],
  carriers: [exportCarriers],
  table: () => characterFields,
  detect: (source) => (isExport(jsonValueOf(source), TYPE) ? 1 : 0),
  fields: fieldsOf,
  structure: ({ card }) => [
    ...CARD_MARKS,
    ...BOOKS.filter((keys) => isRecord(valueAt(card, keys))).map((keys) => ({ keys: ['card', ...keys] })),
  ],
  fresh: () => baseCard('v2'),
  write,
  doubts({ entry }) {
    const file = isRecord(entry.raw) ? entry.raw : {};
    return { left: strangeKeys(file).map((path) => ({ path, value: file[path] })) };
  },
  extractLorebook: (card) => extractBook(card, BOOKS),
});
