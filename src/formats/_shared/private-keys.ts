/** What an app writes into a card while it is used; of no use to anyone else. Source: SillyTavern 1.19.0, section 3. */
import type { Stripped } from '../../core/adapter.ts';
import { existsAt, isRecord, type Keys, keysOf, openDraft } from '../../core/draft.ts';

/** Last chat, date of import, favourite mark, name of the local book: at the root, and in the extensions of the card. */
const PRIVATE_CARD_KEYS: readonly Keys[] = [
  'chat',
  'create_date',
  'fav',
  'extensions.fav',
  'extensions.world',
  'data.extensions.fav',
  'data.extensions.world',
].map((path) => keysOf(path));

/** A parsed card without those marks. */
export function withoutPrivateKeys(card: unknown): Stripped {
  if (!isRecord(card)) return { raw: card, removed: [] };
  const draft = openDraft(card);
  const there = PRIVATE_CARD_KEYS.filter((keys) => existsAt(card, keys));
  for (const keys of there) draft.delete(keys);
  return { raw: draft.wire, removed: there.map((keys) => keys.join('.')) };
}
