/** Writing SillyTavern's prompt manager: each row at its place, the order only where it changed. */
import { flag, placed, text } from '../../core/codec.ts';
import { type Draft, isRecord, openDraft, same, type Wire } from '../../core/draft.ts';
import { assignIds } from '../../core/ids.ts';
import { put } from '../../core/lens.ts';
import { at } from '../../core/lenses.ts';
import { presetGroup } from '../../entities/preset/lenses.ts';
import type { PresetGroup, PresetPrompt } from '../../entities/preset/schema.ts';
import { type DividerDialect, decorated, dividerDialect, dividerIn } from './prompt-dividers.ts';
import { GLOBAL_ORDER, identifierIn, LEGACY_PROMPTS, type PromptList, promptListIn, rowFields } from './prompt-list.ts';
import { freshRow, identifierFor } from './prompt-rows.ts';

/** One row to be, in running order. */
interface Item {
  readonly id: string;
  readonly enabled: boolean;
  readonly prompt?: PresetPrompt;
  readonly group?: PresetGroup;
}

/** An item with its row on the wire. */
interface Written extends Item {
  readonly identifier: string;
  readonly row: Wire;
  readonly isNew: boolean;
}

/**
 * Puts these prompts and groups on a draft. An order list that would become empty names the prompts outside it, or they
 * would all be on.
 */
