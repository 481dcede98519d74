import { type Codec, required } from '../../core/codec.ts';
import type { Lens } from '../../core/lens.ts';
import { rowId } from '../_shared/character-book.ts';

/** What a row calls itself. */
export const textId = rowId;

/** A row keeps the id it brings along, as long as no other row has it. */
export const mintText = ({ id }: { readonly id: string }, taken: ReadonlySet<string>): string | undefined =>
  id !== '' && !taken.has(id) ? id : undefined;

const nothing = () => undefined;

/** The id of a row: the row stands for it, nothing is left behind. */
export const idOfRow: Lens<object> = {
  canonical: [],
  wire: ['id'],
  shape: 'id of the row',
  lossy: false,
  read: nothing,
  write: nothing,
  pick: nothing,
  place: nothing,
  part: nothing,
  claims: () => [{ keys: ['id'] }],
};

/** RoleCall says null where there is nothing. */
export const orNull = <A>(codec: Codec<A>): Codec<A> => required(codec, null);
