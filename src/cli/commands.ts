/** The commands and their arguments, as data. Two parsers read this table: a quick one and commander. */
import type { Terminal } from './terminal.ts';

/** What was given to a command, by the long names of its options. */
export type Flags = Readonly<Record<string, string | boolean>>;

export interface OptionRow {
  readonly name: string;
  readonly short?: string;
  /** Word for its value in the help; absent: a switch. */
  readonly value?: string;
  readonly text: string;
}

export interface CommandRow {
  readonly name: string;
  readonly text: string;
  /** Names of its arguments; the last one may be repeated when it ends in `...`. All but optional ones are needed. */
  readonly args: readonly { readonly name: string; readonly text: string; readonly optional?: boolean }[];
  readonly options: readonly OptionRow[];
  /** Loads and runs the work. Returns the exit code. */
  run(terminal: Terminal, args: readonly string[], flags: Flags): Promise<number>;
}

const JSON_LINES: OptionRow = { name: 'json', text: 'one JSON object a line on standard output' };
const FROM: OptionRow = { name: 'from', value: 'format', text: 'read as this format instead of detecting it' };
const INPUTS = [{ name: 'in...', text: 'files, folders and patterns to read; - is standard input' }];
/** Of every command over many files. */
const MANY: readonly OptionRow[] = [
  { name: 'jobs', short: 'j', value: 'n', text: 'worker threads for many files (default: all cores)' },
  { name: 'timeout', value: 'seconds', text: 'longest time for one of many files (default: 60)' },
  { name: 'shard', value: 'i/n', text: 'take the i-th of n parts of the files, for several machines' },
];

export const COMMANDS: readonly CommandRow[] = [
  {
    name: 'convert',
    text: 'write files in the format of another app',
    args: INPUTS,
    options: [
      { name: 'to', short: 't', value: 'format', text: 'format to write, by id or by app: see formats' },
      {
        name: 'output',
        short: 'o',
        value: 'path',
        text: 'file or folder to write; - is standard output (default: beside the input)',
      },
      { name: 'container', short: 'c', value: 'name', text: 'file shape: json, png, charx …' },
      { name: 'variant', value: 'name', text: 'version of the format for fresh files: v2, v3' },
      FROM,
      { name: 'share', text: 'leave out secrets and marks of private use, and name them' },
      { name: 'strict', text: 'write nothing when anything would be lost' },
      { name: 'yes', short: 'y', text: 'replace files that are there (never an input)' },
      { name: 'resume', text: 'skip what the journal in the output folder says is done and unchanged' },
      ...MANY,
      JSON_LINES,
    ],
    run: async (terminal, args, flags) => (await import('./convert.ts')).convert(terminal, args, flags),
  },
  {
    name: 'inspect',
    text: 'show what files are and what is in them',
    args: INPUTS,
    options: [FROM, ...MANY, JSON_LINES],
    run: async (terminal, args, flags) => (await import('./inspect.ts')).inspect(terminal, args, flags),
  },
  {
    name: 'validate',
    text: 'list every repair and every fault; fails on a fault',
    args: INPUTS,
    options: [FROM, ...MANY, JSON_LINES],
    run: async (terminal, args, flags) => (await import('./validate.ts')).validate(terminal, args, flags),
  },
  {
    name: 'label',
    text: 'guess which app wrote files',
    args: INPUTS,
    options: [...MANY, JSON_LINES],
    run: async (terminal, args, flags) => (await import('./label.ts')).label(terminal, args, flags),
  },
  {
    name: 'dedupe',
    text: 'report files that are the same or say the same; deletes nothing',
    args: INPUTS,
    options: [...MANY, JSON_LINES],
    run: async (terminal, args, flags) => (await import('./dedupe.ts')).dedupe(terminal, args, flags),
  },
  {
    name: 'formats',
    text: 'list the formats',
    args: [],
    options: [JSON_LINES],
    run: async (terminal, _args, flags) => (await import('./formats.ts')).listFormats(terminal, flags),
  },
  {
    name: 'targets',
    text: 'show for every format how much of a file would cross',
    args: INPUTS,
    options: [FROM, ...MANY, JSON_LINES],
    run: async (terminal, args, flags) => (await import('./targets.ts')).targets(terminal, args, flags),
  },
  {
    name: 'diff',
    text: 'compare what two files say, whatever their formats',
    args: [
      { name: 'a', text: 'one file; - is standard input' },
      { name: 'b', text: 'the other file' },
    ],
    options: [JSON_LINES],
    run: async (terminal, args, flags) => (await import('./diff.ts')).diff(terminal, args, flags),
  },
  {
    name: 'studio',
    text: 'open the studio in the browser, on a folder of cards',
    args: [{ name: 'dir', text: 'folder of the library (default: bunzai in your documents)', optional: true }],
    options: [
      { name: 'port', short: 'p', value: 'number', text: 'port on this machine (default: the first free one)' },
      { name: 'open', text: 'open it in the default browser' },
      JSON_LINES,
    ],
    run: async (terminal, args, flags) => (await import('./studio.ts')).studio(terminal, args, flags),
  },
];

/** A command with what was given to it. */
export interface Call {
  readonly command: CommandRow;
  readonly args: readonly string[];
  readonly flags: Flags;
}

/**
 * Reads a well-formed command line. Undefined for anything else, which is left to commander: help, mistakes, rare
 * spellings. Loading commander costs a tenth of a whole conversion.
 */
export function quickCall(line: readonly string[]): Call | undefined {
  const command = COMMANDS.find(({ name }) => name === line[0]);
  if (!command) return undefined;
  const args: string[] = [];
  const flags: Record<string, string | boolean> = {};
  for (let at = 1; at < line.length; at++) {
    const word = line[at] ?? '';
    if (!word.startsWith('-') || word === '-') {
      args.push(word);
      continue;
    }
    const option = command.options.find(({ name, short }) => word === `--${name}` || word === `-${short}`);
    if (!option) return undefined;
    if (option.value === undefined) {
      flags[option.name] = true;
      continue;
    }
    const value = line[++at];
    if (value === undefined || value === '' || (value.startsWith('-') && value !== '-')) return undefined;
    flags[option.name] = value;
  }
  const repeated = command.args.at(-1)?.name.endsWith('...') ?? false;
  const needed = command.args.filter(({ optional }) => !optional).length;
  if (args.length < needed || (args.length > command.args.length && !repeated)) return undefined;
  return { command, args, flags };
}
