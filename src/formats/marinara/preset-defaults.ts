import { same, valueAt, type Wire } from '../../core/draft.ts';
import { type Lens, varied } from '../../core/lens.ts';
import type { PresetBody, PresetChoice } from '../../entities/preset/schema.ts';

const DEFAULTS = ['data', 'preset', 'defaultChoices'];

/** What is chosen at first: one text, or several. */
const isChosen = (value: unknown): value is string | string[] =>
  typeof value === 'string' || (Array.isArray(value) && value.every((one) => typeof one === 'string'));

/** Choices by the name of their variable, with what is chosen at first where that is said. */
const chosen = (choices: readonly PresetChoice[]): Map<string, unknown> =>
  new Map(choices.flatMap(({ key, default: value }) => (key !== undefined && isChosen(value) ? [[key, value]] : [])));

/** Variables whose first answer stands beside them, in a map of the preset by name of the variable. */
export function withDefaults(rows: Lens<PresetBody, PresetChoice[]>): Lens<PresetBody, PresetChoice[]> {
  const read = (wire: Wire): PresetChoice[] | undefined =>
    rows.read(wire)?.map((choice) => {
      const value = choice.key === undefined ? undefined : valueAt(wire, [...DEFAULTS, choice.key]);
      return isChosen(value) ? { ...choice, default: value } : choice;
    });
  return varied(rows, {
    wire: [...rows.wire, DEFAULTS.join('.')],
    read,
    write(draft, now, before) {
      rows.write(draft, now, before);
      const [next, old] = [chosen(now ?? []), chosen(before ?? [])];
      for (const key of old.keys()) if (!next.has(key)) draft.delete([...DEFAULTS, key]);
      for (const [key, value] of next) if (!same(value, old.get(key))) draft.set([...DEFAULTS, key], value);
    },
    claims: (wire) => [
      ...rows.claims(wire),
      ...[...chosen(read(wire) ?? []).keys()].map((key) => ({ keys: [...DEFAULTS, key] })),
    ],
  });
}
