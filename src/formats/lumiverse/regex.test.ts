import { describe, expect, test } from 'vitest';
import { differences, parse, setAt, source } from '../../../test/kit/adapter.ts';
import { engine, sampleBytes, sampleJson } from '../../../test/kit/lumiverse.ts';
import type { Wire } from '../../core/draft.ts';
import { get, put } from '../../core/lens.ts';
import { emptyRegex, emptyRule, type RegexBody, type RegexRule } from '../../entities/regex/schema.ts';
import { lumiverseRegex } from './regex.ts';
import { regexFields } from './regex-fields.ts';

const FILE = 'lumiverse-regex.bells.json';
const bells = sampleJson(FILE);
const bodyOf = (wire: Wire): RegexBody => get(regexFields, wire, emptyRegex());
const ruleOf = (row: Wire): RegexRule => bodyOf({ scripts: [row] }).rules[0] as RegexRule;
const edited = (wire: Wire, edit: (body: RegexBody) => void): Wire => {
  const body = structuredClone(bodyOf(wire));
  edit(body);
  return put(regexFields, wire, body);
};
const fresh = (...rules: Partial<RegexRule>[]): Wire[] => {
  const body = {
    name: '',
    rules: rules.map((rule, index) => ({ ...emptyRule(String(index)), label: 'r', find: 'x', ...rule })),
  };
  const entity = { schemaVersion: '1', kind: 'regex', id: 'x', body } as const;
  return parse(lumiverseRegex.fromCanonical([entity], {}).bytes).scripts as Wire[];
};
const numbers = (wire: Wire) => (wire.scripts as Wire[]).map(({ sort_order }) => sort_order);

/** Wire key, wire value, slot, canonical value. */
const FIELDS: readonly (readonly [string, unknown, keyof RegexRule, unknown])[] = [
  ['name', 'घंटी', 'label', 'घंटी'],
  ['description', 'เงียบ', 'note', 'เงียบ'],
  ['find_regex', '\\bding', 'find', '\\bding'],
  ['flags', 'gi', 'flags', 'gi'],
  ['replace_string', '🔔', 'replace', '🔔'],
  ['trim_strings', ['*'], 'trimStrings', ['*']],
  [
    'placement',
    ['user_input', 'ai_output', 'world_info', 'reasoning', 'memory'],
    'phases',
    ['input', 'output', 'lorebook', 'reasoning', 'memory'],
  ],
  ['target', ['prompt', 'display'], 'targets', ['prompt', 'display']],
  ['substitute_macros', 'after', 'substituteFind', 'after'],
  ['min_depth', 1, 'minDepth', 1],
  ['max_depth', 4, 'maxDepth', 4],
  ['run_on_edit', true, 'runOnEdit', true],
  ['disabled', true, 'enabled', false],
  ['sort_order', 3, 'sortOrder', 3],
];

describe('the field map', () => {
  test.each(FIELDS)('%s', (key, raw, slot, value) => {
    expect(ruleOf({ [key]: raw })[slot]).toEqual(value);
    expect(fresh({ [slot]: value })[0]?.[key]).toEqual(raw);
  });
});

describe('writing', () => {
  test('unedited, the file is the twin itself', () => {
    expect(put(regexFields, bells, bodyOf(bells))).toBe(bells);
  });
  test.each<readonly [string, (rule: RegexRule) => void, readonly string[]]>([
    [
      'a pattern',
      (rule) => {
        rule.find = 'x';
      },
      ['scripts.1.find_regex'],
    ],
    [
      'a switch',
      (rule) => {
        rule.enabled = true;
      },
      ['scripts.1.disabled'],
    ],
    [
      'a target',
      (rule) => {
        rule.targets = ['prompt'];
      },
      ['scripts.1.target.0'],
    ],
    [
      'a bound',
      (rule) => {
        rule.minDepth = 2;
      },
      ['scripts.1.min_depth'],
    ],
  ])('an edit of %s touches its own key', (_, edit, paths) => {
    expect(
      differences(
        bells,
        edited(bells, (body) => edit(body.rules[1] as RegexRule)),
      ),
    ).toEqual(paths);
  });
  test('clearing leaves what the app needs', () => {
    const wire = edited(bells, (body) => {
      for (const slot of ['note', 'maxDepth', 'trimStrings', 'flags', 'targets'])
        setAt(body.rules[0] as object, slot, undefined);
    });
    expect((wire.scripts as Wire[])[0]).toMatchObject({
      description: '',
      max_depth: null,
      trim_strings: [],
      flags: '',
      target: ['response'],
    });
  });
});

