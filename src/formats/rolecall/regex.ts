/** Regex scripts: one set of rules a script; a list of scripts is a file of several sets. */
import { existsAt, isRecord, type Wire } from '../../core/draft.ts';
import { create } from '../../core/lens.ts';
import { emptyRegex } from '../../entities/regex/schema.ts';
import { defineJson } from '../_shared/json-file.ts';
import { rolecallRegexFields } from './regex-fields.ts';

/** A script: rules that all have a pattern or a replacement under RoleCall's names. */
function isScript(value: unknown): value is Wire {
  if (!isRecord(value) || !Array.isArray(value.rules) || value.rules.length === 0) return false;
  return value.rules.every(
    (rule) => isRecord(rule) && ['find_pattern', 'replace_string'].some((key) => existsAt(rule, [key])),
  );
}

/** A script without rules looks like anything. */
const isEmptyScript = (value: unknown): boolean =>
  isRecord(value) && Array.isArray(value.rules) && value.rules.length === 0 && typeof value.name === 'string';

const asList = (raw: unknown): readonly unknown[] => (Array.isArray(raw) ? raw : []);

/** RoleCall's regex script. */
export const rolecallRegex = defineJson({
  id: 'rolecall-regex',
  family: 'rolecall',
  label: 'RoleCall Regex',
  kind: 'regex',
  empty: emptyRegex,
  shapes: [
    {
      dialect: 'script',
      fields: rolecallRegexFields,
      structure: [{ keys: ['id'] }],
      recognize: (value) => (isScript(value) ? 0.9 : 0),
      onRequest: isEmptyScript,
    },
    {
      dialect: 'scripts',
      fields: rolecallRegexFields,
      structure: [{ keys: ['id'] }],
      recognize: (value) => (Array.isArray(value) && value.length > 0 && value.every(isScript) ? 0.9 : 0),
      parts: {
        split: (raw) => asList(raw).flatMap((wire, row) => (isRecord(wire) ? [{ row: String(row), wire }] : [])),
        join(raw, parts) {
          const scripts = [...asList(raw)];
          for (const { row, wire } of parts) {
            if (row === undefined) scripts.push(wire);
            else scripts[Number(row)] = wire;
          }
          return scripts;
        },
      },
    },
  ],
  fresh: (body) => create(rolecallRegexFields, { name: '', rules: [] }, body),
});
