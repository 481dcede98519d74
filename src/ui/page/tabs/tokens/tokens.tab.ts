import { wordsFrom } from '../../words/language.svelte.ts';
import type { Tab } from '../registry.ts';

const words = wordsFrom({ en: { label: 'Tokens' }, zh: { label: 'Token' }, ja: { label: 'トークン' } });

export default {
  id: 'tokens',
  order: 50,
  label: () => words().label,
  shows: (doc) => doc.entities.some(({ kind }) => kind !== 'regex'),
  load: () => import('./Tokens.svelte'),
} satisfies Tab;