describe('quirks', () => {
  test('a place that nobody knows keeps its position among the others', () => {
    const wire = edited(bells, (body) => {
      (body.rules[1] as RegexRule).phases = ['output', 'memory'];
    });
    expect((wire.scripts as Wire[])[1]?.placement).toEqual(['ai_output', 'memory', 'loom']);
    const entity = lumiverseRegex.toCanonical(source(bells))[0] as never;
    expect(lumiverseRegex.account(entity).left.map(({ path }) => path)).toContain('scripts[1].placement[2]');
  });
  test('response alone is the stored text: a rule without targets', () => {
    expect(ruleOf({ target: ['response'] }).targets).toBeUndefined();
    expect(ruleOf({ target: ['response', 'display'] }).targets).toEqual(['response', 'display']);
    expect(fresh({})[0]?.target).toEqual(['response']);
  });
  test('one word is read where a list belongs, and stays one word', () => {
    expect(ruleOf({ target: 'display' }).targets).toEqual(['display']);
    const wire = edited({ scripts: [{ name: 'a', target: 'display' }] }, (body) => {
      (body.rules[0] as RegexRule).targets = ['prompt'];
    });
    expect((wire.scripts as Wire[])[0]?.target).toBe('prompt');
  });
  test('a rule for the screen or the request alone becomes a rule for answers with that target', () => {
    expect(fresh({ phases: ['display'] }, { phases: ['request'] })).toMatchObject([
      { placement: ['ai_output'], target: ['display'] },
      { placement: ['ai_output'], target: ['prompt'] },
    ]);
  });
  test('a rule that runs nowhere stays so', () => {
    expect(fresh({ phases: [] })[0]?.placement).toEqual([]);
    expect(ruleOf({}).phases).toEqual(['output']);
  });
  test('scripts run by number: a new order is a new numbering, a new rule runs where it stands', () => {
    expect(numbers(edited(bells, (body) => void body.rules.reverse()))).toEqual([3, 4]);
    const added = edited(bells, (body) => void body.rules.push({ ...emptyRule('new'), label: 'n', find: 'x' }));
    expect(numbers(added)).toEqual([0, 3, 3]);
    expect((added.scripts as Wire[])[0]).toBe((bells.scripts as Wire[])[0]);
    expect(numbers(edited(bells, (body) => void body.rules.shift()))).toEqual([3]);
  });
  test('scope, folder, actions and metadata are named and stay', () => {
    const entity = lumiverseRegex.toCanonical(source(bells))[0] as never;
    expect(lumiverseRegex.account(entity).left.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['scripts[1].scope', 'scripts[1].actions', 'scripts[0].folder', 'scripts[1].metadata']),
    );
  });
});

test('to SillyTavern and back', async () => {
  const out = await engine.convert(sampleBytes(FILE), 'sillytavern-regex');
  const [first] = parse(out.files[0]?.bytes) as unknown as Wire[];
  expect(first).toMatchObject({
    scriptName: 'Trim bells',
    findRegex: '/\\bding\\b/gi',
    placement: [2, 6],
    markdownOnly: true,
  });
  const paths = out.report.losses.map(({ path }) => path).sort();
  expect(paths).toEqual(['rules[0].note', 'rules[1].phases', 'rules[1].substituteFind']);
  const back = await engine.convert(out.files[0]?.bytes as Uint8Array, 'lumiverse-regex');
  expect((parse(back.files[0]?.bytes).scripts as Wire[])[0]).toMatchObject({
    find_regex: '\\bding\\b',
    flags: 'gi',
    target: ['display'],
  });
  expect(back.report.losses).toEqual([]);
});
