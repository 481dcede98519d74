import { describe, expect, test } from 'vitest';
import {
  changes,
  corpus,
  edited,
  hasCorpus,
  NO_CORPUS,
  read,
  sample,
  source,
  tokens,
  value,
  written,
} from '../../../test/formats/files.ts';
import { isUuid } from '../../core/derived-id.ts';
import { createEngine } from '../../engine.ts';
import type { EntityOf } from '../../entities/kinds.ts';
import { emptyRule, type RegexRule } from '../../entities/regex/schema.ts';
import { unwrapped, wrapped } from '../_shared/regex-codecs.ts';
import adapters, { sillytavern } from './index.ts';
import { sillytavernRegex as adapter } from './regex.ts';

const harbour = sample('sillytavern', 'sillytavern-regex.harbour.json');
const one = sample('sillytavern', 'sillytavern-regex.one.json');
const card = {
  spec: 'chara_card_v3',
  spec_version: '3.0',
  data: { name: 'Mira', first_mes: 'Hi.', extensions: { regex_scripts: JSON.parse(harbour.text), fav: true } },
};
const row = (more: object = {}) => ({
  id: 'r1',
  scriptName: 'n',
  findRegex: 'x',
  replaceString: 'y',
  trimStrings: [],
  placement: [2],
  ...more,
});
const rulesOf = (...rows: object[]): RegexRule[] => read(adapter, rows)[0].body.rules;
const ruleOf = (more: object): Partial<RegexRule> => rulesOf(row(more))[0] ?? {};
const fresh = (...rules: Partial<RegexRule>[]): EntityOf<'regex'> => ({
  schemaVersion: '1',
  kind: 'regex',
  id: 'x',
  body: { name: '', rules: rules.map((rule, index) => ({ ...emptyRule(String(index)), ...rule })) },
});
const freshRow = (rule: Partial<RegexRule>) => (value(adapter, fresh(rule)) as Record<string, unknown>[])[0] ?? {};
const editRule = (entity: EntityOf<'regex'>, index: number, change: Partial<RegexRule>): EntityOf<'regex'> =>
  edited(entity, { rules: entity.body.rules.map((rule, i) => (i === index ? { ...rule, ...change } : rule)) });

describe('patterns', () => {
  test.each([
    ['/ding/gi', 'ding', 'gi'],
    ['/x/', 'x', undefined],
    ['tide (in|out)', 'tide (in|out)', undefined],
    ['/a/b/g', 'a/b', 'g'],
    ['/a\\/b/', 'a\\/b', undefined],
    ['/x/gg', '/x/gg', undefined],
    ['/x/q', '/x/q', undefined],
    ['//', '//', undefined],
    ['/only', '/only', undefined],
    ['/a\nb/s', 'a\nb', 's'],
    ['', '', undefined],
  ])('%j is unwrapped up to the last slash', (raw, find, flags) => {
    expect(unwrapped(raw)).toEqual(flags === undefined ? { find } : { find, flags });
    expect(wrapped(unwrapped(raw), raw)).toBe(raw);
  });

  test('no flags stays no flags (RW-067)', () => {
    expect(freshRow({ find: 'x' }).findRegex).toBe('x');
    expect(freshRow({ find: 'x', flags: 'gimsu' }).findRegex).toBe('/x/gimsu');
  });

  test('a bare pattern that looks wrapped gets slashes of its own', () => {
    const { findRegex } = freshRow({ find: '/x/g' });
    expect(unwrapped(String(findRegex))).toEqual({ find: '/x/g' });
  });

  test('slashes without flags come back when the pattern is edited', () => {
    const [set] = read(adapter, [row({ findRegex: '/x/' }), row({ id: 'r2' })]);
    const out = value(adapter, editRule(editRule(set, 0, { find: 'z' }), 1, { find: 'z' }));
    expect(out).toMatchObject([{ findRegex: '/z/' }, { findRegex: 'z' }]);
  });

  test('flags of another app are left out of the pattern, never put into it', () => {
    expect(freshRow({ find: 'x', flags: 'gu<cbs>' }).findRegex).toBe('/x/gu');
  });
});

