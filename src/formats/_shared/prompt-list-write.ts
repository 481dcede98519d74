/** Writing SillyTavern's prompt manager: each row at its place, the order only where it changed. */
import { flag, text } from '../../core/codec.ts';
import { type Draft, openDraft, same, type Wire } from '../../core/draft.ts';
import { put } from '../../core/lens.ts';
import { at } from '../../core/lenses.ts';
import { presetGroup } from '../../entities/preset/lenses.ts';
import type { PresetGroup, PresetPrompt } from '../../entities/preset/schema.ts';
import { type DividerDialect, decorated, dividerDialect, dividerIn } from './prompt-dividers.ts';
import { identifierIn, LEGACY_PROMPTS, type PromptList, promptListIn, rowFields } from './prompt-list.ts';
import { type Written, writeOrder, writeRows } from './prompt-order-write.ts';
import { freshRow, identifierFor } from './prompt-rows.ts';
import { type Item, itemsOf, looseTail } from './prompt-sequence.ts';

/**
 * Puts these prompts and groups on a draft. An order list that would become empty names the prompts outside it, or they
 * would all be on.
 */
export function writePrompts(draft: Draft, prompts: readonly PresetPrompt[], groups: readonly PresetGroup[]): void {
  const list = promptListIn(draft.twin);
  const dialect = dialectFor(list, groups);
  const items = itemsOf(prompts, groups);
  const tail = looseTail(list, items);
  const emptied = tail === items.length && list.steps.some(({ loose }) => !loose);
  const ordered = emptied ? items.length : items.length - tail;
  const written = writtenRows(list, items, dialect, ordered);
  if (list.mode === 'legacy' && writeLegacy(draft, list, written)) return;
  if (list.mode === 'legacy') for (const [, key] of LEGACY_PROMPTS) draft.delete([key]);
  writeRows(draft, list, written);
  if (list.mode !== 'file') writeOrder(draft, list, written.slice(0, ordered));
}

/** The custom of the file; a file without dividers takes the one that can say what these groups need. */
function dialectFor(list: PromptList, groups: readonly PresetGroup[]): DividerDialect {
  if (list.steps.some(({ row, loose }) => !loose && dividerIn(row, list.dialect, true))) return list.dialect;
  const names = groups.map(({ extras }) => ({ name: extras?.decorated }));
  const needed = groups.some(({ parentGroupId, content }) => parentGroupId || content);
  return needed ? 'wiki' : dividerDialect(names);
}

/** The row of each item; `ordered` is how many of them an order list is to name. */
function writtenRows(list: PromptList, items: readonly Item[], dialect: DividerDialect, ordered: number): Written[] {
  const taken = new Set([...list.raw, ...list.entries].map(identifierIn));
  for (const { id } of items) if (list.byId.has(id)) taken.add(id);
  return items.map((item, index) => {
    const twin = list.byId.get(item.id);
    if (twin) {
      const named = identifierIn(twin.row) !== undefined || list.mode === 'file' || index >= ordered;
      const row = overlaid(list, item, named ? twin.row : withIdentifier(twin.row, item.id), dialect);
      return { ...item, identifier: item.id, row, isNew: false };
    }
    const wanted = item.prompt ? identifierFor({ ...item.prompt, id: item.id }) : item.id;
    const orphan = !list.byId.has(wanted) && list.entries.some((entry) => identifierIn(entry) === wanted);
    let identifier = wanted;
    for (let n = 2; taken.has(identifier) && !(orphan && identifier === wanted); n++) identifier = `${wanted}-${n}`;
    taken.add(identifier);
    const row = item.prompt
      ? freshRow({ ...item.prompt, id: identifier }, identifier, rowFields(list.mode))
      : overlaid(list, item, { identifier, name: '', system_prompt: false, role: 'system', content: '' }, dialect);
    return { ...item, identifier, row, isNew: true };
  });
}

function withIdentifier(row: Wire, identifier: string): Wire {
  const draft = openDraft(row);
  draft.set(['identifier'], identifier);
  return draft.wire;
}

const groupContent = [presetGroup.field('content', at('content'), text(), { absent: '' })];

/** A row with what an item says laid over it. */
function overlaid(list: PromptList, item: Item, row: Wire, dialect: DividerDialect): Wire {
  if (item.prompt) return put(rowFields(list.mode), row, item.prompt);
  if (!item.group) return row;
  const { group } = item;
  const draft = openDraft(put(groupContent, row, group));
  const before = [row.name, group.extras?.decorated].find((name) => typeof name === 'string' && name !== '');
  const level = group.parentGroupId === undefined ? 0 : 1;
  const name = decorated({ name: group.name, level }, dialect, before as string | undefined);
  if (name !== row.name) draft.set(['name'], name);
  if (list.mode === 'file' && (flag().read(row.enabled) ?? true) !== item.enabled)
    draft.set(['enabled'], flag().write(item.enabled, row.enabled));
  return draft.wire;
}

/** Three texts with new words are still three texts. True when that was all. */
function writeLegacy(draft: Draft, list: PromptList, written: readonly Written[]): boolean {
  const still =
    written.length === list.steps.length &&
    written.every(({ id, row, enabled }, index) => {
      const was = list.steps[index];
      return was?.id === id && enabled && same({ ...row, content: '' }, { ...was.row, content: '' });
    });
  if (!still) return false;
  for (const { id, row } of written) {
    const key = LEGACY_PROMPTS.find(([identifier]) => identifier === id)?.[1];
    if (key !== undefined && draft.twin[key] !== row.content) draft.set([key], row.content);
  }
  return true;
}
