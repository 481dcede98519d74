/** The laws of the field tables, on generated wires and edits. */
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { lawsOf, type Table } from '../../../test/laws/harness.ts';
import { own, ownEngine } from '../../../test/laws/own.ts';
import { bookTable, tavernTable } from '../../../test/laws/tables.ts';
import type { Lens } from '../../core/lens.ts';
import { personaRules } from '../../entities/persona/compare.ts';
import { emptyPersona } from '../../entities/persona/schema.ts';
import { presetRules } from '../../entities/preset/compare.ts';
import { preset as presetLens } from '../../entities/preset/lenses.ts';
import { emptyPreset, type PresetBody } from '../../entities/preset/schema.ts';
import { regexRules } from '../../entities/regex/compare.ts';
import { emptyRegex, emptyRule } from '../../entities/regex/schema.ts';
import { withOwn } from '../_shared/tavern.ts';
import { type CardLevel, tavernFields } from '../_shared/tavern-fields.ts';
import { baseCard } from '../_shared/tavern-variant.ts';
import { choices } from './choices.ts';
import { rolecallFields } from './fields.ts';
import { rolecallLorebookFields } from './lorebook.ts';
import { cardPersonaFields } from './persona-card.ts';
import { envelopeFields } from './persona-envelope.ts';
import { rolecallRegexFields, ruleRows } from './regex-fields.ts';

const numRuns = Number(process.env.RUNS ?? 150);
const seed = process.env.SEED === undefined ? {} : { seed: Number(process.env.SEED) };
const fields = (lenses: readonly unknown[]) => lenses as readonly Lens<never>[];

const rowsOf = <T>(value: unknown): readonly T[] => (Array.isArray(value) ? value : []);

const text = fc.constantFrom('', 'a', '柳 烟', 'نور 🌙', '{{char}}', '.*');
const said = fc.constantFrom('a', '柳', '{{x}}');
const texts = fc.array(text, { maxLength: 3 });
const flag = fc.boolean();
const count = fc.constantFrom(0, 1, 4, 100);

const characterTable = (
  label: string,
  data: string,
  mirror: string | undefined,
  level: CardLevel,
  base: object,
): Table => {
  const block = `${data}.extensions.rolecall`;
  const table = tavernTable(
    own,
    label,
    fields(withOwn(tavernFields(data, mirror, level), rolecallFields(data, level))),
    data,
    [base as never],
    {
      hints: {
        [`${data}.alternate_greetings`]: fc.array(fc.constantFrom<unknown>('a', '', 'b', 7, null), { maxLength: 3 }),
        [`${block}.alternate_greeting_titles`]: fc.array(fc.constantFrom<unknown>('x', '', null, 7), { maxLength: 4 }),
        [`${block}.details.prompt_depth_injections`]: fc.array(
          fc.constantFrom<unknown>({ content: 'a', id: 'i' }, { content: ' ' }, { content: 'b', depth: 1, zz: 1 }, 7),
          { maxLength: 3 },
        ),
        [`${block}.details.default_background`]: fc.constantFrom<unknown>(
          { backgroundId: 'b1', customUrl: null, overlayOpacity: 0.5, zz: 1 },
          { backgroundId: null, customUrl: 'https://example.org/b.png' },
          { backgroundId: null },
        ),
        [`${block}.details.colors`]: fc.array(
          fc.constantFrom<unknown>({ hex: '#fff', zz: 1 }, { name: 'none' }, 'red'),
          { maxLength: 2 },
        ),
      },
    },
  );
  return {
    ...table,
    values: {
      ...table.values,
      'greetings.alternateGreetings': fc.array(fc.record({ text, title: said }, { requiredKeys: ['text'] }), {
        maxLength: 3,
      }),
      'presentation.spoilers.mode': fc.constantFrom('on', 'off'),
      'presentation.spoilers.order': texts,
      'presentation.spoilers.fields': fc.dictionary(fc.constantFrom('a', '__proto__'), flag),
    },
    says(path, value, body) {
      if (path === 'greetings.alternateGreetings')
        return rowsOf<{ text: string }>(value).every((greeting) => greeting.text !== '');
      if (path === 'prompts.depthInjections')
        return rowsOf<{ text: string }>(value).every((injection) => injection.text.trim() !== '');
      return table.says?.(path, value, body) ?? true;
    },
    spreads: new Set([...(table.spreads ?? []), 'greetings.alternateGreetings']),
  };
};