describe('fields', () => {
  test('each has its slot', () => {
    const [set] = read(adapter, harbour.bytes);
    expect(set.body.name).toBe('');
    expect(set.body.rules[1]).toEqual({
      id: '0f3c8f0e-7d55-4a53-8d7e-0c3f1c4a7712',
      label: 'Bare pattern',
      find: 'tide (in|out)',
      replace: 'tide going $1',
      trimStrings: [],
      phases: ['input', 'output', 'slash'],
      targets: ['prompt'],
      enabled: true,
      runOnEdit: true,
      substituteFind: 'none',
      minDepth: 2,
      maxDepth: 8,
    });
    expect(set.body.rules[3]).toMatchObject({
      enabled: false,
      phases: ['lorebook', 'reasoning'],
      substituteFind: 'raw',
    });
  });

  test('placements without a phase stand in extras, and go back', () => {
    const rule = ruleOf({ placement: [0, 2, 4] });
    expect(rule).toMatchObject({ phases: ['output'], extras: { placement: [0, 4] } });
    expect(freshRow(rule).placement).toEqual([2, 0, 4]);
    const [set] = read(adapter, [row({ placement: [0, 2, 4] })]);
    expect(value(adapter, editRule(set, 0, { phases: ['output', 'input'] }))).toMatchObject([
      { placement: [0, 2, 4, 1] },
    ]);
    const bare = { ...set.body.rules[0], extras: undefined } as unknown as RegexRule;
    expect(value(adapter, edited(set, { rules: [bare] }))).toMatchObject([{ placement: [2] }]);
  });

  test('numbers as text stay text, what is no number keeps its place', () => {
    const [set] = read(adapter, [row({ placement: ['2', 'later', 1], disabled: 'true', minDepth: '3' })]);
    expect(set.body.rules[0]).toMatchObject({ phases: ['output', 'input'], enabled: false, minDepth: 3 });
    expect(adapter.account(set).left.map(({ path }) => path)).toContain('rows[0].placement[1]');
    const out = value(adapter, editRule(set, 0, { phases: ['output', 'slash'], enabled: true, minDepth: 4 }));
    expect(out).toMatchObject([{ placement: ['2', 'later', 3], disabled: 'false', minDepth: '4' }]);
  });

  test.each([
    [{ markdownOnly: true, promptOnly: false }, ['display']],
    [{ markdownOnly: false, promptOnly: true }, ['prompt']],
    [{ markdownOnly: true, promptOnly: true }, ['display', 'prompt']],
    [{ markdownOnly: false, promptOnly: false }, undefined],
    [{}, undefined],
  ])('%j', (switches, targets) => {
    expect(ruleOf(switches).targets).toEqual(targets);
    const written = freshRow({ ...(targets ? { targets } : {}) });
    expect(written).toMatchObject({ markdownOnly: false, promptOnly: false, ...switches });
  });

  test('an edited target touches its own switch', () => {
    const [set] = read(adapter, [row({ markdownOnly: true }), row({ id: 'r2' })]);
    const before = [row({ markdownOnly: true }), row({ id: 'r2' })];
    expect(changes(before, value(adapter, editRule(set, 0, { targets: [] })))).toEqual(['0.markdownOnly']);
    expect(changes(before, value(adapter, editRule(set, 1, { targets: ['prompt'] })))).toEqual(['1.promptOnly']);
  });

  test('a rule for the screen or the request alone works on both sides of the chat', () => {
    expect(freshRow({ phases: ['display'] })).toMatchObject({ placement: [1, 2], markdownOnly: true });
    expect(freshRow({ phases: ['request'] })).toMatchObject({ placement: [1, 2], promptOnly: true });
    expect(freshRow({ phases: ['output', 'display'] })).toMatchObject({ placement: [2], markdownOnly: false });
  });

  test.each([
    [0, 'none'],
    [1, 'raw'],
    [2, 'escaped'],
    [true, 'raw'],
    [false, 'none'],
  ])('substituteRegex %j is %s', (raw, word) => expect(ruleOf({ substituteRegex: raw }).substituteFind).toBe(word));

  test('a way of filling in that has no number is not written', () => {
    expect(freshRow({ substituteFind: 'after' }).substituteRegex).toBe(0);
    const [set] = read(adapter, [row({ substituteRegex: 2 })]);
    expect(value(adapter, editRule(set, 0, { substituteFind: 'after' }))).toMatchObject([{ substituteRegex: 2 }]);
  });

  test('null depths are no bounds, and a cleared bound is null', () => {
    expect(ruleOf({ minDepth: null, maxDepth: 0 })).not.toHaveProperty('minDepth');
    const [set] = read(adapter, [row({ minDepth: 2, maxDepth: 0 })]);
    const { minDepth, ...rest } = set.body.rules[0] ?? emptyRule('');
    expect(minDepth).toBe(2);
    expect(value(adapter, edited(set, { rules: [rest] }))).toEqual([row({ minDepth: null, maxDepth: 0 })]);
  });

  test('clearing empties the keys that the app needs and leaves unknown keys', () => {
    const [set] = read(adapter, [row({ trimStrings: ['a'], runOnEdit: true, note: 'mine' })]);
    const out = value(adapter, edited(set, { rules: [emptyRule('r1')] }));
    expect(out).toEqual([
      { id: 'r1', scriptName: '', findRegex: '', replaceString: '', trimStrings: [], placement: [], note: 'mine' },
    ]);
  });
});

