/** The laws of the field tables, on generated wires and edits. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lawsOf, type Table } from '../../../test/laws/harness.ts';
import { own, ownEngine } from '../../../test/laws/own.ts';
import { bookTable, tavernTable } from '../../../test/laws/tables.ts';
import { changed, dig } from '../../../test/laws/tree.ts';
import { text as plainText } from '../../core/codec.ts';
import { get, type Lens, put } from '../../core/lens.ts';
import { at } from '../../core/lenses.ts';
import { personaRules } from '../../entities/persona/compare.ts';
import { emptyPersona } from '../../entities/persona/schema.ts';
import { presetRules } from '../../entities/preset/compare.ts';
import { emptyPreset, emptyPrompt } from '../../entities/preset/schema.ts';
import { regexRules } from '../../entities/regex/compare.ts';
import { regexSet } from '../../entities/regex/lenses.ts';
import { emptyRegex, emptyRule } from '../../entities/regex/schema.ts';
import { baseCard } from '../_shared/tavern-variant.ts';
import { characterFields } from './character-fields.ts';
import { lorebookFields } from './lorebook.ts';
import { idMarks } from './marks.ts';
import { personaExportFields } from './persona.ts';
import { presetFields } from './preset.ts';
import { regexFields } from './regex.ts';

const numRuns = Number(process.env.RUNS ?? 150);
const fields = (lenses: readonly unknown[]) => lenses as readonly Lens<never>[];

const picture = 'data:image/png;base64,iVBORw0KGgo=';
const pictureRow = fc.record(
  {
    filename: fc.constantFrom<unknown>('happy.png', 'a/b.webp', '', 7),
    data: fc.constantFrom<unknown>(picture, '/api/x.png', 1),
    prompt: fc.constant('p'),
  },
  { requiredKeys: [] },
);
const iso = fc.constantFrom<unknown>('2026-05-01T20:04:25.000Z', '2026-04-24T21:08:12.910Z', 1767225600, '');

const card = tavernTable(own, 'marinara character', fields(characterFields), 'card.data', [{ ...baseCard('v2') }], {
  hints: {
    'card.avatar': fc.constantFrom<unknown>(picture, '/api/avatars/1.png', ''),
    'card.sprites': fc.array(pictureRow, { maxLength: 3 }),
    'card.gallery': fc.array(pictureRow, { maxLength: 3 }),
    'card.metadata.createdAt': iso,
    'card.metadata.updatedAt': iso,
    'card.data.extensions.nameColor': fc.constantFrom<unknown>('#88aacc', 'linear-gradient(red, blue)', ''),
  },
});

/** Sprites stand before the gallery, whatever order a body has; a test of its own shows the report. */
const spritesFirst = (assets: unknown): unknown =>
  [...(assets as { role: string }[])].sort((a, b) => Number(b.role === 'emotion') - Number(a.role === 'emotion'));

const character: Table = {
  ...card,
  values: { ...card.values, 'media.assets': card.values['media.assets']?.map(spritesFirst) ?? fc.constant([]) },
  says: (path, value, body) =>
    path === 'presentation.signatureColor' ? String(value).startsWith('#') : (card.says?.(path, value, body) ?? true),
};

const bookBase = {
  type: 'marinara_lorebook',
  version: 1,
  data: { lorebook: { id: 'book' }, entries: [], folders: [] },
};
const book = bookTable(own, 'marinara lorebook', fields(lorebookFields), { shape: 'list', ids: ['id'] }, bookBase, {
  hints: {
    characterFilterMode: fc.constantFrom('any', 'include', 'exclude'),
    characterTagFilterMode: fc.constantFrom('any', 'include', 'exclude'),
    generationTriggerFilterMode: fc.constantFrom('any', 'include', 'exclude'),
    characterFilterIds: fc.constantFrom<unknown>([], ['c1'], ['c1', 7]),
    characterTagFilters: fc.constantFrom<unknown>([], ['fox']),
    additionalMatchingSources: fc.constantFrom<unknown>(
      [],
      ['character_name', 'character_scenario'],
      ['persona_description'],
    ),
    useRegex: fc.boolean(),
  },
  says(path, value) {
    if (path === 'position') return ['world', 'character', 'depth', 'outlet'].includes(value as string);
    if (path === 'triggers' || path === 'secondaryTriggers' || path === 'characterFilter') return false;
    if (path === 'lorebookType') return ['world', 'character', 'rules', 'other'].includes(value as string);
    return path !== 'delayUntilRecursion';
  },
  spreads: new Set(['triggers', 'secondaryTriggers', 'characterFilter', 'generationTriggers']),
});

