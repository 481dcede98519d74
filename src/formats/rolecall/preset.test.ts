import { describe, expect, test } from 'vitest';
import {
  at,
  edited,
  encode,
  fresh,
  left,
  readAs,
  sealed,
  setAt,
  source,
  withValue,
} from '../../../test/kit/adapter.ts';
import { claimant, engine, sample } from '../../../test/kit/rolecall.ts';
import type { Wire } from '../../core/draft.ts';
import { emptyPreset, type PresetBody } from '../../entities/preset/schema.ts';
import { entityFaults } from '../../entities/validate.ts';
import { rolecallPreset } from './preset.ts';

const night = sample('rolecall-preset.night.json');
const open = (value: unknown) => readAs(rolecallPreset, value);
const edit = (change: (body: PresetBody) => void, wire: Wire = night): Wire =>
  edited(rolecallPreset, wire, change as never);

type Row = [path: string, wire: string, value: unknown];
const FIELDS: Row[] = [
  ['name', 'name', '夜'],
  ['description', 'readme', 'r'],
  ['samplers.temperature', 'temperature', 1.5],
  ['choices.0.label', 'choice_groups.0.label', 'Speed'],
  ['choices.0.type', 'choice_groups.0.type', 'many'],
  ['choices.0.key', 'choice_groups.0.key', 'speed'],
  ['choices.1.key', 'choice_groups.1.variableName', 'tongue'],
  ['choices.1.readme', 'choice_groups.1.readme', 'x'],
  ['choices.1.default', 'choice_groups.1.default', 'English'],
  ['choices.1.placeholder', 'choice_groups.1.placeholder', 'p'],
  ['choices.1.suggestions', 'choice_groups.1.suggestions', ['ع']],
  ['choices.2.min', 'choice_groups.2.min', 2],
  ['choices.2.separator', 'choice_groups.2.separator', '; '],
  ['choices.0.sortOrder', 'choice_groups.0.sortOrder', 4],
  ['choices.0.options.0.label', 'choice_groups.0.options.0.label', 'Slower'],
  ['choices.0.options.0.value', 'choice_groups.0.options.0.value', 'slower'],
  ['choices.0.options.1.description', 'choice_groups.0.options.1.description', 'd'],
  ['choices.0.options.0.enablesPrompts', 'choice_groups.0.options.0.prompts', ['slow-burn', 'main']],
];

describe('fields', () => {
  test.each(FIELDS)('%s stands at %s', (path, wire, value) => {
    expect(at(open(night).body, path)).toBeDefined();
    const after = edit((body) => setAt(body, path, value));
    expect(at(after, wire)).toEqual(value);
    expect(withValue(after, wire, at(night, wire))).toEqual(night);
  });

  test.each(FIELDS.filter(([path]) => !/(name|label|type)$/.test(path)))('%s is cleared away', (path, wire) => {
    const after = edit((body) => setAt(body, path, undefined));
    expect(at(after, wire)).toBeUndefined();
    expect(withValue(after, wire, at(night, wire))).toEqual(night);
  });

  test('description stands before readme where a choice has both', () => {
    const both = withValue(night, 'choice_groups.1.description', 'd');
    expect(open(both).body.choices?.[1]?.readme).toBe('d');
    expect(
      at(
        edit((body) => setAt(body, 'choices.0.readme', 'new')),
        'choice_groups.0.description',
      ),
    ).toBe('new');
  });

  test('what is read fits the schema, and nothing changes without an edit', () => {
    const entity = open(night);
    expect(entityFaults(entity)).toEqual([]);
    expect(sealed(rolecallPreset, entity)).toEqual(encode(night));
  });

  test('the macro program and the bundled scripts stay sealed, and are named', () => {
    expect(left(rolecallPreset, night)).toEqual(['macro_engine_yaml', 'extensions']);
    const after = edit((body) => setAt(body, 'name', 'x'));
    expect(after.macro_engine_yaml).toBe(night.macro_engine_yaml);
    expect(after.extensions).toEqual(night.extensions);
  });
});

