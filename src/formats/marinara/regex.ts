import { type Codec, list, number, oneOf, required, text } from '../../core/codec.ts';
import { existsAt, isRecord, valueAt, type Wire } from '../../core/draft.ts';
import { create, type Lens, varied } from '../../core/lens.ts';
import { at } from '../../core/lenses.ts';
import { regexRule, regexSet } from '../../entities/regex/lenses.ts';
import { emptyRegex, emptyRule, type RegexBody, type RegexRule } from '../../entities/regex/schema.ts';
import { defineJson, LIST_KEY } from '../_shared/json-file.ts';
import { columnFlag } from './codecs.ts';
import { withJsonText } from './json-text.ts';
import { idMarks } from './marks.ts';
import { ownId } from './row-ids.ts';

/** When a rule runs. The app has no other phases. */
const phases = list(
  oneOf<string>([
    ['user_input', 'input'],
    ['ai_output', 'output'],
  ]),
);

/** On: only what goes into the prompt changes. */
const promptOnly: Codec<string[]> = {
  shape: 'flag',
  lossy: true,
  blank: false,
  read(raw) {
    const only = columnFlag().read(raw);
    return only === undefined ? undefined : only ? ['prompt'] : [];
  },
  write: (targets, previous) => columnFlag().write(targets.length === 1 && targets[0] === 'prompt', previous),
};

const ruleFields = [
  regexRule.field('label', at('name'), required(text(), '')),
  regexRule.field('find', at('findRegex'), required(text(), ''), { absent: '' }),
  regexRule.field('replace', at('replaceString'), required(text(), ''), { absent: '' }),
  regexRule.field('flags', at('flags'), required(text(), '')),
  regexRule.field('trimStrings', at('trimStrings'), required(list(text()), [])),
  regexRule.field('phases', at('placement'), required(phases, []), {
    absent: [],
    note: 'only what the user sends and what the model answers',
  }),
  regexRule.field('targets', at('promptOnly'), promptOnly, { note: 'one switch: the prompt alone, or everything' }),
  regexRule.field('minDepth', at('minDepth'), required(number(), null)),
  regexRule.field('maxDepth', at('maxDepth'), required(number(), null)),
  regexRule.field('characterIds', at('targetCharacterIds'), required(list(text()), [])),
  regexRule.field('enabled', at('enabled'), columnFlag(), { absent: true }),
  regexRule.field('sortOrder', at('order'), number()),
  idMarks<RegexRule>('id'),
] as readonly Lens<RegexRule>[];

const rules = regexSet.rows('rules', at(LIST_KEY), {
  lenses: ruleFields,
  shape: 'list',
  blank: emptyRule,
  id: ({ id }: RegexRule) => id,
  idOf: ({ id }) => (typeof id === 'string' && id !== '' ? id : undefined),
  fresh: (id) => ({
    id,
    name: '',
    enabled: true,
    findRegex: '',
    replaceString: '',
    trimStrings: [],
    placement: [],
    flags: '',
    promptOnly: false,
    minDepth: null,
    maxDepth: null,
  }),
  mint: (rule, taken) => ownId(rule.id, [rule.label ?? '', rule.find, rule.replace], taken),
});

/** The app sorts rules by `order`: one that has none takes its place in the list. */
const ordered: typeof rules = varied(rules, {
  write(draft, now, before) {
    rules.write(draft, now, before);
    const rows = valueAt(draft.wire, [LIST_KEY]);
    const old = valueAt(draft.twin, [LIST_KEY]);
    if (!Array.isArray(rows)) return;
    const twins = new Set(Array.isArray(old) ? old.map((row) => valueAt(row, ['id'])) : []);
    const bare = (row: unknown): row is Wire => isRecord(row) && !existsAt(row, ['order']) && !twins.has(row.id);
    if (rows.some(bare))
      draft.set(
        [LIST_KEY],
        rows.map((row, order) => (bare(row) ? { ...row, order } : row)),
      );
  },
});

/** The table of a rule set, over the list under `rows`. */
export const regexFields = [ordered] as readonly Lens<RegexBody>[];

const WORDS: ReadonlySet<unknown> = new Set(['user_input', 'ai_output']);

/** Without white space. */
const PLACEMENT_TEXT = /^\[(?:"(?:user_input|ai_output)",?)*\]$/;

/** A list of the two words, or the text that the database keeps of it. */
function isPlacement(value: unknown): boolean {
  if (typeof value === 'string') return PLACEMENT_TEXT.test(value.replace(/\s+/g, ''));
  return Array.isArray(value) && value.every((word) => WORDS.has(word));
}

const isRule = (row: unknown): boolean =>
  isRecord(row) &&
  typeof row.name === 'string' &&
  typeof row.findRegex === 'string' &&
  !existsAt(row, ['scriptName']) &&
  isPlacement(row.placement);

/** Every row is a rule of this app. An empty list could be anyone's: it is read when it is asked for, never claimed. */
function recognize(value: unknown): number {
  if (!Array.isArray(value)) return 0;
  if (value.length === 0) return 0.1;
  return value.every(isRule) ? 0.95 : 0;
}

/** The list of rules out of a profile of the app: it has no export for rules alone. */
export const marinaraRegex = defineJson({
  id: 'marinara-regex',
  family: 'marinara',
  label: 'Marinara regex scripts',
  kind: 'regex',
  shapes: [
    {
      dialect: 'marinara_regex',
      fields: regexFields,
      parts: withJsonText(
        ['placement', 'trimStrings', 'targetCharacterIds'].map((key) => `${LIST_KEY}.*.${key}`),
        (raw) => (Array.isArray(raw) ? { [LIST_KEY]: raw } : undefined),
        { close: (wire) => wire[LIST_KEY], fresh: 'value' },
      ),
      recognize,
    },
  ],
  empty: emptyRegex,
  fresh: (body) => create(regexFields, { [LIST_KEY]: [] }, body),
});
