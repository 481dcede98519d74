import { type Account, joinPath } from './account.ts';
import { define, isRecord, same } from './draft.ts';
import { carrySpelling } from './spelling.ts';

/**
 * How one value is spelled on the wire. `read` is total over unknown input; `write` gets the value
 * that stood at the same home in the twin, so that it can keep what the canonical model does not hold.
 */
export interface Codec<A> {
  /** Name of the wire shape for the docs table, e.g. `text` or `list of text`. */
  readonly shape: string;
  /** True when some canonical values do not survive `read(write(a))`. */
  readonly lossy?: boolean;
  /** What a cleared value becomes where the format requires the key; absent: the key is deleted. */
  readonly blank?: unknown;
  /** The canonical value, or undefined when `raw` is not of this shape. */
  read(raw: unknown): A | undefined;
  /** The wire value, or undefined when this shape cannot say `value`: the home is left alone. */
  write(value: A, previous: unknown): unknown;
  /** Tells what inside a readable `raw` was not read, or was repaired. */
  account?(raw: unknown, path: string, out: Account): void;
}

/** One codec for all tables that name it. Marked as pure where it is called: a bundler leaves out those that nobody names. */
export const single =
  <A>(codec: Codec<A>): (() => Codec<A>) =>
  () =>
    codec;

const primitive = <A>(shape: string, is: (raw: unknown) => raw is A): Codec<A> => ({
  shape,
  read: (raw) => (is(raw) ? raw : undefined),
  write: (value) => value,
});

/** A text, letter by letter. */
export const text = /* @__PURE__ */ single(
  /* @__PURE__ */ primitive('text', (raw): raw is string => typeof raw === 'string'),
);

/** The same codec, for a key that the format requires: clearing writes `blank` instead of deleting. */
export const required = <A>(codec: Codec<A>, blank: unknown): Codec<A> => ({ ...codec, blank });

/** A text; a number found in its place is read as text. */
export const looseText = /* @__PURE__ */ single<string>({
  shape: 'text',
  read: (raw) => (typeof raw === 'string' ? raw : typeof raw === 'number' ? String(raw) : undefined),
  write: (value) => value,
  account(raw, path, out) {
    if (typeof raw === 'number') out.repaired(path, 'a number where a text belongs');
  },
});

const FLAG_TEXT = new Map([
  ['true', true],
  ['false', false],
]);

/** True or false; `"true"`, `"false"`, 0 and 1 are read too, and written back in the same spelling. */
export const flag = /* @__PURE__ */ single<boolean>({
  shape: 'flag',
  read(raw) {
    if (typeof raw === 'boolean') return raw;
    if (raw === 0 || raw === 1) return raw === 1;
    return typeof raw === 'string' ? FLAG_TEXT.get(raw.trim().toLowerCase()) : undefined;
  },
  write(value, previous) {
    if (previous === 0 || previous === 1) return value ? 1 : 0;
    return typeof previous === 'string' ? String(value) : value;
  },
  account(raw, path, out) {
    if (typeof raw !== 'boolean') out.repaired(path, `${typeof raw} where true or false belongs`);
  },
});

const isNumeric = (raw: unknown): raw is string => typeof raw === 'string' && /^\s*-?\d+(\.\d+)?\s*$/.test(raw);

/** A number; numeric text is read too, and stays text when it is edited. */
export const number = /* @__PURE__ */ single<number>({
  shape: 'number',
  read: (raw) => (typeof raw === 'number' && Number.isFinite(raw) ? raw : isNumeric(raw) ? Number(raw) : undefined),
  write: (value, previous) => (isNumeric(previous) ? String(value) : value),
  account(raw, path, out) {
    if (typeof raw === 'string') out.repaired(path, 'a text where a number belongs');
  },
});

/** Above this a date is taken as milliseconds, below as seconds (year 5138 in seconds, 1973 in milliseconds). */
const MILLISECONDS_FROM = 1e11;

/** Seconds since 1970. Milliseconds and ISO text are read too and written back as they were; 0 and less mean unknown. */
export const epochSeconds = /* @__PURE__ */ single<number>({
  shape: 'seconds since 1970',
  lossy: true,
  read(raw) {
    const given = typeof raw === 'number' ? raw : isNumeric(raw) ? Number(raw) : undefined;
    if (given === undefined) return typeof raw === 'string' ? isoSeconds().read(raw) : undefined;
    if (!(given > 0) || !Number.isFinite(given)) return undefined;
    return given > MILLISECONDS_FROM ? Math.floor(given / 1000) : given;
  },
  write(value, previous) {
    // A date so early that its milliseconds would be read as seconds is written in seconds.
    if (typeof previous === 'number' && previous > MILLISECONDS_FROM && value * 1000 > MILLISECONDS_FROM)
      return value * 1000;
    return typeof previous === 'string' && !isNumeric(previous) ? isoSeconds().write(value, previous) : value;
  },
  account(raw, path, out) {
    if (typeof raw === 'string') out.repaired(path, 'a text where seconds since 1970 belong');
    else if (typeof raw === 'number' && raw > MILLISECONDS_FROM)
      out.repaired(path, 'milliseconds where seconds belong');
  },
});

