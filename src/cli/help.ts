/** The same table in commander: help, suggestions, and every spelling of an option. */
import { Command, CommanderError } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { type Call, COMMANDS, type CommandRow, type Flags } from './commands.ts';

const EXAMPLES = `
Examples:
  bunzai convert mira.png --to risu
  bunzai convert cards/ --to agnai -o converted/ --resume
  cat mira.json | bunzai convert - --to pygmalion > mira.pyg.json
  bunzai targets mira.png
  bunzai studio cards/
`;

/** A command line that is no call: text that was asked for, or what is wrong with it. */
export interface NoCall {
  readonly wrong: boolean;
  /** For a person. */
  readonly text: string;
  /** For a script: the fault in one sentence. */
  readonly message: string;
}

/** Reads any command line. `columns` is the room for help. */
export function carefulCall(line: readonly string[], columns: number): Call | NoCall {
  let call: Call | undefined;
  let text = '';
  const write = (more: string) => {
    text += more;
  };
  const program = new Command('bunzai')
    .description('Converts AI character files between apps, and says truly what did not cross.')
    .version(packageJson.version, '-V, --version')
    .exitOverride()
    .configureOutput({
      writeOut: write,
      writeErr: write,
      getOutHelpWidth: () => columns,
      getErrHelpWidth: () => columns,
    })
    .addHelpText('after', EXAMPLES);
  for (const row of COMMANDS) {
    declare(program, row).action((...given: unknown[]) => {
      const flags = given.at(-2) as Flags;
      const args = given
        .slice(0, row.args.length)
        .flat()
        .filter((word) => word !== undefined) as string[];
      call = { command: row, args, flags };
    });
  }
  try {
    program.parse([...line], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const message = error.code === 'commander.help' ? 'no command was given' : error.message.replace(/^error: /, '');
    return { wrong: error.exitCode !== 0, text: text.trimEnd(), message };
  }
  return call ?? { wrong: true, text: program.helpInformation().trimEnd(), message: 'no command was given' };
}

function declare(program: Command, { name, text, args, options }: CommandRow): Command {
  const command = program.command(name).description(text);
  for (const { name: word, text: help, optional } of args) command.argument(optional ? `[${word}]` : `<${word}>`, help);
  for (const { name: long, short, value, text: help } of options) {
    const spelling = `${short === undefined ? '' : `-${short}, `}--${long}${value === undefined ? '' : ` <${value}>`}`;
    command.option(spelling, help);
  }
  return command;
}
