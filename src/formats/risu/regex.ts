/** Regex lists: RisuAI's envelope, the bare rows, and the list of a module. Facts: RisuAI 166.3.3, sections 5 and 8. */
import { existsAt, isRecord, valueAt } from '../../core/draft.ts';
import { create } from '../../core/lens.ts';
import { emptyRegex } from '../../entities/regex/schema.ts';
import { defineJson, LIST_KEY } from '../_shared/json-file.ts';
import { isModule, moduleCarrier, moduleWith } from './module-file.ts';
import { risuRegexFields } from './regex-fields.ts';

const ROW_KEYS = ['type', 'comment', 'flag', 'ableFlag', 'disabled'] as const;

/** Rows with a pattern and a replacement under RisuAI's names. */
function areRules(rows: unknown): boolean {
  if (!Array.isArray(rows) || rows.length === 0) return false;
  const ours = (row: unknown) =>
    isRecord(row) &&
    existsAt(row, ['in']) &&
    (existsAt(row, ['out']) || existsAt(row, ['outFile'])) &&
    ROW_KEYS.some((key) => existsAt(row, [key]));
  return rows.every(ours);
}

const envelope = risuRegexFields('data');
const REGEX = ['module', 'regex'];

/** The rules of a parsed file as the file that RisuAI imports: a module is no JSON file of rules. */
const asEnvelope = (value: unknown): unknown =>
  isModule(value) ? { type: 'regex', data: valueAt(value, REGEX) ?? [] } : value;
/** A module around the rules of a file. */
const asModule = (value: unknown): unknown => {
  if (isModule(value)) return value;
  const rows = Array.isArray(value) ? value : valueAt(value, ['data']);
  return moduleWith({ regex: rows ?? [] });
};

/** RisuAI's rules; the rules of a module are read where they are asked for, the module itself is a book. */
export const risuRegex = defineJson({
  id: 'risu-regex',
  family: 'risu',
  label: 'RisuAI Regex',
  kind: 'regex',
  shapes: [
    {
      dialect: 'regex',
      fields: envelope,
      structure: [{ keys: ['type'] }],
      recognize: (value) => (isRecord(value) && value.type === 'regex' && Array.isArray(value.data) ? 1 : 0),
    },
    { dialect: 'list', fields: risuRegexFields(LIST_KEY), recognize: (value) => (areRules(value) ? 0.85 : 0) },
    {
      dialect: 'module',
      fields: risuRegexFields('module.regex'),
      structure: [{ keys: ['type'] }, { keys: ['module', 'id'] }],
      recognize: (value) => (isModule(value) && areRules(valueAt(value, REGEX)) ? 0.8 : 0),
    },
  ],
  carriers: [moduleCarrier({ damaged: false, wrap: asModule, unwrap: asEnvelope })],
  indent: 0,
  empty: emptyRegex,
  fresh: (body) => create(envelope, { type: 'regex', data: [] }, body),
});
