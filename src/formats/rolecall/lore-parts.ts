import { type Codec, flag, list, number, oneOf, text } from '../../core/codec.ts';
import { existsAt, saysNothing } from '../../core/draft.ts';
import { at, lensesFor } from '../../core/lenses.ts';
import { record } from '../../core/record.ts';
import type { LorebookEntry, LorePosition, Trigger } from '../../entities/lorebook/schema.ts';

const trigger = lensesFor<Trigger>();
const triggerRecord = record<Trigger>(
  [
    trigger.field('keyword', at('keyword'), text(), { absent: '' }),
    trigger.field('isRegex', at('isRegex'), flag(), { absent: false }),
    trigger.field('flags', at('flags'), text()),
    trigger.field('frequency', at('frequency'), number()),
    trigger.field('probability', at('probability'), number()),
  ],
  () => ({ keyword: '', isRegex: false }),
);

/**
 * A key with its own chance; a bare text is read too. A blank one is none and keeps its place; what the app counts at
 * run time stays in the twin.
 */
export const keys = list<Trigger>({
  ...triggerRecord,
  read(raw) {
    const value = typeof raw === 'string' ? { keyword: raw, isRegex: false } : triggerRecord.read(raw);
    return saysNothing(value?.keyword) ? undefined : value;
  },
});

const POSITIONS = [
  'world',
  'character',
  'before_example',
  'after_example',
  'depth',
  'append',
  'append_bottom',
  'prepend_top',
  'scene',
] as const satisfies readonly LorePosition[];

/** The nearest place that RoleCall has: an author's note stands in the chat, an outlet where its host puts it. */
const NEAREST: Partial<Record<LorePosition, LorePosition>> = {
  author_note_top: 'depth',
  author_note_bottom: 'depth',
  outlet: 'character',
};

/** One of these words, as it stands. */
export const word = <A extends string>(...words: readonly A[]) => oneOf<A>(words.map((one) => [one, one] as const));

/** RoleCall's places. */
export const position: Codec<LorePosition> = {
  ...word<LorePosition>(...POSITIONS),
  write: (value) => NEAREST[value] ?? value,
};

type Filter = NonNullable<LorebookEntry['characterFilter']>;
const filter = lensesFor<Filter>();
const effect = lensesFor<Effect>();
type SideEffects = NonNullable<LorebookEntry['sideEffects']>;
type Effect = SideEffects['effects'][number];
const sideEffects = lensesFor<SideEffects>();

/** A record with at least one of these keys; another object is not one of its kind. */
const having = <A>(codec: Codec<A>, ...names: readonly string[]): Codec<A> => ({
  ...codec,
  read: (raw) => (names.some((name) => existsAt(raw, [name])) ? codec.read(raw) : undefined),
});

const filterRecord = record<Filter>(
  [
    filter.field('names', at('names'), list(text()), { absent: [] }),
    filter.field('tags', at('tags'), list(text()), { absent: [] }),
    filter.field('isExclude', at('isExclude'), flag(), { absent: false }),
  ],
  () => ({ names: [], tags: [], isExclude: false }),
);

const effectsRecord = record<SideEffects>(
  [
    sideEffects.field(
      'effects',
      at('effects'),
      list(
        record<Effect>(
          [
            effect.field('type', at('type'), text(), { absent: '' }),
            effect.field('variable', at('variable'), text(), { absent: '' }),
            effect.field('value', at('value'), text()),
            effect.field('amount', at('amount'), number()),
            effect.field('scope', at('scope'), text(), { absent: 'local' }),
          ],
          () => ({ type: '', variable: '', scope: 'local' }),
        ),
      ),
      { absent: [] },
    ),
    sideEffects.field('onlyOnFirstTrigger', at('onlyOnFirstTrigger'), flag(), { absent: false }),
    sideEffects.field('clearOnDeactivate', at('clearOnDeactivate'), flag(), { absent: false }),
  ],
  () => ({ effects: [], onlyOnFirstTrigger: false, clearOnDeactivate: false }),
);

/** Who an entry is for. */
export const filters = having(filterRecord, 'names', 'tags', 'isExclude');

/** Variable changes on activation: data, never run. */
export const effects = having(effectsRecord, 'effects', 'onlyOnFirstTrigger', 'clearOnDeactivate');
