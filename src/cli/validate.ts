/** `bunzai validate`: reads, checks the canonical schema, lists every repair and every fault. */
import { BunzaiError, type Warning } from '../core/errors.ts';
import { parseJson } from '../core/json.ts';
import { decodeText } from '../core/text.ts';
import type { Fault } from '../entities/validate.ts';
import { nameOf } from '../parts.ts';
import { engine } from './engine.ts';
import { inputsOf } from './inputs.ts';
import { fact, heading } from './layout.ts';
import { capped, warningLines } from './report-lines.ts';
import { type RunFlags, run } from './run.ts';
import type { Side, Terminal } from './terminal.ts';
import { counted } from './text.ts';

interface Verdict {
  readonly format: string;
  readonly kind: string;
  readonly name: string;
  readonly faults: readonly (Fault & { readonly entity: string })[];
  readonly warnings: readonly Warning[];
}

const MAX_FAULTS = 40;
const MAX_WARNINGS = 40;

export const validate = async (
  terminal: Terminal,
  args: readonly string[],
  { from, ...flags }: RunFlags & { readonly from?: string },
): Promise<number> =>
  run<Verdict>(terminal, await inputsOf(args), flags, {
    unit: 'validate',
    options: from === undefined ? {} : { from },
    done: 'checked',
    fields: ({ format, kind, faults, warnings }) => ({ format, kind, valid: faults.length === 0, faults, warnings }),
    lines: showVerdict,
    brief: (verdict) => `${verdictOf(verdict)}  ${verdict.format}`,
    failure: ({ format, faults }) => {
      const [first] = faults;
      if (!first) return undefined;
      const detail = faults.length === 1 ? first.message : `${first.message}, and ${faults.length - 1} more`;
      return new BunzaiError('canonical.invalid', { format, path: first.path, detail });
    },
  });

export async function validateUnit(
  input: { readonly bytes: Uint8Array; readonly filename?: string },
  { from }: { readonly from?: string },
): Promise<Verdict> {
  const { validateEntity } = await import('../entities/validate.ts');
  try {
    const { format, entities, warnings } = await engine.read(input, from === undefined ? {} : { format: from });
    const [main] = entities;
    const faults: Verdict['faults'][number][] = [];
    for (const entity of entities) {
      for (const fault of await validateEntity(entity)) faults.push({ entity: entity.id, ...fault });
    }
    return { format, kind: main?.kind ?? '', name: (main && (nameOf(main) || main.id)) ?? '', faults, warnings };
  } catch (error) {
    // A canonical file with faults is refused at the first one; here all of them are wanted.
    if (!(error instanceof BunzaiError) || error.code !== 'canonical.invalid') throw error;
    const value = parseJson(decodeText(input.bytes) ?? '').value as { kind?: unknown; id?: unknown };
    const entity = String(value.id ?? '');
    const faults = (await validateEntity(value)).map((fault) => ({ entity, ...fault }));
    if (faults.length === 0) throw error;
    return { format: error.format ?? '', kind: String(value.kind ?? ''), name: entity, faults, warnings: [] };
  }
}

const verdictOf = ({ faults, warnings }: Verdict): string =>
  [
    faults.length === 0 ? 'no faults' : counted(faults.length, 'faults'),
    warnings.length === 0 ? 'no repairs' : counted(warnings.length, 'repairs and doubts').replace(/doubt$/, 'doubt'),
  ].join(', ');

function showVerdict(side: Side, path: string, verdict: Verdict): string[] {
  const { format, kind, name, faults, warnings } = verdict;
  const { green, red, yellow, dim } = side.paint;
  const mark = faults.length > 0 ? red('✗') : warnings.length > 0 ? yellow('●') : green('✓');
  const lines = faults.map(({ path: place, message }) => `${place}: ${message}`);
  return [
    heading(side, mark, name, kind),
    ...fact(side, 'file', `${path}  read as ${format}`),
    ...fact(side, 'result', verdictOf(verdict), faults.length > 0 ? red : green),
    ...capped(lines, MAX_FAULTS, 'more faults').flatMap((line, index) =>
      fact(side, index === 0 ? 'fault' : '', line, red),
    ),
    ...warningLines(side, warnings, MAX_WARNINGS),
    ...(faults.length > 0 ? fact(side, '', 'paths start at the canonical entity', dim) : []),
  ];
}
