/** Phrase biases of an entry. Facts: exported files of versions 4 and 6. */
import { joinPath } from '../../core/account.ts';
import { type Codec, flag, list, number, rawList, text } from '../../core/codec.ts';
import { isRecord, openDraft, same, type Wire } from '../../core/draft.ts';
import { create, type Lens, put } from '../../core/lens.ts';
import { at, lensesFor } from '../../core/lenses.ts';
import { record } from '../../core/record.ts';
import type { LoreBiasGroup } from '../../entities/lorebook/schema.ts';

type Phrase = LoreBiasGroup['phrases'][number];

const group = lensesFor<LoreBiasGroup>();

const PARTS = { sequence: text(), sequences: rawList(), type: number() } as const;
const partNames = Object.keys(PARTS) as (keyof typeof PARTS)[];

/** A phrase: every part that is there counts, an empty text too, for it is paired with its tokens. */
const phrase: Codec<Phrase> = {
  shape: 'record of sequence, sequences, type',
  read(raw) {
    if (!isRecord(raw)) return undefined;
    const parts = partNames.flatMap((name) => {
      const value = PARTS[name].read(raw[name]);
      return value === undefined ? [] : [[name, value] as const];
    });
    return Object.fromEntries(parts) as Phrase;
  },
  write(value, previous) {
    const draft = openDraft(isRecord(previous) ? previous : {});
    for (const name of partNames) {
      const before = PARTS[name].read(draft.twin[name]);
      if (same(value[name], before)) continue;
      if (value[name] === undefined) draft.delete([name]);
      else draft.set([name], value[name]);
    }
    return draft.wire;
  },
  account(raw, path, out) {
    if (!isRecord(raw)) return;
    for (const key of Object.keys(raw)) {
      const known = partNames.find((name) => name === key);
      if (!known || PARTS[known].read(raw[key]) === undefined) out.unread(joinPath(path, key), raw[key]);
    }
  },
};

const fields = [
  group.field('phrases', at('phrases'), list(phrase), { absent: [] }),
  group.field('bias', at('bias'), number(), { absent: 0 }),
  group.field('enabled', at('enabled'), flag(), { absent: true }),
  group.field('whenInactive', at('whenInactive'), flag()),
  group.field('generateOnce', at('generateOnce', 'generate_once'), flag(), { together: true }),
  group.field('ensureSequenceFinish', at('ensureSequenceFinish', 'ensure_sequence_finish'), flag(), { together: true }),
] as Lens<LoreBiasGroup>[];

const known = record(fields, (): LoreBiasGroup => ({ enabled: true, bias: 0, phrases: [] }));

/** A new group says its two double-named flags in both spellings, as current files do. */
const freshBase = ({ generateOnce, ensureSequenceFinish }: LoreBiasGroup): Wire => ({
  phrases: [],
  ...(ensureSequenceFinish === undefined ? {} : { ensure_sequence_finish: null, ensureSequenceFinish: null }),
  ...(generateOnce === undefined ? {} : { generate_once: null, generateOnce: null }),
  bias: 0,
  enabled: true,
});

/** One group; files carry one spelling or both, and an edit keeps those they have in step. */
export const biasGroup: Codec<LoreBiasGroup> = {
  ...known,
  write: (value, previous) =>
    isRecord(previous) ? put(fields, previous, value) : create(fields, freshBase(value), value),
};
