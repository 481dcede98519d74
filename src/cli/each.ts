/** Runs a command over its inputs: one bad one does not stop the others. */
import { readAll, readInput } from '../node.ts';
import { exitCodeOf, faultLine, showFault, usage } from './fault.ts';
import type { Terminal } from './terminal.ts';

/** The name that stands for standard input, and for standard output after `-o`. */
export const STANDARD = '-';

/** What a command found out about one input: fields for `--json`, lines for people. */
export interface Outcome {
  readonly fields: Readonly<Record<string, unknown>>;
  /** Made only when a person reads. */
  readonly lines: () => readonly string[];
  /** The command worked, and what it found is a failure: lossy under `--strict`, invalid. */
  readonly failure?: unknown;
  /** The result itself went to standard output: this goes to the other side. */
  readonly aside?: boolean;
}

export interface EachOptions {
  readonly json: boolean;
}

/** A file, or everything on standard input, which has no name. */
export async function openPath(path: string): Promise<{ bytes: Uint8Array; filename?: string }> {
  if (path !== STANDARD) return readInput(path);
  return { bytes: await readAll(process.stdin, 'standard input') };
}

/** Works through the inputs in order; the exit code is the worst of them. */
export async function each(
  terminal: Terminal,
  paths: readonly string[],
  { json }: EachOptions,
  work: (path: string) => Promise<Outcome>,
): Promise<number> {
  if (paths.filter((path) => path === STANDARD).length > 1) throw usage('standard input can be read once');
  let code = 0;
  let failures = 0;
  let shown = false;
  for (const path of paths) {
    try {
      const outcome = await work(path);
      const failed = outcome.failure !== undefined;
      if (failed) {
        code = Math.max(code, exitCodeOf(outcome.failure));
        failures++;
      }
      const side = outcome.aside ? terminal.err : terminal.out;
      const head = failed ? { ok: false, file: path, error: faultLine(outcome.failure) } : { ok: true, file: path };
      if (json) side.line(JSON.stringify({ ...head, ...outcome.fields }));
      else side.line([...(shown ? [''] : []), ...outcome.lines()].join('\n'));
    } catch (error) {
      code = Math.max(code, exitCodeOf(error));
      failures++;
      if (json) terminal.out.line(JSON.stringify({ ok: false, file: path, error: faultLine(error) }));
      else terminal.err.line((shown ? '\n' : '') + showFault(terminal.err, path, error));
    }
    shown = true;
  }
  if (!json && paths.length > 1) {
    const failed = failures === 0 ? '' : `, ${failures} failed`;
    terminal.err.line(terminal.err.paint.dim(`\n${paths.length} files: ${paths.length - failures} done${failed}`));
  }
  return code;
}
