/** `bunzai inspect`: what files are, and what is in them. */
import type { EntitySummary, Inspection } from '../inspect.ts';
import { each, openPath } from './each.ts';
import { engine } from './engine.ts';
import { beside, fact, heading } from './layout.ts';
import { capped, escrowFacts, partsText, warningLines } from './report-lines.ts';
import type { Side, Terminal } from './terminal.ts';
import { clean, counted, sized } from './text.ts';

/** Files to look into are few: more warnings than in a conversion. */
const MAX_WARNINGS = 12;
const MAX_PARTS = 12;

export const inspect = (
  terminal: Terminal,
  inputs: readonly string[],
  flags: { readonly json?: boolean; readonly from?: string },
): Promise<number> =>
  each(terminal, inputs, { json: flags.json ?? false }, async (path) => {
    const input = await openPath(path);
    const found = await engine.inspect(input, flags.from === undefined ? {} : { format: flags.from });
    const size = input.bytes.byteLength;
    return { fields: { size, ...found }, lines: () => showInspection(terminal.out, path, size, found) };
  });

function showInspection(side: Side, path: string, size: number, found: Inspection): string[] {
  const { label, entities } = found;
  const [main, ...others] = entities;
  const origin = label.likelyOrigin === undefined ? 'unknown' : `${label.likelyOrigin} (${percent(label.confidence)})`;
  const rest = others.map((one) => `${one.kind} ${named(one)}: ${partsText(one.parts) || 'empty'}`);
  const fields = entities.reduce((sum, { populated }) => sum + populated, 0);
  return [
    heading(side, side.paint.cyan('◆'), main ? named(main) : path, found.kind),
    ...fact(side, 'file', `${path}  ${sized(size)}`),
    ...fact(side, 'format', `${found.format} in ${found.container} (${percent(found.score)} sure)`),
    ...fact(side, 'made by', origin + (label.signals.length > 0 ? `, by ${label.signals.join(', ')}` : '')),
    ...fact(side, 'holds', (main && partsText(main.parts)) || 'nothing beside the name'),
    ...beside(side, '', capped(rest, MAX_PARTS, 'more parts')),
    ...fact(side, '', counted(fields, 'fields')),
    ...escrowFacts(side, 'also', found.escrowed, `only ${found.format} has`),
    ...warningLines(side, found.warnings, MAX_WARNINGS),
  ];
}

const named = ({ name, id }: EntitySummary): string => clean(name) || id;

/** `0.9` as `90 %`. */
export const percent = (share: number): string => `${Math.round(share * 100)} %`;
