/** Reads the command line and runs the command. */
import { quickCall } from './commands.ts';
import { exitCodeOf, faultLine, showFault } from './fault.ts';
import { openTerminal, type Terminal } from './terminal.ts';

export { pooled } from './work.ts';

/** Runs the command line and returns the exit code: 0 done, 1 failed, 2 wrong usage. */
export async function main(line: readonly string[], given?: Terminal): Promise<number> {
  const terminal = given ?? (await openTerminal());
  const json = line.includes('--json');
  try {
    const call = quickCall(line) ?? (await import('./help.ts')).carefulCall(line, terminal.out.columns);
    if ('command' in call) return await call.command.run(terminal, call.args, call.flags);
    if (!call.wrong) terminal.out.line(call.text);
    else if (json)
      terminal.out.line(JSON.stringify({ ok: false, error: { code: 'usage.invalid', message: call.message } }));
    else terminal.err.line(call.text);
    return call.wrong ? 2 : 0;
  } catch (error) {
    if (json) terminal.out.line(JSON.stringify({ ok: false, error: faultLine(error) }));
    else terminal.err.line(showFault(terminal.err, undefined, error));
    return exitCodeOf(error);
  }
}
