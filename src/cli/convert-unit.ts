/** What `bunzai convert` does with the bytes of one input: everything but choosing names and writing. */
import { BunzaiError } from '../core/errors.ts';
import type { Report } from '../core/report.ts';
import type { OutputFile } from '../emit.ts';
import type { AnyEntity } from '../entities/kinds.ts';
import { nameOf, partsOf } from '../parts.ts';
import { engine } from './engine.ts';
import { usage } from './fault.ts';

/** What the unit is told. All of it decides what the files say, and so it is what a journal goes by. */
export interface ConvertOptions {
  /** Absent: the format that `extension` asks for. */
  readonly to?: string;
  readonly from?: string;
  readonly container?: string;
  readonly variant?: string;
  readonly share?: boolean;
  /** Make no files when anything would be lost. */
  readonly strict?: boolean;
  /** Base name of the files; absent: the name of the input. */
  readonly name?: string;
  /** Extension of the path that was asked for. */
  readonly extension?: string;
  /** Take a list of characters apart. */
  readonly splits?: boolean;
}

/** An entity by name and number. */
export interface Found {
  readonly kind: string;
  readonly name: string;
  readonly parts: Readonly<Record<string, number>>;
}

/** One conversion as plain data. */
export interface Converted {
  readonly from: string;
  readonly to: string;
  readonly kind: string;
  readonly found: readonly Found[];
  /** None where `strict` refused them. */
  readonly files: readonly OutputFile[];
  readonly report: Report;
  readonly refused: boolean;
}

export async function convertUnit(
  input: { readonly bytes: Uint8Array; readonly filename?: string },
  { extension, strict, splits: _splits, ...options }: ConvertOptions,
): Promise<Converted> {
  const to = options.to ?? (await targetOf(input, extension ?? '', options.from));
  const asked = options.container ?? (extension !== undefined && isWritten(extension) ? extension : undefined);
  const result = await engine.convert(input, to, { ...options, ...(asked === undefined ? {} : { container: asked }) });
  if (extension !== undefined) assertExtension(extension, result.files[0]);
  const { from, kind, report, entities } = result;
  const refused = (strict ?? false) && report.losses.length > 0;
  return {
    from,
    to: result.to,
    kind,
    found: entities.map(foundOf),
    files: refused ? [] : result.files,
    report,
    refused,
  };
}

const foundOf = (entity: AnyEntity): Found => ({
  kind: entity.kind,
  name: nameOf(entity) || entity.id,
  parts: partsOf(entity),
});

/** Extensions of everything that is written or read: one of them promises a container. */
const PICTURES = ['png', 'webp', 'jpg', 'jpeg', 'zip'];
const isWritten = (extension: string): boolean =>
  engine.registry.adapters.some(({ containers }) => containers.some((one) => one.extension === extension));

/** The format that an extension asks for, when one alone of the source's kind has it. */
async function targetOf(
  input: { readonly bytes: Uint8Array; readonly filename?: string },
  extension: string,
  from: string | undefined,
): Promise<string> {
  const kind = from === undefined ? (await engine.detect(input))?.kind : engine.registry.named(from).kind;
  if (kind === undefined) return (await engine.read(input)).format;
  const mine = engine.registry.adapters.filter((adapter) => adapter.kind === kind);
  const writers = mine.filter(({ containers }) => containers.some((one) => one.extension === extension));
  const [only] = writers;
  if (only && writers.length === 1) return only.id;
  const names = (writers.length > 0 ? writers : mine).map(({ id }) => id).join(', ');
  const detail =
    writers.length > 0
      ? `a ${kind} in a .${extension} file can be several formats`
      : `no format writes a ${kind} as .${extension}`;
  throw usage(detail, `add --to with one of: ${names}`);
}

/** A name that promises another container than the file has would mislead every reader of it. */
function assertExtension(asked: string, file: OutputFile | undefined): void {
  const same = (extension: string) => (extension === 'jpeg' ? 'jpg' : extension);
  const isKnown = PICTURES.includes(asked) || isWritten(asked);
  if (!file || !isKnown || same(asked) === same(file.extension)) return;
  throw new BunzaiError('container.unsupported', {
    format: file.format,
    detail: `the result is a .${file.extension} file`,
    hint: `name it .${file.extension}, or choose another format or --container`,
  });
}
