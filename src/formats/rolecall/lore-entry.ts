import { bag, flag, list, number, text } from '../../core/codec.ts';
import { agree, valueAt, type Wire } from '../../core/draft.ts';
import type { Lens } from '../../core/lens.ts';
import { at, lensesFor } from '../../core/lenses.ts';
import { loreEntry } from '../../entities/lorebook/lenses.ts';
import type { LorebookCategory, LorebookEntry } from '../../entities/lorebook/schema.ts';
import { recursionLevel, roleWord } from '../_shared/lore-codecs.ts';
import { effects, filters, keys, position, word } from './lore-parts.ts';
import { idOfRow, orNull } from './wire-rows.ts';

const SECONDARY = ['triggers', 'secondary'];

/** RoleCall has no switch for secondary keys: they gate where they are. Those that are switched off do not cross. */
const gatingKeys = loreEntry.joint(['secondaryTriggers', 'selective'], {
  wire: ['triggers.secondary'],
  shape: keys.shape,
  lossy: true,
  note: 'secondary keys always gate here: inactive ones have no place',
  read(wire) {
    const secondaryTriggers = keys.read(valueAt(wire, SECONDARY)) ?? [];
    return { secondaryTriggers, selective: secondaryTriggers.length > 0 ? true : undefined };
  },
  write(draft, { secondaryTriggers = [], selective }) {
    const old = valueAt(draft.twin, SECONDARY);
    const next = selective === false ? [] : secondaryTriggers;
    if (!agree(next, keys.read(old))) draft.set(SECONDARY, keys.write(next, old));
  },
  claims: () => [
    {
      keys: SECONDARY,
      inside(raw, path, out) {
        if (Array.isArray(raw)) keys.account?.(raw, path, out);
        else if (raw !== null) out.unread(path, raw);
      },
    },
  ],
});

/** Slots that RoleCall does not have and keeps for SillyTavern. */
const foreign = (name: string) => at(`unsupportedFields.${name}`);
const off = { absent: false } as const;
const zero = { absent: 0 } as const;

/** The table of an entry. */
export const entryFields: readonly Lens<LorebookEntry>[] = [
  loreEntry.field('title', at('title'), text(), { absent: '' }),
  loreEntry.field('content', at('content'), text(), { absent: '' }),
  loreEntry.field('comment', at('comment'), orNull(text())),
  loreEntry.field('enabled', at('enabled'), flag(), { absent: true }),
  loreEntry.field('constant', at('constant'), flag(), off),
  loreEntry.field('triggerMode', at('triggers.mode'), word('simple', 'advanced'), { absent: 'simple' }),
  loreEntry.field('triggers', at('triggers.primary'), keys, { absent: [] }),
  gatingKeys,
  loreEntry.field('selectiveLogic', at('triggers.selectiveLogic'), word('and_any', 'and_all', 'not_any', 'not_all'), {
    absent: 'and_any',
  }),
  loreEntry.field('caseSensitive', at('matching.caseSensitive'), orNull(flag())),
  loreEntry.field('matchWholeWords', at('matching.matchWholeWords'), orNull(flag())),
  loreEntry.field('scanDepth', at('matching.scanDepth'), orNull(number())),
  loreEntry.field('position', at('injection.position'), position, {
    absent: 'character',
    note: 'author notes become a depth, an outlet becomes the character',
  }),
  loreEntry.field('depth', at('injection.depth'), number(), { absent: 4 }),
  loreEntry.field('role', at('injection.role'), roleWord(), { absent: 'system' }),
  loreEntry.field('sortOrder', at('priority.sortOrder'), number(), zero),
  loreEntry.field('priority', at('priority.priority'), number(), { absent: 100 }),
  loreEntry.field('sticky', at('timing.sticky'), number(), zero),
  loreEntry.field('cooldown', at('timing.cooldown'), number(), zero),
  loreEntry.field('delay', at('timing.delay'), number(), zero),
  loreEntry.field('groupName', at('grouping.groupName'), orNull(text())),
  loreEntry.field('categoryId', at('grouping.categoryId'), orNull(text())),
  loreEntry.field('groupWeight', at('grouping.groupWeight'), number(), { absent: 100 }),
  loreEntry.field('probability', at('probability'), number(), { absent: 100 }),
  loreEntry.field('useMemo', at('advanced.useMemo'), flag(), off),
  loreEntry.field('excludeRecursion', at('advanced.excludeRecursion'), flag(), off),
  loreEntry.field('preventRecursion', at('advanced.preventRecursion'), flag(), off),
  loreEntry.field('delayUntilRecursion', at('advanced.delayUntilRecursion'), recursionLevel(), zero),
  loreEntry.field('ignoreBudget', at('advanced.ignoreBudget'), flag(), off),
  loreEntry.field('characterFilter', at('characterFilter'), orNull(filters)),
  loreEntry.field('scanCharacterDescription', at('scanSources.characterDescription'), flag(), off),
  loreEntry.field('scanCharacterPersonality', at('scanSources.characterPersonality'), flag(), off),
  loreEntry.field('scanUserPersona', at('scanSources.userPersona'), flag(), off),
  loreEntry.field('scanScenario', at('scanSources.scenario'), flag(), off),
  loreEntry.field('sideEffects', at('sideEffects'), effects),
  loreEntry.field('metadata', at('metadata'), bag()),
  loreEntry.field('vectorized', foreign('vectorized'), flag()),
  loreEntry.field('groupOverride', foreign('groupOverride'), flag()),
  loreEntry.field('useGroupScoring', foreign('useGroupScoring'), flag()),
  loreEntry.field('automationId', foreign('automationId'), text()),
  loreEntry.field('scanCharacterDepthPrompt', foreign('matchCharacterDepthPrompt'), flag()),
  loreEntry.field('scanCreatorNotes', foreign('matchCreatorNotes'), flag()),
  loreEntry.field('generationTriggers', foreign('generationTriggers'), list(text())),
  loreEntry.field('outletName', foreign('outletName'), text()),
  idOfRow,
] as Lens<LorebookEntry>[];

const folder = lensesFor<LorebookCategory>();

/** The table of a category. */
export const category: readonly Lens<LorebookCategory>[] = [
  folder.field('name', at('name'), text(), { absent: '' }),
  folder.field('sortOrder', at('sortOrder'), number(), zero),
  folder.field('enabled', at('enabled'), flag()),
  idOfRow,
] as Lens<LorebookCategory>[];

/** What RoleCall's exporter writes for an entry that says nothing. */
export const freshEntry = (id: string): Wire => ({
  id,
  title: '',
  content: '',
  comment: null,
  enabled: true,
  constant: false,
  triggers: { mode: 'simple', primary: [], secondary: [], selectiveLogic: 'and_any' },
  matching: { caseSensitive: null, matchWholeWords: null, scanDepth: null },
  injection: { position: 'character', depth: 4, role: 'system' },
  priority: { sortOrder: 0, priority: 100 },
  timing: { sticky: 0, cooldown: 0, delay: 0 },
  grouping: { groupName: null, categoryId: null, groupWeight: 100 },
  probability: 100,
  advanced: {
    useMemo: false,
    excludeRecursion: false,
    preventRecursion: false,
    delayUntilRecursion: 0,
    ignoreBudget: false,
  },
  characterFilter: null,
  scanSources: { characterDescription: false, characterPersonality: false, userPersona: false, scenario: false },
});
