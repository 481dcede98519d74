import type { CompareRules } from '../../core/compare.ts';

/** How two personas are compared. */
export const personaRules: CompareRules = {
  defaults: {},
  ignored: new Set(['media.portrait.mime', 'media.portrait.primary', 'media.portrait.label', 'media.portrait.role']),
  rows: {},
};