describe('prompts and choices', () => {
  test('the order list gives sequence and switches', () => {
    expect(open(night).body.prompts.map(({ id, enabled }) => [id, enabled])).toEqual([
      ['main', true],
      ['slow-burn', false],
      ['chatHistory', true],
    ]);
    const after = edit(({ prompts }) => setAt(prompts[1] ?? {}, 'enabled', true));
    expect(after).toEqual(withValue(night, 'prompt_order.0.order.1.enabled', true));
  });

  test('choices and options are rows that keep what is not known', () => {
    const odd = withValue(withValue(night, 'choice_groups.0.icon', '⏳'), 'choice_groups.0.options.0.hot', true);
    const after = edit(({ choices }) => {
      choices?.[0]?.options.push({ id: 'still', label: 'Still' });
      choices?.push({ id: 'flag', label: 'Rain', type: 'toggle', options: [] });
    }, odd);
    expect(at(after, 'choice_groups.0.options.0')).toEqual({
      ...(at(night, 'choice_groups.0.options.0') as Wire),
      hot: true,
    });
    expect(at(after, 'choice_groups.0.options.2')).toEqual({ id: 'still', label: 'Still' });
    expect(at(after, 'choice_groups.3')).toEqual({ id: 'flag', label: 'Rain', type: 'toggle' });
    expect(at(after, 'choice_groups.0.icon')).toBe('⏳');
    expect(left(rolecallPreset, odd)).toEqual(
      expect.arrayContaining(['choice_groups[0].icon', 'choice_groups[0].options[0].hot']),
    );
  });

  test('an unknown kind of choice stays as it is', () => {
    const odd = withValue(night, 'choice_groups.0.type', 'dial');
    expect(left(rolecallPreset, odd)).toContain('choice_groups[0].type');
    expect(edit((body) => setAt(body, 'name', 'x'), odd)).toEqual(withValue(odd, 'name', 'x'));
  });
});

describe('files', () => {
  test('a fresh preset is known again by an empty list of choices', async () => {
    const wire = fresh(rolecallPreset, { ...emptyPreset(), name: 'N', samplers: { temperature: 1 } });
    expect(wire).toMatchObject({ name: 'N', choice_groups: [], temperature: 1 });
    expect(await claimant(wire)).toBe('rolecall-preset');
  });

  test('bundled regex scripts alone are no sign of RoleCall; linked ones, choices or a macro program are', () => {
    const { macro_engine_yaml: yaml, choice_groups: groups, ...plain } = night;
    const scripts = withValue(plain, 'extensions.linkedRegexScripts', undefined);
    const detects = (wire: Wire) => rolecallPreset.detect(source(wire));
    expect(detects(scripts)).toBe(0);
    expect(detects(plain)).toBe(0.95);
    expect(detects({ ...scripts, choice_groups: groups })).toBe(0.95);
    expect(detects({ ...scripts, macro_engine_yaml: yaml })).toBe(0.95);
    expect(detects({ ...night, type: 'preset' })).toBe(0);
    expect(detects({ exportedAt: '', version: 1, type: 'preset', data: night })).toBe(0);
  });

  test('secrets are stripped on demand and never shown in a report', () => {
    const secret = { ...night, reverse_proxy: 'https://secret.example', proxy_password: 'hunter2' };
    expect(rolecallPreset.stripSecrets?.(secret)).toEqual({ raw: night, removed: ['reverse_proxy', 'proxy_password'] });
    const entity = open(secret);
    const { left: rest } = rolecallPreset.account(entity);
    expect(JSON.stringify(rest)).not.toContain('hunter2');
    expect(rest.map(({ path }) => path)).toContain('proxy_password');
  });

  test('to SillyTavern and from it: only readme and choices stay behind', async () => {
    const there = await engine.convert(encode(night), 'sillytavern');
    expect(there.report.losses.map(({ path }) => path)).toEqual([
      'description',
      'choices[0]',
      'choices[1]',
      'choices[2]',
    ]);
    expect(there.report.escrowed.map(({ path }) => path)).toEqual(['macro_engine_yaml', 'extensions']);
    const back = await engine.convert(there.files[0]?.bytes ?? '', 'rolecall');
    expect(back.report.losses).toEqual([]);
    expect(open(back.files[0]?.bytes).body.prompts).toMatchObject(open(night).body.prompts);
  });

  test('RoleCall to itself loses nothing', async () => {
    const { report } = await engine.convert(encode(night), 'rolecall');
    expect(report.losses).toEqual([]);
  });
});
