import { describe, expect, test } from 'vitest';
import {
  changes,
  corpus,
  hasCorpus,
  NO_CORPUS,
  read,
  sample,
  source,
  tokens,
  value,
  written,
} from '../../../test/formats/files.ts';
import { encode, engine, parse } from '../../../test/risu/kit.ts';
import { valueAt, type Wire } from '../../core/draft.ts';
import { emptyRegex, emptyRule, type RegexBody, type RegexRule } from '../../entities/regex/schema.ts';
import { risuRegex } from './regex.ts';

const quay = parse<Wire>(sample('risu', 'risu-regex.quay.json').bytes);
const rowsOf = (wire: unknown): readonly Wire[] =>
  (Array.isArray(wire) ? wire : valueAt(wire, ['data'])) as readonly Wire[];
const open = (wire: unknown) => read(risuRegex, wire)[0];
const edit = (wire: unknown, change: (body: RegexBody) => void): unknown => {
  const entity = open(wire);
  const body = structuredClone(entity.body);
  change(body);
  return value(risuRegex, { ...entity, body });
};
const rule = (change: Partial<RegexRule>): RegexRule => ({ ...emptyRule('r'), ...change });
const set = (...rules: RegexRule[]): RegexBody => ({ ...emptyRegex(), rules });
const entity = (...rules: RegexRule[]) =>
  ({ schemaVersion: '1', kind: 'regex', id: 'r', body: set(...rules) }) as const;
const fresh = (...rules: RegexRule[]): readonly Wire[] => rowsOf(value(risuRegex, entity(...rules)));

describe('detection', () => {
  const score = (wire: unknown) => risuRegex.detect(source(wire));
  test('the envelope is certain, bare rows are likely', () => {
    expect(score(quay)).toBe(1);
    expect(score({ type: 'regex', data: [] })).toBe(1);
    expect(score(rowsOf(quay))).toBe(0.85);
  });
  test.each([
    ['an empty list', []],
    ['rows of SillyTavern', [{ scriptName: 'a', findRegex: 'b', replaceString: 'c', placement: [1] }]],
    ['rows without a mark', [{ in: 'a', out: 'b' }]],
    ['rows of a book', [{ key: 'a', content: 'b', mode: 'normal' }]],
    ['another envelope', { type: 'risu', data: [] }],
  ])('%s is none', (_, wire) => expect(score(wire)).toBe(0));
});

describe('the field map', () => {
  test('a list of rules is one set', () => {
    expect(open(quay).body).toEqual(
      set(
        rule({
          id: '0',
          label: '종소리',
          find: 'ding+',
          replace: '*bell*$n',
          phases: ['display'],
          flags: 'gi<order 2>',
          useFlags: true,
        }),
        rule({ id: '1', label: '括弧', find: '（([^）]*)）', replace: '($1)', phases: ['request'], useFlags: false }),
        rule({ id: '2', label: 'Translate 🌊', find: 'sea', replace: 'See', phases: ['edittrans'] }),
        rule({ id: '3', label: 'Ruhe', find: '!!+', replace: '!', useFlags: false, enabled: false }),
      ),
    );
    expect(risuRegex.account(open(quay)).left.map(({ path }) => path)).toEqual(['data[3].newer']);
  });
  test.each<[keyof RegexRule, unknown, string, unknown]>([
    ['label', '鐘', 'comment', '鐘'],
    ['find', 'x', 'in', 'x'],
    ['replace', 'y', 'out', 'y'],
    ['phases', ['input'], 'type', 'editinput'],
    ['phases', ['output'], 'type', 'editoutput'],
    ['phases', ['request'], 'type', 'editprocess'],
    ['phases', ['edittrans'], 'type', 'edittrans'],
    ['phases', [], 'type', undefined],
    ['flags', 'gu<cbs>', 'flag', 'gu<cbs>'],
    ['flags', undefined, 'flag', undefined],
    ['useFlags', false, 'ableFlag', false],
    ['useFlags', undefined, 'ableFlag', undefined],
    ['enabled', false, 'type', 'disabled'],
  ])('%s: %j stands at its key, and an edit touches nothing else', (path, said, key, on) => {
    const after = edit(quay, ({ rules }) => {
      if (said === undefined) delete rules[0]?.[path];
      else Object.assign(rules[0] ?? {}, { [path]: said });
    });
    expect(changes(quay, after)).toEqual([`data.0.${key}`]);
    expect(rowsOf(after)[0]?.[key]).toBe(on);
  });
  test('a rule that is off by its type is on again with a place', () => {
    const after = edit(quay, ({ rules }) => Object.assign(rules[3] ?? {}, { enabled: true, phases: ['input'] }));
    expect(changes(quay, after)).toEqual(['data.3.type']);
    expect(rowsOf(after)[3]?.type).toBe('editinput');
  });
  test('only true in a switch of its own means off, and an edit stays with that switch', () => {
    const rows = [{ comment: 'a', in: 'b', out: 'c', type: 'editinput', disabled: true }];
    expect(open(rows).body.rules[0]).toMatchObject({ enabled: false, phases: ['input'] });
    expect(open([{ ...rows[0], disabled: 'true' }]).body.rules[0]?.enabled).toBe(true);
    const after = edit(rows, ({ rules }) => Object.assign(rules[0] ?? {}, { enabled: true }));
    expect(after).toEqual([{ ...rows[0], disabled: false }]);
  });
  test('editrequest is the request too, and keeps its spelling', () => {
    const rows = [{ in: 'b', out: 'c', type: 'editrequest' }];
    expect(open(rows).body.rules[0]?.phases).toEqual(['request']);
    expect(edit(rows, ({ rules }) => Object.assign(rules[0] ?? {}, { find: 'x' }))).toEqual([{ ...rows[0], in: 'x' }]);
  });
});

