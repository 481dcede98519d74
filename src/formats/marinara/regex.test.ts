import { describe, expect, test } from 'vitest';
import { differences, edited, encode, fresh, left, readAs } from '../../../test/kit/adapter.ts';
import { sample } from '../../../test/kit/marinara.ts';
import { createEngine } from '../../engine.ts';
import { emptyRule, type RegexBody, type RegexRule } from '../../entities/regex/schema.ts';
import sillytavern from '../sillytavern/index.ts';
import adapters, { marinaraRegex as adapter } from './index.ts';

const tidy = sample('marinara-regex.tidy.json') as unknown as Record<string, unknown>[];
const body = readAs(adapter, tidy).body;
const set = (...rules: Partial<RegexRule>[]): RegexBody => ({
  name: '',
  rules: rules.map((rule, i) => ({ ...emptyRule(`r${i}`), ...rule })),
});
const rows = (file: unknown) => file as Record<string, unknown>[];

describe('the field map', () => {
  test('a list of rules is one set', () => {
    expect(body).toEqual({
      name: '',
      rules: [
        {
          id: 'r-1',
          label: 'Tidy dashes',
          find: '—{2,}',
          replace: '—',
          flags: 'g',
          trimStrings: [],
          phases: ['output'],
          targets: [],
          enabled: true,
          sortOrder: 0,
        },
        {
          id: 'r-2',
          label: '括弧',
          find: '（([^）]*)）',
          replace: '($1)',
          flags: 'gu',
          trimStrings: ['*'],
          phases: ['input', 'output'],
          targets: ['prompt'],
          minDepth: 0,
          maxDepth: 8,
          characterIds: ['acc_91'],
          enabled: false,
          sortOrder: 1,
        },
      ],
    });
    expect(left(adapter, tidy)).toEqual([
      'rows[0].createdAt',
      'rows[0].updatedAt',
      'rows[1].createdAt',
      'rows[1].updatedAt',
    ]);
  });
  test('a placement that the database keeps as text is read, and stays text', () => {
    const dump = tidy.map((row) => ({
      ...row,
      placement: JSON.stringify(row.placement),
      enabled: String(row.enabled),
    }));
    expect(readAs(adapter, dump).body.rules.map(({ phases, enabled }) => [phases, enabled])).toEqual([
      [['output'], true],
      [['input', 'output'], false],
    ]);
    const file = rows(
      edited(adapter, dump, ({ rules }) => Object.assign(rules[0] ?? {}, { phases: ['input'], enabled: false })),
    );
    expect(file[0]).toMatchObject({ placement: '["user_input"]', enabled: 'false' });
    expect(file[1]).toEqual(dump[1]);
  });
});

describe('edits', () => {
  test.each<[string, Partial<RegexRule>, string]>([
    ['a pattern', { find: 'x' }, 'findRegex'],
    ['a bound', { maxDepth: 3 }, 'maxDepth'],
    ['a switch', { targets: [] }, 'promptOnly'],
    ['no flags', { flags: '' }, 'flags'],
  ])('%s touches its own key of its own rule', (_, edit, key) => {
    const file = edited(adapter, tidy, ({ rules }) => Object.assign(rules[1] ?? {}, edit));
    expect(differences(tidy, file)).toEqual([`1.${key}`]);
  });
  test('a cleared bound is null, as the app writes it', () => {
    expect(rows(edited(adapter, tidy, ({ rules }) => delete rules[1]?.minDepth))[1]?.minDepth).toBeNull();
  });
  test('a new rule takes its place in the list as its order', () => {
    const file = rows(edited(adapter, tidy, ({ rules }) => rules.push({ ...emptyRule(''), find: 'z' })));
    expect(file[2]).toMatchObject({ findRegex: 'z', order: 2, enabled: true, flags: '' });
    expect(file.slice(0, 2)).toEqual(tidy);
  });
});

describe('between apps', () => {
  test('a fresh set is read back, also one without rules or phases', () => {
    expect(fresh(adapter, set())).toEqual([]);
    expect(readAs(adapter, fresh(adapter, set({ find: 'a', phases: [] }))).body.rules).toHaveLength(1);
  });
  test('no flags stay no flags: a rule without them says so', () => {
    expect(rows(fresh(adapter, set({ find: 'a' })))[0]?.flags).toBe('');
  });
  test('phases and targets that the app lacks are reported, rule by rule', async () => {
    const entity = {
      schemaVersion: '1',
      kind: 'regex',
      id: 'r',
      body: set({
        find: 'a',
        phases: ['input', 'display'],
        targets: ['display'],
        runOnEdit: true,
        substituteFind: 'raw',
      }),
    } as const;
    const { report } = await createEngine(adapters).write([entity], 'marinara');
    expect(report.losses.map(({ path }) => path).sort()).toEqual([
      'rules[0].phases',
      'rules[0].runOnEdit',
      'rules[0].substituteFind',
      'rules[0].targets',
    ]);
  });
  const scripts = sillytavern.filter(({ kind }) => kind === 'regex');
  test.skipIf(scripts.length === 0)('to SillyTavern and back', async () => {
    const engine = createEngine([...adapters, ...sillytavern]);
    const out = await engine.convert(encode(tidy), 'sillytavern');
    expect(out.report.losses.map(({ path }) => path)).toContain('rules[1].characterIds');
    const back = await engine.convert(out.files[0]?.bytes as Uint8Array, 'marinara');
    const again = readAs(adapter, back.files[0]?.bytes).body.rules;
    expect(again.map(({ find, replace, flags, phases, enabled }) => [find, replace, flags, phases, enabled])).toEqual(
      body.rules.map(({ find, replace, flags, phases, enabled }) => [find, replace, flags, phases, enabled]),
    );
  });
});
