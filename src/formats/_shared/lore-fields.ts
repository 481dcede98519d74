import { type Codec, flag, list, number, text } from '../../core/codec.ts';
import {
  type Draft,
  existsAt,
  isRecord,
  type Keys,
  keysOf,
  saysNothing,
  valueAt,
  type Wire,
} from '../../core/draft.ts';
import { type Lens, varied } from '../../core/lens.ts';
import { at, type FieldOptions, type Home } from '../../core/lenses.ts';
import { lorebook, loreEntry } from '../../entities/lorebook/lenses.ts';
import type { LorebookBody, LorebookEntry } from '../../entities/lorebook/schema.ts';
import {
  inlineTrigger,
  logicNumber,
  position,
  positionNumber,
  positionOf,
  positionWord,
  recursionLevel,
  roleNumber,
} from './lore-codecs.ts';
import { LUMIVERSE_LOGIC } from './lumiverse-logic.ts';

/**
 * The two shapes that SillyTavern gives one lorebook: a world info file (camelCase, all keys at the top of an entry)
 * and the book inside a card (portable keys at the top, the rest in `extensions`, mostly snake_case).
 * Source: sillytavern-source-facts, sections 4.1, 5.1 and 5.2.
 */
export type BookDialect = 'worldinfo' | 'character-book';

/** Spellings of SillyTavern's own keys inside `extensions` that are not the snake_case of the world info key. */
const CARD_SPELLING: Readonly<Record<string, string>> = {
  selectiveLogic: 'selectiveLogic',
  useProbability: 'useProbability',
};

const snake = (camel: string): string => camel.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Every spelling of one of SillyTavern's own keys, the one to write first. */
function spellings(camel: string, dialect: BookDialect, inCard: string | undefined): readonly [string, ...string[]] {
  const own = inCard ?? CARD_SPELLING[camel] ?? snake(camel);
  const all = new Set([camel, own, snake(camel)]);
  const top = [...all];
  const inside = [own, ...top].map((name) => `extensions.${name}`);
  const order = dialect === 'worldinfo' ? [...top, ...inside] : [...inside, ...top];
  return [...new Set(order)] as [string, ...string[]];
}

/** What a book of either dialect says about itself. Book-level numbers are the author's or absent, never a house default. */
export const bookHead: readonly Lens<LorebookBody>[] = [
  lorebook.field('name', at('name'), text(), { absent: '' }),
  lorebook.field('description', at('description'), text()),
  lorebook.field('globalScanDepth', at('scan_depth', 'scanDepth'), number()),
  lorebook.field('tokenBudget', at('token_budget', 'tokenBudget'), number()),
  lorebook.field('globalRecursion', at('recursive_scanning', 'recursiveScanning'), flag()),
  lorebook.field('globalCaseSensitive', at('case_sensitive'), flag()),
  lorebook.field('globalMatchWholeWords', at('match_whole_words', 'extensions.risu_fullWordMatching'), flag()),
];