const book = bookTable(
  own,
  'rolecall lorebook',
  fields(rolecallLorebookFields),
  { shape: 'list', ids: ['id'] },
  { schemaVersion: '1.0.0', lorebook: { settings: {}, metadata: {}, entries: [] } },
  {
    hints: {
      'triggers.primary': fc.array(
        fc.constantFrom<unknown>({ keyword: 'a', isRegex: true, last: 1 }, 'b', '', { isRegex: true }, 7),
        { maxLength: 3 },
      ),
      characterFilter: fc.constantFrom<unknown>({ names: ['a', 7], zz: 1 }, { isExclude: true }, null),
    },
    says(path, value, body) {
      if (path === 'position') return !['author_note_top', 'author_note_bottom', 'outlet'].includes(value as string);
      if (path === 'triggers' || path === 'secondaryTriggers')
        return (
          rowsOf<{ keyword: string }>(value).every(({ keyword }) => keyword !== '') &&
          (path === 'triggers' || (body as { selective?: boolean }).selective !== false)
        );
      return path !== 'selective';
    },
    spreads: new Set(['secondaryTriggers', 'selective']),
  },
);

const personaValues = {
  name: text,
  brief: text,
  content: text,
  'sections.appearance': text,
  'sections.body': text,
  'sections.personality': text,
  'sections.quirks': text,
  'sections.history': text,
  sectionOrder: texts,
  traits: texts,
  'identity.tagline': text,
  'identity.age': text,
  'identity.height': text,
  'identity.pronouns': text,
  'presentation.signatureColor': text,
  'presentation.colors': texts,
  'presentation.imageUrl': text,
  knowledgeRefs: fc.constantFrom(['a'], ['b', 'c']),
  rating: fc.constantFrom('all-ages', 'mature', 'explicit'),
  'attribution.creator': text,
  'attribution.version': text,
  'attribution.createdAt': text,
  'attribution.source': text,
  'media.portrait': fc.constantFrom({ role: 'portrait', ref: 'https://example.org/a.png' }),
};
const personaTable = (label: string, lenses: readonly unknown[], base: object, more: Partial<Table>): Table => ({
  label,
  lenses: fields(lenses),
  rules: personaRules,
  values: personaValues,
  empty: emptyPersona,
  bases: [{ carrier: 'json', card: base }],
  carriers: [{ carrier: 'json' }],
  ...more,
});

const envelope = personaTable(
  'rolecall persona, envelope',
  envelopeFields('card.data'),
  { spec: 'rolecall_persona', data: { name: '', content: '' } },
  {
    // A text that is cleared while sections stand is made of them: a test of its own shows it.
    says: (path, value, body) =>
      path !== 'media.portrait' &&
      value !== 'mature' &&
      (path !== 'content' || value !== '') &&
      !(path.startsWith('sections.') && !(body as { content?: string }).content),
    spreads: new Set([
      'content',
      ...['appearance', 'body', 'personality', 'quirks', 'history'].map((n) => `sections.${n}`),
    ]),
  },
);

const card = personaTable(
  'rolecall persona, card',
  cardPersonaFields('card.data'),
  { ...baseCard('v2') },
  {
    hints: {
      'card.data.description': fc.constantFrom<unknown>('a', 'a\n\nAppearance: b\n\nc', 'Body: x', 7),
      'card.data.extensions.rolecall.is_after_dark': fc.constantFrom<unknown>(true, false, 'yes'),
      'card.data.extensions.rolecall.colors': fc.array(fc.constantFrom<unknown>({ hex: '#1', name: 'n' }, '#2', 7)),
    },
    says: (path, value) => {
      if (path === 'knowledgeRefs') return rowsOf(value).length < 2;
      return path !== 'media.portrait' && path !== 'rating';
    },
    spreads: new Set(['content', 'sections.appearance', 'sections.body', 'rating']),
  },
);

