/**
 * The laws of every field table, on generated wires and edits. One line a table.
 * `npm run laws` tries harder, on new cases.
 */
import fc from 'fast-check';
import { describe, test } from 'vitest';
import type { Lens } from '../../src/core/lens.ts';
import { emptyCharacter } from '../../src/entities/character/schema.ts';
import { characterBookFields } from '../../src/formats/_shared/character-book.ts';
import { tavernFields } from '../../src/formats/_shared/tavern-fields.ts';
import { baseCard } from '../../src/formats/_shared/tavern-variant.ts';
import { agnaiBase, agnaiFields } from '../../src/formats/agnai/fields.ts';
import { memoryFields } from '../../src/formats/agnai/lorebook.ts';
import { freshArchive } from '../../src/formats/backyard/byaf-base.ts';
import { byafFields } from '../../src/formats/backyard/byaf-fields.ts';
import { backyardFields, envelopeBase, flatBase } from '../../src/formats/backyard/fields.ts';
import { archiveLore, legacyLore } from '../../src/formats/backyard/lore.ts';
import { pygmalionBase, pygmalionFields } from '../../src/formats/pygmalion/fields.ts';
import { risuFields } from '../../src/formats/risu/fields.ts';
import { worldInfoFields } from '../../src/formats/sillytavern/lorebook.ts';
import { lawsOf, type Says, type Table } from './harness.ts';
import { own, ownEngine } from './own.ts';
import { bookTable, hostileTable, tavernSays, tavernTable } from './tables.ts';
import { changed, dig, isTree, type Tree } from './tree.ts';
import { anyText } from './wires.ts';

const numRuns = Number(process.env.RUNS ?? 200);

const fields = (lenses: readonly unknown[]) => lenses as readonly Lens<never>[];
const v2 = { ...baseCard('v2') };
const v3 = { ...baseCard('v3') };

const rowList = { shape: 'list', ids: ['id'] } as const;
/** Only what a table itself calls exact. */
const exact: Says = () => undefined;

const risuSays: Says = (path, value, body, wire) => {
  if (value === undefined) return true;
  if (path === 'persona.imagePrompt') {
    const { prefix, suffix, template, ...rest } = value as Tree;
    return prefix === undefined && suffix === undefined && template === undefined && !Object.values(rest).includes('');
  }
  if (path === 'persona.voice') return (value as Tree).provider === 'vits' && (value as Tree).extras !== undefined;
  if (path.startsWith('behavior') || path.startsWith('settings.risu') || path === 'bias') return undefined;
  return tavernSays(path, value, body, wire);
};

const agnaiSays: Says = (path, value, _, wire) => {
  if (path === 'greetings.alternateGreetings') return (value as Tree[] | undefined)?.every(({ title }) => !title);
  if (path === 'persona.structured' && value === undefined) return false;
  if (path !== 'persona.voice') return undefined;
  // The record is one home: what cannot hold keys is not written through.
  const held = dig(wire, ['card', 'voice']);
  return held === undefined || held === null || isTree(held);
};
const agnaiSpreads = new Set([
  'persona.personality',
  'persona.structured',
  'persona.voice',
  'prompts.depthInjections',
  'media.portrait',
]);

/** A name and a short name share their keys. */
const names = new Set(['identity.name', 'identity.nickname', 'media.portrait']);
/** The wire has two ratings and no third state. */
const ratedAlways: Says = (path, value) => (path === 'discovery.rating' && value === undefined ? false : undefined);