/** The entry table of one dialect. */
export function entryFields(dialect: BookDialect): Lens<LorebookEntry>[] {
  const card = dialect === 'character-book';
  const home = (camel: string, inCard?: string): Home => at(...spellings(camel, dialect, inCard));
  const own = <P extends keyof LorebookEntry & string>(
    path: P,
    camel: string,
    codec: Codec<NonNullable<LorebookEntry[P]>>,
    options: FieldOptions<NonNullable<LorebookEntry[P]>> & { readonly inCard?: string } = {},
  ) =>
    loreEntry.field(
      path as never,
      home(camel, options.inCard),
      codec as never,
      options as never,
    ) as Lens<LorebookEntry>;
  const off = { absent: false } as const;
  const zero = { absent: 0 } as const;
  const keys = { absent: [], together: true };
  return [
    card ? cardTitle : worldTitle,
    loreEntry.field('content', at('content'), text(), { absent: '' }),
    enabled(card),
    loreEntry.field('constant', at('constant'), flag(), off),
    loreEntry.field('selective', at('selective'), flag(), { absent: !card }),
    loreEntry.field(
      'triggers',
      card ? at('keys', 'key') : at('key', 'keys'),
      list(inlineTrigger(), { lone: 'one item' }),
      keys,
    ),
    loreEntry.field(
      'secondaryTriggers',
      card
        ? at('secondary_keys', 'keysecondary', 'secondaryKeys')
        : at('keysecondary', 'secondary_keys', 'secondaryKeys'),
      list(inlineTrigger(), { lone: 'one item' }),
      keys,
    ),
    fromLumiverse(
      card,
      own('selectiveLogic', 'selectiveLogic', LUMIVERSE_LOGIC, { absent: 'and_all' }),
      own('selectiveLogic', 'selectiveLogic', logicNumber(), { absent: 'and_any' }),
    ),
    card ? cardCase : own('caseSensitive', 'caseSensitive', flag(), { together: true }),
    own('matchWholeWords', 'matchWholeWords', flag()),
    own('scanDepth', 'scanDepth', number()),
    card
      ? cardPosition
      : loreEntry.field('position', at('position'), position(), { absent: 'world', note: POSITION_NOTE }),
    own('outletName', 'outletName', text()),
    own('depth', 'depth', number(), { absent: 4 }),
    own('role', 'role', roleNumber(), { absent: 'system' }),
    card
      ? loreEntry.field('sortOrder', at('insertion_order', 'insertionOrder', 'order'), number(), {
          absent: 100,
          together: true,
        })
      : loreEntry.field('sortOrder', at('order', 'insertion_order', 'insertionOrder'), number(), {
          absent: 100,
          together: true,
        }),
    ...(card ? [loreEntry.field('priority', at('priority'), number(), { absent: 100 })] : []),
    own('displayIndex', 'displayIndex', number()),
    own('sticky', 'sticky', number(), zero),
    own('cooldown', 'cooldown', number(), zero),
    own('delay', 'delay', number(), zero),
    own('groupName', 'group', text()),
    own('groupWeight', 'groupWeight', number(), { absent: 100 }),
    own('groupOverride', 'groupOverride', flag()),
    own('useGroupScoring', 'useGroupScoring', flag()),
    probability(card),
    own('excludeRecursion', 'excludeRecursion', flag(), off),
    own('preventRecursion', 'preventRecursion', flag(), off),
    own('delayUntilRecursion', 'delayUntilRecursion', recursionLevel(), zero),
    own('ignoreBudget', 'ignoreBudget', flag(), off),
    characterFilter(card),
    own('scanCharacterDescription', 'matchCharacterDescription', flag(), off),
    own('scanCharacterPersonality', 'matchCharacterPersonality', flag(), off),
    own('scanUserPersona', 'matchPersonaDescription', flag(), off),
    own('scanScenario', 'matchScenario', flag(), off),
    own('scanCharacterDepthPrompt', 'matchCharacterDepthPrompt', flag()),
    own('scanCreatorNotes', 'matchCreatorNotes', flag()),
    own('vectorized', 'vectorized', flag()),
    own('automationId', 'automationId', text()),
    own('generationTriggers', 'triggers', list(text())),
  ];
}

/** Rows of the books that Lumiverse writes for other apps: its own keys among theirs, and its own numbers. */
const isLumiverse = (wire: Wire, card: boolean): boolean => {
  const keys = card ? LUMIVERSE_IN_CARD : LUMIVERSE_ALONE;
  return typeof valueAt(wire, keys[0] ?? []) === 'string' && keys.every((key) => existsAt(wire, key));
};
const LUMIVERSE_IN_CARD = ['extensions.uid', 'extensions.selective_logic', 'extensions.use_probability'].map(keysOf);
const LUMIVERSE_ALONE = ['uid', 'use_regex', 'exclude_recursion', 'selectiveLogic'].map(keysOf);

/** One lens for the rows of such books, another for all others. */
function fromLumiverse(card: boolean, theirs: Lens<LorebookEntry>, ours: Lens<LorebookEntry>): Lens<LorebookEntry> {
  const of = (wire: Wire) => (isLumiverse(wire, card) ? theirs : ours);
  return varied(ours, {
    read: (wire) => of(wire).read(wire),
    write: (draft, now, before) => of(draft.twin).write(draft, now, before),
    claims: (wire) => of(wire).claims(wire),
  });
}

const POSITION_NOTE = 'a place that SillyTavern does not have becomes the nearest one';

/** A world info has one label. */
const worldTitle = loreEntry.field('title', at('comment', 'name'), text(), {
  absent: '',
  together: true,
  note: 'one label an entry: a private note beside it has no place',
});