describe('fresh scripts', () => {
  test('placement and trimStrings are always lists, and every script has a name', () => {
    expect(freshRow({})).toEqual({
      id: freshRow({}).id,
      scriptName: 'Unnamed script',
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
  });

  test('ids are derived from the content, differ in one set, and a UUID is kept', () => {
    const ids = (value(adapter, fresh({ find: 'a' }, { find: 'a' }, { find: 'b' })) as { id: string }[]).map(
      ({ id }) => id,
    );
    expect(ids.every(isUuid)).toBe(true);
    expect(new Set(ids).size).toBe(3);
    expect(freshRow({ find: 'a' }).id).toBe(ids[0]);
    const kept = '0f3c8f0e-7d55-4a53-8d7e-0c3f1c4a7711';
    expect(freshRow({ id: kept }).id).toBe(kept);
  });

  test('a rule added to a file leaves the others as they are', () => {
    const [set] = read(adapter, harbour.bytes);
    const rules = [...set.body.rules, { ...emptyRule('new'), label: 'New', find: 'n' }];
    const out = value(adapter, edited(set, { rules })) as object[];
    expect(out.slice(0, -1)).toEqual(JSON.parse(harbour.text));
    expect(out).toHaveLength(6);
  });
});

describe('shapes', () => {
  test('unedited files come back as they were', () => {
    for (const file of [harbour, one]) expect(written(adapter, read(adapter, file.bytes)[0])).toBe(file.text);
  });

  test('an object of one script goes back as one object, and becomes a list with a second one', () => {
    const [set] = read(adapter, one.bytes);
    expect(set.original?.['sillytavern-regex']?.unmapped).toEqual({ dialect: 'object', row: '' });
    const before = JSON.parse(one.text);
    expect(changes(before, value(adapter, editRule(set, 0, { replace: 'dong' })))).toEqual(['replaceString']);
    const two = [...set.body.rules, emptyRule('new')];
    expect(value(adapter, edited(set, { rules: two }))).toMatchObject([before, { findRegex: '' }]);
  });

  test('the block of a card is read when asked for, and goes back into its card', () => {
    const [set] = read(adapter, card);
    expect(set.body.rules).toHaveLength(5);
    expect(value(adapter, set)).toEqual(card);
    const out = value(adapter, editRule(set, 1, { replace: 'z' }));
    expect(changes(card, out)).toEqual(['data.extensions.regex_scripts.1.replaceString']);
    const none = value(adapter, edited(set, { rules: [] }));
    expect(changes(card, none)).toEqual(['data.extensions.regex_scripts']);
  });

  test('the block of a preset too', () => {
    const preset = { prompts: [], extensions: { regex_scripts: [row()] } };
    const [set] = read(adapter, preset);
    expect(value(adapter, editRule(set, 0, { find: 'z' }))).toEqual({
      prompts: [],
      extensions: { regex_scripts: [row({ findRegex: 'z' })] },
    });
  });

  test('equal ids in one set are told apart, and each row keeps its own keys', () => {
    const [set] = read(adapter, harbour.bytes);
    expect(set.body.rules.map(({ id }) => id).slice(3)).toEqual([
      '0f3c8f0e-7d55-4a53-8d7e-0c3f1c4a7714',
      '0f3c8f0e-7d55-4a53-8d7e-0c3f1c4a7714-2',
    ]);
    const before = JSON.parse(harbour.text);
    expect(changes(before, value(adapter, editRule(set, 4, { label: 'z' })))).toEqual(['4.scriptName']);
    const swapped = [3, 4, 0, 1, 2].flatMap((index) => set.body.rules[index] ?? []);
    expect(value(adapter, edited(set, { rules: swapped }))).toEqual([3, 4, 0, 1, 2].map((index) => before[index]));
  });

  test('the same rules in two cards stay with their cards (RW-068)', () => {
    const other = { ...card, data: { ...card.data, name: 'Twin' } };
    const [first, second] = [read(adapter, card)[0], read(adapter, other)[0]];
    expect(value(adapter, editRule(first, 0, { find: 'z' }))).toMatchObject({ data: { name: 'Mira' } });
    expect(value(adapter, second)).toEqual(other);
  });

  test('an emptied list is still read back', async () => {
    const engine = createEngine(adapters);
    const { entities } = await engine.read(harbour.bytes);
    const [set] = entities;
    if (set?.kind !== 'regex') throw new Error('no set');
    const { files } = await engine.write([edited(set, { rules: [] })], 'sillytavern');
    expect(new TextDecoder().decode(files[0]?.bytes)).toBe('[]');
  });
});

describe('detection', () => {
  test.each([
    ['a list', [row()], 0.9],
    ['one object', row(), 0.9],
    ['a card', card, 0.85],
    ['a list of Marinara', [{ id: '1', name: 'm', findRegex: 'x', replaceString: '', placement: ['ai_output'] }], 0],
    ['an empty list', [], 0.2],
    ['a list of Risu rules', [{ comment: 'c', in: 'a', out: 'b', type: 'editinput' }], 0],
    ['a set of RoleCall', { id: 'x', rules: [{ find_pattern: 'a', replace_string: 'b' }] }, 0],
    ['a list with a row of something else', [row(), { other: 1 }], 0],
    ['a list of texts', ['a'], 0],
  ])('%s', (_name, input, score) => expect(adapter.detect(source(input))).toBe(score));

  test('a card with rules is a character', () => expect(sillytavern.detect(source(card))).toBe(0.9));
});

describe('warnings', () => {
  test('a pattern that can run away is flagged in the report, its text unchanged (RW-093)', async () => {
    const engine = createEngine(adapters);
    const { warnings, entities } = await engine.read(harbour.bytes);
    expect(warnings.map(({ code, path }) => [code, path])).toEqual([['regex.run-away', 'rules[4].find']]);
    const { report, files } = await engine.write(entities, 'sillytavern');
    expect(report.warnings.map(({ code }) => code)).toContain('regex.run-away');
    expect(new TextDecoder().decode(files[0]?.bytes)).toBe(harbour.text);
  });

  test('also when it travels in a card', async () => {
    const { warnings } = await createEngine(adapters).inspect(JSON.stringify(card));
    expect(warnings.filter(({ code }) => code === 'regex.run-away').map(({ path }) => path)).toEqual([
      'data.extensions.regex_scripts[4].findRegex',
    ]);
  });
});

describe.skipIf(!hasCorpus)(`real files (skipped when ${NO_CORPUS})`, () => {
  test.each(corpus('st-regex').map((file) => [file.name, file] as const))('%s', (_name, file) => {
    expect(file.expected).toBe('sillytavern-regex');
    const best = Math.max(...adapters.map((one) => one.detect(source(file.bytes))));
    expect(adapter.detect(source(file.bytes))).toBe(best);
    const [set] = read(adapter, file.bytes);
    const text = written(adapter, set);
    expect(tokens(text)).toEqual(tokens(file.text));
    expect(adapter.account(set).left).toEqual([]);
    const home = Array.isArray(JSON.parse(text)) ? '0.replaceString' : 'replaceString';
    const changed = value(adapter, editRule(set, 0, { replace: 'Ω another text' }));
    expect(changes(JSON.parse(text), changed)).toEqual([home]);
  });
});
