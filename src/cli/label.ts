/** `bunzai label`: which app probably wrote files. */
import { each, openPath } from './each.ts';
import { engine } from './engine.ts';
import { percent } from './inspect.ts';
import { fact, heading } from './layout.ts';
import type { Terminal } from './terminal.ts';

export const label = (
  terminal: Terminal,
  inputs: readonly string[],
  flags: { readonly json?: boolean },
): Promise<number> =>
  each(terminal, inputs, { json: flags.json ?? false }, async (path) => {
    const found = await engine.label(await openPath(path));
    const side = terminal.out;
    const known = found.likelyOrigin !== undefined;
    return {
      fields: { ...found },
      lines: () => [
        heading(
          side,
          known ? side.paint.cyan('◆') : side.paint.dim('◇'),
          path,
          `${found.format} in ${found.container}`,
        ),
        ...fact(
          side,
          'made by',
          known ? `${found.likelyOrigin} (${percent(found.confidence)})` : 'unknown: no app left its mark',
        ),
        ...(found.signals.length > 0 ? fact(side, 'because', found.signals.join(', ')) : []),
      ],
    };
  });
