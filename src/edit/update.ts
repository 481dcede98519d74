import { isBytes } from '../core/bytes.ts';
import type { Added, Difference } from '../core/compare.ts';
import { isRecord, saysNothing, valueAt } from '../core/draft.ts';
import type { AnyEntity } from '../entities/kinds.ts';
import { compareBodies } from '../measure.ts';

/** Where an entity that is updated and the file it is updated from say different things. */
export interface UpdatePreview {
  /** The file says something else: its word counts. */
  readonly replaced: readonly Difference[];
  /** The file says nothing there: what stood there stays. */
  readonly kept: readonly Difference[];
  /** Only the file says it. */
  readonly added: readonly Added[];
}

/** Links into the library: a file knows nothing of them. */
const LINKS = new Set(['knowledgeRefs', 'behaviorRefs']);

/**
 * The entity as a newer file of it has it: what the file says counts, what it does not say stays (a portrait, links, a
 * note), the id stays. `keep` names paths (`media.portrait`) where the entity's own word counts all the same. Both must
 * be of one kind.
 */
export function updated<E extends AnyEntity>(entity: E, from: E, keep: ReadonlySet<string> = new Set()): E {
  const body = merged(entity.body, from.body, '', keep);
  return { ...from, ...(entity.notes ? { notes: entity.notes } : {}), id: entity.id, body } as E;
}

/** What `updated` would do, to be shown before. */
export function updatePreview<E extends AnyEntity>(entity: E, from: E): UpdatePreview {
  const { differences, added } = compareBodies(entity.kind, entity.body, from.body);
  const goes = ({ kind, path }: Difference) => kind === 'changed' || isRowOf(from.body, path);
  return { replaced: differences.filter(goes), kept: differences.filter((one) => !goes(one)), added };
}

/** Lists are taken whole from a file that has rows for them: a row that it lacks goes. */
function isRowOf(body: object, path: string): boolean {
  const list = /^(.+?)\[\d+\]/.exec(path)?.[1];
  return list !== undefined && !saysNothing(valueAt(body, list.split('.')));
}

function merged(mine: unknown, theirs: unknown, path: string, keep: ReadonlySet<string>): unknown {
  if (keep.has(path) || (LINKS.has(path) && !saysNothing(mine))) return mine;
  if (saysNothing(theirs)) return mine;
  if (!isRecord(mine) || !isRecord(theirs) || isBytes(mine) || isBytes(theirs)) return theirs;
  const keys = [...new Set([...Object.keys(mine), ...Object.keys(theirs)])];
  const step = (key: string) => merged(mine[key], theirs[key], path === '' ? key : `${path}.${key}`, keep);
  return Object.fromEntries(keys.map((key) => [key, step(key)]));
}
