/** The running order that prompts and groups ask for, before any of it is on the wire. */
import { assignIds } from '../../core/ids.ts';
import type { PresetGroup, PresetPrompt } from '../../entities/preset/schema.ts';
import type { PromptList } from './prompt-list.ts';

/** One row to be, in running order. */
export interface Item {
  readonly id: string;
  readonly enabled: boolean;
  readonly prompt?: PresetPrompt;
  readonly group?: PresetGroup;
}

/** All rows in order, each id once. */
export const itemsOf = (prompts: readonly PresetPrompt[], groups: readonly PresetGroup[]): Item[] =>
  uniqueItems(sequence(prompts, rooted(groups)));

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

/** How many prompts at the end were outside the order, and can stay there: still off, and in the sequence they had. */
export function looseTail(list: PromptList, items: readonly Item[]): number {
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
