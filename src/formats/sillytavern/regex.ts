/** Regex scripts: one in a file, a list of them, or the block that a card or a preset carries. Facts: section 6. */
import { freeUuid, isUuid } from '../../core/derived-id.ts';
import { existsAt, isRecord, type Keys, openDraft, valueAt, type Wire } from '../../core/draft.ts';
import { create, type Lens } from '../../core/lens.ts';
import { at } from '../../core/lenses.ts';
import { regexSet } from '../../entities/regex/lenses.ts';
import { emptyRegex, emptyRule, type RegexBody } from '../../entities/regex/schema.ts';
import { defineJson, type FileShape, LIST_KEY } from '../_shared/json-file.ts';
import { freshRule, isRule, ruleFields } from './regex-fields.ts';

/** A set is its scripts: it has no name and no switch of its own. */
export const regexFields: readonly Lens<RegexBody>[] = [
  regexSet.rows('rules', at(LIST_KEY), {
    lenses: ruleFields,
    shape: 'list',
    blank: emptyRule,
    id: ({ id }) => id,
    idOf: ({ id }) => (typeof id === 'string' && id !== '' ? id : undefined),
    fresh: freshRule,
    mint: ({ id, label, find, flags, replace }, taken) =>
      isUuid(id) && !taken.has(id) ? id : freeUuid(JSON.stringify([label, find, flags, replace]), taken),
  }),
];

/** Rows of Marinara have the same keys, but a `name` and no `scriptName`. */
const isForeign = (row: Wire): boolean => !existsAt(row, ['scriptName']) && typeof row.name === 'string';
const areRules = (rows: unknown): rows is readonly unknown[] => {
  if (!Array.isArray(rows)) return false;
  const records = rows.filter(isRecord);
  return records.length > 0 && records.every(isRule) && !records.some(isForeign);
};

const rowsOf = (wire: Wire): readonly unknown[] => (Array.isArray(wire[LIST_KEY]) ? wire[LIST_KEY] : []);

/** An empty list is read when asked for, and claimed by nobody. */
const EMPTY = 0.2;

const bareList: FileShape<RegexBody> = {
  dialect: 'list',
  fields: regexFields,
  recognize: (value) => (areRules(value) ? 0.9 : Array.isArray(value) && value.length === 0 ? EMPTY : 0),
};

/** One script is one object; with further ones the file becomes a list. */
const single: FileShape<RegexBody> = {
  dialect: 'object',
  fields: regexFields,
  parts: {
    split: (raw) => [{ row: '', wire: { [LIST_KEY]: [raw] } }],
    join(raw, [part]) {
      const rows = part ? rowsOf(part.wire) : [raw];
      return rows.length === 1 ? rows[0] : rows;
    },
  },
  recognize(value) {
    if (!isRecord(value) || ['spec', 'data', 'type', 'rules'].some((key) => existsAt(value, [key]))) return 0;
    const named = existsAt(value, ['scriptName']) || existsAt(value, ['findRegex']);
    return named && existsAt(value, ['replaceString']) && !isForeign(value) ? 0.9 : 0;
  },
};

const BLOCKS: readonly Keys[] = [
  ['data', 'extensions', 'regex_scripts'],
  ['extensions', 'regex_scripts'],
];
const blockIn = (raw: unknown): Keys | undefined => BLOCKS.find((keys) => areRules(valueAt(raw, keys)));

/** The scripts inside a card or a preset; the rest of the file is not looked at and stays as it is. */
const block: FileShape<RegexBody> = {
  dialect: 'block',
  fields: regexFields,
  parts: {
    split(raw) {
      const keys = blockIn(raw);
      return keys ? [{ row: '', wire: { [LIST_KEY]: valueAt(raw, keys) } }] : [];
    },
    join(raw, [part]) {
      const keys = blockIn(raw);
      if (!keys || !part || !isRecord(raw)) return raw;
      const draft = openDraft(raw);
      draft.set(keys, rowsOf(part.wire));
      return draft.wire;
    },
  },
  recognize: (value) => (isRecord(value) && !existsAt(value, ['entries']) && blockIn(value) ? 0.85 : 0),
};

export const sillytavernRegex = defineJson({
  id: 'sillytavern-regex',
  family: 'sillytavern',
  label: 'SillyTavern Regex',
  kind: 'regex',
  generic: true,
  shapes: [bareList, single, block],
  indent: 4,
  empty: emptyRegex,
  fresh: (body) => create(regexFields, { [LIST_KEY]: [] }, body),
});
