/** The chat-completion preset of SillyTavern and of the apps that took its shape: one table for all of them. */
import { type Account, accountFor, type Claim } from '../../core/account.ts';
import { text } from '../../core/codec.ts';
import { isRecord, type Wire } from '../../core/draft.ts';
import { claimsOf, type Lens } from '../../core/lens.ts';
import { at } from '../../core/lenses.ts';
import { preset } from '../../entities/preset/lenses.ts';
import type { PresetBody } from '../../entities/preset/schema.ts';
import { settingFields } from './preset-settings.ts';
import { dividerIn } from './prompt-dividers.ts';
import { identifierIn, LEGACY_PROMPTS, promptListIn, promptsIn, rowFields } from './prompt-list.ts';
import { writePrompts } from './prompt-list-write.ts';
import { promptFields } from './prompt-rows.ts';

/**
 * Prompts and groups from `prompts` and the global entry (100001) of `prompt_order`. The order list gives sequence and
 * switches; a prompt it does not name comes last and is off; of rows with one identifier the first counts.
 */
const promptManager: Lens<PresetBody> = {
  ...preset.joint(['prompts', 'groups'], {
    wire: ['prompts', 'prompt_order'],
    shape: 'rows and their order',
    lossy: true,
    note: 'sequence and switches stand in the order list; groups are rows whose names look like headings',
    read: (wire) => promptsIn(promptListIn(wire)),
    write: (draft, { prompts = [], groups = [] }) => writePrompts(draft, prompts, groups),
    claims: promptClaims,
  }),
  rows: promptFields as unknown as readonly Lens<never>[],
};

function promptClaims(wire: Wire): Claim[] {
  const { mode } = promptListIn(wire);
  if (mode === 'legacy') return LEGACY_PROMPTS.map(([, key]) => ({ keys: [key] }));
  return [
    { keys: ['prompts'], inside: (_value, path, out) => accountRows(wire, path, out) },
    { keys: ['prompt_order'], inside: (value, path, out) => accountOrders(wire, value, path, out) },
  ];
}

/** Old switches in rows say nothing beside an order list. */
const ROW_MARKS: readonly Claim[] = [{ keys: ['identifier'] }, { keys: ['enabled'] }];
const DIVIDER: readonly Claim[] = [...ROW_MARKS, { keys: ['name'] }, { keys: ['content'] }];

function accountRows(wire: Wire, path: string, out: Account): void {
  const list = promptListIn(wire);
  const steps = new Map(list.steps.map((step) => [step.row, step]));
  let category = false;
  const dividers = new Set<Wire>();
  for (const { row, loose } of list.steps) {
    const divider = loose ? undefined : dividerIn(row, list.dialect, category);
    if (!divider) continue;
    dividers.add(row);
    if (divider.level === 0) category = true;
  }
  list.raw.forEach((row, index) => {
    const place = `${path}[${index}]`;
    if (!isRecord(row) || !steps.has(row)) {
      out.unread(place, row);
      if (isRecord(row)) out.repaired(place, 'a further prompt with the same identifier: the first counts');
      return;
    }
    const claims = dividers.has(row) ? DIVIDER : [...claimsOf(rowFields(list.mode), row), ...ROW_MARKS];
    accountFor(claims, row, place, out);
  });
}

function accountOrders(wire: Wire, value: unknown, path: string, out: Account): void {
  const list = promptListIn(wire);
  if (!Array.isArray(value)) return;
  value.forEach((order: unknown, index) => {
    const place = `${path}[${index}]`;
    if (index !== list.orderAt || !isRecord(order)) return out.unread(place, order);
    const met = new Set<string>();
    list.entries.forEach((entry, at) => {
      const id = identifierIn(entry);
      if (id === undefined) out.unread(`${place}.order[${at}]`, entry);
      else if (met.has(id))
        out.repaired(`${place}.order[${at}]`, 'a prompt named twice in the order: the first counts');
      else if (!list.byId.has(id)) out.repaired(`${place}.order[${at}]`, 'an order entry without a prompt, skipped');
      if (id !== undefined) met.add(id);
    });
  });
}

/** Name, prompts, groups and settings. */
export const presetFields: readonly Lens<PresetBody>[] = [
  preset.field('name', at('name'), text(), { absent: '' }),
  promptManager,
  ...settingFields,
];
