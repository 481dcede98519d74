import { wordsFrom } from '../../words/language.svelte.ts';
import type { Tab } from '../registry.ts';

const words = wordsFrom({ en: { label: 'Rules' }, zh: { label: '规则' }, ja: { label: 'ルール' } });

export default {
  id: 'rules',
  order: 30,
  label: () => words().label,
  shows: (doc) =>
    doc.entities.some(
      (one) => one.kind === 'regex' || (one.kind === 'character' && (one.body.behavior?.regexScripts?.length ?? 0) > 0),
    ),
  load: () => import('./Rules.svelte'),
} satisfies Tab;
