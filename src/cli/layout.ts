/** The look of a block of text: a heading, then facts under labels. */
import type { Side } from './terminal.ts';
import { clean, cut, pad, width, wrap } from './text.ts';

/** Columns of the labels on the left, the indent included. */
const LABEL_COLUMNS = 11;

/** Mark and name on the left, what it is on the right. */
export function heading(side: Side, mark: string, name: string, kind: string): string {
  const room = side.columns - width(kind) - 4;
  const left = cut(clean(name), room);
  return `${mark} ${side.paint.bold(left)}${' '.repeat(Math.max(2, side.columns - 2 - width(left) - width(kind)))}${side.paint.dim(kind)}`;
}

/** A label with text beside it, wrapped under itself. */
export function fact(side: Side, label: string, text: string, paint = (line: string) => line): string[] {
  return beside(side, label, wrap(clean(text), side.columns - LABEL_COLUMNS), paint);
}

/** A label with lines beside it; each is cut to its room. */
export function beside(side: Side, label: string, lines: readonly string[], paint = (line: string) => line): string[] {
  const room = side.columns - LABEL_COLUMNS;
  return lines.map((line, index) => {
    const start = index === 0 ? side.paint.dim(pad(`  ${label}`, LABEL_COLUMNS)) : ' '.repeat(LABEL_COLUMNS);
    return start + paint(cut(line.replaceAll('\u00a0', ' '), room));
  });
}

/** Room for text beside a label. */
export const roomOf = (side: Side): number => side.columns - LABEL_COLUMNS;

/** Rows in columns, each as wide as its widest cell, the last cut at the edge. The first row is the head. */
export function table(side: Side, rows: readonly (readonly string[])[], numeric: readonly number[] = []): string[] {
  const safe = rows.map((row) => row.map(clean));
  const widths = (safe[0] ?? []).map((_, column) => Math.max(...safe.map((row) => width(row[column] ?? ''))));
  return safe.map((row, index) => {
    const cells = row.map((cell, column) => {
      const space = ' '.repeat(Math.max(0, (widths[column] ?? 0) - width(cell)));
      return numeric.includes(column) ? space + cell : cell + space;
    });
    const line = cut(cells.join('  ').trimEnd(), side.columns);
    return index === 0 ? side.paint.dim(line) : line;
  });
}
