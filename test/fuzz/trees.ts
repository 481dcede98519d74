/** Changes of JSON values: other types, odd keys, huge numbers, deep nesting, long lists. */
import { printJson } from '../../src/core/json-print.ts';
import type { Dice } from './dice.ts';

/** A text that `printed` puts into the JSON as it stands, for numbers that JavaScript would spell otherwise. */
const raw = (spelled: string) => `\u0001${spelled}\u0001`;

/** JSON of a changed value. */
export const printed = (value: unknown, indent?: number): string =>
  printJson(value, indent ?? 0).replace(/"\\u0001([^"\\]*)\\u0001"/g, '$1');

const nested = (levels: number, open: string, close: string): unknown =>
  JSON.parse(`${open.repeat(levels)}0${close.repeat(levels)}`);

const VALUES: readonly (() => unknown)[] = [
  ...[null, true, false, 0, -1, 1.5, 1e308, 5e-324, '', ' ', 'true', '0', '-1', '1e3', '007', 'null'],
  ...[
    '__proto__',
    'constructor',
    'toString',
    '../../x',
    '/etc/x',
    'C:\\x',
    'a\0b',
    'NUL',
    '\ud83d',
    '\udc00x',
    '\ufeff',
  ],
  ...['data:image/png;base64,AAAA', 'data:image/png;base64,@@', 'data:,', 'data:;base64,', 'embeded://card.json'],
  ...['embeded://../x', '__asset:0', '__asset:-1', 'https://far.invalid/a.png', 'ccdefault:', 'pngchunk:0'],
  ...['{{char}}', '{{', '#{user}', '(a+)+$', '/x/gi', '[', '2024-13-99', '1e999', 'depth', 'before_char', '\r\n\t'],
  ...[[], {}, [[]], [null], [{}], { '': '' }, { b64: 'AAAA', mime: 'image/png' }, { type: 'text' }, ['a', 1, null, {}]],
  ...['-0', '1e400', '-1e400', '1E5', '1.0', '12345678901234567890', `${'9'.repeat(400)}`, '0.1e-7'].map(raw),
].map((value) => () => structuredClone(value));
const HEAVY: readonly (() => unknown)[] = [
  () => 'long '.repeat(5000),
  () => '\ud83d'.repeat(300),
  () => nested(60, '[', ']'),
  () => nested(300, '{"a":', '}'),
  () => nested(700, '[', ']'),
  () => Array.from({ length: 2000 }, (_, n) => n),
  () => Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`k${n}`, n])),
  () => JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
];
/** What a pattern that goes back over its steps is slow on: one piece many times, then something else. */
export const RUNS = [
  ...[
    ' ',
    '\n',
    '\t',
    '.',
    '-',
    '_',
    '*',
    '#',
    '{',
    '{{',
    '}',
    '<',
    '<!--',
    '>',
    '[',
    '](',
    '(',
    '/',
    '\\',
    '"',
    "'",
    '=',
  ],
  ...[
    ':',
    ',',
    ';',
    '|',
    '&',
    '!',
    '@',
    '0',
    'a',
    'a ',
    ' a',
    'http://',
    'data:',
    '{{user}}',
    '<START>',
    '```',
    '\r\n\r\n',
  ],
  ...[
    '{{//',
    '{{// ',
    '%',
    '~',
    '^',
    '$',
    '?',
    '+',
    '\u00e9',
    '\u{1f469}\u200d',
    '::',
    '@@',
    '\n- ',
    '\n#',
    'data:;',
    'x=0 ',
  ],
];
const KEYS = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', 'length', 'then', 'toJSON', ''],
  ...['0', '-1', '1e3', 'b64', 'size', 'data', 'entries', 'id', 'uid', 'name', 'keys', 'extensions', 'a.b', 'a[0]'],
];

type Box = Record<string, unknown> | unknown[];
interface Place {
  readonly box: Box;
  readonly key: string;
}

const isBox = (value: unknown): value is Box => typeof value === 'object' && value !== null;
const put = (box: Box, key: string, value: unknown) =>
  Object.defineProperty(box, key, { value, writable: true, enumerable: true, configurable: true });

