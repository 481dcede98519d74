/** `bunzai convert`: reads each input, writes it in another format, says what crossed. */
import { lstatSync, realpathSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { BunzaiError } from '../core/errors.ts';
import type { Report } from '../core/report.ts';
import type { OutputFile } from '../emit.ts';
import { renamedIn } from '../naming.ts';
import { type FileGuard, fileGuard } from '../node.ts';
import type { Converted, ConvertOptions } from './convert-unit.ts';
import { engine } from './engine.ts';
import { faultLine, usage } from './fault.ts';
import { type Inputs, inputsOf, shardOf } from './inputs.ts';
import { fact, heading } from './layout.ts';
import { type Numbers, named, type Place, placeOf, type Writing, write } from './place.ts';
import { type Caps, foundLines, reportLines } from './report-lines.ts';
import { isMany, type RunFlags, run } from './run.ts';
import { STANDARD } from './standard.ts';
import type { Side, Terminal } from './terminal.ts';
import { counted, sized } from './text.ts';

export interface ConvertFlags extends RunFlags {
  readonly output?: string;
  readonly to?: string;
  readonly from?: string;
  readonly container?: string;
  readonly variant?: string;
  readonly share?: boolean;
  readonly strict?: boolean;
  readonly yes?: boolean;
  readonly resume?: boolean;
}

/** A written file as `--json` shows it: everything but the bytes. */
type WrittenFile = Omit<OutputFile, 'bytes'> & { readonly path?: string; readonly size: number };
/** A conversion that has been written. */
type Shown = Omit<Converted, 'files'> & { readonly files: readonly WrittenFile[] };

/** Converts the inputs. Returns the exit code. */
export async function convert(terminal: Terminal, args: readonly string[], flags: ConvertFlags): Promise<number> {
  for (const format of [flags.to, flags.from]) if (format !== undefined) engine.registry.named(format);
  const output = flags.output ?? (args.includes(STANDARD) ? STANDARD : undefined);
  const inputs = await inputsOf(args, output === STANDARD ? undefined : output);
  const place = placeOf(output, inputs);
  if (flags.to === undefined && place.to !== 'file') {
    throw usage('no target format was given', 'add --to <format>; bunzai formats lists them');
  }
  const many = isMany(inputs, flags);
  const options = optionsOf(flags, place);
  const shard = flags.shard === undefined ? undefined : shardOf(flags.shard);
  if (flags.resume && place.to !== 'folder') throw usage('--resume goes on in a folder', 'add -o <folder>/');
  const notes = flags.resume || (many && place.to === 'folder');
  const journal =
    notes && place.to === 'folder'
      ? (await import('./journal.ts')).openJournal(place.path, options, flags.resume ?? false, shard)
      : undefined;
  const keep = guardOf(inputs, place);
  const numbers: Numbers = new Map();
  const side = place.to === 'standard' ? terminal.err : terminal.out;

  return run<Converted | Shown>(terminal, inputs, flags, {
    unit: 'convert',
    options,
    journal,
    done: 'converted',
    aside: place.to === 'standard',
    async settle(item, data, at) {
      const converted = data as Converted;
      if (place.to === 'standard') {
        if (!converted.refused) sendOut(terminal, converted.files);
        return { data: shown(converted), files: [] };
      }
      const writing: Writing = {
        item,
        listed: at !== undefined,
        format: converted.to,
        overwrite: flags.yes ?? false,
        keep,
        journal,
        sync: !many,
      };
      if (converted.refused) return { data: shown(converted), files: [] };
      const target = named(place, converted.files, writing, numbers);
      const files = await write(target, writing);
      return { data: shown(converted, target.files, files), files };
    },
    fields: (data) => {
      const { from, to, kind, files, report } = data as Shown;
      return { from, to, kind, files, report };
    },
    lines: (_side, path, data, caps) => showConversion(side, path, data as Shown, caps),
    brief: (data) => briefOf(data as Shown),
    losses: ({ report }) => report.losses.length,
    failure: ({ refused, report }) => (refused ? lossyFault(report) : undefined),
  });
}

function optionsOf(flags: ConvertFlags, place: Place): ConvertOptions {
  const { to, from, container, variant, share, strict } = flags;
  const asked = { to, from, container, variant, share, strict };
  return {
    ...(Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)) as ConvertOptions),
    ...(place.to === 'file' ? { extension: place.extension } : {}),
    ...(place.to === 'file' && place.stem !== '' ? { name: place.stem } : {}),
    splits: place.to === 'folder' || place.to === 'beside',
  };
}

/** The inputs, which are never written over. What lies in a folder that is walked is one, where it is not output. */
function guardOf({ files, folders }: Inputs, place: Place): FileGuard {
  const guard = fileGuard(files.filter((path) => path !== STANDARD));
  if (folders.length === 0) return guard;
  const real = (path: string) => realpathSync(path) + sep;
  const roots = folders.map(real);
  return {
    add: guard.add,
    holds(path) {
      if (guard.holds(path)) return true;
      if (!lstatSync(path, { throwIfNoEntry: false })) return false;
      const here = real(dirname(resolve(path)));
      if (place.to === 'folder' && here.startsWith(real(place.path))) return false;
      return roots.some((root) => here.startsWith(root));
    },
  };
}

function shown(converted: Converted, files: readonly OutputFile[] = [], paths: readonly string[] = []): Shown {
  const { report } = converted;
  const made = files.length > 0 ? files : converted.files;
  const losses = renamedIn(
    report.losses,
    converted.files,
    made.map(({ name }) => name),
  );
  const written = made.map(({ bytes, ...file }, index) => {
    const path = paths[index];
    return { ...file, ...(path === undefined ? {} : { path }), size: bytes.byteLength };
  });
  return { ...converted, files: written, report: losses === report.losses ? report : { ...report, losses } };
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

function showConversion(side: Side, path: string, data: Shown, caps: Caps): string[] {
  const { from, to, kind, found, files, report, refused } = data;
  const { green, yellow, red } = side.paint;
  const mark = refused ? red('✗') : report.losses.length > 0 ? yellow('●') : green('✓');
  return [
    heading(side, mark, found[0]?.name ?? '', kind),
    ...fact(side, 'file', `${path === STANDARD ? 'standard input' : path}  ${from} → ${to}`),
    ...foundLines(side, found),
    ...reportLines(side, report, caps),
    ...(refused ? fact(side, 'refused', `nothing was written: ${faultLine(lossyFault(report)).hint ?? ''}`, red) : []),
    ...files.flatMap((file, index) =>
      fact(side, index === 0 ? 'wrote' : '', `${file.path ?? 'to standard output'}  ${sized(file.size)}`),
    ),
  ];
}

/** What became of one file of many. */
function briefOf({ files, report, refused }: Shown): string {
  const { losses, populated } = report.counts;
  const crossed = losses === 0 ? `all ${counted(populated, 'fields')}` : `${losses} lost`;
  const more = files.length > 1 ? ` +${files.length - 1}` : '';
  return refused ? `refused, ${crossed}` : `${crossed} → ${files[0]?.name ?? ''}${more}`;
}
