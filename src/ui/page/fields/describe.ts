/** How the slots of a body are shown and edited: one table per kind, checked against the body type. */
import type { Bytes } from '../../../core/bytes.ts';
import type { MediaAsset, StructuredPersona } from '../../../entities/character/schema.ts';

/** In English and in Chinese. */
export type Said = readonly [en: string, zh: string];

export type Widget =
  /** One line of text, or a text of many lines. */
  | 'line'
  | 'text'
  | 'number'
  /** Yes or no. */
  | 'switch'
  /** Yes, no, or nothing said. */
  | 'maybe'
  | 'choice'
  /** Several short texts. */
  | 'list'
  /** Several longer texts, each in a field of its own. */
  | 'texts'
  /** Records, each with fields of its own. */
  | 'rows'
  /** Names with a text each. */
  | 'pairs'
  /** Anything, as JSON. */
  | 'json'
  | 'colour'
  /** Seconds since 1970. */
  | 'date'
  /** Keys of a lorebook entry. */
  | 'keys';

/** One slot as people see it. */
export interface Field {
  readonly widget: Widget;
  readonly label: Said;
  readonly help?: Said;
  /** Stays in sight while it is empty. */
  readonly main?: boolean;
  /** Never absent: cleared, it is an empty text or list. */
  readonly required?: boolean;
  /** Section of the form; absent: the first key of the path. */
  readonly group?: string;
  /** Of a choice. */
  readonly options?: Readonly<Record<string, Said>>;
  /** Of the records in a list, by path. */
  readonly rows?: FieldTable;
  /** What the object around it is when it is made for this slot: its other slots that may not be absent. */
  readonly inside?: Readonly<Record<string, unknown>>;
  /** A new record. */
  readonly blank?: (others: readonly unknown[]) => unknown;
  readonly min?: number;
  readonly max?: number;
  readonly step?: number;
}

export type FieldTable = Readonly<Record<string, Field>>;

type Leaf = readonly unknown[] | string | number | boolean | Bytes | MediaAsset | StructuredPersona;
type Below<T, P extends string> =
  NonNullable<T> extends infer V
    ? [V] extends [Leaf]
      ? P
      : [keyof V] extends [never]
        ? P
        : string extends keyof V
          ? P
          : Inner<V, `${P}.`>
    : never;
type Inner<V, P extends string> = { [K in keyof V & string]-?: Below<V[K], `${P}${K}`> }[keyof V & string];

/** Every slot of a body as a path with dots. Lists, free maps and media are one slot. */
export type PathOf<Body> = Inner<Body, ''>;

/** A table with a line for every slot, save those that another editor shows. */
export type TableOf<Body, Elsewhere extends string = never> = Readonly<Record<Exclude<PathOf<Body>, Elsewhere>, Field>>;

type More = Partial<Omit<Field, 'widget' | 'label' | 'help'>>;

const make =
  (widget: Widget) =>
  (label: Said, help?: Said, more: More = {}): Field => ({ widget, label, ...(help ? { help } : {}), ...more });

export const line = make('line');
export const text = make('text');
export const number = make('number');
export const flag = make('switch');
export const maybe = make('maybe');
export const list = make('list');
export const texts = make('texts');
export const pairs = make('pairs');
export const json = make('json');
export const colour = make('colour');
export const date = make('date');
export const keys = make('keys');
export const choice = (label: Said, options: Readonly<Record<string, Said>>, help?: Said, more: More = {}): Field =>
  make('choice')(label, help, { options, ...more });
export const rows = (
  label: Said,
  table: FieldTable,
  blank: NonNullable<Field['blank']>,
  help?: Said,
  more: More = {},
) => make('rows')(label, help, { rows: table, blank, ...more });

export const ROLES: Readonly<Record<string, Said>> = {
  system: ['System', '系统'],
  user: ['User', '用户'],
  assistant: ['Assistant', '助手'],
};

export const RATINGS: Readonly<Record<string, Said>> = {
  'all-ages': ['All ages', '全年龄'],
  mature: ['Mature', '成熟'],
  explicit: ['Explicit', '露骨'],
};

/** The groups of a table in order, each with its fields. */
export function grouped(table: FieldTable): Map<string, [path: string, field: Field][]> {
  const groups = new Map<string, [string, Field][]>();
  for (const [path, field] of Object.entries(table)) {
    const group = field.group ?? (path.includes('.') ? path.slice(0, path.indexOf('.')) : '');
    const held = groups.get(group);
    if (held) held.push([path, field]);
    else groups.set(group, [[path, field]]);
  }
  return groups;
}

/** Whether a slot says nothing: absent, or an empty text, list or record. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0);