const regex: Table = {
  label: 'rolecall regex',
  // The numbers follow the rows: tests of their own show it.
  lenses: fields(rolecallRegexFields.map((lens) => (lens.canonical.includes('rules') ? ruleRows : lens))),
  rules: regexRules,
  values: { name: text, description: text },
  empty: emptyRegex,
  bases: [{ name: '', rules: [] }],
  hints: { placement: fc.constantFrom<unknown>(['ai_output', 'odd'], 'user_input', ['display_only', 2], 7) },
  says: (path, value) => path !== 'phases' || !rowsOf(value).includes('slash'),
  rows: {
    shape: 'list',
    ids: ['id'],
    values: {
      label: text,
      note: text,
      find: text,
      flags: text,
      replace: text,
      trimStrings: texts,
      phases: fc.subarray(['input', 'output', 'display', 'request', 'slash']),
      minDepth: count,
      maxDepth: count,
      runOnEdit: flag,
      enabled: flag,
      sortOrder: count,
    },
    empty: emptyRule,
    defaults: { enabled: true, phases: [], replace: '', find: '' },
  },
};

const preset: Table = {
  label: 'rolecall choices',
  lenses: fields([
    choices,
    presetLens.field('description', { names: ['readme'], keys: [['readme']] }, own.codec.text()),
  ]),
  rules: presetRules,
  values: { description: text },
  empty: () => emptyPreset() satisfies PresetBody,
  bases: [{ choice_groups: [] }],
  rows: {
    shape: 'list',
    ids: ['id'],
    values: {
      label: text,
      type: fc.constantFrom('one', 'many', 'toggle', 'input'),
      readme: text,
      key: text,
      default: fc.constantFrom<unknown>('a', 1, true, ['x']),
      placeholder: text,
      suggestions: texts,
      min: count,
      separator: text,
      sortOrder: count,
      options: fc.uniqueArray(
        fc.record(
          {
            id: fc.constantFrom('a', 'b', 'c'),
            label: text,
            value: said,
            description: said,
            enablesPrompts: fc.constant(['p']),
          },
          { requiredKeys: ['id', 'label'] },
        ),
        { maxLength: 3, selector: ({ id }) => id },
      ),
    },
    empty: (id) => ({ id, label: '', type: 'one', options: [] }),
    defaults: { type: 'one', label: '', options: [] },
  },
};

/** Slots whose homes depend on each other more than a law about one slot allows; their own tests show how. */
const TANGLED: Readonly<Record<string, string>> = {
  // A title without a greeting moves out of the way of a new greeting.
  'greetings.alternateGreetings': 'lists: an added item',
  // A text that was made of the sections is written down before they change.
  content: 'clear:',
};

/** The table with the laws that hold for all of its fields, and the tangled fields alone with all other laws. */
function lawsFor(table: Table) {
  const tangled = (lens: Lens<never>) => table.label !== card.label && lens.canonical.some((path) => path in TANGLED);
  const plain = { ...table, lenses: table.lenses.filter((lens) => !tangled(lens)) };
  const rest = table.lenses.filter(tangled).map((lens) => {
    const but = lens.canonical.map((path) => TANGLED[path]).find((law) => law !== undefined) ?? '';
    return lawsOf(ownEngine, { ...table, lenses: [lens] }).filter(
      ({ name }) => !name.startsWith(but) && !name.startsWith('account:'),
    );
  });
  return [lawsOf(ownEngine, plain), ...rest].flat();
}

const tables: Table[] = [
  characterTable('rolecall v3', 'card.data', 'card', 'v3', baseCard('v3')),
  characterTable('rolecall v2', 'card.data', 'card', 'v2', baseCard('v2')),
  characterTable('rolecall bare', 'card', undefined, 'v2', {}),
  book,
  envelope,
  card,
  regex,
  preset,
];

for (const table of tables) {
  describe(table.label, () => {
    test('each canonical path has one owner', ({ expect }) => {
      const paths = table.lenses.flatMap(({ canonical }) => canonical);
      expect(paths.filter((path, index) => paths.indexOf(path) !== index)).toEqual([]);
    });
    for (const { name, property } of lawsFor(table)) {
      test(name, () => fc.assert(property, { numRuns, includeErrorInReport: true, ...seed }));
    }
  });
}
