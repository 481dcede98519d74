import { type Account, accountFor } from '../../core/account.ts';
import { append } from '../../core/append.ts';
import { placed } from '../../core/codec.ts';
import { type Draft, isRecord, keysOf, same, saysNothing, valueAt, type Wire } from '../../core/draft.ts';
import { assignIds } from '../../core/ids.ts';
import { claimsOf, get, type Lens, put, varied } from '../../core/lens.ts';
import { preset } from '../../entities/preset/lenses.ts';
import { emptyPrompt, type PresetBody, type PresetGroup, type PresetPrompt } from '../../entities/preset/schema.ts';
import { freshBlock, freshHeading, groupFields, promptFields } from './preset-block.ts';
import { CATEGORY, identifierOf, markerFor } from './preset-marker.ts';
import { freeId } from './row-ids.ts';

/** One block with the id that the model knows it by. */
interface Block {
  readonly id: string;
  readonly wire: Wire;
  readonly heading: boolean;
  /** Id of the heading it belongs to. */
  readonly group?: string;
}

const ownId = (wire: Wire): string | undefined => (typeof wire.id === 'string' && wire.id !== '' ? wire.id : undefined);

/** The blocks of a file. One that says no group stands under the heading before it. */
function blocksIn(raw: unknown): Block[] {
  const rows = Array.isArray(raw) ? raw.filter(isRecord) : [];
  const ids = assignIds(rows.map((wire, index) => identifierOf(wire.marker) ?? ownId(wire) ?? `block-${index}`));
  let current: string | undefined;
  return rows.map((wire, index): Block => {
    const id = ids[index] ?? '';
    const heading = wire.marker === CATEGORY;
    if (heading) current = ownId(wire) ?? id;
    const group = heading ? undefined : wire.group === undefined ? current : groupIn(wire);
    return { id, wire, heading, ...(group === undefined ? {} : { group }) };
  });
}

const groupIn = ({ group }: Wire): string | undefined =>
  typeof group === 'string' && group !== '' ? group : undefined;

const promptIn = ({ id, wire, group }: Block): PresetPrompt => {
  const prompt = get(promptFields, wire, emptyPrompt(id));
  if (group !== undefined) prompt.groupId = group;
  return prompt;
};
const headingIn = ({ id, wire }: Block): PresetGroup => get(groupFields, wire, { id, name: '' });

/** Prompts and groups of the one list that the app keeps them in. */
export function blockList(home: string): Lens<PresetBody> {
  const keys = keysOf(home);
  const lens = preset.joint(['prompts', 'groups'], {
    wire: [home],
    shape: 'blocks in order, some of them headings',
    lossy: true,
    note: 'order among prompts at one depth, overrides and groups within groups have no place',
    read(wire) {
      const blocks = blocksIn(valueAt(wire, keys));
      return {
        prompts: blocks.filter(({ heading }) => !heading).map(promptIn),
        groups: blocks.filter(({ heading }) => heading).map(headingIn),
      };
    },
    write(draft, { prompts = [], groups = [] }) {
      writeBlocks(draft, keys, prompts, groups);
    },
    claims: () => [{ keys, inside: accountBlocks }],
  });
  return varied(lens, { rows: promptFields as unknown as readonly Lens<never>[] }) as unknown as Lens<PresetBody>;
}

