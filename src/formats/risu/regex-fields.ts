/** One row of a regex list. Facts: RisuAI 166.3.3, section 8. */
import { flag, required, text } from '../../core/codec.ts';
import { existsAt, same, type Wire } from '../../core/draft.ts';
import type { Lens } from '../../core/lens.ts';
import { at } from '../../core/lenses.ts';
import { regexRule, regexSet } from '../../entities/regex/lenses.ts';
import { emptyRule, type RegexBody, type RegexRule } from '../../entities/regex/schema.ts';

const PHASES: ReadonlyMap<string, string> = new Map([
  ['editinput', 'input'],
  ['editoutput', 'output'],
  ['editdisplay', 'display'],
  ['editprocess', 'request'],
  ['editrequest', 'request'],
]);
/** The first spelling of a phase is the one that is written. */
const WORDS: ReadonlyMap<string, string> = new Map([...PHASES].reverse().map(([word, phase]) => [phase, word]));
const SIDES: ReadonlyMap<string, string> = new Map([
  ['display', 'editdisplay'],
  ['prompt', 'editprocess'],
]);
/** The type of a rule that is off. */
const OFF = 'disabled';

/** RisuAI's word for a phase; words of its own that have no name here are their own phase. */
const wordOf = (phase: string): string | undefined =>
  WORDS.get(phase) ?? (/^edit[a-z]+$/.test(phase) ? phase : undefined);

/** The one word that says where a rule works: one for the screen or the request alone has a word of its own. */
function typeOf(phases: readonly string[], targets: readonly string[]): string | undefined {
  const [target] = targets;
  const sides = phases.every((phase) => phase === 'input' || phase === 'output');
  const side = targets.length === 1 && phases.length > 0 && sides ? SIDES.get(target ?? '') : undefined;
  return side ?? phases.map(wordOf).find((word) => word !== undefined);
}

const isOff = (wire: Wire): boolean => wire.disabled === true || wire.type === OFF;

/** Where a rule works and whether it does: one word says both. */
const reach = regexRule.joint(['phases', 'enabled', 'targets'], {
  wire: ['type', 'disabled'],
  shape: 'editinput, editoutput, editdisplay, editprocess or another word; disabled',
  lossy: true,
  note: 'a rule works in one place: further ones have none, and a rule that is off forgets its place',
  read: (wire) => ({
    phases:
      typeof wire.type === 'string' && wire.type !== OFF && wire.type !== ''
        ? [PHASES.get(wire.type) ?? wire.type]
        : [],
    enabled: !isOff(wire),
  }),
  write({ twin, set, delete: remove }, { phases = [], enabled = true, targets = [] }, before) {
    const moved = targets.length > 0 || !same(phases, before.phases ?? []);
    const switchable = existsAt(twin, ['disabled']);
    if (switchable && enabled !== (before.enabled ?? true)) set(['disabled'], !enabled);
    const off = !enabled && !switchable;
    const word = off ? OFF : typeOf(phases, targets);
    if (word === OFF ? twin.type !== OFF : moved || twin.type === OFF) {
      if (word !== undefined) set(['type'], word);
      else if (existsAt(twin, ['type'])) remove(['type']);
    }
  },
  claims: (wire) => [
    ...(typeof wire.type === 'string' ? [{ keys: ['type'] }] : []),
    ...(typeof wire.disabled === 'boolean' ? [{ keys: ['disabled'] }] : []),
  ],
});

/** Flags and the switch without which RisuAI takes `g` in their place. */
const flags = regexRule.joint(['flags', 'useFlags'], {
  wire: ['flag', 'ableFlag'],
  shape: 'text, flag',
  note: 'flags of a new rule are switched on',
  read(wire) {
    const flags = text().read(wire.flag);
    return { flags, useFlags: flag().read(wire.ableFlag) ?? (flags ? false : undefined) };
  },
  write({ twin, set, delete: remove }, { flags: now, useFlags }, before) {
    if (now !== before.flags) {
      if (now !== undefined) set(['flag'], now);
      else remove(['flag']);
    }
    if (useFlags !== undefined && useFlags !== before.useFlags)
      set(['ableFlag'], flag().write(useFlags, twin.ableFlag));
    else if (useFlags === undefined && before.useFlags !== undefined) remove(['ableFlag']);
    else if (useFlags === undefined && now !== undefined && before.flags === undefined) set(['ableFlag'], true);
  },
  claims: (wire) => [
    ...(text().read(wire.flag) === undefined ? [] : [{ keys: ['flag'] }]),
    ...(flag().read(wire.ableFlag) === undefined ? [] : [{ keys: ['ableFlag'] }]),
  ],
});

/** The fields of one rule. */
export const ruleFields: readonly Lens<RegexRule>[] = [
  regexRule.field('label', at('comment'), required(text(), '')),
  regexRule.field('find', at('in'), required(text(), ''), { absent: '' }),
  regexRule.field('replace', at('out'), required(text(), ''), { absent: '' }),
  reach as Lens<RegexRule>,
  flags as Lens<RegexRule>,
];

/** The table of a rule set over the list at `path`. A set is its rules; the row index is the id. */
export const risuRegexFields = (path: string): readonly Lens<RegexBody>[] => [
  regexSet.rows('rules', at(path), {
    lenses: ruleFields,
    shape: 'list',
    blank: emptyRule,
    id: ({ id }) => id,
    idOf: () => undefined,
    fresh: () => ({ comment: '', in: '', out: '' }),
  }),
];
