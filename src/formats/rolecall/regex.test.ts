import { describe, expect, test } from 'vitest';
import { at, edited, encode, fresh, left, parse, readAs, sealed, setAt, withValue } from '../../../test/kit/adapter.ts';
import { engine, sample } from '../../../test/kit/rolecall.ts';
import type { Wire } from '../../core/draft.ts';
import type { EntityOf } from '../../entities/kinds.ts';
import { emptyRegex, emptyRule, type RegexBody } from '../../entities/regex/schema.ts';
import { entityFaults } from '../../entities/validate.ts';
import { rolecallRegex } from './regex.ts';

const quotes = sample('rolecall-regex.quotes.json');
const open = (value: unknown) => readAs(rolecallRegex, value);
const edit = (change: (body: RegexBody) => void, wire: Wire = quotes): Wire =>
  edited(rolecallRegex, wire, change as never);

const FIELDS: [path: string, wire: string, value: unknown, spelled?: unknown, cleared?: unknown][] = [
  ['label', 'name', '引号'],
  ['note', 'description', 'n', 'n', null],
  ['find', 'find_pattern', 'a+'],
  ['flags', 'flags', 'gi'],
  ['replace', 'replace_string', '$&'],
  ['trimStrings', 'trim_strings', ['x']],
  ['phases', 'placement', ['input', 'request'], ['user_input', 'prompt_only']],
  ['minDepth', 'min_depth', 0, 0, null],
  ['maxDepth', 'max_depth', 3, 3, null],
  ['runOnEdit', 'run_on_edit', true],
  ['enabled', 'enabled', false],
  ['sortOrder', 'sort_order', 5],
];

describe('fields', () => {
  test.each(FIELDS)('rule %s stands at %s', (path, wire, value, spelled = value) => {
    const home = `rules.1.${wire}`;
    const after = edit(({ rules }) => setAt(rules[1] ?? {}, path, value));
    expect(at(after, home)).toEqual(path === 'phases' ? ['user_input', 'prompt_only'] : spelled);
    expect(withValue(after, home, at(quotes, home))).toEqual(quotes);
    expect(at(open(after).body, `rules.1.${path}`)).toEqual(value);
  });

  test.each(FIELDS.filter((row) => row.length === 5))(
    'rule %s is cleared to null',
    (path, wire, _value, _spelled, cleared) => {
      const after = edit(({ rules }) => setAt(rules[1] ?? {}, path, undefined));
      expect(at(after, `rules.1.${wire}`)).toEqual(cleared);
    },
  );

  test.each(['label', 'flags', 'trimStrings', 'runOnEdit', 'sortOrder'])('rule %s is cleared away', (path) => {
    const wire = FIELDS.find(([name]) => name === path)?.[1] ?? '';
    const after = edit(({ rules }) => setAt(rules[1] ?? {}, path, undefined));
    expect(at(after, `rules.1.${wire}`)).toBeUndefined();
    expect(withValue(after, `rules.1.${wire}`, at(quotes, `rules.1.${wire}`))).toEqual(quotes);
  });

  test('name and description of the script', () => {
    expect(open(quotes).body).toMatchObject({ name: 'Curly quotes', description: 'Straight to curly.' });
    expect(edit((body) => setAt(body, 'name', 'x'))).toEqual(withValue(quotes, 'name', 'x'));
    expect(edit((body) => setAt(body, 'description', undefined))).toEqual(withValue(quotes, 'description', null));
  });

  test('what is read fits the schema, and nothing changes without an edit', () => {
    const entity = open(quotes);
    expect(entityFaults(entity)).toEqual([]);
    expect(sealed(rolecallRegex, entity)).toEqual(encode(quotes));
    expect(left(rolecallRegex, quotes)).toEqual(['rules[1].colour']);
  });
});

describe('placements', () => {
  test('RoleCall has a placement for display and for the request', () => {
    expect(open(quotes).body.rules.map(({ phases }) => phases)).toEqual([
      ['output', 'display'],
      ['request', 'stage_direction'],
      ['input', 'lorebook', 'reasoning'],
    ]);
  });

  test('a placement that is not known passes through', () => {
    const after = edit(({ rules }) => void rules[1]?.phases.unshift('input'));
    expect(at(after, 'rules.1.placement')).toEqual(['user_input', 'prompt_only', 'stage_direction']);
  });

  test('a phase without a placement is left out, and the report says so', async () => {
    const body = { ...emptyRegex(), name: 'S', rules: [{ ...emptyRule('1'), find: 'a', phases: ['slash', 'input'] }] };
    expect(at(fresh(rolecallRegex, body), 'rules.0.placement')).toEqual(['user_input']);
    const { report } = await engine.write([{ schemaVersion: '1', kind: 'regex', id: 's', body }], 'rolecall-regex');
    expect(report.losses).toMatchObject([{ path: 'rules[0].phases', kind: 'changed' }]);
  });

  test('a rule for the screen or the request alone never changes the stored text', () => {
    const rule = (id: string, targets: string[]) => ({
      ...emptyRule(id),
      find: id,
      phases: ['output', 'input'],
      targets,
    });
    const body = {
      ...emptyRegex(),
      name: 'S',
      rules: [rule('a', ['display']), rule('b', ['prompt']), rule('c', ['response'])],
    };
    expect((at(fresh(rolecallRegex, body), 'rules') as Wire[]).map(({ placement }) => placement)).toEqual([
      ['display_only'],
      ['prompt_only', 'user_input'],
      ['ai_output', 'user_input'],
    ]);
  });
});

