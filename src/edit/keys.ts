import type { Trigger } from '../entities/lorebook/schema.ts';
import { inlineTrigger } from '../formats/_shared/lore-codecs.ts';

/** Between keys of a list: a comma of any script, a tab, a line break. */
const SEPARATOR = /[,，、\t\r\n]/;
const QUOTES: Readonly<Record<string, string>> = { '"': '"', '“': '”', '「': '」' };

/**
 * The keys of a pasted list, in order, each once. Quotes keep a comma inside one key (`"Smith, John"`), slashes make a
 * regex (`/a{2,3}/i`) and keep the commas of its pattern. Never runs a pattern.
 */
export function keysFromList(text: string): Trigger[] {
  const keys = split(text).map(keyFromText);
  const seen = new Set<string>();
  return keys.filter((key): key is Trigger => {
    const print = key && JSON.stringify([key.keyword, key.isRegex, key.flags]);
    if (print === undefined || seen.has(print)) return false;
    seen.add(print);
    return true;
  });
}

/** The text as one key, commas and all; undefined where it says nothing. */
export function keyFromText(text: string): Trigger | undefined {
  return inlineTrigger().read(text.trim());
}

/** Keys as a list that `keysFromList` reads back: a key with a separator in it stands in quotes. */
export const listFromKeys = (keys: readonly Trigger[]): string => keys.map(textFromKey).join(', ');

/** One key as `keysFromList` reads it back. */
export function textFromKey(key: Trigger): string {
  const { keyword, isRegex } = key;
  if (isRegex || !SEPARATOR.test(keyword)) return String(inlineTrigger().write(key, undefined));
  const [open, close] = Object.entries(QUOTES).find((pair) => !pair.some((mark) => keyword.includes(mark))) ?? [
    '"',
    '"',
  ];
  return `${open}${keyword}${close}`;
}

function split(text: string): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest !== '') {
    rest = rest.replace(/^[\s,，、]+/, '');
    const whole = quoted(rest) ?? pattern(rest);
    const part = whole ?? rest.slice(0, endOf(rest));
    rest = rest.slice(part.length);
    parts.push(whole !== undefined && part[0] !== '/' ? part.slice(1, -1) : part);
  }
  return parts;
}

const endOf = (text: string): number => {
  const at = text.search(SEPARATOR);
  return at < 0 ? text.length : at;
};

/** A text in quotes at the start, where a separator or the end follows it. */
function quoted(text: string): string | undefined {
  const close = QUOTES[text[0] ?? ''];
  const end = close === undefined ? -1 : text.indexOf(close, 1);
  return end > 1 && endsAt(text, end + 1) ? text.slice(0, end + 1) : undefined;
}

/** A pattern between slashes at the start, where a separator or the end follows it. */
function pattern(text: string): string | undefined {
  const hit = /^\/(?:\\.|[^\\/\r\n])+\/[dgimsuvy]*/.exec(text)?.[0];
  return hit !== undefined && endsAt(text, hit.length) ? hit : undefined;
}

const endsAt = (text: string, at: number): boolean => /^[^\S\t\r\n]*(?:[,，、\t\r\n]|$)/.test(text.slice(at));
