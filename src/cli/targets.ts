/** `bunzai targets`: for every format, how much of a file would cross. */
import type { TargetOutlook } from '../engine-types.ts';
import { nameOf } from '../parts.ts';
import { engine } from './engine.ts';
import { inputsOf } from './inputs.ts';
import { fact, heading, table } from './layout.ts';
import { type RunFlags, run } from './run.ts';
import type { Side, Terminal } from './terminal.ts';

/** Lost paths that are named in a row; the edge of the screen cuts the rest. */
const MAX_NAMED = 4;

/** What `targets` tells of one file. */
interface Outlooks {
  readonly format: string;
  readonly kind: string;
  readonly name: string;
  readonly targets: readonly TargetOutlook[];
}

export async function targetsUnit(
  input: { readonly bytes: Uint8Array; readonly filename?: string },
  { from }: { readonly from?: string },
): Promise<Outlooks> {
  const options = from === undefined ? {} : { format: from };
  const outlooks = await engine.targets(input, options);
  const { format, entities } = await engine.read(input, options);
  const [main] = entities;
  const name = (main && (nameOf(main) || main.id)) ?? '';
  return { format, kind: main?.kind ?? '', name, targets: outlooks };
}

export const targets = async (
  terminal: Terminal,
  args: readonly string[],
  { from, ...flags }: RunFlags & { readonly from?: string },
): Promise<number> =>
  run<Outlooks>(terminal, await inputsOf(args), flags, {
    unit: 'targets',
    options: from === undefined ? {} : { from },
    done: 'measured',
    fields: ({ format, kind, targets }) => ({ format, kind, targets }),
    lines: (side, path, { format, kind, name, targets }) => [
      heading(side, side.paint.cyan('◆'), name || path, kind),
      ...fact(side, 'from', format),
      '',
      ...outlookTable(side, targets).map((line) => `  ${line}`),
    ],
    brief: ({ targets }) => {
      const whole = targets.filter(({ lost }) => lost.length === 0).map(({ format }) => format);
      const [best] = targets;
      if (!best) return 'no other format';
      return whole.length > 0
        ? `nothing lost to ${whole.join(', ')}`
        : `best ${best.format}, ${best.carried} of ${best.populated}`;
    },
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
