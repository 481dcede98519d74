/** `bunzai convert`: reads each input, writes it in another format, says what crossed. */
import { BunzaiError } from '../core/errors.ts';
import type { Report } from '../core/report.ts';
import type { OutputFile } from '../emit.ts';
import type { ConvertResult } from '../engine-types.ts';
import { fileGuard } from '../node.ts';
import { nameOf } from '../parts.ts';
import { each, type Outcome, openPath, STANDARD } from './each.ts';
import { engine } from './engine.ts';
import { faultLine, usage } from './fault.ts';
import { fact, heading } from './layout.ts';
import { type Place, placeOf, writeTo } from './place.ts';
import { BRIEF, type Caps, FULL, foundLines, reportLines } from './report-lines.ts';
import type { Side, Terminal } from './terminal.ts';
import { sized } from './text.ts';

export interface ConvertFlags {
  readonly output?: string;
  readonly to?: string;
  readonly from?: string;
  readonly container?: string;
  readonly variant?: string;
  readonly share?: boolean;
  readonly strict?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** A written file as `--json` shows it: everything but the bytes. */
type WrittenFile = Omit<OutputFile, 'bytes'> & { readonly path?: string; readonly size: number };

/** Converts the inputs one after the other. Returns the exit code. */
export async function convert(terminal: Terminal, inputs: readonly string[], flags: ConvertFlags): Promise<number> {
  for (const format of [flags.to, flags.from]) if (format !== undefined) engine.registry.named(format);
  const place = placeOf(flags.output ?? (inputs.includes(STANDARD) ? STANDARD : undefined), inputs);
  if (flags.to === undefined && place.to !== 'file') {
    throw usage('no target format was given', 'add --to <format>; bunzai formats lists them');
  }
  const keep = fileGuard(inputs.filter((path) => path !== STANDARD));
  const caps = inputs.length > 1 ? BRIEF : FULL;

  return each(terminal, inputs, { json: flags.json ?? false }, async (path): Promise<Outcome> => {
    const input = await openPath(path);
    const to = flags.to ?? (await targetOf(input, place, flags.from));
    const result = await engine.convert(input, to, {
      ...pick(flags, 'from', 'container', 'variant', 'share'),
      ...(flags.container === undefined ? containerOf(place) : {}),
      ...(place.to === 'file' && place.stem !== '' ? { name: place.stem } : {}),
    });
    if (place.to === 'file') assertExtension(place, result.files[0]);
    const lossy = flags.strict && result.report.losses.length > 0 ? lossyFault(result.report) : undefined;
    let paths: readonly string[] = [];
    if (lossy === undefined) {
      if (place.to === 'standard') sendOut(terminal, result.files);
      else
        paths = await writeTo(place, result.files, {
          input: path,
          format: result.to,
          overwrite: flags.yes ?? false,
          keep,
        });
    }
    const files = lossy === undefined ? result.files.map((file, index) => written(file, paths[index])) : [];
    const { from, kind, report } = result;
    const side = place.to === 'standard' ? terminal.err : terminal.out;
    return {
      fields: { from, to: result.to, kind, files, report },
      lines: () => showConversion(side, path, result, files, caps, lossy),
      aside: place.to === 'standard',
      ...(lossy === undefined ? {} : { failure: lossy }),
    };
  });
}

function pick<K extends keyof ConvertFlags>(flags: ConvertFlags, ...keys: readonly K[]): Pick<ConvertFlags, K> {
  return Object.fromEntries(keys.flatMap((key) => (flags[key] === undefined ? [] : [[key, flags[key]]]))) as never;
}

/** Extensions of everything that is written or read: one of them promises a container. */
const PICTURES = ['png', 'webp', 'jpg', 'jpeg', 'zip'];
const isKnownExtension = (extension: string): boolean =>
  PICTURES.includes(extension) ||
  engine.registry.adapters.some(({ containers }) => containers.some((one) => one.extension === extension));

/** The container that the extension of `-o` asks for. Pictures that only go back where they came from are not asked for by name. */
function containerOf(place: Place): { readonly container?: string } {
  if (place.to !== 'file') return {};
  const { extension } = place;
  const written = engine.registry.adapters.some(({ containers }) =>
    containers.some((one) => one.extension === extension),
  );
  return written ? { container: extension } : {};
}

/** The format that the extension of `-o` asks for, when one alone of the source's kind has it. */
async function targetOf(
  input: { readonly bytes: Uint8Array; readonly filename?: string },
  place: Place,
  from: string | undefined,
): Promise<string> {
  const extension = place.to === 'file' ? place.extension : '';
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
function assertExtension(
  place: { readonly path: string; readonly extension: string },
  file: OutputFile | undefined,
): void {
  const same = (extension: string) => (extension === 'jpeg' ? 'jpg' : extension);
  if (!file || !isKnownExtension(place.extension) || same(place.extension) === same(file.extension)) return;
  throw new BunzaiError('container.unsupported', {
    file: place.path,
    format: file.format,
    detail: `the result is a .${file.extension} file`,
    hint: `name it .${file.extension}, or choose another format or --container`,
  });
}

const lossyFault = ({ to, losses }: Report): BunzaiError =>
  new BunzaiError('convert.lossy', {
    format: to,
    path: losses[0]?.path,
    detail: `${losses.length} lost`,
    hint: 'leave --strict out to write it all the same, or run targets for a format that keeps more',
  });

function sendOut({ out }: Terminal, files: readonly OutputFile[]): void {
  const [main, ...others] = files;
  if (others.length > 0) {
    const detail = `it makes ${files.length} files: ${files.map(({ name }) => name).join(', ')}`;
    throw new BunzaiError('output.failed', { file: STANDARD, detail, hint: 'give -o a folder' });
  }
  if (!main) return;
  if (out.isTerminal && main.extension !== 'json') {
    const hint = 'add -o <file>, or send it on with > or |';
    throw new BunzaiError('output.failed', { file: STANDARD, detail: 'a binary file is not for a terminal', hint });
  }
  out.bytes(main.bytes);
}

const written = ({ bytes, ...file }: OutputFile, path: string | undefined): WrittenFile => ({
  ...file,
  ...(path === undefined ? {} : { path }),
  size: bytes.byteLength,
});

function showConversion(
  side: Side,
  path: string,
  { from, to, kind, entities, report }: ConvertResult,
  files: readonly WrittenFile[],
  caps: Caps,
  lossy: BunzaiError | undefined,
): string[] {
  const { green, yellow, red } = side.paint;
  const mark = lossy ? red('✗') : report.losses.length > 0 ? yellow('●') : green('✓');
  const [main] = entities;
  const name = (main && (nameOf(main) || main.id)) ?? '';
  return [
    heading(side, mark, name, kind),
    ...fact(side, 'file', `${path === STANDARD ? 'standard input' : path}  ${from} → ${to}`),
    ...foundLines(side, entities),
    ...reportLines(side, report, caps),
    ...(lossy ? fact(side, 'refused', `nothing was written: ${faultLine(lossy).hint ?? ''}`, red) : []),
    ...files.flatMap((file, index) =>
      fact(side, index === 0 ? 'wrote' : '', `${file.path ?? 'to standard output'}  ${sized(file.size)}`),
    ),
  ];
}
