import type { CompareRules } from '../../core/compare.ts';

/** How two rule sets are compared. */
export const regexRules: CompareRules = {
  defaults: { enabled: true, 'rules[*].enabled': true, 'rules[*].substituteFind': 'none' },
  // Ids are minted anew by apps; the order of rows is compared as such, not by the number some formats keep beside it.
  ignored: new Set(['rules[*].id', 'rules[*].sortOrder', 'rules[*].condition.ruleId']),
  rows: {
    rules: [
      ({ find, replace, label }) => JSON.stringify([find, replace, label ?? '']),
      ({ find, replace }) => JSON.stringify([find, replace]),
      ({ find }) => (find === '' ? undefined : JSON.stringify(find)),
      ({ label }) => (typeof label === 'string' && label !== '' ? label : undefined),
    ],
  },
};
