import type { CompareRules } from '../../core/compare.ts';

/** How two presets are compared. Prompt identifiers are content: order lists and macros refer to them. */
export const presetRules: CompareRules = {
  defaults: {
    enabled: true,
    'prompts[*].role': 'system',
    'prompts[*].enabled': true,
    'prompts[*].systemPrompt': false,
    'prompts[*].marker': false,
    'prompts[*].placement': 'relative',
    'prompts[*].injectionDepth': 4,
    'prompts[*].injectionOrder': 100,
    'prompts[*].forbidOverrides': false,
    'prompts[*].wrapInXml': false,
    'groups[*].enabled': true,
  },
  ignored: new Set(['prompts[*].isDefault']),
  rows: {
    prompts: [
      ({ id, name, content }) => JSON.stringify([id, name, content]),
      ({ name, content }) => JSON.stringify([name, content]),
      ({ id }) => String(id),
    ],
    groups: [({ name }) => String(name)],
    choices: [({ label, key }) => JSON.stringify([label, key ?? '']), ({ label }) => String(label)],
    'choices[*].options': [({ label, value }) => JSON.stringify([label, value ?? '']), ({ label }) => String(label)],
  },
};