/** An archive is a manifest, a character and scenarios; edits of an opening move scenarios about. */
const SCENARIOS = ['card.scenarios', 'card.manifest.scenarios', 'card.files'];
const message = fc.record(
  { characterID: fc.constant('a'), text: anyText, zz: fc.integer() },
  { requiredKeys: ['text'] },
);
const scenario = fc.record(
  {
    narrative: anyText,
    title: anyText,
    formattingInstructions: anyText,
    firstMessages: fc.array(fc.oneof({ weight: 5, arbitrary: message as fc.Arbitrary<unknown> }, anyText), {
      maxLength: 3,
    }),
    exampleMessages: fc.array(message, { maxLength: 2 }),
    zz: fc.integer(),
  },
  { requiredKeys: [] },
);
const byafModel: Partial<Table> = {
  says: ratedAlways,
  accountsElsewhere: true,
  spreads: new Set([
    ...names,
    'prompts.systemPrompt',
    'persona.scenario',
    'greetings.firstMessage',
    'greetings.alternateGreetings',
    'examples.exampleMessages',
    'presentation.background',
    'attribution.creator',
    'attribution.sourceUrl',
    'attribution.createdAt',
    'media.assets',
  ]),
  moves: {
    'prompts.systemPrompt': SCENARIOS,
    'examples.exampleMessages': SCENARIOS,
    'presentation.background': SCENARIOS,
    'attribution.creator': ['card.manifest.author'],
    'attribution.sourceUrl': ['card.manifest.author'],
  },
  hints: { 'card.scenarios.0.value.narrative': fc.array(scenario, { minLength: 1, maxLength: 3, size: 'max' }) },
  settle(wire) {
    const raw = dig(wire, ['card', 'scenarios']);
    const values = (Array.isArray(raw) ? raw : isTree(raw) ? Object.values(raw) : []).filter(isTree);
    const rows = values.map((row, index) => ({
      path: `scenarios/scenario${index + 1}.json`,
      value: isTree(row.value) ? row.value : row,
    }));
    const listed = rows.map(({ path }) => path);
    const held = dig(wire, ['card', 'files']);
    const files = Object.fromEntries(
      Object.entries(isTree(held) ? held : {}).filter(([, file]) => own.bytes.isBytes(file)),
    );
    return [
      [['card', 'scenarios'], rows],
      [['card', 'manifest', 'scenarios'], listed],
      [['card', 'files'], files],
    ].reduce((tree, [keys, value]) => changed(tree, keys as string[], value), wire);
  },
};

const tables: Table[] = [
  hostileTable(own),
  tavernTable(own, 'tavern v1', fields(tavernFields('card', undefined, 'v1')), 'card', [{}]),
  tavernTable(own, 'tavern flat', fields(tavernFields('card', undefined, 'v2')), 'card', [{}]),
  tavernTable(own, 'tavern v2', fields(tavernFields('card.data', 'card', 'v2')), 'card.data', [v2]),
  tavernTable(own, 'tavern v3', fields(tavernFields('card.data', 'card', 'v3')), 'card.data', [v3]),
  tavernTable(own, 'pygmalion', fields(pygmalionFields), 'card', [pygmalionBase()], {
    // One text shown twice: the personality is the one that is written.
    says: (path, value) =>
      path === 'persona.personality' ? Boolean(value) : path !== 'identity.description' && !path.startsWith('media.'),
  }),
  bookTable(own, 'world info', fields(worldInfoFields), { shape: 'map', ids: ['uid', 'id'] }, { entries: {} }),
  bookTable(
    own,
    'character book',
    fields(characterBookFields),
    { shape: 'either', ids: ['id', 'uid'] },
    { entries: [], extensions: {} },
  ),
  tavernTable(
    own,
    'risu',
    fields([...tavernFields('card.data', 'card', 'v3'), ...risuFields('card.data')]),
    'card.data',
    [v3],
    { says: risuSays },
  ),
  tavernTable(own, 'agnai', fields(agnaiFields), 'card', [agnaiBase()], {
    says: agnaiSays,
    spreads: agnaiSpreads,
    moves: { 'prompts.depthInjections': ['card.insert'] },
  }),
  tavernTable(own, 'backyard flat', fields(backyardFields.flat), 'card', [flatBase()], { says: exact, spreads: names }),
  tavernTable(own, 'backyard envelope', fields(backyardFields.envelope), 'card.character', [envelopeBase('Ada')], {
    says: ratedAlways,
    spreads: names,
  }),
  tavernTable(own, 'byaf', fields(byafFields), 'card', [freshArchive(emptyCharacter())], byafModel),
  bookTable(
    own,
    'agnai memory',
    fields(memoryFields),
    rowList,
    { kind: 'memory', name: '', entries: [] },
    { says: exact },
  ),
  bookTable(own, 'backyard lore', fields(legacyLore(true).fields), rowList, { loreItems: [] }, { says: exact }),
  bookTable(own, 'byaf lore', fields(archiveLore.fields), rowList, { loreItems: [] }, { says: exact }),
];

for (const table of tables) {
  describe(table.label, () => {
    test('each canonical path has one owner', ({ expect }) => {
      const paths = table.lenses.flatMap(({ canonical }) => canonical);
      expect(paths.filter((path, index) => paths.indexOf(path) !== index)).toEqual([]);
    });
    for (const { name, property } of lawsOf(ownEngine, table)) {
      test(name, () =>
        fc.assert(property, {
          numRuns,
          includeErrorInReport: true,
        }),
      );
    }
  });
}
