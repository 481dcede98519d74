import type { Adapter } from './adapter.ts';
import type { Kind } from './canonical.ts';
import { BunzaiError } from './errors.ts';
import type { Source } from './source.ts';

/** A score below this claims nothing; the score itself still claims. */
export const DETECT_THRESHOLD = 0.5;

/** The winner of one detection pass. */
export interface Detection<A> {
  readonly adapter: A;
  readonly score: number;
}

/** The adapters of an engine, in registration order. Knows no format by name. */
export interface Registry<A> {
  readonly adapters: readonly A[];
  /** The single highest score at or above the threshold, or undefined. An equal later score never displaces. */
  detect(source: Source): Detection<A> | undefined;
  /** Every score of 0.5 or more, highest first; for tests that look for ties. */
  scores(source: Source): readonly Detection<A>[];
  /** The adapter of `kind` that an adapter or family id names. Throws `format.unknown`, `format.cannot-write`. */
  resolve(id: string, kind: Kind): A;
  /** The adapter with exactly this id, or the first of the family. Throws `format.unknown`. */
  named(id: string): A;
}

type Known = Pick<Adapter, 'id' | 'family' | 'kind'> & { detect(source: Source): number };

export function createRegistry<A extends Known>(adapters: readonly A[]): Registry<A> {
  const scored = (source: Source) => adapters.map((adapter) => ({ adapter, score: adapter.detect(source) }));
  const ours = (id: string) => adapters.filter((adapter) => adapter.id === id || adapter.family === id);
  const unknown = (id: string) =>
    new BunzaiError('format.unknown', {
      format: id,
      detail: `"${id}"`,
      hint: `one of: ${[...new Set(adapters.map((adapter) => adapter.id))].join(', ')}`,
    });

  return {
    adapters,
    detect(source) {
      let best: Detection<A> | undefined;
      for (const adapter of adapters) {
        const score = adapter.detect(source);
        if (score >= DETECT_THRESHOLD && (best === undefined || score > best.score)) best = { adapter, score };
      }
      return best;
    },
    scores: (source) =>
      scored(source)
        .filter(({ score }) => score >= DETECT_THRESHOLD)
        .sort((a, b) => b.score - a.score),
    resolve(id, kind) {
      const named = adapters.find((adapter) => adapter.id === id);
      const family = named?.family ?? id;
      const hit =
        named?.kind === kind ? named : adapters.find((adapter) => adapter.family === family && adapter.kind === kind);
      if (hit) return hit;
      const kinds = ours(family).map((adapter) => adapter.kind);
      if (kinds.length === 0) throw unknown(id);
      const others = adapters.filter((adapter) => adapter.kind === kind).map((adapter) => adapter.id);
      throw new BunzaiError('format.cannot-write', {
        format: id,
        detail: `${id} has ${[...new Set(kinds)].join(', ')}, the source is a ${kind}`,
        hint: `a ${kind} goes to: ${others.join(', ')}`,
      });
    },
    named(id) {
      const hit = adapters.find((adapter) => adapter.id === id) ?? ours(id)[0];
      if (!hit) throw unknown(id);
      return hit;
    },
  };
}
