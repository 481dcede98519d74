import type { Claim } from '../../core/account.ts';
import { type OriginalEntry, SCHEMA_VERSION } from '../../core/canonical.ts';
import { accountOf, coverage } from '../../core/coverage.ts';
import { isRecord, saysNothing, type Wire } from '../../core/draft.ts';
import { BunzaiError } from '../../core/errors.ts';
import { canonicalId } from '../../core/ids.ts';
import { jsonOf, jsonValueOf, printJson } from '../../core/json.ts';
import { claimsOf, get, type Lens, put } from '../../core/lens.ts';
import type { AdapterOf } from '../../entities/kinds.ts';
import { emptyLorebook, type LorebookBody } from '../../entities/lorebook/schema.ts';
import { JSON_CONTAINER } from './containers.ts';
import { stemOf } from './file-name.ts';

/** One wire shape of a book format. */
export interface BookShape {
  /** Name in `unmapped.dialect`. */
  readonly dialect: string;
  readonly fields: readonly Lens<LorebookBody>[];
  /** Wire keys that say what the file is, not what is in it. */
  readonly structure?: readonly Claim[];
  /** Confidence that this parsed value has this shape. */
  recognize(value: unknown): number;
}

/** A lorebook that is a JSON file. It goes back in the shape it came in; a fresh one takes the first shape. */
export function defineJsonBook(spec: {
  readonly id: string;
  readonly family: string;
  readonly label: string;
  readonly generic?: boolean;
  readonly shapes: readonly [BookShape, ...BookShape[]];
  /** A book without a twin, in the first shape. */
  fresh(body: LorebookBody): Wire;
}): AdapterOf<'lorebook'> {
  const shapeOf = (entry: OriginalEntry | undefined): BookShape =>
    spec.shapes.find(({ dialect }) => dialect === entry?.unmapped?.dialect) ?? spec.shapes[0];
  const best = (value: unknown) =>
    spec.shapes.map((shape) => ({ shape, score: shape.recognize(value) })).sort((a, b) => b.score - a.score)[0];

  return {
    id: spec.id,
    family: spec.family,
    label: spec.label,
    kind: 'lorebook',
    ...(spec.generic ? { generic: true } : {}),
    containers: [JSON_CONTAINER],
    coverage: coverage(spec.shapes[0].fields as unknown as Lens<never>[]),
    escrowIds: [spec.id],
    detect: (source) => best(jsonValueOf(source))?.score ?? 0,
    toCanonical(source) {
      const outcome = jsonOf(source);
      if (outcome && 'fault' in outcome) throw outcome.fault;
      const value = outcome?.parsed.value;
      const hit = best(value);
      if (!hit || hit.score === 0 || !isRecord(value))
        throw new BunzaiError('format.mismatch', { format: spec.id, detail: 'there is no such book in this file' });
      const body = get(hit.shape.fields, value, emptyLorebook());
      const id = canonicalId(saysNothing(body.name) ? stemOf(source) : body.name, 'lorebook');
      const entry: OriginalEntry = { raw: value, unmapped: { dialect: hit.shape.dialect } };
      return [{ schemaVersion: SCHEMA_VERSION, kind: 'lorebook', id, body, original: { [spec.id]: entry } }];
    },
    fromCanonical([entity]) {
      const entry = entity.original?.[spec.id];
      const wire =
        entry && isRecord(entry.raw) ? put(shapeOf(entry).fields, entry.raw, entity.body) : spec.fresh(entity.body);
      return { bytes: new TextEncoder().encode(printJson(wire)), container: JSON_CONTAINER, warnings: [] };
    },
    account(entity) {
      const entry = entity.original?.[spec.id];
      const shape = shapeOf(entry);
      if (!isRecord(entry?.raw)) return accountOf([], undefined);
      return accountOf([...claimsOf(shape.fields as never, entry.raw), ...(shape.structure ?? [])], entry.raw);
    },
  };
}
