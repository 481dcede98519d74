import { number } from '../../core/codec.ts';
import { existsAt, type Wire } from '../../core/draft.ts';
import type { Lens } from '../../core/lens.ts';
import { loreEntry } from '../../entities/lorebook/lenses.ts';
import type { LorebookEntry, LorePosition } from '../../entities/lorebook/schema.ts';
import { positionNumber } from '../_shared/lore-codecs.ts';

/** Up to 6 the app counts as SillyTavern does. */
const PLAIN: readonly LorePosition[] = [
  'world',
  'character',
  'author_note_top',
  'author_note_bottom',
  'depth',
  'before_example',
  'after_example',
];
/** Beside a block of the preset, which no other app can point at. */
const AT_MARKER = 7;
/** Reachable through the outlet macro alone. */
const OUTLET = 8;

const placeIn = (wire: Wire): LorePosition | undefined => {
  const raw = number().read(wire.position);
  if (raw === OUTLET) return 'outlet';
  if (raw === AT_MARKER) return wire.wi_marker_side === 'after' ? 'character' : 'world';
  return PLAIN[raw ?? -1];
};

/** 7 is a marker here and an outlet in SillyTavern: it stays in escrow, with the nearest plain place in the model. */
export const entryPlace: Lens<LorebookEntry> = loreEntry.joint(['position'], {
  wire: ['position'],
  shape: '0 to 6, 8 outlet',
  lossy: true,
  note: 'places that the app does not have become the nearest one; an entry at a marker stands before or after',
  read: (wire) => ({ position: placeIn(wire) ?? 'world' }),
  write({ twin, set }, { position: now = 'world' }) {
    set(['position'], number().write(now === 'outlet' ? OUTLET : positionNumber(now), twin.position));
  },
  claims: (wire) =>
    placeIn(wire) === undefined || number().read(wire.position) === AT_MARKER || !existsAt(wire, ['position'])
      ? []
      : [{ keys: ['position'] }],
}) as Lens<LorebookEntry>;
