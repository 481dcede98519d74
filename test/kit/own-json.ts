/**
 * A JSON reader of the tests' own: it keeps the order of keys and the spelling of every number, which `JSON.parse`
 * does not, and shares no code with the library. Input is valid JSON.
 */
export type Json =
  | { readonly kind: 'leaf'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly Json[] }
  | { readonly kind: 'object'; readonly keys: readonly string[]; readonly at: ReadonlyMap<string, Json> };

const SPACE = /[ \t\r\n]*/y;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const TEXT = /"(?:[^"\\]|\\.)*"/sy;
const WORD = /true|false|null/y;

export function readJson(text: string): Json {
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const hit = pattern.exec(text)?.[0];
    if (hit !== undefined) at += hit.length;
    return hit;
  };
  const sign = (expected: string): boolean => {
    take(SPACE);
    if (text[at] !== expected) return false;
    at++;
    return true;
  };
  const value = (): Json => {
    if (sign('{')) {
      const members = new Map<string, Json>();
      while (!sign('}')) {
        sign(',');
        take(SPACE);
        const key = JSON.parse(take(TEXT) ?? fail()) as string;
        if (!sign(':')) fail();
        members.set(key, value());
      }
      return { kind: 'object', keys: inOrder([...members.keys()]), at: members };
    }
    if (sign('[')) {
      const items: Json[] = [];
      while (!sign(']')) {
        sign(',');
        items.push(value());
      }
      return { kind: 'list', items };
    }
    const quoted = take(TEXT);
    if (quoted !== undefined) return { kind: 'leaf', text: JSON.stringify(JSON.parse(quoted)) };
    return { kind: 'leaf', text: take(WORD) ?? take(NUMBER) ?? fail() };
  };
  const fail = (): never => {
    throw new SyntaxError(`no JSON at ${at}: ${text.slice(at, at + 20)}`);
  };
  const whole = value();
  take(SPACE);
  if (at !== text.length) fail();
  return whole;
}

/** JavaScript puts keys that look like array indexes first, by number; all others keep their order. */
function inOrder(keys: readonly string[]): string[] {
  const isIndex = (key: string) => /^(0|[1-9]\d{0,9})$/.test(key) && Number(key) < 2 ** 32 - 1;
  return [...keys.filter(isIndex).sort((a, b) => Number(a) - Number(b)), ...keys.filter((key) => !isIndex(key))];
}

/** One line that two values share exactly when keys, their order, texts and number spellings agree. */
export function lineOf(json: Json): string {
  if (json.kind === 'leaf') return json.text;
  if (json.kind === 'list') return `[${json.items.map(lineOf).join(',')}]`;
  return `{${json.keys.map((key) => `${JSON.stringify(key)}:${lineOf(json.at.get(key) as Json)}`).join(',')}}`;
}

/** Where two values differ, as key paths; lists of unlike length are one place. */
export function placesOf(a: Json | undefined, b: Json | undefined, path: readonly string[] = []): string[][] {
  if (a?.kind === 'object' && b?.kind === 'object') {
    const keys = [...new Set([...a.keys, ...b.keys])];
    const kept = (of: Json & { kind: 'object' }, other: Json & { kind: 'object' }) =>
      of.keys.filter((key) => other.at.has(key));
    const moved = kept(a, b).join('\n') === kept(b, a).join('\n') ? [] : [[...path, '(order of keys)']];
    return [...moved, ...keys.flatMap((key) => placesOf(a.at.get(key), b.at.get(key), [...path, key]))];
  }
  if (a?.kind === 'list' && b?.kind === 'list' && a.items.length === b.items.length) {
    return a.items.flatMap((item, index) => placesOf(item, b.items[index], [...path, String(index)]));
  }
  return a && b && lineOf(a) === lineOf(b) ? [] : [[...path]];
}
