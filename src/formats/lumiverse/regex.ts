/** Regex scripts: one file is one set. Facts: Lumiverse's public source, mid-2026. */
import { isRecord } from '../../core/draft.ts';
import { create } from '../../core/lens.ts';
import { emptyRegex } from '../../entities/regex/schema.ts';
import { defineJson } from '../_shared/json-file.ts';
import { regexFields } from './regex-fields.ts';

/** Lumiverse's regex scripts. Data only: never run. */
export const lumiverseRegex = defineJson({
  id: 'lumiverse-regex',
  family: 'lumiverse',
  label: 'Lumiverse Regex Scripts',
  kind: 'regex',
  shapes: [
    {
      dialect: 'lumiverse_regex_scripts',
      fields: regexFields,
      structure: ['version', 'type', 'exported_at'].map((key) => ({ keys: [key] })),
      recognize: (value) =>
        isRecord(value) && value.type === 'lumiverse_regex_scripts' && Array.isArray(value.scripts) ? 1 : 0,
    },
  ],
  empty: emptyRegex,
  fresh: (body) => create(regexFields, { version: 1, type: 'lumiverse_regex_scripts', scripts: [] }, body),
});
