import { append } from './core/append.ts';
import type { Entity } from './core/canonical.ts';
import { BunzaiError } from './core/errors.ts';
import type { DiffResult } from './engine-types.ts';
import type { AnyEntity } from './entities/kinds.ts';
import { compareBodies } from './measure.ts';

/** Compares the pieces of two files, kind by kind, in order. */
export function diffPieces(
  formatA: string,
  left: readonly AnyEntity[],
  formatB: string,
  right: readonly AnyEntity[],
): DiffResult {
  const [a, b] = [left[0] as Entity, right[0] as Entity];
  if (a.kind !== b.kind) {
    throw new BunzaiError('kind.mismatch', { detail: `one file holds a ${a.kind}, the other a ${b.kind}` });
  }
  const differences: DiffResult['differences'][number][] = [];
  const added: string[] = [];
  const kinds = [...new Set([...left, ...right].map(({ kind }) => kind))];
  for (const kind of kinds) {
    const mine = left.filter((entity) => entity.kind === kind);
    const yours = right.filter((entity) => entity.kind === kind);
    mine.forEach((entity, index) => {
      const result = compareBodies(kind, entity.body, yours[index]?.body ?? {});
      append(
        differences,
        result.differences.map((difference) => ({ entity: entity.id, ...difference })),
      );
      append(
        added,
        result.added.map(({ path }) => path),
      );
    });
    for (const extra of yours.slice(mine.length)) added.push(`${kind} ${extra.id}`);
  }
  return {
    a: { format: formatA, kind: a.kind, id: a.id },
    b: { format: formatB, kind: b.kind, id: b.id },
    equal: differences.length === 0 && added.length === 0,
    differences,
    added,
  };
}