/** Seconds since 1970 in the model, an ISO 8601 text on the wire. */
export const isoSeconds = /* @__PURE__ */ single<number>({
  shape: 'ISO 8601 time',
  lossy: true,
  read(raw) {
    const ms = typeof raw === 'string' && /\d{4}-\d\d/.test(raw) ? Date.parse(raw) : Number.NaN;
    return Number.isNaN(ms) ? undefined : Math.floor(ms / 1000);
  },
  write(seconds) {
    const date = new Date(seconds * 1000);
    return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
  },
});

/** A closed set of wire spellings; the first spelling of a value is written. A value without one is not written. */
export const oneOf = <A>(spellings: ReadonlyArray<readonly [wire: unknown, value: A]>): Codec<A> => ({
  shape: [...new Set(spellings.map(([wire]) => JSON.stringify(wire)))].join(' or '),
  lossy: true,
  read: (raw) => spellings.find(([wire]) => wire === raw)?.[1],
  write: (value) => spellings.find(([, known]) => known === value)?.[0],
});

/** Text in another dialect. The two directions need not be inverse: untouched text keeps its bytes. */
export const dialect = (
  name: string,
  toCanonical: (s: string) => string,
  toWire: (s: string) => string,
): Codec<string> => ({
  shape: `text, ${name}`,
  lossy: true,
  read: (raw) => (typeof raw === 'string' ? toCanonical(raw) : undefined),
  write: (value) => toWire(value),
});

/** How a text is read where a list belongs: as its only item, or as items between commas. */
type Lone = 'refused' | 'one item' | 'comma list';

const COMMA = /[,，]/;

/**
 * A list. Rows that the item codec cannot read are not in the canonical list; an edit keeps them where they stood.
 * Rows that still read back equal keep their wire value; a changed row is written over the row it replaced.
 */
export const list = <A>(item: Codec<A>, { lone = 'refused' }: { readonly lone?: Lone } = {}): Codec<A[]> => {
  const rowsOf = (raw: unknown): readonly unknown[] | undefined => {
    if (Array.isArray(raw)) return raw;
    if (typeof raw !== 'string' || lone === 'refused') return undefined;
    if (lone === 'one item') return raw === '' ? [] : [raw];
    return raw
      .split(COMMA)
      .map((part) => part.trim())
      .filter((part) => part !== '');
  };
  return {
    shape: `list of ${item.shape}`,
    lossy: item.lossy ?? false,
    read(raw) {
      const rows = rowsOf(raw);
      if (!rows) return undefined;
      // As long as it will be: a short list that grows row by row takes far more room.
      const values = new Array<A>(rows.length);
      let count = 0;
      for (const row of rows) {
        const value = item.read(row);
        if (value !== undefined) values[count++] = value;
      }
      if (count < values.length) values.length = count;
      return values;
    },
    write(values, previous) {
      const old = rowsOf(previous) ?? [];
      const rows = placed(old, overwritten(item, values, old), (row) => item.read(row) === undefined);
      const texts = rows.filter((row) => typeof row === 'string');
      const fits = typeof previous === 'string' && texts.length === rows.length;
      if (fits && lone === 'one item' && rows.length === 1) return texts[0];
      if (fits && lone === 'comma list' && texts.every((row) => row !== '' && row === row.trim() && !COMMA.test(row)))
        return texts.join(', ');
      return rows;
    },
    account(raw, path, out) {
      if (typeof raw === 'string') out.repaired(path, 'one text where a list belongs');
      if (!Array.isArray(raw)) return;
      raw.forEach((row, index) => {
        const place = `${path}[${index}]`;
        if (item.read(row) !== undefined) item.account?.(row, place, out);
        else if (row !== null) out.unread(place, row);
      });
    },
  };
};

