import type { Claim } from '../../core/account.ts';
import { existsAt, isRecord, valueAt, type Wire } from '../../core/draft.ts';

/** The mark of each export; the kind is in the name. */
export type ExportType = 'marinara_character' | 'marinara_persona' | 'marinara_lorebook' | 'marinara_preset';

/** An export file of this type: `{type, version: 1, exportedAt, data}` with an object in `data`. */
export const isExport = (value: unknown, type: ExportType): value is Wire & { readonly data: Wire } =>
  isRecord(value) && value.type === type && value.version === 1 && isRecord(value.data);

/** Keys that say what the file is. */
export const ENVELOPE: readonly Claim[] = ['type', 'version', 'exportedAt'].map((key) => ({ keys: [key] }));

/**
 * A fresh export. `exportedAt` is the newest date that `data.metadata` knows, and left out where there is none: the
 * app's importer never reads it.
 */
export function freshExport(type: ExportType, data: Wire): Wire {
  const dates = ['updatedAt', 'createdAt'].map((key) => valueAt(data, ['metadata', key]));
  const exportedAt = dates.find((date) => typeof date === 'string' && date !== '');
  return { type, version: 1, ...(exportedAt === undefined ? {} : { exportedAt }), data };
}

/** Keys of an envelope that nobody knows. */
export const strangeKeys = (file: Wire): string[] =>
  Object.keys(file).filter(
    (key) => key !== 'data' && !ENVELOPE.some(({ keys }) => keys[0] === key) && existsAt(file, [key]),
  );