const text = fc.constantFrom('', 'a', 'Nagi 凪', 'mưa 🌧', '{{char}}', '[x]', '.*');
const flag = fc.boolean();
const count = fc.constantFrom(0, 1, 4, 100);
const real = fc.constantFrom(0, 0.5, 1, -1.5);
const texts = fc.array(text, { maxLength: 3 });
const asText = (value: unknown) => fc.constantFrom(value, JSON.stringify(value));

/** Colours that are hex, and pictures with bytes: the rest is reported. */
const exactColors: Table['says'] = (path, value) =>
  path === 'presentation.signatureColor' ? String(value).startsWith('#') : path !== 'media.portrait';

const persona: Table = {
  label: 'marinara persona',
  lenses: fields([...personaExportFields, idMarks('type')]),
  rules: personaRules,
  values: {
    name: text,
    brief: text,
    content: text,
    'sections.personality': text,
    'sections.appearance': text,
    'sections.history': text,
    traits: texts,
    'presentation.signatureColor': fc.constantFrom('#123', 'red'),
    'attribution.creator': text,
    'attribution.version': text,
    'attribution.createdAt': text,
    'media.portrait': fc.constantFrom({ role: 'portrait', ref: 'https://example.org/a.png' }),
  },
  empty: emptyPersona,
  bases: [{ type: 'marinara_persona', data: { name: '', tags: [] } }],
  hints: {
    type: fc.constant('marinara_persona'),
    'data.avatar': fc.constantFrom<unknown>(picture, '/api/a.png'),
    'data.nameColor': fc.constantFrom('#123456', 'red'),
  },
  says: exactColors,
};

const ruleDefaults = { enabled: true, phases: [], replace: '' };
const regex: Table = {
  label: 'marinara regex',
  // The harness wants a slot beside the rows.
  lenses: fields([...regexFields, regexSet.field('description', at('description'), plainText())]),
  rules: regexRules,
  values: { description: text },
  empty: emptyRegex,
  bases: [{ rows: [] }],
  hints: {
    placement: fc.constantFrom<unknown>(['ai_output'], ['user_input', 'other'], 7),
    promptOnly: fc.constantFrom<unknown>(true, 'false'),
  },
  says: (path, value) => {
    if (path === 'phases') return (value as string[]).every((word) => word === 'input' || word === 'output');
    return path !== 'targets' || JSON.stringify(value) === '["prompt"]';
  },
  spreads: new Set(['sortOrder']),
  rows: {
    shape: 'list',
    ids: ['id'],
    values: {
      label: text,
      find: text,
      flags: text,
      replace: text,
      trimStrings: texts,
      phases: fc.subarray(['input', 'output', 'display']),
      targets: fc.subarray(['prompt', 'display']),
      minDepth: count,
      maxDepth: count,
      characterIds: texts,
      enabled: flag,
      sortOrder: count,
    },
    empty: emptyRule,
    defaults: ruleDefaults,
  },
};

