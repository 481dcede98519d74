/** Modules as files around a JSON value. */
import { bytesOf } from '../../core/bytes.ts';
import { derivedUuid } from '../../core/derived-id.ts';
import { isRecord, type Wire } from '../../core/draft.ts';
import { BunzaiError } from '../../core/errors.ts';
import type { Source } from '../../core/source.ts';
import type { JsonCarrier } from '../_shared/json-carriers.ts';
import { isModuleFile, openModule, sealModule } from './risum.ts';

/** The binary container of a module. */
export const RISUM = { name: 'risum', extension: 'risum', mime: 'application/x-risu-module' } as const;

/** The object that a module file holds. */
export const isModule = (value: unknown): value is Wire =>
  isRecord(value) && value.type === 'risuModule' && isRecord(value.module);

/** A new module; its id is made from `content`. */
export const moduleWith = (parts: Wire, content: unknown = parts): Wire => ({
  module: { name: '', description: '', id: derivedUuid(JSON.stringify(content)), ...parts },
  type: 'risuModule',
});

/** What one adapter makes of module files. */
interface ModuleUse {
  /** Whether a damaged module is claimed, so that reading can say what is wrong: by one adapter only. */
  readonly damaged: boolean;
  /** The value as a module. */
  wrap?(value: unknown): unknown;
  /** A module as the JSON file of the format. */
  unwrap?(value: unknown): unknown;
}

const opened = (source: Source): ReturnType<JsonCarrier['open']> => {
  const { bytes } = source;
  if (!isModuleFile(bytes)) return undefined;
  try {
    const { value, warnings } = openModule(bytes);
    return { held: { value, warnings, media: bytesOf(bytes, RISUM.mime) } };
  } catch (fault) {
    if (fault instanceof BunzaiError) return { fault };
    throw fault;
  }
};

/** `.risum` files. An unedited one keeps its bytes; an edit writes the JSON block anew and leaves the assets alone. */
export const moduleCarrier = ({ damaged, wrap, unwrap }: ModuleUse): JsonCarrier => ({
  container: RISUM,
  open(source) {
    const outcome = source.once(opened);
    return outcome && 'fault' in outcome && !damaged ? undefined : outcome;
  },
  seal({ value, twin }) {
    if (twin?.unedited) return { bytes: twin.media.bytes(), warnings: [] };
    return { bytes: sealModule(wrap ? wrap(value) : value, twin?.media.bytes()), warnings: [] };
  },
  ...(unwrap ? { unwrap } : {}),
});
