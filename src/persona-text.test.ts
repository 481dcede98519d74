/** Styles as Agnai puts them into a prompt. Source: the facts of its persona kinds, page `agnai`. */
import { describe, expect, test } from 'vitest';
import { character, engine, json, text } from '../test/cases/rest-kit.ts';
import { personaText } from './persona-text.ts';

const attributes = { 種族: ['からくり人形'], mind: ['patient', 'literal'], none: [] };
const card = (over: object = {}) => ({
  kind: 'character',
  name: 'ナギ',
  greeting: 'Hello.',
  description: 'a doll of the tea house',
  persona: { kind: 'wpp', attributes },
  ...over,
});

test.each([
  ['attributes', 'Name: ナギ\n種族: からくり人形\nmind: patient, literal'],
  ['wpp', '[character("ナギ") {\n種族("からくり人形")\nmind("patient" + "literal")\n}]'],
  ['sbf', '[ character: "ナギ"; 種族: "からくり人形"; mind: "patient", "literal" ]'],
  ['boostyle', 'ナギ + からくり人形 + patient + literal'],
] as const)('the style %s', (kind, expected) => {
  expect(personaText('ナギ', { kind, attributes })).toBe(expected);
  expect(personaText('ナギ', { kind, attributes: {} })).toBe('');
});

describe('a persona of attributes', () => {
  test.each(['sillytavern', 'risu', 'backyard', 'pygmalion', 'rolecall'])(
    'reaches %s as text, and the report says so',
    async (to) => {
      const { files, report } = await engine.convert(text(card()), to);
      const { body } = character((await engine.read(files[0]?.bytes ?? '', { format: to })).entities);
      expect(body.persona.personality).toContain('mind("patient" + "literal")');
      expect(report.warnings.map(({ code }) => code)).toContain('persona.spelled-out');
      const added = report.warnings.filter(({ code }) => code === 'read-back.added').map(({ path }) => path);
      expect(added).not.toContain('persona.personality');
      const [loss] = report.losses.filter(({ path }) => path.startsWith('persona.structured'));
      expect(loss?.reason).toBe('written out as text in persona.personality');
    },
  );

  test('is the description where there is no personality and nothing stands there', async () => {
    const { files, report } = await engine.convert(text(card({ description: '' })), 'byaf');
    const { body } = character((await engine.read(files[0]?.bytes ?? '')).entities);
    expect(body.identity.description).toContain('mind(');
    expect(report.warnings.map(({ path }) => path)).toContain('identity.description');
  });

  test('never goes over a text that stands there', async () => {
    const { files } = await engine.convert(text(card()), 'byaf');
    const { body } = character((await engine.read(files[0]?.bytes ?? '')).entities);
    expect(body.identity.description).toBe('a doll of the tea house');
  });

  test('stays attributes in its own format', async () => {
    const { files, report } = await engine.convert(text(card()), 'agnai');
    expect(json(files[0]?.bytes)).toEqual(card());
    expect(report.warnings).toEqual([]);
  });
});
