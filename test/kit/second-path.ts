/**
 * A second way to find what did not cross: both bodies are taken apart into paths, rows are paired by likeness, and
 * the report is held against that. Written from the rules of the model; it shares no code with the engine's own
 * comparison.
 */
import { createHash } from 'node:crypto';
import type { Loss } from '../../src/core/report.ts';
import type { AnyEntity } from '../../src/entities/kinds.ts';
import { ABSENT_MEANS, ENTRY_DEFAULTS } from '../../src/entities/lorebook/schema.ts';

/** What a report gets wrong, each as `kind: path`, and what was looked at. */
export interface Findings {
  /** Populated paths that read back different and that no loss names. */
  readonly silent: readonly string[];
  /** Losses of paths that read back equal, losses named twice, losses of nobody. */
  readonly untrue: readonly string[];
  readonly paths: number;
  readonly losses: number;
}

type Tree = Readonly<Record<string, unknown>>;

const isBinary = (value: unknown): value is { bytes(): Uint8Array } =>
  typeof value === 'object' && value !== null && typeof (value as { bytes?: unknown }).bytes === 'function';
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);
const isRows = (value: unknown): value is readonly Tree[] =>
  Array.isArray(value) && value.length > 0 && value.every(isTree);
const says = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);

/** Minted or derived by formats, by general path. */
const UNCOMPARED = new Set([
  'greetings.alternateGreetings[*].id',
  'greetings.groupOnlyGreetings[*].id',
  'prompts.depthInjections[*].origin',
  'media.portrait.role',
  'media.portrait.label',
  'media.portrait.mime',
  'media.portrait.primary',
  'media.assets[*].mime',
  'media.assets[*].primary',
  'entries[*].id',
  'categories[*].id',
  'rules[*].id',
  'rules[*].sortOrder',
  'rules[*].condition.ruleId',
  'prompts[*].isDefault',
]);
/** What absence means: the tables of the model, and the slots whose doc-comment says "absent: on". */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(
    Object.entries({ ...ENTRY_DEFAULTS, ...ABSENT_MEANS }).map(([key, value]) => [`entries[*].${key}`, value]),
  ),
  enabled: true,
  'categories[*].enabled': true,
  'persona.structured.kind': 'text',
  'rules[*].enabled': true,
  'rules[*].substituteFind': 'none',
  'groups[*].enabled': true,
  'prompts[*].role': 'system',
  'prompts[*].enabled': true,
  'prompts[*].systemPrompt': false,
  'prompts[*].marker': false,
  'prompts[*].placement': 'relative',
  'prompts[*].injectionDepth': 4,
  'prompts[*].injectionOrder': 100,
  'prompts[*].forbidOverrides': false,
  'prompts[*].wrapInXml': false,
};
/** Keys of defaulted slots by the place they stand in: `entries[*]` has `depth`. */
const DEFAULTED = new Map<string, string[]>();
for (const path of Object.keys(DEFAULTS)) {
  const [, at = '', key = path] = /^(?:(.*)\.)?([^.]*)$/.exec(path) ?? [];
  DEFAULTED.set(at, [...(DEFAULTED.get(at) ?? []), key]);
  if (at.startsWith('entries[*].')) DEFAULTED.get('entries[*]')?.push(at.slice('entries[*].'.length));
}

const digests = new WeakMap<object, string>();
const digest = (bytes: Uint8Array): string => `bytes ${createHash('sha1').update(bytes).digest('hex')}`;

