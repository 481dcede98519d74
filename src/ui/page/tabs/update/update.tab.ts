import { wordsFrom } from '../../words/language.svelte.ts';
import type { Tab } from '../registry.ts';

const words = wordsFrom({ en: { label: 'Update' }, zh: { label: '更新' }, ja: { label: '更新' } });

export default {
  id: 'update',
  order: 80,
  label: () => words().label,
  shows: () => true,
  load: () => import('./Update.svelte'),
} satisfies Tab;
