/** What `bunzai dedupe` learns from the bytes of one input: hashes of the file and of what is in it. */
import { contentHash } from '../content-hash.ts';
import { BunzaiError } from '../core/errors.ts';
import { sha256 } from '../core/sha256.ts';
import type { AnyEntity, EntityOf } from '../entities/kinds.ts';
import { nameOf } from '../parts.ts';
import { engine } from './engine.ts';

/** The marks by which a piece of a file is known again. */
export interface PieceMark {
  readonly kind: string;
  readonly name: string;
  /** Equal where everything is said the same, pictures and books included. */
  readonly content: string;
  /** Equal where the texts and settings are the same, whatever the pictures. */
  readonly words: string;
  /** For a book in a card: the words of the card. */
  readonly inside?: string;
}

export interface FileMarks {
  /** SHA-256 of the bytes. */
  readonly sha256: string;
  /** Absent: no format claims it, or it cannot be read. Equal bytes are found all the same. */
  readonly format?: string;
  readonly pieces: readonly PieceMark[];
}

export async function dedupeUnit(input: {
  readonly bytes: Uint8Array;
  readonly filename?: string;
}): Promise<FileMarks> {
  const digest = await sha256(input.bytes);
  try {
    const { format, entities } = await engine.read(input);
    return { sha256: digest, format, pieces: await piecesOf(entities) };
  } catch (error) {
    if (!(error instanceof BunzaiError)) throw error;
    return { sha256: digest, pieces: [] };
  }
}

async function piecesOf(entities: readonly AnyEntity[]): Promise<PieceMark[]> {
  const pieces: PieceMark[] = [];
  const owners = new Map<string, string>();
  for (const entity of entities) {
    const refs = entity.kind === 'character' ? (entity.body.knowledgeRefs ?? []) : [];
    const books = refs.flatMap(
      (ref) => entities.find((one): one is EntityOf<'lorebook'> => one.kind === 'lorebook' && one.id === ref) ?? [],
    );
    const words = await contentHash(entity, { books, media: false });
    for (const { id } of books) owners.set(id, words);
    const inside = entity.kind === 'lorebook' ? owners.get(entity.id) : undefined;
    pieces.push({
      kind: entity.kind,
      name: nameOf(entity),
      content: await contentHash(entity, { books }),
      words,
      ...(inside === undefined ? {} : { inside }),
    });
  }
  return pieces;
}
