import type { Account, Claim } from '../../core/account.ts';
import { placed } from '../../core/codec.ts';
import { derivedUuid } from '../../core/derived-id.ts';
import { type Draft, isRecord, type Keys, keysOf, same, saysNothing, valueAt, type Wire } from '../../core/draft.ts';
import { assignIds } from '../../core/ids.ts';
import { type Lens, placeAt } from '../../core/lens.ts';
import { character } from '../../entities/character/lenses.ts';
import type { CharacterBody, CharacterVariant, MediaRef } from '../../entities/character/schema.ts';
import { addMember, bytesFor, dropMembers, ICONS, memberAt } from './archive.ts';

/** Fields of a card that can have alternates, and their slots. */
const SLOTS: readonly (readonly [field: string, slot: string])[] = [
  ['name', 'identity.name'],
  ['description', 'identity.description'],
  ['personality', 'persona.personality'],
  ['scenario', 'persona.scenario'],
  ['first_mes', 'greetings.firstMessage'],
  ['mes_example', 'examples.exampleMessages'],
  ['system_prompt', 'prompts.systemPrompt'],
  ['post_history_instructions', 'prompts.postHistoryInstructions'],
  ['creator_notes', 'attribution.creatorNotes'],
];
const PORTRAIT = keysOf('media.portrait');

/** One alternate: a text of a field, or a picture. */
interface Alternate {
  /** Keys of the list it stands in. */
  readonly list: Keys;
  readonly row: Wire;
  readonly id: string;
  readonly label: string | undefined;
  /** Dotted slot of the text; absent for a picture. */
  readonly slot?: string;
  readonly says: MediaRef;
}

interface Homes {
  readonly fields: Keys;
  readonly avatars: Keys;
}

const holdsAny = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : isRecord(value) && Object.keys(value).length > 0;

/**
 * Where a file keeps its alternates: archives beside the card, other files in the card's extensions. An archive keeps
 * them in the card too where nothing stands beside it, or something that cannot hold any.
 */
