/** A refusal, for a script and for a person. */
import { BunzaiError, ERROR_TEXT, type ErrorCode } from '../core/errors.ts';
import { heading } from './layout.ts';
import type { Side } from './terminal.ts';
import { clean, wrap } from './text.ts';

/** What `--json` says of a refusal. */
export interface FaultLine {
  readonly code: ErrorCode | 'internal';
  readonly message: string;
  readonly path?: string;
  readonly hint?: string;
}

/** Codes that say the command was called the wrong way: the file is not to blame. */
const USAGE: ReadonlySet<string> = new Set(['usage.invalid', 'format.unknown']);

export const usage = (detail: string, hint?: string): BunzaiError => new BunzaiError('usage.invalid', { detail, hint });

/** 2 for wrong usage, 1 for everything else. */
export const exitCodeOf = (error: unknown): 1 | 2 => (error instanceof BunzaiError && USAGE.has(error.code) ? 2 : 1);

/** A refusal as data. Anything that is no refusal of ours is a bug, and says so. */
export function faultLine(error: unknown): FaultLine {
  if (!(error instanceof BunzaiError)) return { code: 'internal', message: String(error), hint: BUG_HINT };
  const { code, message, path, hint } = error;
  return { code, message, ...(path === undefined ? {} : { path }), ...(hint === undefined ? {} : { hint }) };
}

const BUG_HINT = 'this is a fault of bunzai, not of the file: please report it with the file';

/** A refusal as a few lines: which file, what and where, what was found, what to try. */
export function showFault(side: Side, file: string | undefined, error: unknown): string {
  const { paint } = side;
  const { code, message, hint } = faultLine(error);
  const sentence =
    error instanceof BunzaiError
      ? [ERROR_TEXT[error.code], error.path && ` (${error.path})`, error.detail && `: ${error.detail}`]
          .filter(Boolean)
          .join('')
      : message;
  const lines = wrap(clean(sentence), side.columns - 2).map((line) => `  ${line}`);
  const advice = hint === undefined ? [] : wrap(clean(`Try: ${hint}`), side.columns - 2);
  const target =
    error instanceof BunzaiError && error.file !== undefined && error.file !== file ? error.file : undefined;
  const name = target === undefined || file === undefined ? (file ?? 'bunzai') : `${file} → ${target}`;
  return [heading(side, paint.red('✗'), name, code), ...lines, ...advice.map((line) => paint.dim(`  ${line}`))].join(
    '\n',
  );
}
