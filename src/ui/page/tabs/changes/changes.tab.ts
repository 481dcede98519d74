import { wordsFrom } from '../../words/language.svelte.ts';
import type { Tab } from '../registry.ts';

const words = wordsFrom({ en: { label: '±' }, zh: { label: '±' }, ja: { label: '±' } });

export default {
  id: 'changes',
  order: 60,
  label: () => words().label,
  shows: () => true,
  load: () => import('./Changes.svelte'),
} satisfies Tab;
