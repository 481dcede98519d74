/** Presets: blocks of prompts and the settings beside them. Facts: Lumiverse's public source, mid-2026. */

import type { Stripped } from '../../core/adapter.ts';
import { required, text } from '../../core/codec.ts';
import { existsAt, isRecord, keysOf, openDraft, saysNothing, valueAt, type Wire } from '../../core/draft.ts';
import type { Warning } from '../../core/errors.ts';
import { create, type Lens } from '../../core/lens.ts';
import { at } from '../../core/lenses.ts';
import { preset } from '../../entities/preset/lenses.ts';
import { emptyPreset, type PresetBody } from '../../entities/preset/schema.ts';
import { defineJson } from '../_shared/json-file.ts';
import { blockList } from './preset-blocks.ts';
import { CATEGORY } from './preset-marker.ts';
import { settingFields } from './preset-settings.ts';

/** The table of a preset; `base` is `preset.` inside the wrapper, else empty. */
export const presetFields = (base: string): readonly Lens<PresetBody>[] =>
  [
    preset.field('name', at(`${base}name`), required(text(), ''), { absent: '' }),
    preset.field('description', at(`${base}description`), required(text(), '')),
    blockList(`${base}blocks`),
    ...settingFields(base),
  ] as readonly Lens<PresetBody>[];

const wrapped = presetFields('preset.');
const bare = presetFields('');

const inside = (raw: unknown) =>
  isRecord(raw) && isRecord(raw.preset) && !Array.isArray(raw.blocks) ? raw.preset : raw;

/** A hand-written request body, where people put keys and addresses. */
const BODY = 'customBody.rawJson';
const isBlankBody = (value: unknown): boolean => saysNothing(value) || /^(\{\s*\})?$/.test(String(value).trim());

/** A request body is named, never shown. */
const secret = (base: string) => [
  {
    keys: keysOf(base + BODY),
    inside: (value: unknown, path: string, out: { unread(path: string, value: unknown): void }) => {
      if (!isBlankBody(value)) out.unread(path, '(a secret, not shown)');
    },
  },
];

function stripSecrets(raw: unknown): Stripped {
  const base = inside(raw) === raw ? '' : 'preset.';
  const keys = keysOf(base + BODY);
  if (!isRecord(raw) || isBlankBody(valueAt(raw, keys))) return { raw, removed: [] };
  const draft = openDraft(raw);
  draft.delete(keys);
  return { raw: draft.wire, removed: [keys.join('.')] };
}

/** Sealed blocks hold a placeholder for a text that only its publisher has; rules travel in the file unread. */
function doubts(raw: unknown): Warning[] {
  const body = inside(raw);
  const blocks = valueAt(body, ['blocks']);
  const sealed = Array.isArray(blocks) ? blocks.filter((row) => isRecord(row) && row.sealed === true).length : 0;
  const scripts = valueAt(body, ['extensions', 'regex_scripts']);
  const rules = Array.isArray(scripts) ? scripts.length : 0;
  return [
    ...(sealed === 0
      ? []
      : [
          {
            code: 'preset.sealed',
            path: 'blocks',
            message: `${sealed === 1 ? '1 block is' : `${sealed} blocks are`} sealed: the text is not in the file`,
          },
        ]),
    ...(rules === 0
      ? []
      : [
          {
            code: 'preset.carries-code',
            path: 'extensions.regex_scripts',
            message: `carries ${rules === 1 ? '1 rule' : `${rules} rules`} that an app may run; bunzai never runs them`,
          },
        ]),
  ];
}

/** Lumiverse's preset, in its wrapper or without. */
export const lumiversePreset = defineJson({
  id: 'lumiverse-preset',
  family: 'lumiverse',
  label: 'Lumiverse Preset',
  kind: 'preset',
  escrow: 'lumiverse',
  shapes: [
    {
      dialect: 'lumiverse_preset',
      fields: wrapped,
      structure: [{ keys: ['type'] }, { keys: ['preset', 'schemaVersion'] }, ...secret('preset.')],
      recognize: (value) => (isRecord(value) && value.type === 'lumiverse_preset' && isRecord(value.preset) ? 1 : 0),
    },
    {
      dialect: 'blocks',
      fields: bare,
      structure: [{ keys: ['schemaVersion'] }, ...secret('')],
      recognize: (value) =>
        isRecord(value) &&
        typeof value.type !== 'string' &&
        Array.isArray(value.blocks) &&
        looksLikeBlocks(value.blocks)
          ? 0.95
          : 0,
    },
  ],
  empty: emptyPreset,
  fresh: (body) =>
    create(
      wrapped,
      { type: 'lumiverse_preset', preset: { name: '', description: '', schemaVersion: 1, blocks: [] } },
      body,
    ),
  doubts,
  stripSecrets,
});

/** Other apps and web editors have blocks too: these have a text, a role and one more of the app's own keys. */
function looksLikeBlocks(blocks: readonly unknown[]): boolean {
  const isOurs = (row: Wire) =>
    row.marker === CATEGORY ||
    (typeof row.role === 'string' && ['position', 'enabled', 'marker', 'depth'].some((key) => existsAt(row, [key])));
  return blocks.every(
    (row) => isRecord(row) && (typeof row.content === 'string' || typeof row.marker === 'string') && isOurs(row),
  );
}
