import { type Codec, flag, list, number, text } from '../../core/codec.ts';
import { type Lens, varied } from '../../core/lens.ts';
import { at } from '../../core/lenses.ts';
import { regexRule, regexSet } from '../../entities/regex/lenses.ts';
import { emptyRule, type RegexBody, type RegexRule } from '../../entities/regex/schema.ts';
import { inStep } from './rule-order.ts';
import { idOfRow, mintText, orNull, textId } from './wire-rows.ts';

/** RoleCall's placements and the phases they are. */
const PHASES: readonly (readonly [wire: string, phase: string])[] = [
  ['user_input', 'input'],
  ['ai_output', 'output'],
  ['display_only', 'display'],
  ['prompt_only', 'request'],
  ['lorebook', 'lorebook'],
  ['reasoning', 'reasoning'],
];

/** A phase that RoleCall has no placement for is not written; a placement of its own that is not known passes through. */
const placement: Codec<string> = {
  shape: PHASES.map(([wire]) => wire).join(' or '),
  lossy: true,
  read: (raw) =>
    typeof raw === 'string' && raw !== '' ? (PHASES.find(([wire]) => wire === raw)?.[1] ?? raw) : undefined,
  write: (phase, previous) =>
    PHASES.find(([, known]) => known === phase)?.[0] ?? (placement.read(previous) === phase ? previous : undefined),
};
const placements = list(placement, { lone: 'one item' });
const PLACED =
  'phases without a placement here are left out; output for display or prompt only has a placement of its own';

/**
 * Other apps say beside the phase that a rule is for the screen or for the request alone. RoleCall has placements for
 * both: the stored text never changes. What a user types is filtered on its way into the request anyway.
 */
function narrowed(phases: string[], targets: readonly string[] | undefined): string[] {
  const shown = targets?.includes('display') ?? false;
  const sent = targets?.includes('prompt') ?? false;
  if (!shown && !sent) return phases;
  const only = (request: string) => [...(shown ? ['display'] : []), ...(sent ? [request] : [])];
  const of = (phase: string) => (phase === 'output' ? only('request') : phase === 'input' ? only('input') : [phase]);
  return [...new Set(phases.flatMap(of))];
}

const phases = regexRule.field('phases', at('placement'), placements, { absent: [], note: PLACED });
const placed: typeof phases = varied(phases, {
  pick: (rule) => narrowed(rule.phases, rule.targets),
});

const ruleFields = [
  regexRule.field('label', at('name'), text()),
  regexRule.field('note', at('description'), orNull(text())),
  regexRule.field('find', at('find_pattern'), text(), { absent: '' }),
  regexRule.field('flags', at('flags'), text()),
  regexRule.field('replace', at('replace_string'), text(), { absent: '' }),
  regexRule.field('trimStrings', at('trim_strings'), list(text())),
  placed,
  regexRule.field('minDepth', at('min_depth'), orNull(number())),
  regexRule.field('maxDepth', at('max_depth'), orNull(number())),
  regexRule.field('runOnEdit', at('run_on_edit'), flag()),
  regexRule.field('enabled', at('enabled'), flag(), { absent: true }),
  regexRule.field('sortOrder', at('sort_order'), number()),
] as Lens<RegexRule>[];

/** The rules of a script, numbers and all, as they stand. */
export const ruleRows = regexSet.rows('rules', at('rules'), {
  lenses: [...ruleFields, idOfRow],
  shape: 'list',
  blank: emptyRule,
  id: ({ id }) => id,
  idOf: (row) => textId(row.id),
  fresh: (id) => ({
    id,
    name: '',
    description: null,
    find_pattern: '',
    replace_string: '',
    placement: [],
    flags: '',
    enabled: true,
    min_depth: null,
    max_depth: null,
    trim_strings: [],
  }),
  mint: mintText,
});

/** RoleCall applies rules by number: the numbers follow the rows. */
const numbered: typeof ruleRows = varied(ruleRows, {
  write: (draft, now, before) => ruleRows.write(draft, now && inStep(now, before ?? []), before),
});

/** The table of a script. */
export const rolecallRegexFields = [
  regexSet.field('name', at('name'), text(), { absent: '' }),
  regexSet.field('description', at('description'), orNull(text())),
  numbered,
] as Lens<RegexBody>[];
