/**
 * Every ordered pair of formats of one kind: a maximal entity in a file of the first is converted to the second. What
 * does not cross has to be in the report, and nothing else. The check is written here from the rules of the model and
 * shares no code with the engine's own comparison.
 */
import { afterAll, describe, expect, test } from 'vitest';
import type { BunzaiError } from '../src/core/errors.ts';
import type { Loss } from '../src/core/report.ts';
import { createEngine } from '../src/engine.ts';
import type { AnyAdapter, AnyEntity } from '../src/entities/kinds.ts';
import { ABSENT_MEANS, ENTRY_DEFAULTS } from '../src/entities/lorebook/schema.ts';
import { formats } from '../src/formats/index.generated.ts';
import { maximalCharacter, maximalLorebook } from './entities/maximal.ts';
import { maximalPersona, maximalPreset, maximalRegex } from './entities/maximal-more.ts';

type Tree = Readonly<Record<string, unknown>>;

const engine = createEngine(formats as readonly AnyAdapter[]);
const tally = { pairs: 0, paths: 0, losses: 0 };
afterAll(() => {
  console.log(`${tally.pairs} pairs checked: ${tally.paths} populated paths, ${tally.losses} losses verified`);
});

const isBinary = (value: unknown): value is { bytes(): Uint8Array } =>
  typeof value === 'object' && value !== null && typeof (value as { bytes?: unknown }).bytes === 'function';
const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isBinary(value);
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

/** One value as text, so that values can be told apart without walking them. */
function print(value: unknown): string {
  if (isBinary(value)) return `bytes ${Buffer.from(value.bytes()).toString('base64')}`;
  if (typeof value === 'string' && value.startsWith('data:')) return `bytes ${value.slice(value.indexOf(',') + 1)}`;
  if (Array.isArray(value)) return `[${value.map(print).join(',')}]`;
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
        walk(row, partner < 0 ? undefined : (now as unknown[])[partner], `${path}[${index}]`, `${general}[*]`);
      });
    } else if (isTree(was)) {
      const at = general === '' ? '' : `${general}.`;
      const defaulted = Object.keys(DEFAULTS).filter(
        (one) => one.startsWith(at) && !one.slice(at.length).includes('.'),
      );
      const keys = new Set([...Object.keys(was), ...defaulted.map((one) => one.slice(at.length))]);
      for (const key of keys) {
        if (key.includes('[')) continue;
        const inner = path === '' ? key : `${path}.${key}`;
        walk(was[key], isTree(now) ? now[key] : undefined, inner, at + key);
      }
      return;
    }
    const fallback = DEFAULTS[general];
    if (fallback !== undefined) {
      const [one, other] = [print(was ?? fallback), print(now ?? fallback)];
      out.push({ path, equal: one === other, owed: one !== print(fallback) });
    } else if (!isRows(was) && says(was)) out.push({ path, equal: print(was) === print(now), owed: true });
  };
  walk(before, after, '', '');
  return { lines: out, reordered };
}

/** Partners by likeness: the pair of rows that shares most of what it says is taken first. -1 stands alone. */
function pair(left: readonly Tree[], right: readonly unknown[]): number[] {
  const told = (row: unknown) =>
    new Map(isTree(row) ? Object.entries(row).map(([key, held]) => [key, print(held)]) : []);
  const weights = new Map([
    ['text', 50],
    ['content', 50],
    ['title', 20],
    ['keyword', 50],
    ['find', 50],
    ['ref', 50],
    ['phrase', 50],
    ['name', 20],
    ['label', 20],
    ['hex', 20],
    ['id', 0],
  ]);
  const mine = left.map(told);
  const theirs = right.map(told);
  const scores = mine.flatMap((row, i) =>
    theirs.map((other, j) => {
      let score = 0;
      for (const [key, held] of row) if (held !== '""' && other.get(key) === held) score += weights.get(key) ?? 1;
      return { i, j, score };
    }),
  );
  scores.sort((a, b) => b.score - a.score || a.i - b.i || a.j - b.j);
  const partners = left.map(() => -1);
  const taken = new Set<number>();
  for (const { i, j, score } of scores) {
    if (score === 0 || partners[i] !== -1 || taken.has(j)) continue;
    partners[i] = j;
    taken.add(j);
  }
  return partners;
}

/** A body as it is compared: categories by name, references by what they point at. */
function comparable(entity: AnyEntity, all: readonly AnyEntity[]): Tree {
  if (entity.kind === 'lorebook') {
    const { categories = [], entries } = entity.body;
    const named = new Map(categories.map(({ id, name }) => [id, name]));
    const rows = entries.map(({ selective, ...entry }) => ({
      ...entry,
      // Whether secondary keys gate says nothing where there are none.
      ...(entry.secondaryTriggers.length === 0 ? {} : { selective }),
      categoryId: named.get(entry.categoryId ?? '') ?? entry.categoryId,
    }));
    return { ...entity.body, entries: rows };
  }
  if (entity.kind !== 'character') return entity.body as unknown as Tree;
  const refs = (entity.body.knowledgeRefs ?? []).map((ref) => (all.some(({ id }) => id === ref) ? 'a book' : ref));
  return { ...entity.body, knowledgeRefs: refs } as unknown as Tree;
}

