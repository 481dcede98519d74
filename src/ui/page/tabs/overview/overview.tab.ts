import { wordsFrom } from '../../words/language.svelte.ts';
import type { Tab } from '../registry.ts';

const words = wordsFrom({ en: { label: 'Overview' }, zh: { label: '概览' }, ja: { label: '概要' } });

export default {
  id: 'overview',
  order: 0,
  label: () => words().label,
  shows: () => true,
  load: () => import('./Overview.svelte'),
} satisfies Tab;
