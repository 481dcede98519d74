import { wordsFrom } from '../../words/language.svelte.ts';
import type { Tab } from '../registry.ts';

const words = wordsFrom({ en: { label: 'Edit' }, zh: { label: '编辑' }, ja: { label: '編集' } });

export default {
  id: 'edit',
  order: 10,
  label: () => words().label,
  shows: () => true,
  load: () => import('./Edit.svelte'),
} satisfies Tab;