const covers = (loss: string, path: string): boolean =>
  path === loss || path.startsWith(`${loss}.`) || path.startsWith(`${loss}[`);

/** Holds what went in against what reads back, and the report against both. */
function verify(
  label: string,
  before: readonly AnyEntity[],
  after: readonly AnyEntity[],
  losses: readonly Loss[],
): void {
  tally.pairs++;
  const used = new Set<AnyEntity>();
  for (const entity of before) {
    const partner = after.find((one) => one.kind === entity.kind && !used.has(one));
    if (partner) used.add(partner);
    const own = losses.filter((loss) => loss.entity === entity.id);
    const { lines: all, reordered } = lines(comparable(entity, before), partner ? comparable(partner, after) : {});
    tally.paths += all.filter(({ owed }) => owed).length;
    tally.losses += own.length;
    const silent = all.filter(
      ({ path, equal, owed }) => owed && !equal && !own.some((loss) => covers(loss.path, path)),
    );
    expect(
      silent.map(({ path }) => path),
      `${label}, ${entity.kind}: lost and not reported`,
    ).toEqual([]);
    for (const path of reordered) {
      expect(
        own.some((loss) => loss.path === path),
        `${label}: the new order of ${path} is not reported`,
      ).toBe(true);
    }
    const untrue = own.filter(({ path }) => {
      const under = all.filter((line) => covers(path, line.path) || covers(line.path, path));
      return !reordered.has(path) && !under.some(({ equal }) => !equal);
    });
    expect(
      untrue.map(({ path }) => path),
      `${label}, ${entity.kind}: reported, yet it reads back equal`,
    ).toEqual([]);
    expect(new Set(own.map(({ path }) => path)).size, `${label}: a path is reported twice`).toBe(own.length);
  }
  const known = new Set(before.map(({ id }) => id));
  expect(
    losses.filter((loss) => !known.has(loss.entity)),
    `${label}: losses of nobody`,
  ).toEqual([]);
}

interface Written {
  readonly files: readonly { readonly bytes: Uint8Array; readonly format: string }[];
}

/** All entities of all written files. */
async function readAll({ files }: Written): Promise<AnyEntity[]> {
  const read = await Promise.all(files.map(({ bytes, format }) => engine.read(bytes, { format })));
  return read.flatMap(({ entities }) => entities);
}

const SETS = {
  character: () => [maximalCharacter(), maximalLorebook()],
  lorebook: () => [maximalLorebook()],
  persona: () => [maximalPersona()],
  regex: () => [maximalRegex()],
  preset: () => [maximalPreset()],
} satisfies Record<string, () => AnyEntity[]>;

/** Quick replies take nothing but their own files. */
const CLOSED = new Set(['sillytavern-quickreply']);

describe.each(['character', 'lorebook', 'persona', 'regex', 'preset'] as const)('%s formats', (kind) => {
  const ids = engine.registry.adapters.flatMap((adapter) =>
    adapter.kind === kind && !CLOSED.has(adapter.id) ? [adapter.id] : [],
  );

  describe.each(ids)('from %s', (from) => {
    test.each(ids)('to %s', async (to) => {
      const source = await engine.write(SETS[kind](), from);
      const [main] = source.files;
      const before = await engine.read(main!.bytes);
      expect(before.format).toBe(from);
      const result = await engine.convert(main!.bytes, to);
      verify(`${from} to ${to}`, before.entities, await readAll(result), result.report.losses);
    });
  });

  test.each(ids)('the maximal entity itself to %s, in each container', async (to) => {
    const adapter = engine.registry.named(to);
    for (const [index, { name }] of adapter.containers.entries()) {
      const result = await engine.write(SETS[kind](), to, { container: name }).catch((error: BunzaiError) => {
        // A container may want a picture that there is not; the one that is chosen first may not.
        if (index === 0 || error.code !== 'container.unsupported') throw error;
      });
      if (!result) continue;
      expect(result.files[0]?.bytes.length).toBeGreaterThan(0);
      verify(`model to ${to} (${name})`, SETS[kind](), await readAll(result), result.report.losses);
    }
  });
});

test('the check itself sees a loss that is hidden, and one that is made up', async () => {
  const { files, report } = await engine.write(SETS.character(), 'pygmalion');
  const back = await readAll({ files });
  const hidden = report.losses.filter(({ path }) => path !== 'persona.appearance');
  expect(hidden).toHaveLength(report.losses.length - 1);
  expect(() => verify('hidden', SETS.character(), back, hidden)).toThrow(/persona\.appearance/);
  const madeUp = { ...(report.losses[0] as Loss), path: 'persona.scenario' };
  expect(() => verify('made up', SETS.character(), back, [...report.losses, madeUp])).toThrow(/persona\.scenario/);
});
