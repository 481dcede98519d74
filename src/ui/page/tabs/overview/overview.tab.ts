import type { Tab } from '../registry.ts';
import { overviewWords } from './words.ts';

export default {
  id: 'overview',
  order: 0,
  label: () => overviewWords().label,
  shows: () => true,
  load: () => import('./Overview.svelte'),
} satisfies Tab;
