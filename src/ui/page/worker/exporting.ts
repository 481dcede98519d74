/** From entities to files of other apps, with what that costs. */
import { bytesOf } from '../../../core/bytes.ts';
import { BunzaiError } from '../../../core/errors.ts';
import type { FormatInfo } from '../../../engine-types.ts';
import type { AnyEntity } from '../../../entities/kinds.ts';
import { safeFileName } from '../../../file-name.ts';
import { loadDeflate } from '../../../formats/_shared/inflate.ts';
import { safeMemberName, writeZip, type ZipEntry } from '../../../formats/_shared/zip.ts';
import { write } from '../../../index.ts';
import { nameOf } from '../../../parts.ts';
import { type ExportChoice, type Exported, type ExportedFile, MAX_LOSSES, type Outlook } from './api.ts';
import { faultOf } from './fault.ts';

/** The name that files of these entities get, without extension. */
export const stemOf = ([main]: readonly AnyEntity[]): string =>
  (main && safeFileName(nameOf(main) || main.id)) || 'unnamed';

/** What of the entities would cross to one target. */
export async function outlookOf(
  entities: readonly AnyEntity[],
  target: FormatInfo,
  options: Omit<ExportChoice, 'format'> = {},
): Promise<Outlook> {
  const { id: format, label, family, native } = target;
  const shared = { format, label, family, native, containers: target.writes };
  try {
    const { files, report } = await write(entities, format, options);
    const extension = files[0]?.extension;
    const container = options.container ?? target.writes.find((name) => name === extension);
    const { populated, carried, escrowed } = report.counts;
    return {
      ...shared,
      ...(container === undefined ? {} : { container }),
      carried,
      populated,
      lost: report.losses.slice(0, MAX_LOSSES),
      lostCount: report.losses.length,
      escrowed,
      warnings: report.warnings,
      files: files.length,
    };
  } catch (error) {
    if (!(error instanceof BunzaiError)) throw error;
    const nothing = { carried: 0, populated: 0, lost: [], lostCount: 0, escrowed: 0, warnings: [], files: 0 };
    return { ...shared, ...nothing, fault: faultOf(error) };
  }
}

/** Files of one item in the chosen format. */
export async function exported(entities: readonly AnyEntity[], choice: ExportChoice): Promise<Exported> {
  const { format, ...rest } = choice;
  const { files, report } = await write(entities, format, { ...rest, name: stemOf(entities) });
  return {
    files: files.map(
      ({ name, mime, bytes }): ExportedFile => ({ name: safeFileName(name), blob: blobOf(bytes, mime) }),
    ),
    report,
  };
}

/** One line of the report of a batch. */
export interface BatchLine {
  readonly name: string;
  readonly from: string;
  readonly files: readonly string[];
  readonly carried?: number;
  readonly populated?: number;
  readonly lost: readonly { readonly path: string; readonly value: string; readonly reason?: string | undefined }[];
  readonly fault?: string;
}

/** A zip that grows item by item. */
export interface Batch {
  add(from: string, name: string, work: () => Promise<readonly AnyEntity[]>): Promise<void>;
  finish(): Promise<ExportedFile>;
}

/** Starts a batch. An item that cannot be written becomes a line of the report, not the end of the batch. */
export function batchOf(choice: ExportChoice): Batch {
  const entries: ZipEntry[] = [];
  const lines: BatchLine[] = [];
  const taken = new Set<string>();
  return {
    async add(from, name, work) {
      try {
        const entities = await work();
        const { format, ...rest } = choice;
        const { files, report } = await write(entities, format, { ...rest, name: stemOf(entities) });
        const names = files.map(({ name: file, extension }) => {
          const stem = safeFileName(file).slice(0, -extension.length - 1);
          return safeMemberName(stem, extension, taken);
        });
        files.forEach(({ bytes }, index) => entries.push({ name: names[index] ?? '', content: bytesOf(bytes) }));
        const { carried, populated } = report.counts;
        const lost = report.losses.map(({ path, value, reason }) => ({ path, value, reason }));
        lines.push({ name, from, files: names, carried, populated, lost });
      } catch (error) {
        const { title, detail } = faultOf(error);
        lines.push({ name, from, files: [], lost: [], fault: detail ? `${title}: ${detail}` : title });
      }
    },
    async finish() {
      await loadDeflate();
      const report = new TextEncoder().encode(`${JSON.stringify({ to: choice.format, items: lines }, undefined, 2)}\n`);
      entries.push({ name: 'report.json', content: bytesOf(report) });
      return { name: `bunzai-${choice.format}.zip`, blob: blobOf(writeZip(entries), 'application/zip') };
    },
  };
}

const blobOf = (bytes: Uint8Array, type: string): Blob => new Blob([bytes as Uint8Array<ArrayBuffer>], { type });
