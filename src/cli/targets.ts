/** `bunzai targets`: for every format, how much of a file would cross. */
import type { TargetOutlook } from '../engine-types.ts';
import { nameOf } from '../parts.ts';
import { each, openPath } from './each.ts';
import { engine } from './engine.ts';
import { fact, heading, table } from './layout.ts';
import type { Side, Terminal } from './terminal.ts';

/** Lost paths that are named in a row; the edge of the screen cuts the rest. */
const MAX_NAMED = 4;

export const targets = (
  terminal: Terminal,
  inputs: readonly string[],
  flags: { readonly json?: boolean; readonly from?: string },
): Promise<number> =>
  each(terminal, inputs, { json: flags.json ?? false }, async (path) => {
    const input = await openPath(path);
    const options = flags.from === undefined ? {} : { format: flags.from };
    const outlooks = await engine.targets(input, options);
    const { format, entities } = await engine.read(input, options);
    const [main] = entities;
    const name = (main && (nameOf(main) || main.id)) || path;
    const kind = main?.kind ?? '';
    return {
      fields: { format, kind, targets: outlooks },
      lines: () => [
        heading(terminal.out, terminal.out.paint.cyan('◆'), name, kind),
        ...fact(terminal.out, 'from', format),
        '',
        ...outlookTable(terminal.out, outlooks).map((line) => `  ${line}`),
      ],
    };
  });

function outlookTable(side: Side, outlooks: readonly TargetOutlook[]): string[] {
  const rows = outlooks.map(({ format, carried, populated, lost }) => [
    format,
    `${carried} of ${populated}`,
    lost.length === 0 ? 'nothing' : lostText(lost.map(({ path }) => path)),
  ]);
  return table({ ...side, columns: side.columns - 2 }, [['to', 'fields', 'lost'], ...rows], [1]);
}

/** The first lost paths, rows of a list folded. */
function lostText(paths: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const folded = path.replace(/\[\d+\]/g, '[*]');
    counts.set(folded, (counts.get(folded) ?? 0) + 1);
  }
  const names = [...counts].map(([path, count]) => (count === 1 ? path : `${path} ×${count}`));
  return names.slice(0, MAX_NAMED).join(', ') + (names.length > MAX_NAMED ? `, ${names.length - MAX_NAMED} more` : '');
}
