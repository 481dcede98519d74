import { type Codec, list, number, oneOf, required, text } from '../../core/codec.ts';
import { derivedUuid } from '../../core/derived-id.ts';
import type { Wire } from '../../core/draft.ts';
import type { Lens } from '../../core/lens.ts';
import { at, lensesFor } from '../../core/lenses.ts';
import { record } from '../../core/record.ts';
import { table } from '../../core/table.ts';
import { preset, presetChoice, presetGroup, presetPrompt } from '../../entities/preset/lenses.ts';
import { emptyPrompt, type PresetChoice, type PresetGroup, type PresetPrompt } from '../../entities/preset/schema.ts';
import { roleWord } from '../_shared/lore-codecs.ts';
import { columnFlag, spokenText } from './codecs.ts';
import { idMarks, owned } from './marks.ts';
import { withDefaults } from './preset-defaults.ts';
import { marker } from './preset-marker.ts';
import { orderedRows } from './preset-order.ts';
import { ownId } from './row-ids.ts';

const PRESET_ID = 'data.preset.id';
const rowId = (id: unknown): string | undefined => (typeof id === 'string' && id !== '' ? id : undefined);

const place = oneOf([
  ['ordered', 'relative'],
  ['depth', 'in_chat'],
] as const) as Codec<string>;

const sectionFields = [
  presetPrompt.field('name', at('name'), required(text(), ''), { absent: '' }),
  presetPrompt.field('content', at('content'), required(text(), ''), { absent: '' }),
  presetPrompt.field('role', at('role'), roleWord() as Codec<PresetPrompt['role']>, { absent: 'system' }),
  presetPrompt.field('enabled', at('enabled'), columnFlag(), { absent: true }),
  presetPrompt.field('marker', at('isMarker'), columnFlag()),
  marker,
  presetPrompt.field('placement', at('injectionPosition'), place, {
    note: 'in order or at a depth: the app has no other places',
  }),
  presetPrompt.field('injectionDepth', at('injectionDepth'), number()),
  presetPrompt.field('injectionOrder', at('injectionOrder'), number()),
  presetPrompt.field('forbidOverrides', at('forbidOverrides'), columnFlag()),
  presetPrompt.field('groupId', at('groupId'), required(text(), null)),
  presetPrompt.field('wrapInXml', at('wrapInXml'), columnFlag()),
  presetPrompt.field('xmlTagName', at('xmlTagName'), spokenText()),
  idMarks<PresetPrompt>('id', 'presetId', 'identifier'),
] as readonly Lens<PresetPrompt>[];

/** SillyTavern's places for parts of the character, as the app's own kind of marker says them. */
const CHARACTER_PART = table<string>({
  charDescription: 'description',
  charPersonality: 'personality',
  scenario: 'scenario',
});

/** A new section. A missing depth means 4 elsewhere and 0 here, so it is always said. */
function freshSection(identifier: string): Wire {
  const part = CHARACTER_PART[identifier];
  return {
    id: derivedUuid(JSON.stringify(['section', identifier])),
    identifier,
    name: '',
    content: '',
    role: 'system',
    enabled: true,
    isMarker: false,
    groupId: null,
    markerConfig: part === undefined ? null : { type: 'character', characterFields: [part] },
    injectionPosition: 'ordered',
    injectionDepth: 4,
    injectionOrder: 100,
    forbidOverrides: false,
  };
}

const sections = preset.rows('prompts', at('data.sections'), {
  lenses: sectionFields,
  shape: 'list',
  blank: emptyPrompt,
  id: ({ id }: PresetPrompt) => id,
  idOf: ({ identifier, id }) => rowId(identifier) ?? rowId(id),
  fresh: freshSection,
  mint: (prompt, taken) => ownId(prompt.id, [prompt.name, prompt.content], taken),
});

const groupFields = [
  presetGroup.field('name', at('name'), required(text(), ''), { absent: '' }),
  presetGroup.field('parentGroupId', at('parentGroupId'), required(text(), null)),
  presetGroup.field('order', at('order'), number()),
  presetGroup.field('enabled', at('enabled'), columnFlag()),
  idMarks<PresetGroup>('id', 'presetId'),
] as readonly Lens<PresetGroup>[];

const groups = preset.rows('groups', at('data.groups'), {
  lenses: groupFields,
  shape: 'list',
  blank: (id): PresetGroup => ({ id, name: '' }),
  id: ({ id }: PresetGroup) => id,
  idOf: ({ id }) => rowId(id),
  fresh: (id) => ({ id, name: '', parentGroupId: null, order: 100, enabled: true }),
  mint: (group, taken) => ownId(group.id, ['group', group.name], taken),
});

type Option = PresetChoice['options'][number];
const optionField = lensesFor<Option>().field;
const option = record<Option>(
  [
    optionField('id', at('id'), text(), { absent: '' }),
    optionField('label', at('label'), text(), { absent: '' }),
    optionField('value', at('value'), text()),
  ],
  () => ({ id: '', label: '' }),
);

/** One answer or several; a switch and a free text are no kinds of choice here. */
const kind: Codec<PresetChoice['type']> = {
  shape: 'flag',
  lossy: true,
  read(raw) {
    const many = columnFlag().read(raw);
    return many === undefined ? undefined : many ? 'many' : 'one';
  },
  write: (value, previous) => columnFlag().write(value === 'many', previous),
};

const choiceFields = [
  presetChoice.field('key', at('variableName'), spokenText()),
  presetChoice.field('label', at('question'), required(text(), ''), { absent: '' }),
  presetChoice.field('type', at('multiSelect'), kind, { absent: 'one', note: 'one answer or several' }),
  presetChoice.field('options', at('options'), required(list(option), []), {
    absent: [],
    note: 'an option is a label and a text',
  }),
  presetChoice.field('separator', at('separator'), text()),
  presetChoice.field('randomPick', at('randomPick'), columnFlag()),
  presetChoice.field('sortOrder', at('sortOrder'), number()),
  idMarks<PresetChoice>('id', 'presetId'),
] as readonly Lens<PresetChoice>[];

const choices = preset.rows('choices', at('data.choiceBlocks'), {
  lenses: choiceFields,
  shape: 'list',
  blank: (id): PresetChoice => ({ id, label: '', type: 'one', options: [] }),
  id: ({ id }: PresetChoice) => id,
  idOf: ({ id }) => rowId(id),
  fresh: (id) => ({
    id,
    variableName: '',
    question: '',
    options: [],
    multiSelect: false,
    separator: ', ',
    randomPick: false,
  }),
  mint: (choice, taken) => ownId(choice.id, [choice.key ?? '', choice.label], taken),
});

/** Sections in the order that the preset says, groups likewise, and the variables. New rows say which preset they belong to. */
export const sectionRows = orderedRows(
  owned(sections, 'data.sections', PRESET_ID, 'presetId'),
  'data.sections',
  'data.preset.sectionOrder',
);
export const groupRows = orderedRows(
  owned(groups, 'data.groups', PRESET_ID, 'presetId'),
  'data.groups',
  'data.preset.groupOrder',
);
export const choiceRows = withDefaults(owned(choices, 'data.choiceBlocks', PRESET_ID, 'presetId'));
