import { existsAt, isRecord, valueAt, type Wire } from '../../core/draft.ts';

/** Keys of the extensions that no other app writes. */
const KEYS = [
  'alternate_character_name',
  'alternate_avatars',
  'expression_groups',
  'world_book_ids',
  'databank_ids',
  'lumiverse_image_gen_lora',
];

/**
 * Alternates by field. A SillyTavern extension keeps its own under the same name: rows with a `title`, lists with
 * names of its own.
 */
function isAlternates(value: unknown): boolean {
  if (!isRecord(value)) return false;
  return Object.entries(value).every(
    ([field, rows]) =>
      !field.startsWith('alt_') &&
      (!Array.isArray(rows) || rows.every((row) => isRecord(row) && !existsAt(row, ['title']))),
  );
}

/** Whether the `data` of a card has keys that Lumiverse knows its own by. */
export function hasFingerprint(data: Wire): boolean {
  const extensions = valueAt(data, ['extensions']);
  if (!isRecord(extensions)) return false;
  return (
    KEYS.some((key) => existsAt(extensions, [key])) ||
    isAlternates(extensions.alternate_fields) ||
    isRecord(valueAt(extensions, ['expressions', 'mappings']))
  );
}
