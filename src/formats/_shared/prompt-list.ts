/** Reading SillyTavern's prompt manager: the rows in `prompts`, their order and switches in `prompt_order`. */
import { flag } from '../../core/codec.ts';
import { isRecord, type Wire } from '../../core/draft.ts';
import type { PresetGroup, PresetPrompt } from '../../entities/preset/schema.ts';
import { type DividerDialect, dividerDialect, dividerIn } from './prompt-dividers.ts';
import { promptFields, promptIn, unorderedPromptFields } from './prompt-rows.ts';

/** The order that counts; other numbers are leftovers or orders of single characters. */
export const GLOBAL_ORDER = 100001;

/** Keys of presets older than the prompt manager, with the prompts that they became. */
export const LEGACY_PROMPTS = [
  ['main', 'main_prompt', 'Main Prompt'],
  ['nsfw', 'nsfw_prompt', 'NSFW Prompt'],
  ['jailbreak', 'jailbreak_prompt', 'Jailbreak Prompt'],
] as const;

/** One usable row of `prompts`: the first with its identifier. */
export interface PromptRow {
  readonly id: string;
  readonly row: Wire;
}

/** One step of the running order. */
export interface Step {
  readonly id: string;
  readonly row: Wire;
  readonly enabled: boolean;
  /** Not in the order list: off, and after all others. */
  readonly loose: boolean;
}

/** The prompt manager of a file. */
export interface PromptList {
  /** `ordered`: an order list decides. `file`: the rows do. `legacy`: three texts at the root. `none`: nothing there. */
  readonly mode: 'ordered' | 'file' | 'legacy' | 'none';
  /** All rows as they stand, with the usable one at the same index. */
  readonly raw: readonly unknown[];
  readonly rows: readonly (PromptRow | undefined)[];
  readonly byId: ReadonlyMap<string, PromptRow>;
  /** Index of the global order in `prompt_order`, and its entries. */
  readonly orderAt: number;
  readonly entries: readonly unknown[];
  readonly steps: readonly Step[];
  readonly dialect: DividerDialect;
}

const listAt = (wire: Wire, key: string): readonly unknown[] => (Array.isArray(wire[key]) ? wire[key] : []);

/** The identifier of a row or of an order entry. */
export function identifierIn(row: unknown): string | undefined {
  const raw = isRecord(row) ? row.identifier : undefined;
  if (typeof raw === 'number') return String(raw);
  return typeof raw === 'string' && raw !== '' ? raw : undefined;
}

/** The prompt manager as it stands in `wire`. */
export function promptListIn(wire: Wire): PromptList {
  const orderAt = listAt(wire, 'prompt_order').findIndex(isGlobalOrder);
  const order = listAt(wire, 'prompt_order')[orderAt];
  const entries = isRecord(order) ? listAt(order, 'order') : [];
  const legacy = Array.isArray(wire.prompts) || entries.length > 0 ? [] : legacyRows(wire);
  const raw = legacy.length > 0 ? legacy : listAt(wire, 'prompts');
  const rows = usable(raw, entries);
  const byId = new Map(rows.flatMap((row) => (row ? [[row.id, row] as const] : [])));
  const mode = entries.length > 0 ? 'ordered' : legacy.length > 0 ? 'legacy' : raw.length > 0 ? 'file' : 'none';
  const steps = mode === 'ordered' ? orderedSteps(byId, entries) : fileSteps(byId);
  return { mode, raw, rows, byId, orderAt, entries, steps, dialect: dividerDialect(raw) };
}

const isGlobalOrder = (order: unknown): boolean =>
  isRecord(order) && String(order.character_id) === String(GLOBAL_ORDER) && Array.isArray(order.order);

const legacyRows = (wire: Wire): Wire[] =>
  LEGACY_PROMPTS.flatMap(([identifier, key, name]) => {
    const content = wire[key];
    return typeof content === 'string' ? [{ identifier, name, system_prompt: true, role: 'system', content }] : [];
  });

/** The first row of each identifier; a row without one is known by its place. */
function usable(raw: readonly unknown[], entries: readonly unknown[]): (PromptRow | undefined)[] {
  const real = new Set([...raw, ...entries].map(identifierIn));
  const met = new Set<string>();
  return raw.map((row, index) => {
    if (!isRecord(row)) return undefined;
    let id = identifierIn(row);
    if (id === undefined) for (id = `row-${index}`; real.has(id); ) id = `${id}-2`;
    if (met.has(id)) return undefined;
    met.add(id);
    return { id, row };
  });
}

function orderedSteps(byId: ReadonlyMap<string, PromptRow>, entries: readonly unknown[]): Step[] {
  const left = new Map(byId);
  const steps: Step[] = [];
  for (const entry of entries) {
    const id = identifierIn(entry);
    const hit = id === undefined ? undefined : left.get(id);
    if (!hit || !isRecord(entry)) continue;
    left.delete(hit.id);
    steps.push({ ...hit, enabled: flag().read(entry.enabled) ?? false, loose: false });
  }
  for (const hit of left.values()) steps.push({ ...hit, enabled: false, loose: true });
  return steps;
}

const fileSteps = (byId: ReadonlyMap<string, PromptRow>): Step[] =>
  [...byId.values()].map((hit) => ({ ...hit, enabled: flag().read(hit.row.enabled) ?? true, loose: false }));

/** The lenses of a prompt row: where no order list stands, the row has its own switch. */
export const rowFields = (mode: PromptList['mode']) => (mode === 'file' ? unorderedPromptFields : promptFields);

/** The prompts in running order, and the groups that divider rows open. A loose row opens nothing. */
export function promptsIn(list: PromptList): { prompts: PresetPrompt[]; groups: PresetGroup[] } {
  const prompts: PresetPrompt[] = [];
  const groups: PresetGroup[] = [];
  let category: string | undefined;
  let open: string | undefined;
  for (const { id, row, enabled, loose } of list.steps) {
    const divider = loose ? undefined : dividerIn(row, list.dialect, category !== undefined);
    if (!divider) {
      const prompt = { ...promptIn(row, id, rowFields(list.mode)), enabled };
      if (open !== undefined && !loose) prompt.groupId = open;
      prompts.push(prompt);
      continue;
    }
    open = id;
    const group: PresetGroup = { id, name: divider.name, enabled, extras: { decorated: row.name } };
    if (typeof row.content === 'string' && row.content.trim() !== '') group.content = row.content;
    if (divider.level === 0) category = id;
    else if (category !== undefined) group.parentGroupId = category;
    groups.push(group);
  }
  return { prompts, groups };
}
