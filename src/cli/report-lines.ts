/** What was found in a file, and the report of a conversion, as lines under labels. */
import type { Warning } from '../core/errors.ts';
import type { EscrowLine, Loss, Report } from '../core/report.ts';
import type { Found } from './convert-unit.ts';
import { beside, fact, roomOf } from './layout.ts';
import type { Side } from './terminal.ts';
import { clean, counted, cut, pad, width, wrap } from './text.ts';

/** Lines for losses, and for warnings, before the rest is only counted. */
export interface Caps {
  readonly losses: number;
  readonly warnings: number;
}
export const FULL: Caps = { losses: 20, warnings: 6 };
/** Where many files share the screen. */
export const BRIEF: Caps = { losses: 6, warnings: 3 };

/** Parts with their numbers: `3 greetings · 12 entries`; no line breaks inside one. */
export const partsText = (parts: Readonly<Record<string, number>>): string =>
  Object.entries(parts)
    .map(([word, count]) => counted(count, word).replaceAll(' ', '\u00a0'))
    .join(' · ');

/** One line for the main entity, one for each of the others. */
export function foundLines(side: Side, entities: readonly Found[]): string[] {
  const [main, ...others] = entities;
  if (!main) return [];
  const { books: _linked, ...parts } = main.parts;
  const lines = fact(side, 'found', partsText(parts) || 'nothing beside the name');
  const rest = others.map(({ kind, name, parts }) => `${kind} ${clean(name)}: ${partsText(parts) || 'empty'}`);
  return [...lines, ...beside(side, '', ['', ...capped(rest, 6, 'more parts')]).slice(1)];
}

/** How much crossed, then what did not, what stayed behind and what to look at. */
export function reportLines(side: Side, report: Report, caps: Caps): string[] {
  const { counts } = report;
  const { green, yellow } = side.paint;
  const whole = counts.losses === 0;
  const crossed =
    report.coverage === 'native'
      ? "everything: bunzai's own format"
      : whole
        ? `all ${counted(counts.populated, 'fields')}`
        : `${counts.carried} of ${counted(counts.populated, 'fields')}`;
  return [
    ...fact(side, 'crossed', crossed, whole ? green : yellow),
    ...(whole ? [] : lossLines(side, report.losses, caps.losses)),
    ...escrowFacts(side, 'left', report.escrowed, `only ${report.from} has`),
    ...escrowFacts(side, 'replaced', report.escrowShadowed, 'an edit took the place of'),
    ...warningLines(side, report.warnings, caps.warnings),
  ];
}

interface LossGroup {
  readonly reason: string;
  readonly path: string;
  readonly text: string;
  count: number;
}

/** Losses, rows of a list folded into one line, under their reasons. */
function lossLines(side: Side, losses: readonly Loss[], cap: number): string[] {
  const groups = groupLosses(losses);
  const reasons = [...new Set(groups.map(({ reason }) => reason))];
  const lines: string[] = [];
  let shown = 0;
  for (const reason of reasons) {
    if (lines.length + 2 > cap && shown > 0) break;
    const members = groups.filter((group) => group.reason === reason);
    lines.push(...wrap(clean(reason), roomOf(side)).map(side.paint.dim));
    const names = members.map(({ path, count }) => (count === 1 ? path : `${path} ×${count}`));
    const column = Math.min(Math.max(...names.map(width)), Math.floor(roomOf(side) * 0.6));
    for (const [index, { text, count }] of members.entries()) {
      if (lines.length >= cap) break;
      const room = roomOf(side) - column - 4;
      lines.push(`  ${pad(cut(names[index] ?? '', column), column)}  ${cut(text, room)}`);
      shown += count;
    }
  }
  if (shown < losses.length) lines.push(side.paint.dim(`… and ${losses.length - shown} more (--json lists all)`));
  return painted(side, 'lost', lines);
}

/** Lines that are cut to size and painted already. */
const painted = (side: Side, label: string, lines: readonly string[]): string[] =>
  beside(
    side,
    label,
    lines.map(() => ''),
  ).map((start, index) => start + (lines[index] ?? ''));

function groupLosses(losses: readonly Loss[]): LossGroup[] {
  const groups = new Map<string, LossGroup>();
  for (const { path, kind, value, now, reason: given } of losses) {
    const reason = given ?? (kind === 'dropped' ? 'it does not come back' : 'it comes back different');
    const folded = path.replace(/\[\d+\]/g, '[*]');
    const key = JSON.stringify([reason, folded, kind]);
    const known = groups.get(key);
    if (known) {
      known.count++;
      continue;
    }
    const before = clean(value);
    const text = now === undefined ? before : `${cut(before, 20)} → ${clean(now) || 'nothing'}`;
    groups.set(key, { reason, path: folded, text, count: 1 });
  }
  // One row alone is named by its number.
  for (const { path, kind, reason: given } of losses) {
    const reason = given ?? (kind === 'dropped' ? 'it does not come back' : 'it comes back different');
    const key = JSON.stringify([reason, path.replace(/\[\d+\]/g, '[*]'), kind]);
    const group = groups.get(key);
    if (group?.count === 1) groups.set(key, { ...group, path });
  }
  return [...groups.values()];
}

/** Source facts that stayed behind, in one sentence. */
export function escrowFacts(side: Side, label: string, lines: readonly EscrowLine[], whose: string): string[] {
  if (lines.length === 0) return [];
  const total = lines.reduce((sum, { count }) => sum + count, 0);
  const names = lines.slice(0, 5).map(({ path, count }) => (count === 1 ? path : `${path} ×${count}`));
  const more = lines.length > names.length ? ` and ${lines.length - names.length} more` : '';
  return fact(side, label, `${counted(total, 'facts')} ${whose}: ${names.join(', ')}${more}`);
}

/** Warnings with their places. */
export function warningLines(side: Side, warnings: readonly Warning[], cap: number): string[] {
  const shown = warnings.slice(0, cap).flatMap(({ path, message }, index) => {
    const text = path === undefined ? message : `${path}: ${message}`;
    return fact(side, index === 0 ? 'note' : '', text, side.paint.yellow);
  });
  if (warnings.length <= cap) return shown;
  return [...shown, ...fact(side, '', `… and ${warnings.length - cap} more (--json lists all)`, side.paint.dim)];
}

/** The first lines, and how many are left out. */
export function capped(lines: readonly string[], cap: number, what: string): string[] {
  if (lines.length <= cap + 1) return [...lines];
  return [...lines.slice(0, cap), `… and ${lines.length - cap} ${what}`];
}
