/** What a file on the disk says, for the list and the search. */
import { BunzaiError } from '../../core/errors.ts';
import { inspect } from '../../index.ts';
import { withEdits } from '../item/edits.ts';
import { openFile, storedEntities } from '../item/entities.ts';
import type { Edits, ItemSummary, PlainEntity } from '../item/model.ts';
import { type EntityFacts, entityFacts, fileFacts, searchText } from '../item/summary.ts';
import { sha256 } from './names.ts';

/** Files above this are not opened to find out whether they are cards: videos and archives lie in such folders too. */
export const MAX_LOOKED_AT_BYTES = 256 * 1024 * 1024;

/** What was seen in a file. */
export interface Look {
  readonly facts: EntityFacts & Pick<ItemSummary, 'format' | 'container' | 'cautions' | 'source' | 'size'>;
  readonly text: string;
  /** The edits that were given, as they fit the file as it is now. */
  readonly edits?: Edits;
}

/**
 * Opens a file with the edits over it. Undefined: no format claims it, or it is damaged. Edits that a stranger wrote may
 * be of any shape: where nothing can be made of them, the facts are those of the file alone.
 */
export async function lookAt(bytes: Uint8Array, filename: string, edits?: Edits): Promise<Look | undefined> {
  try {
    const inspection = await inspect({ bytes, filename });
    const file = await openFile(bytes, filename);
    const fitting = edits && fitted(file.base, edits);
    // New media is not opened: lists and searches need its bytes nowhere.
    const entities = fitting ? storedEntities(file, fitting, new Map()) : file.read;
    if (entities.length === 0) return undefined;
    return {
      facts: { ...entityFacts(entities), ...fileFacts(inspection), source: sha256(bytes), size: bytes.byteLength },
      text: searchText(entities),
      ...(fitting ? { edits: fitting } : {}),
    };
  } catch (error) {
    if (!edits) {
      if (error instanceof BunzaiError) return undefined;
      throw error;
    }
    const alone = await lookAt(bytes, filename);
    return alone && { ...alone, edits };
  }
}

/** Edits over an original that another program replaced: what was typed stays, what pointed elsewhere stands alone. */
function fitted(base: readonly PlainEntity[], edits: Edits): Edits {
  const fits = ({ kind, from }: { kind: string; from?: number }) => from === undefined || base[from]?.kind === kind;
  if (edits.entities.every(fits)) return edits;
  const entities = edits.entities.flatMap((kept) => {
    if (fits(kept)) return [kept];
    const { from: _, ...alone } = kept;
    return kept.body === undefined ? [] : [alone];
  });
  return withEdits(base, { entities }).length > 0
    ? { entities }
    : { entities: base.map(({ body: _, ...rest }) => rest) };
}
