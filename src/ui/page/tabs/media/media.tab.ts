import { wordsFrom } from '../../words/language.svelte.ts';
import type { Tab } from '../registry.ts';

const words = wordsFrom({ en: { label: 'Media' }, zh: { label: '媒体' }, ja: { label: 'メディア' } });

export default {
  id: 'media',
  order: 40,
  label: () => words().label,
  shows: (doc) => doc.entities.some(({ kind }) => kind === 'character' || kind === 'persona'),
  load: () => import('./Media.svelte'),
} satisfies Tab;
