import { wordsFrom } from '../../words/language.svelte.ts';
import type { Tab } from '../registry.ts';

const words = wordsFrom({ en: { label: 'Source' }, zh: { label: '源文件' }, ja: { label: 'ソース' } });

export default {
  id: 'source',
  order: 70,
  label: () => words().label,
  shows: () => true,
  load: () => import('./Source.svelte'),
} satisfies Tab;
