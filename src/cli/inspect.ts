/** `bunzai inspect`: what files are, and what is in them. */
import type { EntitySummary, Inspection } from '../inspect.ts';
import { engine } from './engine.ts';
import { inputsOf } from './inputs.ts';
import { beside, fact, heading } from './layout.ts';
import { capped, escrowFacts, partsText, warningLines } from './report-lines.ts';
import { type RunFlags, run } from './run.ts';
import type { Side, Terminal } from './terminal.ts';
import { clean, counted, sized } from './text.ts';

/** Files to look into are few: more warnings than in a conversion. */
const MAX_WARNINGS = 12;
const MAX_PARTS = 12;

/** What `inspect` tells of one file. */
type Inspected = Inspection & { readonly size: number };

export async function inspectUnit(
  input: { readonly bytes: Uint8Array; readonly filename?: string },
  { from }: { readonly from?: string },
): Promise<Inspected> {
  const found = await engine.inspect(input, from === undefined ? {} : { format: from });
  return { size: input.bytes.byteLength, ...found };
}

export const inspect = async (
  terminal: Terminal,
  args: readonly string[],
  { from, ...flags }: RunFlags & { readonly from?: string },
): Promise<number> =>
  run<Inspected>(terminal, await inputsOf(args), flags, {
    unit: 'inspect',
    options: from === undefined ? {} : { from },
    done: 'read',
    fields: (found) => ({ ...found }),
    lines: showInspection,
    brief: ({ format, entities: [main] }) => `${main ? named(main) : ''}  ${format}`,
  });

function showInspection(side: Side, path: string, found: Inspected): string[] {
  const { label, entities, size } = found;
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