/** A card book has `name`; SillyTavern writes the label to `comment` alone, RisuAI to both. */
const cardTitle = loreEntry.joint(['title', 'comment'], {
  wire: ['name', 'comment'],
  shape: 'text',
  note: 'a lone comment is the title; beside a name it is the private note',
  read(wire) {
    const name = text().read(wire.name);
    const comment = text().read(wire.comment);
    if (saysNothing(name)) return { title: comment, comment: undefined };
    return { title: name, comment: comment === name ? undefined : comment };
  },
  write({ twin, set, delete: remove }, { title = '', comment }, before) {
    const named = !saysNothing(text().read(twin.name)) || !saysNothing(comment);
    const fresh = !existsAt(twin, ['name']) && !existsAt(twin, ['comment']);
    if (named || fresh) set(['name'], title);
    if (!saysNothing(comment)) set(['comment'], comment);
    else if (fresh || !named || twin.comment === before.title) set(['comment'], title);
    else if (!saysNothing(text().read(twin.comment))) remove(['comment']);
  },
});

/** `disable` in a world info, `enabled` in a card book; files that carry both are kept in step. */
function enabled(card: boolean): Lens<LorebookEntry> {
  const [main, other] = card ? ['enabled', 'disable'] : ['disable', 'enabled'];
  const says = (wire: Wire, key: string) => {
    const value = flag().read(wire[key]);
    return value === undefined ? undefined : value === (key === 'enabled');
  };
  return loreEntry.joint(['enabled'], {
    wire: [main, other] as [string, string],
    shape: card ? 'flag' : 'flag, inverted',
    read: (wire) => ({ enabled: says(wire, main as string) ?? says(wire, other as string) ?? true }),
    write({ twin, set }, { enabled: now = true }) {
      const put = (key: string) => set([key], flag().write(key === 'enabled' ? now : !now, twin[key]));
      if (existsAt(twin, [other as string])) put(other as string);
      if (existsAt(twin, [main as string]) || !existsAt(twin, [other as string])) put(main as string);
    },
  }) as Lens<LorebookEntry>;
}

/** The chance of an entry: a switched-off chance is certain, its number stays on the wire. */
function probability(card: boolean): Lens<LorebookEntry> {
  const homes = (name: string) => (card ? [`extensions.${name}`, name] : [name, `extensions.${name}`]);
  const chances = [...homes('probability'), ...(card ? ['extensions.risu_activationPercent'] : [])].map(keysOf);
  const switches = [...homes('useProbability'), ...homes('use_probability')].map(keysOf);
  const [usual, usualSwitch] = [chances[0] ?? [], switches[0] ?? []];
  const all = [...chances, ...switches].map((keys) => ({ keys }));
  const first = <A>(wire: Wire, places: readonly Keys[], codec: Codec<A>): readonly [Keys, A] | undefined => {
    for (const keys of places) {
      const value = codec.read(valueAt(wire, keys));
      if (value !== undefined) return [keys, value];
    }
    return undefined;
  };
  return loreEntry.joint(['probability'], {
    wire: [...chances, ...switches].map((keys) => keys.join('.')),
    shape: 'number 0 to 100 behind a switch',
    read(wire) {
      const used = first(wire, switches, flag())?.[1] ?? true;
      return { probability: used ? (first(wire, chances, number())?.[1] ?? 100) : 100 };
    },
    write(draft, { probability: now = 100 }) {
      const chance = first(draft.twin, chances, number())?.[0] ?? usual;
      const used = first(draft.twin, switches, flag());
      draft.set(chance, number().write(now, valueAt(draft.twin, chance)));
      if (used ? !used[1] : now < 100) draft.set(used?.[0] ?? usualSwitch, true);
    },
    claims(wire) {
      const [chance, used] = [first(wire, chances, number())?.[0], first(wire, switches, flag())?.[0]];
      return all.filter(({ keys }) => keys === chance || keys === used);
    },
  }) as Lens<LorebookEntry>;
}

