import * as v from 'valibot';
import { bag, flag, group, number, oneOf, text, texts } from '../slots.ts';

const rule = {
  id: v.string(),
  label: text(),
  note: text(),
  find: v.string(),
  flags: text(),
  useFlags: flag(),
  replace: v.string(),
  trimStrings: texts(),
  phases: v.array(v.string()),
  targets: texts(),
  substituteFind: oneOf(['none', 'raw', 'escaped', 'after']),
  minDepth: number(),
  maxDepth: number(),
  runOnEdit: flag(),
  characterIds: texts(),
  enabled: v.boolean(),
  sortOrder: number(),
  firstMatchOnly: flag(),
  condition: group({ ruleId: v.string(), matched: v.boolean() }),
  overlay: flag(),
  extras: bag(),
};

/** The body of a rule set; unknown keys are faults. */
export const regexSchema = v.strictObject({
  name: v.string(),
  description: text(),
  enabled: flag(),
  rules: v.array(v.strictObject(rule)),
});