describe('files', () => {
  test.each(['quay', 'rows'])('%s goes back as it was', (name) => {
    const file = sample('risu', `risu-regex.${name}.json`);
    expect(tokens(written(risuRegex, open(file.bytes)))).toEqual(tokens(file.text));
  });
  test('rules are removed and added, the others stay', () => {
    const after = edit(quay, ({ rules }) => {
      rules.shift();
      rules.push(rule({ find: 'n' }));
    });
    expect(rowsOf(after).slice(0, 3)).toEqual(rowsOf(quay).slice(1));
    expect(rowsOf(after)[3]).toEqual({ comment: '', in: 'n', out: '' });
  });
});

describe('between apps', () => {
  test('flags of a new rule are switched on', () => {
    expect(fresh(rule({ find: 'a', flags: 'gi' }))[0]).toMatchObject({ flag: 'gi', ableFlag: true });
    expect(fresh(rule({ find: 'a' }))[0]).not.toHaveProperty('ableFlag');
    const rows = [{ in: 'a', out: '', type: 'editinput' }];
    const after = edit(rows, ({ rules }) => Object.assign(rules[0] ?? {}, { flags: 'g' }));
    expect(after).toEqual([{ ...rows[0], flag: 'g', ableFlag: true }]);
  });
  test('flags without the switch do not count', () => {
    const rows = [{ in: 'a', out: '', type: 'editinput', flag: 'gi' }];
    expect(open(rows).body.rules[0]).toMatchObject({ flags: 'gi', useFlags: false });
    const without = edit(rows, ({ rules }) => delete rules[0]?.flags);
    expect(without).toEqual([{ in: 'a', out: '', type: 'editinput' }]);
    const again = edit(rows, ({ rules }) => Object.assign(rules[0] ?? {}, { flags: 'g' }));
    expect(again).toEqual([{ ...rows[0], flag: 'g' }]);
  });
  test('a rule for the screen or the request alone has a word of its own', () => {
    const both = { find: 'a', phases: ['input', 'output'] };
    expect(fresh(rule({ ...both, targets: ['display'] }))[0]?.type).toBe('editdisplay');
    expect(fresh(rule({ ...both, targets: ['prompt'] }))[0]?.type).toBe('editprocess');
  });
  test('several phases become the first, and the report says so', async () => {
    const one = rule({ find: 'a', phases: ['slash', 'output', 'input'] });
    expect(fresh(one)[0]?.type).toBe('editoutput');
    const { report } = await engine.write([entity(one)], 'risu');
    expect(report.losses.map(({ path }) => path)).toEqual(['rules[0].phases']);
  });
  test('to SillyTavern and back', async () => {
    const { report, files } = await engine.convert(encode(quay), 'sillytavern');
    expect(report.losses.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['rules[2].phases', 'rules[0].useFlags']),
    );
    const back = await engine.convert(files[0]?.bytes as Uint8Array, 'risu');
    expect(rowsOf(parse(back.files[0]?.bytes)).map(({ in: find, out }) => [find, out])).toEqual(
      rowsOf(quay).map(({ in: find, out }) => [find, out]),
    );
  });
});

describe.skipIf(!hasCorpus)(`real files (${NO_CORPUS})`, () => {
  test.each(corpus('risu-regex'))('$name', async ({ bytes, text, expected }) => {
    expect((await engine.detect(bytes))?.format).toBe(expected);
    expect(tokens(written(risuRegex, open(bytes)))).toEqual(tokens(text));
  });
});
