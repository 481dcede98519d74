/** An item against a newer file of it: what changes, entity by entity. */
import { preview } from '../../../core/account.ts';
import { updated, updatePreview } from '../../../edit/update.ts';
import type { AnyEntity, EntityOf } from '../../../entities/kinds.ts';
import { nameOf } from '../../../parts.ts';
import type { UpdateLine } from './editing-api.ts';

/** The outcome, still with bytes in the bodies. */
export interface Renewal {
  readonly lines: readonly UpdateLine[];
  readonly changed: readonly { readonly entity: number; readonly body: AnyEntity['body'] }[];
  readonly fresh: readonly AnyEntity[];
}

/**
 * What `from` does to `mine`. The main one meets the main one, others the one of their kind and name. What only the
 * file has comes along, and the card links to its books. Throws nothing; `undefined`: the file is of another kind.
 */
export function renewal(
  mine: readonly AnyEntity[],
  from: readonly AnyEntity[],
  keep: ReadonlySet<string>,
): Renewal | undefined {
  if (mine[0]?.kind !== from[0]?.kind) return undefined;
  const pairs = pairsOf(mine, from);
  const lines: UpdateLine[] = [];
  const bodies = new Map<number, AnyEntity['body']>();
  for (const [index, mate] of pairs) {
    const own = mine[index] as AnyEntity;
    const { replaced, kept, added } = updatePreview(own, mate);
    lines.push(
      ...replaced.map(({ path, value, now }) => line(index, path, 'replaced', value, now)),
      ...kept.map(({ path, value }) => line(index, path, 'kept', value)),
      ...added.map(({ path, value }) => line(index, path, 'added', undefined, preview(value))),
    );
    if (replaced.length + added.length === 0) continue;
    bodies.set(index, updated(own, mate, keepOf(keep, index)).body);
  }
  const met = new Set(pairs.values());
  const taken = new Set(mine.map(({ id }) => id));
  const fresh = from
    .filter((entity) => !met.has(entity))
    .map((entity) => ({ ...entity, id: freshId(entity.id, taken) }) as AnyEntity);
  const books = fresh.filter((entity): entity is EntityOf<'lorebook'> => entity.kind === 'lorebook');
  const [main] = mine;
  if (main?.kind === 'character' && books.length > 0) {
    const body = (bodies.get(0) ?? main.body) as typeof main.body;
    const refs = [...(main.body.knowledgeRefs ?? []), ...books.map(({ id }) => id)];
    bodies.set(0, { ...body, knowledgeRefs: refs });
  }
  return { lines, changed: [...bodies].map(([entity, body]) => ({ entity, body })), fresh };
}

function pairsOf(mine: readonly AnyEntity[], from: readonly AnyEntity[]): Map<number, AnyEntity> {
  const pairs = new Map<number, AnyEntity>();
  const free = new Set(from);
  const pair = (index: number, mate: AnyEntity | undefined) => {
    if (!mate || pairs.has(index)) return;
    pairs.set(index, mate);
    free.delete(mate);
  };
  pair(0, from[0]);
  mine.forEach((own, index) => {
    pair(
      index,
      [...free].find((one) => one.kind === own.kind && nameOf(one) === nameOf(own)),
    );
  });
  mine.forEach((own, index) => {
    const left = [...free].filter(({ kind }) => kind === own.kind);
    const alone = mine.filter(({ kind }, at) => kind === own.kind && !pairs.has(at));
    // One book on each side is the same book under another name.
    if (left.length === 1 && alone.length === 1) pair(index, left[0]);
  });
  return pairs;
}

const keepOf = (keep: ReadonlySet<string>, entity: number): Set<string> =>
  new Set([...keep].flatMap((one) => (one.startsWith(`${entity}:`) ? [one.slice(`${entity}:`.length)] : [])));

function line(
  entity: number,
  path: string,
  kind: UpdateLine['kind'],
  was: string | undefined,
  now?: string,
): UpdateLine {
  return { entity, path, kind, ...(was === undefined ? {} : { was }), ...(now === undefined ? {} : { now }) };
}

function freshId(wanted: string, taken: Set<string>): string {
  const stem = wanted || 'book';
  let id = stem;
  for (let number = 2; taken.has(id); number++) id = `${stem}-${number}`;
  taken.add(id);
  return id;
}
