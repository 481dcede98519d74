/** What two states of an item, or two items, say differently. */
import type { AnyEntity, BodyKind } from '../../../entities/kinds.ts';
import { compareBodies } from '../../../measure.ts';
import type { BodyDifference } from './api.ts';

/** Previews are cut here; both sides of a long text are read in the item itself. */
const MAX_PREVIEW = 2_000;

/** Differences of entities that stand for each other: the first of a kind with the first, and so on. */
export function differencesOf(before: readonly AnyEntity[], after: readonly AnyEntity[]): BodyDifference[] {
  const found: BodyDifference[] = [];
  const seen = new Map<BodyKind, number>();
  after.forEach((entity, index) => {
    const rank = seen.get(entity.kind) ?? 0;
    seen.set(entity.kind, rank + 1);
    const mate = before.filter(({ kind }) => kind === entity.kind)[rank];
    if (mate === entity) return;
    const { differences, added } = compareBodies(entity.kind, mate?.body ?? {}, entity.body);
    for (const { path, kind, value, now } of differences) found.push({ entity: index, path, kind, was: value, now });
    for (const { path, value } of added) found.push({ entity: index, path, kind: 'added', now: shown(value) });
  });
  return found;
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.slice(0, MAX_PREVIEW);
}
