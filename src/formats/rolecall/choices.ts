import { type Codec, list, number, oneOf, text } from '../../core/codec.ts';
import type { Wire } from '../../core/draft.ts';
import { at, lensesFor } from '../../core/lenses.ts';
import { preset, presetChoice } from '../../entities/preset/lenses.ts';
import type { PresetChoice } from '../../entities/preset/schema.ts';
import { idOfRow, mintText, textId } from './wire-rows.ts';

type Option = PresetChoice['options'][number];
const option = lensesFor<Option>();

const options = presetChoice.rows('options', at('options'), {
  lenses: [
    option.field('label', at('label'), text(), { absent: '' }),
    option.field('value', at('value'), text()),
    option.field('description', at('description'), text()),
    option.field('enablesPrompts', at('prompts'), list(text())),
    idOfRow,
  ],
  shape: 'list',
  blank: (id) => ({ id, label: '' }),
  id: ({ id }) => id,
  idOf: (row) => textId(row.id),
  fresh: (id) => ({ id, label: '' }),
  mint: mintText,
});

/** Whatever stands there: a text, a number, a switch, a list of option ids. */
const anything: Codec<NonNullable<unknown>> = {
  shape: 'any value',
  read: (raw) => raw ?? undefined,
  write: (value) => value,
};

/** What the user of a preset may choose. */
export const choices = preset.rows('choices', at('choice_groups'), {
  lenses: [
    presetChoice.field('label', at('label'), text(), { absent: '' }),
    presetChoice.field(
      'type',
      at('type'),
      oneOf<PresetChoice['type']>([
        ['one', 'one'],
        ['many', 'many'],
        ['toggle', 'toggle'],
        ['input', 'input'],
      ]),
      { absent: 'one' },
    ),
    presetChoice.field('readme', at('description', 'readme'), text()),
    presetChoice.field('key', at('key', 'variableName'), text()),
    presetChoice.field('default', at('default'), anything),
    presetChoice.field('placeholder', at('placeholder'), text()),
    presetChoice.field('suggestions', at('suggestions'), list(text())),
    presetChoice.field('min', at('min'), number()),
    presetChoice.field('separator', at('separator'), text()),
    presetChoice.field('sortOrder', at('sortOrder'), number()),
    options,
    idOfRow,
  ],
  shape: 'list',
  blank: (id): PresetChoice => ({ id, label: '', type: 'one', options: [] }),
  id: ({ id }) => id,
  idOf: (row) => textId(row.id),
  fresh: (id): Wire => ({ id, label: '', type: 'one' }),
  mint: mintText,
});
