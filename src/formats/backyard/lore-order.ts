import { isRecord, type Wire } from '../../core/draft.ts';

const isText = (value: unknown): value is string => typeof value === 'string';

/** The rank of each row by its key; equal keys go by place. */
export function ranks<R>(rows: readonly R[], keyOf: (row: R) => string | number): number[] {
  const keys = rows.map(keyOf);
  const before = (a: number, b: number): number => {
    const [left = '', right = ''] = [keys[a], keys[b]];
    return left < right ? -1 : left > right ? 1 : a - b;
  };
  const order = [...rows.keys()].sort(before);
  const out: number[] = [];
  order.forEach((row, rank) => {
    out[row] = rank;
  });
  return out;
}

/**
 * The rows with an `order` that sorts them by `places`. One that sorts already keeps it, new last rows get the next;
 * else all are dealt anew. Values that are no rows stay where they are.
 */
export function dealt(list: readonly unknown[], places: readonly number[]): unknown[] {
  const rows = list.filter(isRecord);
  const told = ranks(rows, ({ order }) => String(order));
  if (rows.every(({ order }, index) => isText(order) && told[index] === places[index])) return [...list];
  const inOrder = [...rows.keys()]
    .sort((a, b) => (places[a] ?? 0) - (places[b] ?? 0))
    .map((index) => rows[index] as Wire);
  const texts = new Map(grown(inOrder) ?? inOrder.map((row, index) => [row, orderText(index)] as const));
  return list.map((row) => (isRecord(row) && texts.get(row) !== row.order ? { ...row, order: texts.get(row) } : row));
}

/** The texts there are, where they already sort, with one more for each row at the end that has none. */
function grown(rows: readonly Wire[]): readonly (readonly [Wire, string])[] | undefined {
  let last = '';
  let open = false;
  const out: (readonly [Wire, string])[] = [];
  for (const row of rows) {
    const own: unknown = row.order;
    if (isText(own) ? open || own <= last : last === '') return undefined;
    open ||= !isText(own);
    last = isText(own) ? own : `${last}V`;
    out.push([row, last]);
  }
  return out;
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The text of a fractional index that stands for a whole number: `a0` to `az`, `b00` to `bzz`, and so on. */
export function orderText(index: number): string {
  let length = 1;
  let rest = index;
  for (let room = DIGITS.length; rest >= room; room *= DIGITS.length) {
    rest -= room;
    length++;
  }
  let text = '';
  for (let i = 0; i < length; i++) {
    text = (DIGITS[rest % DIGITS.length] ?? '0') + text;
    rest = Math.floor(rest / DIGITS.length);
  }
  return String.fromCharCode(96 + length) + text;
}
