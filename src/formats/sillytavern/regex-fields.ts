/** One script of SillyTavern's regex extension. Facts: SillyTavern 1.19.0, section 6. */
import type { Account } from '../../core/account.ts';
import { flag, list, number, oneOf, placed, required, text } from '../../core/codec.ts';
import { type Draft, existsAt, same, type Wire } from '../../core/draft.ts';
import { type Lens, marks } from '../../core/lens.ts';
import { at } from '../../core/lenses.ts';
import { regexRule } from '../../entities/regex/lenses.ts';
import type { RegexRule } from '../../entities/regex/schema.ts';
import { negated, unwrapped, wholeNumber, wrapped } from '../_shared/regex-codecs.ts';

const PHASES: ReadonlyMap<number, string> = new Map([
  [1, 'input'],
  [2, 'output'],
  [3, 'slash'],
  [5, 'lorebook'],
  [6, 'reasoning'],
]);
const PLACEMENTS: ReadonlyMap<string, number> = new Map([...PHASES].map(([number, phase]) => [phase, number]));
/** What a rule of another app that only changes the screen or the request is here: both sides of the chat, and a switch. */
const ONE_SIDED: ReadonlyMap<string, string> = new Map([
  ['display', 'display'],
  ['request', 'prompt'],
]);
const SWITCHES = [
  ['markdownOnly', 'display'],
  ['promptOnly', 'prompt'],
] as const;

const placementsIn = (wire: Wire): readonly unknown[] => (Array.isArray(wire.placement) ? wire.placement : []);
/** Numbers without a phase: 0 and 4 of old versions, and what later ones may add. */
const strangers = (extras: RegexRule['extras']): number[] =>
  Array.isArray(extras?.placement) ? extras.placement.filter((one): one is number => Number.isInteger(one)) : [];

/** Where a rule works and what it changes: three keys that are decided together. */
const reach: Lens<RegexRule> = regexRule.joint(['phases', 'targets', 'extras'], {
  wire: ['placement', 'markdownOnly', 'promptOnly'],
  shape: '1 input, 2 output, 3 slash, 5 lorebook, 6 reasoning; flag; flag',
  lossy: true,
  note: 'a rule for the screen or the request alone works on input and output, and says so with a switch',
  read(wire) {
    const numbers = placementsIn(wire).flatMap((raw) => wholeNumber(raw) ?? []);
    const phases = [...new Set(numbers.flatMap((one) => PHASES.get(one) ?? []))];
    const others = [...new Set(numbers.filter((one) => !PHASES.has(one)))];
    const targets = SWITCHES.flatMap(([key, target]) => (flag().read(wire[key]) ? [target] : []));
    return { phases, targets, extras: others.length > 0 ? { placement: others } : undefined };
  },
  write(draft, now, before) {
    const phases = now.phases ?? [];
    const sides = phases.map((phase) => ONE_SIDED.get(phase)).filter((target) => target !== undefined);
    const oneSided = phases.length > 0 && sides.length === phases.length;
    const reached = oneSided ? ['input', 'output'] : phases;
    const targets = oneSided ? [...sides, ...(now.targets ?? [])] : (now.targets ?? []);
    const moved = !same(phases, before.phases ?? []) || !same(strangers(now.extras), strangers(before.extras));
    if (moved) writePlacement(draft, reached, strangers(now.extras));
    for (const [key, target] of SWITCHES) {
      const on = targets.includes(target);
      const was = flag().read(draft.twin[key]);
      if ((was ?? false) !== on) draft.set([key], flag().write(on, draft.twin[key]));
    }
  },
  claims: (wire) => [
    { keys: ['placement'], inside: accountPlacement },
    ...SWITCHES.filter(([key]) => flag().read(wire[key]) !== undefined).map(([key]) => ({ keys: [key] })),
  ],
});

/** Numbers that stay keep their place and spelling; what is no number is left alone. */
function writePlacement(draft: Draft, phases: readonly string[], others: readonly number[]): void {
  const wanted = [...new Set([...phases.flatMap((phase) => PLACEMENTS.get(phase) ?? []), ...others])];
  const old = placementsIn(draft.twin);
  const met = new Set<number>();
  const kept = old.filter((raw) => {
    const number = wholeNumber(raw);
    return number !== undefined && wanted.includes(number) && !met.has(number) && met.add(number);
  });
  const fresh = wanted.filter((one) => !met.has(one));
  draft.set(
    ['placement'],
    placed(old, [...kept, ...fresh], (raw) => wholeNumber(raw) === undefined),
  );
}

function accountPlacement(value: unknown, path: string, out: Account): void {
  if (!Array.isArray(value)) {
    if (value !== null && value !== undefined) out.unread(path, value);
    return;
  }
  value.forEach((raw: unknown, index) => {
    if (wholeNumber(raw) === undefined) out.unread(`${path}[${index}]`, raw);
  });
}

/** Pattern and flags are one text on the wire. */
const pattern: Lens<RegexRule> = regexRule.joint(['find', 'flags'], {
  wire: ['findRegex'],
  shape: 'text, /pattern/flags or a bare pattern',
  lossy: true,
  note: 'flags that JavaScript does not know have no place',
  read: ({ findRegex: raw }) => (typeof raw === 'string' ? { ...unwrapped(raw) } : {}),
  write: (draft, { find = '', flags }) =>
    draft.set(['findRegex'], wrapped(flags === undefined ? { find } : { find, flags }, draft.twin.findRegex)),
  claims: ({ findRegex: raw }) => (typeof raw === 'string' ? [{ keys: ['findRegex'] }] : []),
});

/** The fields of one script. */
export const ruleFields: readonly Lens<RegexRule>[] = [
  regexRule.field('label', at('scriptName'), required(text(), '')),
  pattern,
  regexRule.field('replace', at('replaceString'), required(text(), ''), { absent: '' }),
  regexRule.field('trimStrings', at('trimStrings'), required(list(text()), [])),
  reach,
  regexRule.field('enabled', at('disabled'), negated(flag()), { absent: true }),
  regexRule.field('runOnEdit', at('runOnEdit'), flag()),
  regexRule.field(
    'substituteFind',
    at('substituteRegex'),
    oneOf([
      [0, 'none'],
      [1, 'raw'],
      [2, 'escaped'],
      [false, 'none'],
      [true, 'raw'],
    ]),
  ),
  regexRule.field('minDepth', at('minDepth'), required(number(), null)),
  regexRule.field('maxDepth', at('maxDepth'), required(number(), null)),
  marks(['id']),
];

/**
 * What the editor writes for a new script. `placement` and `trimStrings` stand in every script: without the first a
 * chat does not load, without the second a replacement fails. Scripts without a name are refused on import.
 */
export const freshRule = (id: string): Wire => ({
  id,
  scriptName: UNNAMED,
  findRegex: '',
  replaceString: '',
  trimStrings: [],
  placement: [],
  disabled: false,
  markdownOnly: false,
  promptOnly: false,
  runOnEdit: true,
  substituteRegex: 0,
  minDepth: null,
  maxDepth: null,
});

/** The name of a rule that has none: SillyTavern takes no script without one. */
export const UNNAMED = 'Unnamed script';

/** A row that a rule can be read from. */
export const isRule = (row: Wire): boolean =>
  ['findRegex', 'scriptName', 'replaceString'].some((key) => existsAt(row, [key]));
