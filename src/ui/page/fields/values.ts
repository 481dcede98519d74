/** From what a control holds to what a body says, and back. */
import { type Patch, type Path, valueAtPath } from '../../item/patch.ts';
import { type Field, isEmpty } from './describe.ts';

/** The keys of a path with dots. */
export const keysIn = (path: string): Path => path.split('.');

/** The change that gives the slot at `path` below `root` a value; an emptied optional slot goes away. */
export function patchFor(root: unknown, path: string, field: Field, value: unknown): Patch {
  const keys = keysIn(path);
  const next = isEmpty(value) && !field.required ? undefined : value;
  const parent = keys.slice(0, -1);
  const holder = valueAtPath(root, parent);
  if (next !== undefined && field.inside && holder === undefined)
    return { path: parent, value: { ...field.inside, [keys.at(-1) as string]: next } };
  return { path: keys, value: next };
}

/** A list with one row at another place; the same list where the place is outside. */
export function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const row = list[from];
  if (row === undefined || from === to || to < 0 || to >= list.length) return list;
  const rest = list.toSpliced(from, 1);
  return rest.toSpliced(to, 0, row);
}

/** `YYYY-MM-DDTHH:MM` in local time, as date controls hold it; empty for no date. */
export function dateText(seconds: unknown): string {
  if (typeof seconds !== 'number' || !Number.isFinite(seconds)) return '';
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return '';
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** Seconds since 1970; undefined for no date. */
export function secondsOf(text: string): number | undefined {
  const time = new Date(text).getTime();
  return Number.isNaN(time) ? undefined : Math.floor(time / 1000);
}

/** Text of a number as people type it; undefined where it is none. */
export function numberOf(text: string): number | undefined {
  const value = Number(text.replace(',', '.'));
  return text.trim() === '' || !Number.isFinite(value) ? undefined : value;
}

/** Six hexadecimal digits, as colour controls want them; undefined for other colours. */
export const hexOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value) ? value : undefined;