/** The wire rows of `values`: kept where they read back equal, else written over the row that lost its value. */
function overwritten<A>(item: Codec<A>, values: readonly A[], old: readonly unknown[]): unknown[] {
  if (old.length === 0) return values.map((value) => item.write(value, undefined)).filter((raw) => raw !== undefined);
  const free = new Map<string, { readonly raw: unknown; readonly value: A; readonly at: number }[]>();
  let readable = 0;
  for (const raw of old) {
    const value = item.read(raw);
    if (value === undefined) continue;
    const key = contentKey(value);
    const bucket = free.get(key);
    const row = { raw, value, at: readable++ };
    if (bucket) bucket.push(row);
    else free.set(key, [row]);
  }
  const kept = values.map((value) => {
    const bucket = free.get(contentKey(value));
    const hit = bucket?.findIndex((row) => same(row.value, value)) ?? -1;
    return hit < 0 ? undefined : bucket?.splice(hit, 1)[0];
  });
  const left = [...free.values()].flat().sort((a, b) => a.at - b.at);
  const byPlace = new Map(left.map((row) => [row.at, row]));
  const written: unknown[] = [];
  values.forEach((value, index) => {
    const row = kept[index];
    const raw = row ? row.raw : item.write(value, byPlace.get(index)?.raw);
    if (raw !== undefined) written.push(raw);
  });
  return written;
}

/** New rows in order, with every row that `holds` its place put back at the index where it stood. */
export function placed(old: readonly unknown[], rows: readonly unknown[], holds: (row: unknown) => boolean): unknown[] {
  const out: unknown[] = [];
  let next = 0;
  for (const row of old) {
    if (holds(row)) out.push(row);
    else if (next < rows.length) out.push(rows[next++]);
  }
  while (next < rows.length) out.push(rows[next++]);
  return out;
}

/** A short key that equal values share; unequal values may share it too. */
const contentKey = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.values(value)
    .map((part) => (typeof part === 'string' ? part : typeof part))
    .join('\n');
};

/** An object whose keys are data: `{ en: "…", ko: "…" }`. Values the item codec cannot read stay where they are. */
export const dictionary = <A>(item: Codec<A>): Codec<Record<string, A>> => ({
  shape: `map of ${item.shape}`,
  lossy: item.lossy ?? false,
  read(raw) {
    if (!isRecord(raw)) return undefined;
    const values: Record<string, A> = {};
    for (const key of Object.keys(raw)) {
      const value = item.read(raw[key]);
      if (value !== undefined) define(values, key, value);
    }
    return values;
  },
  write(values, previous) {
    const old = isRecord(previous) ? previous : {};
    const out: Record<string, unknown> = {};
    carrySpelling(old, out);
    for (const key of Object.keys(old)) {
      if (Object.hasOwn(values, key) || item.read(old[key]) === undefined) define(out, key, old[key]);
    }
    for (const key of Object.keys(values)) {
      const before = Object.hasOwn(old, key) ? item.read(old[key]) : undefined;
      if (before === undefined || !same(before, values[key])) define(out, key, item.write(values[key] as A, old[key]));
    }
    return out;
  },
  account(raw, path, out) {
    if (!isRecord(raw)) return;
    for (const key of Object.keys(raw)) {
      if (item.read(raw[key]) !== undefined) item.account?.(raw[key], joinPath(path, key), out);
      else if (raw[key] !== null) out.unread(joinPath(path, key), raw[key]);
    }
  },
});

/** Any object, as it stands. What an edit leaves alone keeps its place and its spelling, at every depth. */
export const bag = /* @__PURE__ */ single<Record<string, unknown>>({
  shape: 'object',
  read: (raw) => (isRecord(raw) ? (raw as Record<string, unknown>) : undefined),
  write: (value, previous) => inPlace(value, previous),
});

/** `value` with its keys in the order that `previous` has them; what is equal is the previous object itself. */
function inPlace(value: unknown, previous: unknown): unknown {
  if (same(value, previous)) return previous;
  if (Array.isArray(value) && Array.isArray(previous)) return value.map((row, index) => inPlace(row, previous[index]));
  if (!isRecord(value) || !isRecord(previous)) return value;
  const out = {};
  carrySpelling(previous, out);
  for (const key of new Set([...Object.keys(previous), ...Object.keys(value)])) {
    if (!Object.hasOwn(value, key)) continue;
    define(out, key, inPlace(value[key], Object.hasOwn(previous, key) ? previous[key] : undefined));
  }
  return out;
}

/** Any list, its rows as they stand. */
export const rawList = /* @__PURE__ */ single<unknown[]>({
  shape: 'list',
  read: (raw) => (Array.isArray(raw) ? raw : undefined),
  write: (value) => value,
});
