/** Scripts of a charx: in the module where there is one, which the app itself prefers to the card. Facts: section 4. */
import { existsAt, isRecord, keysOf, type Wire } from '../../core/draft.ts';
import { type Lens, varied } from '../../core/lens.ts';
import { at } from '../../core/lenses.ts';
import { character } from '../../entities/character/lenses.ts';
import type { CharacterBody } from '../../entities/character/schema.ts';
import { scripts, triggers } from './fields.ts';

/** Key of the parsed module in an opened file. */
export const MODULE = 'module';

/** Whether the file has a module beside the card. */
export const hasModule = (wire: Wire): boolean => isRecord(wire[MODULE]);

/** A field that stands in the module where there is one; the card's own is kept in step. */
function inModule(inCard: Lens<CharacterBody>, path: string, inBoth: Lens<CharacterBody>): Lens<CharacterBody> {
  const home = keysOf(path);
  const lensFor = (wire: Wire) => (hasModule(wire) ? inBoth : inCard);
  return varied(inCard, {
    wire: [...inCard.wire, path],
    read: (wire) => lensFor(wire).read(wire),
    write(draft, now, before) {
      lensFor(draft.twin).write(draft, now, before);
      if (hasModule(draft.twin) && !existsAt(draft.wire, home) && now !== undefined)
        inBoth.write({ ...draft, twin: { [MODULE]: draft.twin[MODULE] } }, now, undefined);
    },
    claims: (wire) => lensFor(wire).claims(wire),
  });
}

const marks: Lens<CharacterBody> = {
  canonical: [],
  wire: [`${MODULE}.type`, `${MODULE}.module.id`, `${MODULE}.module.name`, `${MODULE}.module.lorebook`],
  shape: 'mark',
  lossy: false,
  note: 'what the module of a card is called, and its book, which is read as a book',
  read: () => undefined,
  write: () => undefined,
  pick: () => undefined,
  place: () => undefined,
  part: () => undefined,
  claims: (wire) => (hasModule(wire) ? marks.wire.map((name) => ({ keys: keysOf(name) })) : []),
};

/** RisuAI's fields over an opened charx: rules and triggers go to the module and to the card. */
export function withModule(fields: readonly Lens<CharacterBody>[], data: string): Lens<CharacterBody>[] {
  const REGEX = `${MODULE}.module.regex`;
  const TRIGGER = `${MODULE}.module.trigger`;
  const together = { together: true } as const;
  const both: Readonly<Record<string, readonly [string, Lens<CharacterBody>]>> = {
    'behavior.regexScripts': [
      REGEX,
      character.field(
        'behavior.regexScripts',
        at(REGEX, `${data}.extensions.risuai.customScripts`),
        scripts,
        together,
      ) as Lens<CharacterBody>,
    ],
    'behavior.triggerScripts': [
      TRIGGER,
      character.field(
        'behavior.triggerScripts',
        at(TRIGGER, `${data}.extensions.risuai.triggerscript`),
        triggers,
        together,
      ) as Lens<CharacterBody>,
    ],
  };
  const placed = fields.map((lens) => {
    const [path, inBoth] = both[lens.canonical[0] ?? ''] ?? [];
    return path && inBoth ? inModule(lens, path, inBoth) : lens;
  });
  return [...placed, marks];
}