const samplers = [
  'temperature',
  'topP',
  'topK',
  'minP',
  'frequencyPenalty',
  'presencePenalty',
  'maxContext',
  'maxTokens',
];
const presetBase = { data: { preset: { id: 'p', name: '' }, sections: [], groups: [], choiceBlocks: [] } };
const preset: Table = {
  label: 'marinara preset',
  lenses: fields(presetFields),
  rules: presetRules,
  values: {
    name: text,
    description: text,
    ...Object.fromEntries(samplers.map((name) => [`samplers.${name}`, real])),
    'systemPrompts.assistantPrefill': text,
    'apiOptions.squashSystemMessages': flag,
    'apiOptions.showThoughts': flag,
    'apiOptions.reasoningEffort': fc.constantFrom('low', 'max', 'auto'),
  },
  empty: emptyPreset,
  bases: [presetBase],
  // A list that says the order has a law of its own, below: here rows stand in file order.
  settle: (wire) =>
    ['sectionOrder', 'groupOrder'].reduce((tree, key) => {
      const home = ['data', 'preset', key];
      return Array.isArray(dig(tree, home)) ? changed(tree, home, 'none') : tree;
    }, wire),
  hints: {
    enabled: asText(true),
    isMarker: asText(false),
    'markerConfig.type': fc.constantFrom('lorebook', 'persona', 'chat_history'),
  },
  says: (path, value) => {
    if (path === 'placement') return value === 'relative' || value === 'in_chat';
    if (path === 'apiOptions.reasoningEffort') return value !== 'auto';
    return path !== 'extras' && path !== 'markerSlot' && value !== 'tool';
  },
  spreads: new Set(['markerSlot', 'extras']),
  rows: {
    shape: 'list',
    ids: ['identifier', 'id'],
    values: {
      name: text,
      content: text,
      role: fc.constantFrom('system', 'user', 'assistant', 'tool'),
      enabled: flag,
      marker: flag,
      markerSlot: fc.constantFrom('chatHistory', 'personaDescription'),
      extras: fc.constantFrom({ markerType: 'lorebook' }, { other: 1 }),
      placement: fc.constantFrom('relative', 'in_chat', 'append'),
      injectionDepth: count,
      injectionOrder: count,
      forbidOverrides: flag,
      groupId: text,
      wrapInXml: flag,
      xmlTagName: text,
    },
    empty: emptyPrompt,
    defaults: { role: 'system', enabled: true, content: '', name: '' },
  },
};

const tables: Table[] = [character, book, persona, regex, preset];

for (const table of tables) {
  describe(table.label, () => {
    for (const { name, property } of lawsOf(ownEngine, table)) {
      test(name, () => fc.assert(property, { numRuns, includeErrorInReport: true }));
    }
  });
}

/** Rows under ids of their own, some hostile, beside a list that names some of them and others. */
const rowId = fc.constantFrom('', '7', '7-2', '0', 'x', '__proto__', 'toString');
const listed = fc.record({
  ids: fc.uniqueArray(rowId, { maxLength: 5 }),
  order: fc.array(fc.oneof(rowId, fc.constantFrom<unknown>('gone', 3, null)), { maxLength: 5 }),
});

test('rows: where a list says the order, another one is said there and every row stays', () => {
  const property = fc.property(listed, fc.nat(4), ({ ids, order }, turn) => {
    const rows = ids.map((id) => ({ id, name: `row ${id}` }));
    const wire = { data: { preset: { id: 'p', sectionOrder: order }, sections: rows } };
    const body = get(presetFields, wire, emptyPreset());
    expect(put(presetFields, wire, body)).toBe(wire);
    const prompts = [...body.prompts.slice(turn).reverse(), ...body.prompts.slice(0, turn)];
    const out = put(presetFields, wire, { ...body, prompts });
    expect(get(presetFields, out, emptyPreset()).prompts).toEqual(prompts);
    const after = dig(out, ['data', 'sections']) as unknown[];
    expect(after.every((row, index) => row === rows[index])).toBe(true);
    const own = new Set<unknown>(ids);
    const strangers = (list: unknown) => (list as unknown[]).filter((id) => !own.has(id));
    expect(strangers(dig(out, ['data', 'preset', 'sectionOrder']))).toEqual(strangers(order));
  });
  fc.assert(property, { numRuns, includeErrorInReport: true });
});
