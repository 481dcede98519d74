/** Prompts that only stand as headings over others. Two customs of preset authors; SillyTavern knows neither. */
import { isRecord, type Wire } from '../../core/draft.ts';
import { withoutEnd } from '../../core/ends.ts';

/**
 * `lines`: a name with two or more line characters over an empty text (`━━ Style ━━`).
 * `wiki`: `===Name===` opens a category, `<Name>` a subcategory of it; one such name decides for the whole file.
 */
export type DividerDialect = 'lines' | 'wiki';

/** What the name of a divider says. */
export interface Divider {
  /** The name without its decoration. */
  readonly name: string;
  /** 0 for a category, 1 for a subcategory. */
  readonly level: 0 | 1;
}

const SUBCATEGORY = /^\s*<(?!\/)([^<>]+)>\s*$/;

/** The name between three or more equals signs on each side. By hand: a pattern for it takes minutes on a long name. */
function categoryIn(name: string): string | undefined {
  const text = name.trim();
  const start = text.length - text.replace(/^=+/, '').length;
  const end = withoutEnd(text.slice(start), /=/).length + start;
  if (start < 3 || text.length - end < 3) return undefined;
  const inner = text.slice(start, end).trim();
  return /[^=\s]/.test(inner) ? inner : undefined;
}

const nameIn = (row: Wire): string => (typeof row.name === 'string' ? row.name : '');
const isBlank = (text: unknown): boolean => text === undefined || (typeof text === 'string' && text.trim() === '');

/** The custom that a file follows. */
export const dividerDialect = (rows: readonly unknown[]): DividerDialect =>
  rows.some((row) => isRecord(row) && row.marker !== true && categoryIn(nameIn(row)) !== undefined) ? 'wiki' : 'lines';

/** The heading that a prompt row is, or undefined for a plain prompt. A subcategory counts only under a category. */
export function dividerIn(row: Wire, dialect: DividerDialect, underCategory: boolean): Divider | undefined {
  if (row.marker === true || row.system_prompt === true) return undefined;
  const wireName = nameIn(row);
  if (dialect === 'wiki') {
    const category = categoryIn(wireName);
    if (category !== undefined) return { name: category, level: 0 };
    const inner = underCategory ? SUBCATEGORY.exec(wireName)?.[1]?.trim() : undefined;
    return inner ? { name: inner, level: 1 } : undefined;
  }
  const lines = wireName.match(/[━─–-]/g)?.length ?? 0;
  return lines >= 2 && isBlank(row.content) ? { name: bareName(wireName), level: 0 } : undefined;
}

/** A name without the lines around it; a name of nothing but lines stays as it is. */
const bareName = (wireName: string): string => {
  const bare = withoutEnd(wireName.replace(/^[\s━─–-]+/, ''), /[\s━─–-]/);
  return bare === '' ? wireName : bare;
};

/** The name of a divider on the wire: in the decoration it had, else in the plain one of its custom. */
export function decorated(divider: Divider, dialect: DividerDialect, before: string | undefined): string {
  const probe = { name: before ?? '', content: '' };
  const was = before === undefined ? undefined : dividerIn(probe, dialect, true);
  if (was?.name === divider.name && was.level === divider.level) return before ?? '';
  if (was?.level === divider.level && was.name !== before) {
    return (before ?? '').replace(was.name, () => divider.name);
  }
  if (dialect === 'lines' && /^[\s━─–-]+$/.test(divider.name)) return divider.name;
  if (dialect === 'lines') return `━━━ ${divider.name} ━━━`;
  return divider.level === 0 ? `===${divider.name}===` : `<${divider.name}>`;
}
