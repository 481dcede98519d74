/** `bunzai label`: which app probably wrote files. */
import type { Label } from '../inspect.ts';
import { engine } from './engine.ts';
import { inputsOf } from './inputs.ts';
import { percent } from './inspect.ts';
import { fact, heading } from './layout.ts';
import { type RunFlags, run } from './run.ts';
import type { Side, Terminal } from './terminal.ts';

export const labelUnit = (input: { readonly bytes: Uint8Array; readonly filename?: string }): Promise<Label> =>
  engine.label(input);

export const label = async (terminal: Terminal, args: readonly string[], flags: RunFlags): Promise<number> =>
  run<Label>(terminal, await inputsOf(args), flags, {
    unit: 'label',
    options: {},
    done: 'labelled',
    fields: (found) => ({ ...found }),
    lines: showLabel,
    brief: (found) => originOf(found) ?? `unknown: ${found.format}`,
  });

const originOf = ({ likelyOrigin, confidence }: Label): string | undefined =>
  likelyOrigin === undefined ? undefined : `${likelyOrigin} (${percent(confidence)})`;

function showLabel(side: Side, path: string, found: Label): string[] {
  const origin = originOf(found);
  const mark = origin === undefined ? side.paint.dim('◇') : side.paint.cyan('◆');
  return [
    heading(side, mark, path, `${found.format} in ${found.container}`),
    ...fact(side, 'made by', origin ?? 'unknown: no app left its mark'),
    ...(found.signals.length > 0 ? fact(side, 'because', found.signals.join(', ')) : []),
  ];
}