/** A body as plain values, with a digest where bytes are; a `data:` text is the bytes it stands for. */
function plain(value: unknown): unknown {
  if (typeof value === 'string' && value.startsWith('data:')) {
    const [head = '', text = ''] = value.split(',', 2);
    return head.endsWith(';base64') ? digest(Buffer.from(text, 'base64')) : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (isBinary(value)) {
    const known = digests.get(value) ?? digest(value.bytes());
    digests.set(value, known);
    return known;
  }
  if (Array.isArray(value)) return value.map(plain);
  const entries = Object.entries(value).filter(([, held]) => held !== undefined);
  return Object.fromEntries(entries.map(([key, held]) => [key, plain(held)]));
}

/** One plain value as text, so that values can be told apart without walking them. */
function print(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(print).join(',')}]`;
  if (Object.is(value, -0)) return '-0';
  if (!isTree(value)) return JSON.stringify(value) ?? '';
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${print(value[key])}`).join(',')}}`;
}

/** A path of the first body, with what stands there in the second. */
interface Line {
  readonly path: string;
  readonly equal: boolean;
  /** False where the first body says no more than the default: a change may be reported, a report is not owed. */
  readonly owed: boolean;
  /** A row that has no partner: any loss in it will do. */
  readonly row?: true;
}

/** Every populated path of `before`, rows paired by what they say, beside `after`. */
function lines(before: unknown, after: unknown): { lines: Line[]; reordered: Set<string> } {
  const out: Line[] = [];
  const reordered = new Set<string>();
  const walk = (was: unknown, now: unknown, path: string, general: string): void => {
    if (UNCOMPARED.has(general)) return;
    if (isRows(was)) {
      const partners = pair(was, Array.isArray(now) ? now : []);
      const met = partners.filter((partner) => partner >= 0);
      if (met.some((partner, i) => i > 0 && partner < (met[i - 1] as number))) reordered.add(path);
      was.forEach((row, index) => {
        const partner = partners[index] as number;
        const place = `${path}[${index}]`;
        if (partner < 0) out.push({ path: place, equal: false, owed: true, row: true });
        walk(row, partner < 0 ? undefined : (now as unknown[])[partner], place, `${general}[*]`);
      });
      return;
    }
    const defaulted = DEFAULTED.get(general) ?? [];
    if (isTree(was) || defaulted.length > 0) {
      for (const key of new Set([...(isTree(was) ? Object.keys(was) : []), ...defaulted])) {
        const [here, there] = [isTree(was) ? was[key] : undefined, isTree(now) ? now[key] : undefined];
        walk(here, there, path === '' ? key : `${path}.${key}`, general === '' ? key : `${general}.${key}`);
      }
      return;
    }
    const fallback = DEFAULTS[general];
    if (fallback !== undefined) {
      const [one, other] = [print(was ?? fallback), print(now ?? fallback)];
      out.push({ path, equal: one === other, owed: one !== print(fallback) });
    } else if (says(was)) out.push({ path, equal: print(was) === print(now), owed: true });
  };
  walk(before, after, '', '');
  return { lines: out, reordered };
}

/** How much it says that two rows share a key. */
const WEIGHTS: Readonly<Record<string, number>> = {
  text: 50,
  content: 50,
  keyword: 50,
  find: 50,
  ref: 50,
  phrase: 50,
  title: 20,
  name: 20,
  label: 20,
  hex: 20,
  id: 0.5,
};
const TELLING = Object.keys(WEIGHTS).filter((key) => key !== 'id');

/**
 * Partners by likeness among rows that share something telling: the pair that shares most is taken first. What is left
 * pairs in order when it is as many, else by id; -1 stands alone.
 */
function pair(left: readonly Tree[], right: readonly unknown[]): number[] {
  const told = (row: unknown) =>
    new Map(
      Object.entries(isTree(row) ? row : {}).flatMap(([key, held]) =>
        says(held) ? [[key, print(held)] as const] : [],
      ),
    );
  const mine = left.map(told);
  const theirs = right.map(told);
  const partners = left.map(() => -1);
  const free = new Set(theirs.keys());
  const take = (candidates: Iterable<readonly [number, number]>): void => {
    const scores = [...candidates].map(([i, j]) => {
      let score = 0;
      for (const [key, held] of mine[i] ?? []) if (theirs[j]?.get(key) === held) score += WEIGHTS[key] ?? 1;
      return { i, j, score };
    });
    scores.sort((a, b) => b.score - a.score || a.i - b.i || a.j - b.j);
    for (const { i, j, score } of scores) {
      if (score === 0 || partners[i] !== -1 || !free.has(j)) continue;
      partners[i] = j;
      free.delete(j);
    }
  };
  const alone = () => [...left.keys()].filter((i) => partners[i] === -1);
  take(sharing(mine, theirs, TELLING));
  const rest = alone();
  if (rest.length === free.size) {
    for (const [at, j] of [...free].entries()) partners[rest[at] as number] = j;
  } else take(sharing(mine, theirs, ['id']));
  return inOrder(left, partners);
}

/** Rows that say the same are told apart by their order alone. */
function inOrder(left: readonly Tree[], partners: readonly number[]): number[] {
  const alike = new Map<string, number[]>();
  for (const [i, { id: _, ...row }] of left.entries()) {
    const key = print(row);
    alike.set(key, [...(alike.get(key) ?? []), i]);
  }
  const out = [...partners];
  for (const places of alike.values()) {
    const held = places.map((i) => partners[i] as number).sort((a, b) => (a < 0 ? 1 : b < 0 ? -1 : a - b));
    for (const [at, i] of places.entries()) out[i] = held[at] as number;
  }
  return out;
}

/** The pairs of rows that share one of these keys. */
function* sharing(
  mine: readonly Map<string, string>[],
  theirs: readonly Map<string, string>[],
  telling: readonly string[],
) {
  const holders = new Map<string, number[]>();
  for (const [j, row] of theirs.entries()) {
    for (const key of telling) {
      if (row.has(key)) holders.set(`${key} ${row.get(key)}`, [...(holders.get(`${key} ${row.get(key)}`) ?? []), j]);
    }
  }
  for (const [i, row] of mine.entries()) {
    const met = new Set(telling.flatMap((key) => holders.get(`${key} ${row.get(key)}`) ?? []));
    for (const j of met) yield [i, j] as const;
  }
}

/**
 * A body as it is compared: categories by name, references by what they point at. One that nothing stands behind
 * (`dangling`) is its text.
 */
function comparable(entity: AnyEntity, all: readonly AnyEntity[], dangling: ReadonlySet<string>): Tree {
  if (entity.kind === 'lorebook') {
    const { categories = [], entries } = entity.body;
    const named = new Map(categories.map(({ id, name }) => [id, name]));
    const rows = entries.map(({ selective, ...entry }) => ({
      ...entry,
      // Whether secondary keys gate says nothing where there are none.
      ...(entry.secondaryTriggers.length === 0 ? {} : { selective }),
      categoryId: named.get(entry.categoryId ?? '') ?? entry.categoryId,
    }));
    return plain({ ...entity.body, entries: rows }) as Tree;
  }
  if (entity.kind !== 'character') return plain(entity.body) as Tree;
  const books = new Set(all.filter(({ kind }) => kind === 'lorebook').map(({ id }) => id));
  const refs = (entity.body.knowledgeRefs ?? []).map((ref) => (!dangling.has(ref) && books.has(ref) ? 'a book' : ref));
  // Several books may lie in one place: what became of each is told by the book.
  return plain({ ...entity.body, knowledgeRefs: [...new Set(refs)] }) as Tree;
}

/** References of characters to books that are not there. */
function danglingIn(entities: readonly AnyEntity[]): Set<string> {
  const known = new Set(entities.map(({ id }) => id));
  const refs = entities.flatMap((one) => (one.kind === 'character' ? (one.body.knowledgeRefs ?? []) : []));
  return new Set(refs.filter((ref) => !known.has(ref)));
}

/** Bodies in the order of their entities, as they have to be found again. */
function expected(before: readonly AnyEntity[], after: readonly AnyEntity[], dangling: ReadonlySet<string>): Tree[] {
  const bodies = before.map((entity) => comparable(entity, before, dangling));
  const books = before.flatMap(({ kind }, index) => (kind === 'lorebook' ? [index] : []));
  const isShelf = before[0]?.kind === 'character' && books.length > 1;
  if (!isShelf || after.filter(({ kind }) => kind === 'lorebook').length > 1) return bodies;
  // One place for several books: the first one's settings, all entries in order; the rest of the others has no place.
  const together = (key: 'entries' | 'categories') => books.flatMap((index) => (bodies[index]?.[key] ?? []) as Tree[]);
  const merged = { entries: together('entries'), categories: together('categories') };
  return bodies.map((body, index) => {
    if (index === books[0]) return { ...body, ...merged };
    if (!books.includes(index)) return body;
    const rest: Tree = { ...body, entries: [], categories: [] };
    const isTold = lines(rest, {}).lines.some(({ owed, equal }) => owed && !equal);
    return isTold || !says(body.entries) ? rest : { ...rest, entries: 'a book of its own' };
  });
}

const covers = (loss: string, path: string): boolean =>
  path === loss || path.startsWith(`${loss}.`) || path.startsWith(`${loss}[`);

/** Everything above `path` and itself. */
function* above(path: string): Generator<string> {
  yield path;
  for (let at = path.length - 1; at > 0; at--) if (path[at] === '.' || path[at] === '[') yield path.slice(0, at);
}

/** Holds what went in against what reads back, and the report against both. */
export function findingsOf(
  before: readonly AnyEntity[],
  after: readonly AnyEntity[],
  losses: readonly Loss[],
): Findings {
  const silent: string[] = [];
  const untrue: string[] = [];
  let paths = 0;
  const used = new Set<AnyEntity>();
  const dangling = danglingIn(before);
  const bodies = expected(before, after, dangling);
  for (const [index, entity] of before.entries()) {
    const partner = after.find((one) => one.kind === entity.kind && !used.has(one));
    if (partner) used.add(partner);
    const own = losses.filter((loss) => loss.entity === entity.id);
    const named = new Set(own.map(({ path }) => path));
    const { lines: all, reordered } = lines(bodies[index], partner ? comparable(partner, after, dangling) : {});
    const differing = all.filter(({ equal }) => !equal);
    const say = (path: string) => `${entity.kind}: ${path}`;
    paths += all.filter(({ owed }) => owed).length;
    for (const { path, owed, row } of differing) {
      const told = [...above(path)].some((one) => named.has(one)) || (row && own.some((one) => covers(path, one.path)));
      if (owed && !told) silent.push(say(path));
    }
    for (const path of reordered) if (!named.has(path)) silent.push(say(`the order of ${path}`));
    for (const path of named) {
      const real = differing.some((line) => covers(path, line.path) || covers(line.path, path));
      if (!real && !reordered.has(path)) untrue.push(say(path));
    }
    if (named.size < own.length) untrue.push(`${entity.kind}: a path is reported twice`);
  }
  const known = new Set(before.map(({ id }) => id));
  untrue.push(...losses.flatMap(({ entity, path }) => (known.has(entity) ? [] : [`of nobody: ${path}`])));
  return { silent, untrue, paths, losses: losses.length };
}
