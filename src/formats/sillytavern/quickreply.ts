/**
 * Quick reply sets. No kind of the model has buttons and scripts: the body holds the name, the twin holds the set, and
 * it goes back only to where it came from. Facts: SillyTavern 1.19.0, section 9.
 */
import { text } from '../../core/codec.ts';
import { isRecord, type Wire } from '../../core/draft.ts';
import type { Lens } from '../../core/lens.ts';
import { at } from '../../core/lenses.ts';
import { preset } from '../../entities/preset/lenses.ts';
import { emptyPreset, type PresetBody } from '../../entities/preset/schema.ts';
import { defineJson } from '../_shared/json-file.ts';

const fields: readonly Lens<PresetBody>[] = [preset.field('name', at('name'), text(), { absent: '' })];

const isCurrent = (value: Wire): boolean => Number.isInteger(value.version) && Array.isArray(value.qrList);
const isOld = (value: Wire): boolean => Array.isArray(value.quickReplySlots);
const recognizes = (is: (value: Wire) => boolean) => (value: unknown) =>
  isRecord(value) && typeof value.name === 'string' && is(value) ? 0.95 : 0;

export const sillytavernQuickReply = defineJson({
  id: 'sillytavern-quickreply',
  family: 'sillytavern',
  label: 'SillyTavern Quick Replies',
  kind: 'preset',
  shapes: [
    { dialect: 'quickreply-v2', fields, recognize: recognizes(isCurrent) },
    { dialect: 'quickreply-v1', fields, recognize: recognizes((value) => isOld(value) && !isCurrent(value)) },
  ],
  indent: 0,
  empty: emptyPreset,
  fresh: ({ name }) => ({ version: 2, name, qrList: [], idIndex: 0 }),
  refuses: (entry) => (entry ? undefined : 'quick replies are buttons and scripts: nothing else can become them'),
  bound: () => 'it is a set of quick replies, which no other app and no preset has a place for',
});
