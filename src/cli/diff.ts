/** `bunzai diff`: what two files say, compared in the canonical model. */
import type { DiffResult } from '../engine-types.ts';
import { engine } from './engine.ts';
import { exitCodeOf, faultLine, showFault, usage } from './fault.ts';
import { fact, heading, roomOf } from './layout.ts';
import { capped } from './report-lines.ts';
import { openPath, STANDARD } from './standard.ts';
import type { Side, Terminal } from './terminal.ts';
import { clean, counted, cut } from './text.ts';

const MAX_LINES = 40;

export async function diff(
  terminal: Terminal,
  [a = STANDARD, b = STANDARD]: readonly string[],
  flags: { readonly json?: boolean },
): Promise<number> {
  if (a === STANDARD && b === STANDARD) throw usage('standard input can be read once');
  try {
    const result = await engine.diff(await openPath(a), await openPath(b));
    const named = { ok: true, file: a, ...result, a: { file: a, ...result.a }, b: { file: b, ...result.b } };
    terminal.out.line(flags.json ? JSON.stringify(named) : showDiff(terminal.out, a, b, result).join('\n'));
    return 0;
  } catch (error) {
    if (flags.json) terminal.out.line(JSON.stringify({ ok: false, file: a, error: faultLine(error) }));
    else terminal.err.line(showFault(terminal.err, a, error));
    return exitCodeOf(error);
  }
}

function showDiff(side: Side, fileA: string, fileB: string, { a, b, equal, differences, added }: DiffResult): string[] {
  const { paint } = side;
  const mark = equal ? paint.green('✓') : paint.yellow('●');
  const amount = differences.length + added.length;
  const changed = differences.map(({ path, kind, value, now }) => {
    const was = clean(value);
    return kind === 'dropped'
      ? { sign: '-', path, text: was }
      : { sign: '~', path, text: `${cut(was, 30)} → ${clean(now ?? '')}` };
  });
  const lines = [...changed, ...added.map((path) => ({ sign: '+', path, text: '' }))].map(({ sign, path, text }) => {
    const head = `${sign} ${cut(path, Math.floor(roomOf(side) * 0.6))}`;
    return cut(text === '' ? head : `${head}  ${text}`, side.columns - 2);
  });
  return [
    heading(side, mark, a.id, a.kind),
    ...fact(side, 'a', `${fileA}  ${a.format}`),
    ...fact(side, 'b', `${fileB}  ${b.format}`),
    ...fact(
      side,
      'result',
      equal ? 'both say the same' : counted(amount, 'differences'),
      equal ? paint.green : paint.yellow,
    ),
    ...capped(lines, MAX_LINES, 'more (--json lists all)').map((line) => `  ${line}`),
    ...(equal ? [] : [`  ${paint.dim('- only a has it   ~ they differ   + only b has it')}`]),
  ];
}
