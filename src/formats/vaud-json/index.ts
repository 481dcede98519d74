/** Our own storage format: the canonical entity printed as JSON, one adapter for each kind. */

import { type Kind, SCHEMA_VERSION } from '../../core/canonical.ts';
import { accountOf } from '../../core/coverage.ts';
import { isRecord } from '../../core/draft.ts';
import { BunzaiError } from '../../core/errors.ts';
import { jsonOf, jsonValueOf } from '../../core/json.ts';
import { printJson } from '../../core/json-print.ts';
import type { Source } from '../../core/source.ts';
import { encodeText } from '../../core/text.ts';
import type { AdapterOf, AnyAdapter, BodyKind, EntityOf } from '../../entities/kinds.ts';
import type { Fault } from '../../entities/validate.ts';
import { JSON_CONTAINER } from '../_shared/containers.ts';
import { revived } from './media.ts';

let faultsOf: ((entity: unknown) => Fault[]) | undefined;

/** A soft no for every other JSON file: it never claims one. Only the character adapter says it. */
const SOFT_NO = 0.1;

const isWrapper = (value: unknown, kind: Kind): boolean =>
  isRecord(value) && value.kind === kind && typeof value.schemaVersion === 'string';

function parsed(source: Source, id: string, kind: Kind): object {
  const outcome = jsonOf(source);
  if (outcome && 'fault' in outcome) throw outcome.fault;
  const value = outcome?.parsed.value;
  if (!isRecord(value) || !isWrapper(value, kind)) {
    const detail = `it is not a canonical ${kind}: expected kind "${kind}" and schemaVersion "${SCHEMA_VERSION}"`;
    throw new BunzaiError('format.mismatch', { format: id, detail });
  }
  const [fault] = faultsOf?.(value) ?? [];
  if (fault)
    throw new BunzaiError('canonical.invalid', {
      format: id,
      path: fault.path,
      detail: fault.message,
      hint: 'run validate for all faults',
    });
  return value;
}

function nativeAdapter<K extends BodyKind>(kind: K, id: string, label: string): AdapterOf<K> {
  return {
    id,
    family: 'vaud-json',
    label,
    kind,
    native: true,
    containers: [JSON_CONTAINER],
    coverage: [],
    escrowIds: [id],
    async prepare() {
      faultsOf ??= (await import('../../entities/validate.ts')).entityFaults;
    },
    detect(source) {
      const value = jsonValueOf(source);
      if (value === undefined) return 0;
      return isWrapper(value, kind) ? 1 : kind === 'character' ? SOFT_NO : 0;
    },
    toCanonical: (source) => [revived(parsed(source, id, kind) as EntityOf<K>)],
    fromCanonical: ([entity]) => ({
      bytes: encodeText(printJson(entity)),
      container: JSON_CONTAINER,
      warnings: [],
    }),
    account: () => accountOf([], undefined),
  } as AdapterOf<K>;
}

export default [
  nativeAdapter('character', 'vaud-json', 'bunzai character'),
  nativeAdapter('lorebook', 'vaud-json-lorebook', 'bunzai lorebook'),
  nativeAdapter('persona', 'vaud-json-persona', 'bunzai persona'),
  nativeAdapter('regex', 'vaud-json-regex', 'bunzai regex set'),
  nativeAdapter('preset', 'vaud-json-preset', 'bunzai preset'),
] satisfies AnyAdapter[];