export function writePrompts(draft: Draft, prompts: readonly PresetPrompt[], groups: readonly PresetGroup[]): void {
  const list = promptListIn(draft.twin);
  const dialect = dialectFor(list, groups);
  const items = uniqueItems(sequence(prompts, rooted(groups)));
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

/** Prompts in order, each group opened before its first prompt; groups without prompts stand before the next one. */
function sequence(prompts: readonly PresetPrompt[], groups: readonly PresetGroup[]): Item[] {
  const items: Item[] = [];
  const known = new Map(groups.map((group) => [group.id, group]));
  const busy = new Set(prompts.map(({ groupId }) => groupId));
  for (const { parentGroupId, id } of groups) if (busy.has(id)) busy.add(parentGroupId);
  const waiting = new Set(groups);
  const opening = (group: PresetGroup): void => {
    if (!waiting.delete(group)) return;
    const parent = group.parentGroupId === undefined ? undefined : known.get(group.parentGroupId);
    if (parent) opening(parent);
    items.push({ id: group.id, enabled: group.enabled ?? true, group });
  };
  for (const prompt of prompts) {
    const group = prompt.groupId === undefined ? undefined : known.get(prompt.groupId);
    if (group && waiting.has(group)) {
      for (const before of groups.slice(0, groups.indexOf(group))) if (!busy.has(before.id)) opening(before);
      opening(group);
    }
    items.push({ id: prompt.id, enabled: prompt.enabled, prompt });
  }
  for (const group of [...waiting]) opening(group);
  return items;
}

/** Groups under a group that is not there stand for themselves. */
function rooted(groups: readonly PresetGroup[]): PresetGroup[] {
  const known = new Set(groups.map(({ id }) => id));
  return groups.map((group) => {
    const { parentGroupId, ...rest } = group;
    return parentGroupId === undefined || known.has(parentGroupId) ? group : rest;
  });
}

function uniqueItems(items: readonly Item[]): Item[] {
  const ids = assignIds(items.map(({ id }) => id));
  return items.map((item, index) => ({ ...item, id: ids[index] ?? item.id }));
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

/** `placed`, with a repeat that would come before the row it repeats put right behind that one. */
function inSequence(
  old: readonly unknown[],
  rows: readonly unknown[],
  holds: (row: unknown) => boolean,
): readonly unknown[] {
  const out = placed(old, rows, holds);
  const firsts = new Map(rows.map((row) => [identifierIn(row), out.indexOf(row)]));
  const early = new Set(
    out.filter((row, index) => !rows.includes(row) && index < (firsts.get(identifierIn(row)) ?? -1)),
  );
  if (early.size === 0) return out;
  const behind = (row: unknown) =>
    rows.includes(row) ? [...early].filter((repeat) => identifierIn(repeat) === identifierIn(row)) : [];
  return out.filter((row) => !early.has(row)).flatMap((row) => [row, ...behind(row)]);
}

const sameRows = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((row, index) => row === b[index]);

/**
 * Where an order list decides, rows stay where they stand and new ones follow; else the rows take the running order.
 * A further row with an identifier goes with the first one; a row that is no prompt holds its place.
 */
function writeRows(draft: Draft, list: PromptList, written: readonly Written[]): void {
  const kept = new Map(written.map((item) => [item.identifier, item]));
  const holds = (row: unknown): boolean => {
    const id = identifierIn(row);
    const first = list.rows.some((hit) => hit?.row === row);
    return !first && (!isRecord(row) || (id !== undefined && kept.has(id)));
  };
  const old = list.mode === 'legacy' ? [] : list.raw;
  const rows =
    list.mode === 'ordered'
      ? inPlace(list, written, holds)
      : inSequence(
          old,
          written.map(({ row }) => row),
          holds,
        );
  if (!sameRows(rows, old) || !Array.isArray(draft.twin.prompts)) draft.set(['prompts'], rows);
}

function inPlace(list: PromptList, written: readonly Written[], holds: (row: unknown) => boolean): unknown[] {
  const kept = new Map(written.map((item) => [item.id, item.row]));
  const old = list.raw.flatMap((raw, index) => {
    const hit = list.rows[index];
    if (!hit) return holds(raw) ? [raw] : [];
    const row = kept.get(hit.id);
    return row ? [row] : [];
  });
  return [...old, ...written.filter(({ isNew }) => isNew).map(({ row }) => row)];
}

function writeOrder(draft: Draft, list: PromptList, wanted: readonly Written[]): void {
  const ids = new Set(wanted.map(({ identifier }) => identifier));
  const first = new Map<string, unknown>();
  for (const entry of list.entries) {
    const id = identifierIn(entry);
    if (id !== undefined && !first.has(id)) first.set(id, entry);
  }
  const holds = (entry: unknown): boolean => {
    const id = identifierIn(entry);
    if (id === undefined) return true;
    const orphan = !list.byId.has(id);
    return first.get(id) === entry ? orphan && !ids.has(id) : orphan || ids.has(id);
  };
  const entries = wanted.map(({ identifier, enabled }) => {
    const entry = first.get(identifier);
    if (!isRecord(entry)) return { identifier, enabled };
    if ((flag().read(entry.enabled) ?? false) === enabled) return entry;
    const edited = openDraft(entry);
    edited.set(['enabled'], flag().write(enabled, entry.enabled));
    return edited.wire;
  });
  const next = inSequence(list.entries, entries, holds);
  if (list.orderAt >= 0 && sameRows(next, list.entries)) return;
  const orders = Array.isArray(draft.twin.prompt_order) ? draft.twin.prompt_order : [];
  const current: unknown = orders[list.orderAt];
  const order = openDraft(isRecord(current) ? current : { character_id: GLOBAL_ORDER });
  order.set(['order'], next);
  const all =
    current === undefined ? [...orders, order.wire] : orders.map((one) => (one === current ? order.wire : one));
  draft.set(['prompt_order'], all);
}

/** How many prompts at the end were outside the order, and can stay there: still off, and in the sequence they had. */
function looseTail(list: PromptList, items: readonly Item[]): number {
  const loose = new Map(list.steps.flatMap((step, index) => (step.loose ? [[step.id, index] as const] : [])));
  let next = Number.POSITIVE_INFINITY;
  let count = 0;
  while (count < items.length) {
    const item = items[items.length - 1 - count];
    const at = item?.prompt && !item.enabled ? loose.get(item.id) : undefined;
    if (at === undefined || at >= next) break;
    next = at;
    count++;
  }
  return count;
}
