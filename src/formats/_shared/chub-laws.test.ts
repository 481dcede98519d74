/** The laws of Chub’s fields. */
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { lawsOf, type Says } from '../../../test/laws/harness.ts';
import { own, ownEngine } from '../../../test/laws/own.ts';
import { tavernTable } from '../../../test/laws/tables.ts';
import type { Lens } from '../../core/lens.ts';
import { chubFields } from './chub-fields.ts';
import { tavernFields } from './tavern-fields.ts';
import { baseCard } from './tavern-variant.ts';

describe('laws', () => {
  const says: Says = (path) =>
    !['attribution.sourceUrl', 'presentation.background.ref'].includes(path) &&
    !path.startsWith('media.') &&
    !/Greetings|depth|tags|At$/.test(path);
  const chub = chubFields('card.data', 'v3');
  const claimed = new Set(chub.flatMap(({ canonical }) => canonical));
  const common = tavernFields('card.data', 'card', 'v3').filter(
    ({ canonical }) => !canonical.some((path) => claimed.has(path)),
  );
  const map = fc.dictionary(
    fc.constantFrom('happy', 'joy', '__proto__', '../x'),
    fc.constantFrom<unknown>('https://example.org/a.png', 'https://example.org/b.png', '', null, 7),
  );
  const home = 'card.data.extensions.chub';
  const table = tavernTable(
    own,
    'chub',
    [...common, ...chub] as unknown as readonly Lens<never>[],
    'card.data',
    [{ ...baseCard('v3') }],
    {
      says,
      spreads: new Set([
        'prompts.depthInjections',
        'media.portrait',
        'media.assets',
        'attribution.sourceUrl',
        'presentation.background.ref',
      ]),
      hints: {
        'card.data.assets': fc.constant([]),
        [`${home}.expressions.expressions`]: map,
        [`${home}.alt_expressions.*.expressions`]: map,
        [`${home}.full_path`]: fc.constantFrom<unknown>('orla/quay', 'characters/orla/quay', 'x', 7),
      },
    },
  );
  for (const { name, property } of lawsOf(ownEngine, table)) {
    test(name, () => fc.assert(property, { numRuns: Number(process.env.RUNS ?? 60), includeErrorInReport: true }));
  }
});
