import { BunzaiError, type Warning } from './errors.ts';
import { hidden } from './hidden.ts';
import { firstFault, repeatedKeys } from './json-faults.ts';
import { type NumberSpan, noteSpellings } from './json-spelled.ts';
import type { Source } from './source.ts';
import { textOf } from './text.ts';

/** Deepest nesting that is parsed; real files stay below 30. */
export const MAX_JSON_DEPTH = 500;

/** Most values of one text: objects, lists and what stands in them. Each costs far more memory than its text. */
export const MAX_JSON_VALUES = 5_000_000;

/** A parsed text, with one warning for each key that an object says twice: the last one wins. */
export interface ParsedJson {
  readonly value: unknown;
  readonly warnings: readonly Warning[];
}

/** What one pass over a JSON text tells before anything is parsed. */
interface Scan {
  readonly depth: number;
  /** Members of objects: colons outside texts. */
  readonly members: number;
  /** Values at most: what opens and what a comma parts. */
  readonly values: number;
  /** Numbers that would not print back as they are spelled. */
  readonly oddNumbers: readonly NumberSpan[];
}

const LINE_FEED = 10;
const BLANK = 32;
const QUOTE = 34;
const BACKSLASH = 92;

function scan(text: string): Scan {
  let depth = 0;
  let deepest = 0;
  let members = 0;
  let values = 1;
  const oddNumbers: NumberSpan[] = [];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code <= 32) {
      if (code === LINE_FEED) while (text.charCodeAt(i + 1) === BLANK) i++;
    } else if (code === QUOTE) {
      i = endOfText(text, i);
    } else if (code === 123 || code === 91) {
      values++;
      if (++depth > deepest) deepest = depth;
    } else if (code === 125 || code === 93) {
      depth--;
    } else if (code === 58) {
      members++;
    } else if (code === 44) {
      values++;
    } else if (code === 45 || (code >= 48 && code <= 57)) {
      const start = i;
      while (isNumberCode(text.charCodeAt(i + 1))) i++;
      if (isOddNumber(text, start, i + 1)) oddNumbers.push([start, i + 1]);
    }
  }
  return { depth: deepest, members, values, oddNumbers };
}

/** The index of the quote that closes the text opened at `open`. */
export function endOfText(text: string, open: number): number {
  for (let end = text.indexOf('"', open + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

const isNumberCode = (code: number): boolean =>
  (code >= 48 && code <= 57) || code === 46 || code === 43 || code === 45 || code === 69 || code === 101;

/** Short plain integers are the common case and need no conversion. */
function isOddNumber(text: string, start: number, end: number): boolean {
  if (end - start <= 15) {
    let plain = true;
    for (let i = start; plain && i < end; i++) plain = text.charCodeAt(i) >= 48 && text.charCodeAt(i) <= 57;
    if (plain && (end - start === 1 || text.charCodeAt(start) !== 48)) return false;
  }
  const spelled = text.slice(start, end);
  return String(Number(spelled)) !== spelled;
}

/** Keys of all objects below `value`, to be held against the members of the text. */
function countKeys(value: unknown): number {
  let count = 0;
  const stack: unknown[] = [value];
  while (stack.length > 0) {
    const node = stack.pop();
    if (typeof node !== 'object' || node === null) continue;
    const children = Array.isArray(node) ? node : Object.values(node);
    if (!Array.isArray(node)) count += children.length;
    for (const child of children) if (typeof child === 'object' && child !== null) stack.push(child);
  }
  return count;
}

/**
 * Parses JSON text. Numbers are plain numbers; the spellings that JavaScript would not print back
 * (`1.0`, integers beyond 2^53) stand in a side table that `printJson` uses. Own keys named `__proto__` are data.
 * Throws `json.syntax` with line and column, `json.too-deep`, `json.too-many`.
 */
export function parseJson(text: string): ParsedJson {
  const facts = scan(text);
  if (facts.depth > MAX_JSON_DEPTH) {
    throw new BunzaiError('json.too-deep', {
      detail: `${facts.depth} levels, the limit is MAX_JSON_DEPTH (${MAX_JSON_DEPTH})`,
      hint: 'no app nests so deep: ask for the original file',
    });
  }
  if (facts.values > MAX_JSON_VALUES) {
    throw new BunzaiError('json.too-many', {
      detail: `${facts.values} values, the limit is MAX_JSON_VALUES (${MAX_JSON_VALUES})`,
      hint: 'split the file',
    });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw syntaxError(text, cause);
  }
  if (facts.oddNumbers.length > 0) noteSpellings(text, value, facts.oddNumbers);
  const warnings = facts.members > countKeys(value) ? repeatedKeys(text) : [];
  return { value, warnings };
}

function syntaxError(text: string, cause: unknown): BunzaiError {
  const fault = firstFault(text);
  const cutOff = fault === undefined || fault.offset >= text.trimEnd().length;
  return new BunzaiError('json.syntax', {
    path: fault && `line ${fault.line} column ${fault.column}`,
    detail: cutOff
      ? 'the text ends in the middle'
      : `unexpected ${JSON.stringify(text.slice(fault.offset, fault.offset + 12))}`,
    hint: cutOff
      ? 'the file looks cut off: fetch it again'
      : 'look for a trailing comma, a comment, a single quote or an unescaped line break near that place',
    cause,
  });
}

/** The parsed JSON of a source, or the reason why there is none; undefined when it does not look like JSON. */
export type JsonOutcome = { readonly parsed: ParsedJson } | { readonly fault: BunzaiError };

/** The first character that is not white space, read from the bytes: only `{` and `[` begin a file of ours. */
export function jsonOf(source: Source): JsonOutcome | undefined {
  return source.once(outcomeOf);
}

function outcomeOf(source: Source): JsonOutcome | undefined {
  const text = textOf(source);
  if (text === undefined || !/^\s*[[{]/.test(text)) return undefined;
  try {
    const parsed = parseJson(text);
    if (isSound(source, parsed)) wholeFile.keep(parsed.value as object, source.bytes);
    return { parsed };
  } catch (error) {
    if (error instanceof BunzaiError) return { fault: error };
    throw error;
  }
}

/** The file that a value is all of, as long as nobody has anything to mend in it. */
export const wholeFile = hidden<Uint8Array>('the file it was parsed from');

/** UTF-8 without a mark, and no key twice. */
const isSound = ({ bytes, given }: Source, { warnings }: ParsedJson): boolean =>
  given === undefined && warnings.length === 0 && isAscii(bytes[0]) && isAscii(bytes[1]);

const isAscii = (byte: number | undefined): boolean => byte !== undefined && byte > 0 && byte < 0x80;

/** The parsed value, or undefined. For detectors. */
export function jsonValueOf(source: Source): unknown {
  const outcome = jsonOf(source);
  return outcome && 'parsed' in outcome ? outcome.parsed.value : undefined;
}
