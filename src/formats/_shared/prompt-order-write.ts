/** Putting rows and order entries back into their lists: what is no prompt holds its place, and no repeat comes first. */
import { flag, placed } from '../../core/codec.ts';
import { type Draft, isRecord, openDraft, type Wire } from '../../core/draft.ts';
import { GLOBAL_ORDER, identifierIn, type PromptList } from './prompt-list.ts';
import type { Item } from './prompt-sequence.ts';

/** An item with its row on the wire. */
export interface Written extends Item {
  readonly identifier: string;
  readonly row: Wire;
  readonly isNew: boolean;
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
export function writeRows(draft: Draft, list: PromptList, written: readonly Written[]): void {
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

/** The entries of the global order, and the order itself where there is none; other orders stay. */
export function writeOrder(draft: Draft, list: PromptList, wanted: readonly Written[]): void {
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