/** Every place of a tree, as many as are worth choosing from. */
function placesOf(root: Box): Place[] {
  const places: Place[] = [];
  const waiting: Box[] = [root];
  for (let box = waiting.pop(); box && places.length < 5000; box = waiting.pop()) {
    for (const [key, value] of Object.entries(box)) {
      places.push({ box, key });
      if (isBox(value)) waiting.push(value);
    }
  }
  return places;
}

/** Letters of the largest part that is copied to another place. */
const MAX_COPIED = 20_000;

/** One change, in place. */
function change(root: Box, dice: Dice): void {
  const places = placesOf(root);
  if (places.length === 0) return void put(root, dice.pick(KEYS), dice.pick(VALUES)());
  const { box, key } = dice.pick(places);
  const value = (box as Record<string, unknown>)[key];
  const other = dice.pick(places);
  const held = () => {
    const one = (other.box as Record<string, unknown>)[other.key];
    // What is put into itself again and again grows without end.
    return JSON.stringify(one).length < MAX_COPIED ? structuredClone(one) : null;
  };
  switch (dice.upTo(13)) {
    case 0:
      if (Array.isArray(box)) box.splice(Number(key), 1);
      else delete box[key];
      return;
    case 1:
      return void put(box, key, dice.pick(HEAVY)());
    case 2:
      return void put(box, key, held());
    case 3:
      return void put(box, key, dice.once(2) ? [value] : { [dice.pick(KEYS)]: value });
    case 4:
      return void put(
        isBox(value) && !Array.isArray(value) ? value : root,
        dice.pick(KEYS),
        dice.once(3) ? held() : dice.pick(VALUES)(),
      );
    case 5:
      if (Array.isArray(box))
        for (let n = dice.upTo(40); n >= 0 && (JSON.stringify(value) ?? '').length < MAX_COPIED; n--)
          box.push(structuredClone(value));
      else put(box, dice.pick(KEYS), held());
      return;
    case 6:
      return void put(
        box,
        key,
        isBox(value) ? (Array.isArray(value) ? { ...value } : Object.values(value)) : String(value),
      );
    case 7:
      return void put(
        box,
        key,
        `${dice.once(2) ? String(value) : ''}${run(dice)}${dice.pick(['', 'x', '\n', '}', '"'])}`,
      );
    case 8:
      // Many rows: what takes each one against each other one takes its time.
      if (Array.isArray(value) && value.length > 0 && dice.once(3)) grow(value, 300 + dice.upTo(2000));
      else put(box, key, dice.pick(VALUES)());
      return;
    default:
      return void put(box, key, dice.pick(VALUES)());
  }
}

const run = (dice: Dice): string => {
  const piece = dice.pick(RUNS);
  return piece.repeat(Math.ceil((dice.once(4) ? 60_000 : 4_000) / piece.length));
};

/** The list made longer with its own rows, as long as that stays small. */
function grow(list: unknown[], rows: number): void {
  const size = JSON.stringify(list).length / list.length;
  const count = Math.min(rows, Math.floor(1_000_000 / (size + 1)));
  for (let at = 0; list.length < count; at++) list.push(structuredClone(list[at]));
}

/** A changed copy of a value. */
export function changedTree(value: unknown, dice: Dice): unknown {
  const root: { value: unknown } = { value: structuredClone(value) };
  if (!isBox(root.value) || dice.once(60)) return dice.pick([...VALUES, ...HEAVY])();
  for (let n = dice.upTo(dice.once(4) ? 12 : 3); n >= 0; n--) change(root.value, dice);
  return root.value;
}

/** Longest text that is made: deep lists print as mostly white space. */
const MAX_LETTERS = 2_000_000;

/** JSON text of a changed value, now and then with a key that stands twice or in another encoding. */
export function changedJson(value: unknown, dice: Dice): Uint8Array {
  const changed = changedTree(value, dice);
  const wide = printed(changed, dice.pick([0, 2, 4]));
  let text = wide.length < MAX_LETTERS ? wide : printed(changed).slice(0, MAX_LETTERS);
  if (dice.once(15)) text = text.replace(/"([^"\\]{1,20})":/, '"$1":0,"$1":');
  if (dice.once(40)) return Buffer.from(`\ufeff${text}`, 'utf16le');
  return new TextEncoder().encode(dice.once(20) ? `\ufeff${text}` : text);
}