/** Which characters an entry is for; SillyTavern's editor adds empty filters, which say nothing. */
function characterFilter(card: boolean): Lens<LorebookEntry> {
  const names = card
    ? ['extensions.character_filter', 'extensions.characterFilter', 'characterFilter']
    : ['characterFilter'];
  const homes = names.map(keysOf);
  const found = (wire: Wire) => homes.find((keys) => isRecord(valueAt(wire, keys)));
  const texts = list(text());
  return loreEntry.joint(['characterFilter'], {
    wire: names,
    shape: 'names, tags and a switch',
    note: card ? 'SillyTavern does not carry it into a card' : 'names are card files without extension',
    read(wire) {
      const raw = valueAt(wire, found(wire) ?? []);
      if (!isRecord(raw)) return {};
      const filter = {
        names: texts.read(raw.names) ?? [],
        tags: texts.read(raw.tags) ?? [],
        isExclude: flag().read(raw.isExclude) ?? false,
      };
      return filter.names.length + filter.tags.length === 0 ? {} : { characterFilter: filter };
    },
    write(draft: Draft, { characterFilter: now }) {
      if (!now) {
        // Every one of them, or the next spelling would resurface.
        for (const home of homes) if (isRecord(valueAt(draft.twin, home))) draft.delete(home);
        return;
      }
      const keys = found(draft.twin) ?? homes[0]!;
      const next = { isExclude: now.isExclude, names: now.names, tags: now.tags };
      if (!isRecord(valueAt(draft.twin, keys))) return draft.set(keys, next);
      for (const [key, value] of Object.entries(next)) draft.set([...keys, key], value);
    },
    claims: (wire) => {
      const keys = found(wire);
      return keys ? [{ keys }] : [];
    },
  }) as Lens<LorebookEntry>;
}

/** The portable word, and SillyTavern's number that says it exactly. The number wins. */
const cardPosition = loreEntry.joint(['position'], {
  wire: ['position', 'extensions.position'],
  shape: 'before_char or after_char, and 0 to 7',
  lossy: true,
  note: POSITION_NOTE,
  read: (wire) => ({
    position: positionOf(valueAt(wire, ['extensions', 'position'])) ?? positionOf(wire.position) ?? 'character',
  }),
  write({ twin, set }, { position: now = 'character' }) {
    const word = positionWord(now);
    const exact = positionOf(word) === now;
    const numbered = typeof twin.position === 'number';
    set(['position'], numbered ? positionNumber(now) : word);
    const known = existsAt(twin, ['extensions', 'position']);
    if (known || (!exact && !numbered) || !existsAt(twin, ['position']))
      set(['extensions', 'position'], positionNumber(now));
  },
  claims: (wire) => [
    {
      keys: ['position'],
      inside(raw, path, out) {
        const fine = positionOf(valueAt(wire, ['extensions', 'position']));
        if (fine === undefined && positionOf(raw) === undefined && !saysNothing(raw)) out.unread(path, raw);
        else if (typeof raw !== 'string') out.repaired(path, 'a number where before_char or after_char belongs');
        else if (fine !== undefined && positionOf(raw) !== undefined && positionWord(fine) !== raw) {
          out.repaired(path, 'contradicts extensions.position, which counts');
        }
      },
    },
    { keys: ['extensions', 'position'] },
  ],
});

/** V3 has it at the top of the entry, SillyTavern reads only `extensions`: a fresh entry says it in both. */
const cardCase = loreEntry.joint(['caseSensitive'], {
  wire: ['extensions.case_sensitive', 'extensions.caseSensitive', 'case_sensitive', 'caseSensitive'],
  shape: 'flag',
  read(wire) {
    for (const keys of CASE_HOMES) {
      const value = flag().read(valueAt(wire, keys));
      if (value !== undefined) return { caseSensitive: value };
    }
    return {};
  },
  write({ twin, set, delete: remove }, { caseSensitive: now }) {
    const homes = CASE_HOMES.filter((keys) => existsAt(twin, keys));
    for (const keys of homes.length > 0 ? homes : FRESH_CASE_HOMES) {
      if (now === undefined) remove(keys);
      else set(keys, flag().write(now, valueAt(twin, keys)));
    }
  },
});
const CASE_HOMES = ['extensions.case_sensitive', 'extensions.caseSensitive', 'case_sensitive', 'caseSensitive'].map(
  keysOf,
);
const FRESH_CASE_HOMES = ['extensions.case_sensitive', 'case_sensitive'].map(keysOf);
