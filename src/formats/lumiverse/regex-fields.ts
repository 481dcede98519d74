import type { Account } from '../../core/account.ts';
import { flag, list, number, oneOf, required, text } from '../../core/codec.ts';
import { type Draft, isRecord, same, saysNothing, valueAt, type Wire } from '../../core/draft.ts';
import { type Lens, marks, varied } from '../../core/lens.ts';
import { at } from '../../core/lenses.ts';
import { regexRule, regexSet } from '../../entities/regex/lenses.ts';
import { emptyRule, type RegexBody, type RegexRule } from '../../entities/regex/schema.ts';
import { rowId } from '../_shared/character-book.ts';
import { negated } from '../_shared/regex-codecs.ts';
import { mintRuleId } from './row-ids.ts';

/** When a rule runs. */
const placement = list(
  oneOf<string>([
    ['user_input', 'input'],
    ['ai_output', 'output'],
    ['world_info', 'lorebook'],
    ['reasoning', 'reasoning'],
    ['memory', 'memory'],
  ]),
);

/** Rules of RisuAI for the screen or the request: the app's own importer makes them rules for answers with a target. */
const ONE_SIDED: ReadonlyMap<string, string> = new Map([
  ['display', 'display'],
  ['request', 'prompt'],
]);

const targets = list(oneOf(['prompt', 'response', 'display'].map((word) => [word, word] as const)), {
  lone: 'one item',
});

/** `response` is the stored text: the only target of a rule that names none. */
const STORED = ['response'];
const plainly = (names: readonly string[] | undefined): readonly string[] =>
  names === undefined || same(names, STORED) ? [] : names;

/** Where a rule works, and what it changes. Archives have one word where files have a list of them. */
const reach: Lens<RegexRule> = regexRule.joint(['phases', 'targets'], {
  wire: ['placement', 'target'],
  shape: 'lists of words',
  lossy: true,
  note: 'a rule for the screen or the request alone works on answers and has that target; there is no slash phase',
  read: (wire) => ({
    phases: placement.read(wire.placement) ?? ['output'],
    targets: [...plainly(targets.read(wire.target))],
  }),
  write(draft, now, before) {
    const phases = now.phases ?? [];
    const sides = phases.flatMap((phase) => ONE_SIDED.get(phase) ?? []);
    const oneSided = phases.length > 0 && sides.length === phases.length;
    const reached = oneSided ? ['output'] : phases;
    const aims = [...new Set([...(oneSided ? sides : []), ...(now.targets ?? [])])];
    if (!same(reached, before.phases ?? [])) draft.set(['placement'], placement.write(reached, draft.twin.placement));
    if (!same(plainly(aims), plainly(before.targets))) writeTargets(draft, aims);
  },
  claims: () => [
    { keys: ['placement'], inside: accountWords(placement.read, placement.account) },
    { keys: ['target'], inside: accountWords(targets.read, targets.account) },
  ],
});

/** A lone word stays a lone word where it can. */
function writeTargets(draft: Draft, aims: readonly string[]): void {
  const next = aims.length === 0 ? STORED : [...aims];
  draft.set(['target'], targets.write(next, draft.twin.target));
}

const accountWords =
  (read: (raw: unknown) => unknown, account: ((raw: unknown, path: string, out: Account) => void) | undefined) =>
  (raw: unknown, path: string, out: Account): void => {
    if (read(raw) === undefined && !saysNothing(raw)) out.unread(path, raw);
    else if (Array.isArray(raw)) account?.(raw, path, out);
  };

/** The table of one script. Scope, folder, actions and metadata belong to the account. */
export const ruleFields = [
  regexRule.field('label', at('name'), required(text(), '')),
  regexRule.field('note', at('description'), required(text(), '')),
  regexRule.field('find', at('find_regex'), required(text(), ''), { absent: '' }),
  regexRule.field('flags', at('flags'), required(text(), '')),
  regexRule.field('replace', at('replace_string'), required(text(), ''), { absent: '' }),
  regexRule.field('trimStrings', at('trim_strings'), required(list(text()), [])),
  reach,
  regexRule.field(
    'substituteFind',
    at('substitute_macros'),
    oneOf((['none', 'raw', 'escaped', 'after'] as const).map((word) => [word, word] as const)),
  ),
  regexRule.field('minDepth', at('min_depth'), required(number(), null)),
  regexRule.field('maxDepth', at('max_depth'), required(number(), null)),
  regexRule.field('runOnEdit', at('run_on_edit'), flag()),
  regexRule.field('enabled', at('disabled'), negated(flag()), { absent: true }),
  regexRule.field('sortOrder', at('sort_order'), number()),
  marks<RegexRule>(['id', 'script_id']),
] as readonly Lens<RegexRule>[];

/** What the app writes for a new script; one without a name or a pattern is refused on import. */
const freshRule = (): Wire => ({
  name: 'Unnamed script',
  script_id: '',
  find_regex: '',
  replace_string: '',
  flags: '',
  placement: [],
  scope: 'global',
  scope_id: null,
  target: STORED,
  min_depth: null,
  max_depth: null,
  trim_strings: [],
  run_on_edit: false,
  substitute_macros: 'none',
  disabled: false,
  description: '',
  folder: '',
  metadata: {},
});

const rows = regexSet.rows('rules', at('scripts'), {
  lenses: ruleFields,
  shape: 'list',
  blank: emptyRule,
  id: ({ id }) => id,
  idOf: ({ id, script_id }) => rowId(id) ?? rowId(script_id),
  fresh: freshRule,
  mint: mintRuleId,
});

const idsOf = (list: readonly RegexRule[] = []) => list.map(({ id }) => id);
const orderOf = (row: unknown): number => (isRecord(row) ? (number().read(row.sort_order) ?? 0) : 0);
const counted = (row: unknown, order: number): unknown =>
  isRecord(row) ? { ...row, sort_order: number().write(order, row.sort_order) } : row;

/** Row by row: one that would run before the row above it is counted on. `fixed` rows keep what they say. */
function rising(written: readonly unknown[], fixed: ReadonlySet<unknown>): unknown[] {
  let top = Number.NEGATIVE_INFINITY;
  return written.map((row) => {
    const own = orderOf(row);
    const stays = fixed.has(row) || own >= top;
    top = stays ? own : top + (fixed.size > 0 ? 0 : 1);
    return stays ? row : counted(row, top);
  });
}

/** The app runs scripts by number, so rows that moved are counted anew, and new rows run where they stand. */
const numbered: typeof rows = varied(rows, {
  write(draft, now, before) {
    rows.write(draft, now, before);
    const written = valueAt(draft.wire, ['scripts']);
    if (!now || same(idsOf(now), idsOf(before)) || !Array.isArray(written)) return;
    const [old, still] = [new Set(idsOf(before)), new Set(idsOf(now))];
    const inPlace = same(
      idsOf(now).filter((id) => old.has(id)),
      idsOf(before).filter((id) => still.has(id)),
    );
    const readable = written.filter(isRecord);
    const fixed = inPlace ? readable.filter((_, index) => old.has(now[index]?.id ?? '')) : [];
    const next = rising(written, new Set<unknown>(fixed));
    if (next.some((row, index) => row !== written[index])) draft.set(['scripts'], next);
  },
});

/** The table of a file of scripts. */
export const regexFields = [numbered] as readonly Lens<RegexBody>[];