describe('rows and files', () => {
  test('a new rule at the end is counted on; rules in a new order deal their numbers anew', () => {
    const grown = edit(({ rules }) => void rules.push({ ...emptyRule('r9'), find: 'z', phases: ['output'] }));
    expect((at(grown, 'rules') as Wire[]).slice(0, 3)).toEqual(at(quotes, 'rules'));
    expect(at(grown, 'rules.3')).toMatchObject({ id: 'r9', find_pattern: 'z', sort_order: 3, min_depth: null });
    const turned = edit(({ rules }) => void rules.reverse());
    expect((at(turned, 'rules') as Wire[]).map(({ id, sort_order }) => [id, sort_order])).toEqual([
      ['r3', 0],
      ['r2', 1],
      ['r1', 2],
    ]);
    const between = edit(({ rules }) => void rules.splice(1, 0, { ...emptyRule('r8'), find: 'y' }));
    expect((at(between, 'rules') as Wire[]).map(({ id, sort_order }) => [id, sort_order])).toEqual([
      ['r1', 0],
      ['r8', 0],
      ['r2', 1],
      ['r3', 2],
    ]);
    const first = edit(({ rules }) => void rules.unshift({ ...emptyRule('r8'), find: 'y', sortOrder: 7 }));
    expect(at(first, 'rules.0.sort_order')).toBe(0);
    const uncounted = withValue(quotes, 'rules', [{ id: 'a', find_pattern: 'a' }]);
    expect(
      at(
        edit(({ rules }) => void rules.push({ ...emptyRule('b'), find: 'b' }), uncounted),
        'rules.1',
      ),
    ).not.toHaveProperty('sort_order');
    const shrunk = edit(({ rules }) => void rules.shift());
    expect(at(shrunk, 'rules')).toEqual((at(quotes, 'rules') as Wire[]).slice(1));
  });

  test('a list of scripts is several sets; an edit of one leaves the others, and those not passed stay', async () => {
    const bytes = encode(sample('rolecall-regex.two-scripts.json'));
    const { entities, format } = await engine.read(bytes);
    expect(format).toBe('rolecall-regex');
    expect(entities.map(({ kind, id }) => [kind, id])).toEqual([
      ['regex', 'tidy'],
      ['regex', '整理'],
    ]);
    const untouched = await engine.write(entities, 'rolecall-regex');
    expect(untouched.files).toHaveLength(1);
    expect(parse(untouched.files[0]?.bytes ?? new Uint8Array())).toEqual(parse(bytes));
    const second = entities[1] as EntityOf<'regex'>;
    const changed = { ...second, body: { ...second.body, name: 'neu' } };
    const { files } = await engine.write([changed], 'rolecall-regex');
    expect(parse(files[0]?.bytes ?? new Uint8Array())).toEqual(withValue(parse(bytes), '1.name', 'neu'));
  });

  test('a fresh script has what RoleCall writes for a rule', () => {
    const body = { name: 'N', rules: [{ ...emptyRule('1'), find: 'a', replace: 'b', phases: ['output'], flags: 'g' }] };
    expect(fresh(rolecallRegex, body)).toEqual({
      name: 'N',
      rules: [
        {
          id: '1',
          name: '',
          description: null,
          find_pattern: 'a',
          replace_string: 'b',
          placement: ['ai_output'],
          flags: 'g',
          enabled: true,
          min_depth: null,
          max_depth: null,
          trim_strings: [],
          sort_order: 0,
        },
      ],
    });
  });

  test('to SillyTavern and from it: what crosses and what does not is measured', async () => {
    const there = await engine.convert(encode(quotes), 'sillytavern');
    expect(there.report).toMatchObject({ from: 'rolecall-regex', to: 'sillytavern-regex', coverage: 'measured' });
    const paths = there.report.losses.map(({ path }) => path);
    for (const path of ['name', 'description', 'rules[1].note', 'rules[1].phases']) expect(paths).toContain(path);
    expect(there.report.escrowed.map(({ path }) => path)).toEqual(['rules[*].colour']);
    const rule = {
      id: 'a',
      scriptName: 'S',
      findRegex: '/a/gi',
      replaceString: 'b',
      trimStrings: ['c'],
      placement: [1, 2, 5, 6],
      disabled: true,
      markdownOnly: false,
      promptOnly: false,
      runOnEdit: true,
      substituteRegex: 0,
      minDepth: 1,
      maxDepth: 2,
    };
    const back = await engine.convert(encode([rule]), 'rolecall');
    expect(back.report.losses).toEqual([]);
    expect(at(parse(back.files[0]?.bytes ?? new Uint8Array()), 'rules.0')).toMatchObject({
      name: 'S',
      find_pattern: 'a',
      flags: 'gi',
      placement: ['user_input', 'ai_output', 'lorebook', 'reasoning'],
      enabled: false,
      min_depth: 1,
      max_depth: 2,
      sort_order: 0,
    });
  });

  test('RoleCall to itself loses nothing; patterns are never run', async () => {
    const runaway = withValue(quotes, 'rules.0.find_pattern', '(a+)+$');
    const { report, files } = await engine.convert(encode(runaway), 'rolecall');
    expect(report.losses).toEqual([]);
    expect(parse(files[0]?.bytes ?? new Uint8Array())).toEqual(runaway);
  });
});
