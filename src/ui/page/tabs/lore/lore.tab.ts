import { wordsFrom } from '../../words/language.svelte.ts';
import type { Tab } from '../registry.ts';

const words = wordsFrom({ en: { label: 'Lore' }, zh: { label: '世界书' }, ja: { label: 'ロア' } });

export default {
  id: 'lore',
  order: 20,
  label: () => words().label,
  shows: (doc) => doc.entities.some(({ kind }) => kind === 'lorebook' || kind === 'character' || kind === 'persona'),
  load: () => import('./Lore.svelte'),
} satisfies Tab;