function writeBlocks(
  draft: Draft,
  home: readonly string[],
  prompts: readonly PresetPrompt[],
  groups: readonly PresetGroup[],
): void {
  const raw = valueAt(draft.twin, home);
  const old = Array.isArray(raw) ? raw : [];
  const blocks = blocksIn(raw);
  const twins = new Map(blocks.map((block) => [block.id, block]));
  const taken = new Set(blocks.flatMap(({ id, wire }) => [id, ownId(wire) ?? id]));
  const mint = (id: string, says: readonly string[]): string => {
    const free = freeId(id, says, taken);
    taken.add(free);
    return free;
  };
  const headings = new Map<string, Wire>();
  for (const group of groups) {
    const twin = twins.get(group.id);
    const wire = twin?.heading
      ? put(groupFields, twin.wire, group)
      : freshHeading(group, mint(group.id, ['group', group.name]));
    headings.set(group.id, wire);
  }
  const used = new Set<string>();
  const rows = prompts.map((prompt) => {
    const twin = used.has(prompt.id) ? undefined : twins.get(prompt.id);
    used.add(prompt.id);
    const wire =
      twin && !twin.heading ? put(promptFields, twin.wire, prompt) : freshBlock(prompt, mintFor(prompt, mint));
    const heading = prompt.groupId === undefined ? undefined : headings.get(prompt.groupId);
    return { wire, heading, group: heading ? ownId(heading) : prompt.groupId };
  });
  const next = placed(old, grouped(inOrder(blocks, prompts, groups, headings, rows), rows), (row) => !isRecord(row));
  if (next.length !== old.length || next.some((row, index) => row !== old[index])) draft.set(home, next);
}

/** A block of the app's own is known by its marker, so its id is free. */
const mintFor = (prompt: PresetPrompt, mint: (id: string, says: readonly string[]) => string): string =>
  mint(markerFor(prompt) ? '' : prompt.id, ['block', prompt.id, prompt.name, prompt.content]);

/** A prompt as it is to be written. */
interface Row {
  readonly wire: Wire;
  readonly heading: Wire | undefined;
  /** Id of the heading, on the wire. */
  readonly group: string | undefined;
}

/** Headings and prompts as they stood; where prompts or groups moved, each heading stands before its first prompt. */
function inOrder(
  blocks: readonly Block[],
  prompts: readonly PresetPrompt[],
  groups: readonly PresetGroup[],
  headings: ReadonlyMap<string, Wire>,
  rows: readonly Row[],
): Wire[] {
  const was = (heading: boolean) => blocks.filter((block) => block.heading === heading).map(({ id }) => id);
  const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id);
  if (same(was(false), ids(prompts)) && same(was(true), ids(groups))) {
    const wires = rows.map(({ wire }) => wire);
    const heads = groups.map(({ id }) => headings.get(id));
    let prompt = 0;
    let group = 0;
    return blocks.flatMap(({ heading }): Wire[] => {
      const wire = heading ? heads[group++] : wires[prompt++];
      return wire ? [wire] : [];
    });
  }
  const waiting = [...headings.values()];
  const busy = new Set(rows.map(({ heading }) => heading));
  const out: Wire[] = [];
  for (const { wire, heading } of rows) {
    const at = heading ? waiting.indexOf(heading) : -1;
    // Headings without prompts that stand before this one go out with it.
    if (at >= 0) {
      const due = waiting.filter((one, index) => index === at || (index < at && !busy.has(one)));
      append(out, due);
      for (const one of due) waiting.splice(waiting.indexOf(one), 1);
    }
    out.push(wire);
  }
  return [...out, ...waiting];
}

/** Every prompt says its group, unless the heading before it says so already. */
function grouped(list: readonly Wire[], rows: readonly Row[]): Wire[] {
  const groupOf = new Map(rows.map(({ wire, group }) => [wire, group]));
  let current: string | undefined;
  return list.map((wire) => {
    if (!groupOf.has(wire)) {
      current = ownId(wire);
      return wire;
    }
    const group = groupOf.get(wire);
    const said = wire.group === undefined ? current : groupIn(wire);
    return said === group ? wire : { ...wire, group: group ?? null };
  });
}

function accountBlocks(raw: unknown, path: string, out: Account): void {
  if (!Array.isArray(raw)) {
    if (!saysNothing(raw)) out.unread(path, raw);
    return;
  }
  raw.forEach((row: unknown, index) => {
    const place = `${path}[${index}]`;
    if (!isRecord(row)) return out.unread(place, row);
    const fields = row.marker === CATEGORY ? groupFields : promptFields;
    accountFor(claimsOf(fields as readonly Lens<never>[], row), row, place, out);
  });
}
