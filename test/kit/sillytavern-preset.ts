/** Samples and edits of the tests of SillyTavern’s preset. */

import type { EntityOf } from '../../src/entities/kinds.ts';
import { emptyPreset, type PresetBody, type PresetPrompt } from '../../src/entities/preset/schema.ts';
import { sillytavernPreset as adapter } from '../../src/formats/sillytavern/preset.ts';
import { edited, read, sample, value } from '../formats/files.ts';

type Preset = EntityOf<'preset'>;
export interface File {
  prompts: Record<string, unknown>[];
  prompt_order: { character_id: unknown; order: { identifier: string; enabled: unknown }[] }[];
  [key: string]: unknown;
}

export const harbour = sample('sillytavern', 'sillytavern-preset.harbour.json');
export const wiki = sample('sillytavern', 'sillytavern-preset.wiki.json');
export const legacy = sample('sillytavern', 'sillytavern-preset.legacy.json');
export const parsed = (file: { text: string }) => JSON.parse(file.text) as File;
export const file = (prompts: unknown[], order?: unknown[], more: object = {}) => ({
  temperature: 1,
  prompts,
  ...(order ? { prompt_order: [{ character_id: 100001, order }] } : {}),
  ...more,
});

export const on = (identifier: string, enabled = true) => ({ identifier, enabled });
export const plain = (identifier: string, more: object = {}) => ({
  identifier,
  name: identifier,
  content: 'c',
  ...more,
});

export const bodyOf = (raw: object): PresetBody => read(adapter, raw)[0].body;
export const fresh = (body: Partial<PresetBody>): Preset => ({
  schemaVersion: '1',
  kind: 'preset',
  id: 'x',
  body: { ...emptyPreset(), ...body },
});

export const freshFile = (body: Partial<PresetBody>): File => value(adapter, fresh(body)) as File;
export const editPrompt = (entity: Preset, id: string, change: Partial<PresetPrompt>): Preset =>
  edited(entity, { prompts: entity.body.prompts.map((one) => (one.id === id ? { ...one, ...change } : one)) });
export const idsOf = (body: PresetBody) => body.prompts.map(({ id, enabled }) => (enabled ? id : `!${id}`));