function homesIn(wire: Wire, extensions: Keys): Homes {
  const pick = (name: string, holds: (value: unknown) => boolean): Keys => {
    const [beside, inside] = [
      ['modules', name],
      [...extensions, name],
    ];
    if (wire.carrier !== 'charx') return inside;
    const [modules, held] = [wire.modules ?? {}, valueAt(wire, beside) ?? undefined];
    if (!isRecord(modules) || (held !== undefined && !holds(held))) return inside;
    return held === undefined && holdsAny(valueAt(wire, inside)) ? inside : beside;
  };
  return { fields: pick('alternate_fields', isRecord), avatars: pick('alternate_avatars', Array.isArray) };
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const rowsAt = (wire: Wire, keys: Keys): readonly unknown[] => {
  const held = valueAt(wire, keys);
  return Array.isArray(held) ? held : [];
};

/** The text of a row, or its picture; undefined for a row that says neither. */
const saidIn = (wire: Wire, row: Wire, slot: string | undefined): MediaRef | undefined =>
  slot === undefined ? (memberAt(wire, row.path) ?? text(row.image_id)) : text(row.content);

/** The alternates of a file. Ids tell those of one list apart. */
function alternatesIn(wire: Wire, homes: Homes): Alternate[] {
  const lists = [
    ...SLOTS.map(([field, slot]) => [[...homes.fields, field], slot] as const),
    [homes.avatars, undefined] as const,
  ];
  return lists.flatMap(([list, slot]) => {
    const rows = rowsAt(wire, list).flatMap((row) => {
      const says = isRecord(row) ? saidIn(wire, row, slot) : undefined;
      return isRecord(row) && says !== undefined ? [{ row, says }] : [];
    });
    const ids = assignIds(rows.map(({ row }, index) => text(row.id) || `${list[list.length - 1]}-${index}`));
    return rows.map(({ row, says }, index) => ({
      list,
      row,
      id: ids[index] ?? '',
      label: text(row.label),
      says,
      ...(slot === undefined ? {} : { slot }),
    }));
  });
}

/** Alternates with one id are one variant: its first label counts. */
function variantsOf(alternates: readonly Alternate[]): CharacterVariant[] {
  const variants = new Map<string, CharacterVariant>();
  for (const { id, label, slot, says } of alternates) {
    const variant = variants.get(id) ?? { id, ...(label ? { label } : {}), overrides: {} };
    variants.set(id, variant);
    placeAt(
      variant.overrides,
      slot === undefined ? PORTRAIT : keysOf(slot),
      slot === undefined ? { role: 'portrait', ref: says } : says,
    );
  }
  return [...variants.values()];
}

/** Another text for a field, or another picture, is a variant that overrides just that. */
export function variantField(data: string): Lens<CharacterBody> {
  const extensions = [...keysOf(data), 'extensions'];
  const names = ['alternate_fields', 'alternate_avatars'];
  return character.joint(['variants'], {
    wire: [...names.map((name) => `${data}.extensions.${name}`), ...names.map((name) => `modules.${name}`), 'files'],
    shape: 'texts by field, and pictures',
    lossy: true,
    note: 'a variant is other texts for nine fields and another picture, which has a place in an archive alone',
    read(wire) {
      const variants = variantsOf(alternatesIn(wire, homesIn(wire, extensions)));
      return variants.length === 0 ? {} : { variants };
    },
    write: (draft, { variants = [] }) => writeVariants(draft, homesIn(draft.twin, extensions), variants),
    claims: (wire) => claimsIn(wire, homesIn(wire, extensions)),
  }) as Lens<CharacterBody>;
}

function writeVariants(draft: Draft, homes: Homes, variants: readonly CharacterVariant[]): void {
  const old = alternatesIn(draft.twin, homes);
  for (const [field, slot] of SLOTS) {
    writeList(
      draft,
      [...homes.fields, field],
      old,
      (variant) => {
        const content = text(valueAt(variant.overrides, keysOf(slot)));
        return content === undefined ? undefined : { content };
      },
      variants,
    );
  }
  writeList(draft, homes.avatars, old, (variant, twin) => portraitIn(draft, variant, twin), variants);
  dropMembers(
    draft,
    old.flatMap(({ row }) => text(row.path) ?? []),
  );
}

/** The picture of a variant: that of its twin, or a new member of the archive. */
function portraitIn(draft: Draft, { id, overrides }: CharacterVariant, twin: Alternate | undefined): Wire | undefined {
  const ref = valueAt(overrides, [...PORTRAIT, 'ref']) as MediaRef | undefined;
  if (ref === undefined) return undefined;
  if (twin && same(ref, twin.says)) return {};
  const bytes = bytesFor(ref);
  if (!bytes || draft.twin.carrier !== 'charx') return undefined;
  const instead = twin && text(twin.row.path);
  return { path: addMember(draft, { folder: ICONS, label: id === '' ? 'alternate' : id, bytes, instead }) };
}

/** One list of alternates: rows meet their twin by id, what cannot be read keeps its place. */
function writeList(
  draft: Draft,
  list: Keys,
  old: readonly Alternate[],
  say: (variant: CharacterVariant, twin: Alternate | undefined) => Wire | undefined,
  variants: readonly CharacterVariant[],
): void {
  const mine = old.filter((one) => same(one.list, list));
  const twins = new Map(mine.map((one) => [one.id, one]));
  const rows = variants.flatMap((variant) => {
    const twin = twins.get(variant.id);
    const said = say(variant, twin);
    if (!said) return [];
    twins.delete(variant.id);
    return [twin ? overlaid(twin, variant, said) : { id: rowIdOf(variant), label: variant.label ?? '', ...said }];
  });
  const raw = rowsAt(draft.twin, list);
  const readable = new Set<unknown>(mine.map(({ row }) => row));
  const next = placed(raw, rows, (row) => !readable.has(row));
  if (next.length === raw.length && next.every((row, index) => row === raw[index])) return;
  if (next.length === 0 && raw.length > 0) draft.delete(list);
  else draft.set(list, next);
}

const rowIdOf = ({ id, label, overrides }: CharacterVariant): string =>
  id === '' ? derivedUuid(JSON.stringify(['variant', label ?? '', Object.keys(overrides)])) : id;

/** The row itself where nothing changed. */
function overlaid({ row, label }: Alternate, variant: CharacterVariant, said: Wire): Wire {
  const changed = Object.entries(said).filter(([key, value]) => row[key] !== value);
  const named = (variant.label ?? '') === (label ?? '') ? {} : { label: variant.label ?? '' };
  return changed.length === 0 && !('label' in named) ? row : { ...row, ...named, ...Object.fromEntries(changed) };
}

function claimsIn(wire: Wire, homes: Homes): Claim[] {
  const inside = (slot: string | undefined) => (raw: unknown, path: string, out: Account) => {
    if (!Array.isArray(raw)) return saysNothing(raw) ? undefined : out.unread(path, raw);
    raw.forEach((row: unknown, index) => {
      if (!isRecord(row) || saidIn(wire, row, slot) === undefined) out.unread(`${path}[${index}]`, row);
    });
  };
  return [
    ...SLOTS.map(([field, slot]) => ({ keys: [...homes.fields, field], inside: inside(slot) })),
    { keys: homes.avatars, inside: inside(undefined) },
  ];
}
