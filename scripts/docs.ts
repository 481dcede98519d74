/** Pages that are made from the code: one for each adapter, the support table, the error codes. */
import type { CoverageRow } from '../src/core/coverage.ts';
import { ERROR_TEXT } from '../src/core/errors.ts';
import type { AnyAdapter } from '../src/entities/kinds.ts';

/** What a maximal entity of the kind showed when it went through an adapter and came back. */
export interface MeasuredSupport {
  readonly adapter: AnyAdapter;
  /** Populated canonical paths that read back equal, of `populated`. */
  readonly carried: number;
  readonly populated: number;
  /** General canonical paths that were carried. */
  readonly paths: readonly string[];
  /** `exact`: an unedited write changed nothing; otherwise what changed. */
  readonly roundTrip: string;
}

const GENERATED = '<!-- Made by `npm run generate` from the code. Change the tables or the notes, not this page. -->';
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** The page of one adapter: what it is, its field table, its quirks. */
export function formatPage(adapter: AnyAdapter, notes: string): string {
  const rows = adapter.coverage.map(fieldRow).join('\n');
  const table = adapter.native
    ? 'Our own format holds every canonical path as it is.'
    : `| Canonical | Wire | Shape | Fidelity | Note |\n| --- | --- | --- | --- | --- |\n${rows}`;
  return `${GENERATED}

# ${adapter.label} (\`${adapter.id}\`)

| | |
| --- | --- |
| Kind | ${adapter.kind} |
| Family, for \`--to\` | \`${adapter.family}\` |
| Written as | ${adapter.containers.map(({ name, extension }) => (name === extension ? `\`.${extension}\`` : `\`.${extension}\` (${name})`)).join(', ')} |
| Escrow key | ${adapter.escrowIds.map((id) => `\`${id}\``).join(', ')} |

## Fields

${table}
${notes.trim() === '' ? '' : `\n## Quirks\n\n${notes.trim()}\n`}`;
}

const fieldRow = ({ canonical, wire, shape, fidelity, note }: CoverageRow): string =>
  `| ${[`\`${canonical}\``, wire === '' ? '' : `\`${wire}\``, shape, fidelity, note].map(cell).join(' | ')} |`;

/** The roster with what was measured, not what is claimed. */
export function supportPage(measured: readonly MeasuredSupport[]): string {
  const rows = measured.map(({ adapter, carried, populated, roundTrip }) => {
    const containers = adapter.containers.map(({ name }) => name).join(', ');
    const share = adapter.native ? 'everything' : populated === 0 ? 'only its own files' : `${carried} of ${populated}`;
    return `| [\`${adapter.id}\`](formats/${adapter.id}.md) | ${adapter.kind} | ${containers} | ${share} | ${roundTrip} |`;
  });
  const carries = measured
    .filter(({ adapter }) => !adapter.native)
    .map(
      ({ adapter, paths }) =>
        `- \`${adapter.id}\`: ${paths.length === 0 ? 'nothing beyond its own file' : paths.map((path) => `\`${path}\``).join(', ')}`,
    );
  return `${GENERATED}

# What each format holds, measured

A maximal entity (every canonical slot filled) was written fresh in each format and read back.
*Carried* counts the populated canonical paths that came back equal. *Round trip* is a sample of the format, read and
written in its own format without an edit.

| Adapter | Kind | Written as | Carried | Round trip |
| --- | --- | --- | --- | --- |
${rows.join('\n')}

## Carried paths

${carries.join('\n')}
`;
}

/** Every error code with its sentence. */
export function errorsPage(): string {
  const rows = Object.entries(ERROR_TEXT).map(([code, text]) => `| \`${code}\` | ${cell(text)} |`);
  return `${GENERATED}

# Error codes

Every refusal is a \`BunzaiError\`: \`code\` is stable and is what to branch on, \`path\` points into the document, \`hint\`
says what to try. Results are never half-written.

| Code | Meaning |
| --- | --- |
${rows.join('\n')}
`;
}
