/** Kinds, parts and warnings in words a player knows. */
import type { ItemSummary, Piece } from '../../item/model.ts';
import { currentLanguage, number, plural, wordsFrom } from './language.svelte.ts';

type Forms = readonly [one: string, other: string];

const kinds = wordsFrom({
  en: { character: 'Card', lorebook: 'Lorebook', persona: 'Persona', regex: 'Regex set', preset: 'Preset' },
  zh: { character: '角色卡', lorebook: '世界书', persona: '用户人设', regex: '正则集', preset: '预设' },
  ja: {
    character: 'カード',
    lorebook: 'ロアブック',
    persona: 'ペルソナ',
    regex: '正規表現セット',
    preset: 'プリセット',
  },
});

/** A kind in a word. */
export const kindWord = (kind: ItemSummary['kind']): string => kinds()[kind];

/** By the words that the engine counts with. */
const EN: Readonly<Record<string, Forms>> = {
  greetings: ['# greeting', '# greetings'],
  'group greetings': ['# group greeting', '# group greetings'],
  books: ['# lorebook', '# lorebooks'],
  portraits: ['# portrait', '# portraits'],
  assets: ['# picture or sound', '# pictures and sounds'],
  tags: ['# tag', '# tags'],
  'depth notes': ['# depth note', '# depth notes'],
  voices: ['# voice', '# voices'],
  variants: ['# variant', '# variants'],
  rules: ['# regex rule', '# regex rules'],
  scripts: ['# script', '# scripts'],
  entries: ['# lorebook entry', '# lorebook entries'],
  'always-on entries': ['# always on', '# always on'],
  'disabled entries': ['# switched off', '# switched off'],
  categories: ['# category', '# categories'],
  texts: ['# text', '# texts'],
  sections: ['# section', '# sections'],
  traits: ['# trait', '# traits'],
  'disabled rules': ['# switched off', '# switched off'],
  prompts: ['# prompt', '# prompts'],
  'disabled prompts': ['# switched off', '# switched off'],
  groups: ['# group', '# groups'],
  samplers: ['# sampler setting', '# sampler settings'],
};
const ZH: Readonly<Record<string, string>> = {
  greetings: '# 条开场白',
  'group greetings': '# 条群聊开场白',
  books: '# 本世界书',
  portraits: '# 张立绘',
  assets: '# 个图片或音频',
  tags: '# 个标签',
  'depth notes': '# 条深度注释',
  voices: '# 个语音',
  variants: '# 个变体',
  rules: '# 条正则',
  scripts: '# 个脚本',
  entries: '# 条世界书条目',
  'always-on entries': '# 条常驻',
  'disabled entries': '# 条停用',
  categories: '# 个分类',
  texts: '# 段文字',
  sections: '# 节',
  traits: '# 个特征',
  'disabled rules': '# 条停用',
  prompts: '# 条提示词',
  'disabled prompts': '# 条停用',
  groups: '# 个分组',
  samplers: '# 项采样设置',
};
const JA: Readonly<Record<string, string>> = {
  greetings: '挨拶 #',
  'group greetings': 'グループ挨拶 #',
  books: 'ロアブック #',
  portraits: '肖像 #',
  assets: '画像・音声 #',
  tags: 'タグ #',
  'depth notes': '深度メモ #',
  rules: '正規表現 #',
  scripts: 'スクリプト #',
  entries: 'ロア項目 #',
  'always-on entries': '常時 #',
  'disabled entries': 'オフ #',
  prompts: 'プロンプト #',
  samplers: 'サンプラー設定 #',
};

/** One part with its number: `4 greetings`. */
export function partWord(part: string, count: number): string {
  const own = { en: undefined, zh: ZH[part], ja: JA[part] }[currentLanguage()];
  if (own) return own.replace('#', number(count));
  const [one, other] = EN[part] ?? [`# ${part}`, `# ${part}`];
  return plural(count, one, other);
}

/** Parts that only say something beside their own list. */
const DETAILS = new Set(['always-on entries', 'disabled entries', 'disabled rules', 'disabled prompts', 'categories']);

/** Every part of an item with its number, the pieces beside it included. */
export function partWords({ counts, pieces }: { counts: ItemSummary['counts']; pieces: readonly Piece[] }): string[] {
  const sums = new Map(Object.entries(counts));
  // A book of a card is told by its entries.
  if (pieces.some(({ kind }) => kind === 'lorebook')) sums.delete('books');
  for (const piece of pieces)
    for (const [part, count] of Object.entries(piece.counts))
      if (!DETAILS.has(part)) sums.set(part, (sums.get(part) ?? 0) + count);
  return [...sums].map(([part, count]) => partWord(part, count));
}

const cautions = wordsFrom({
  en: {
    'card.carries-code': 'Carries rules or scripts. They are kept and never run here.',
    'card.privileged': 'Asks for privileged access (low-level scripts). Allow it only if you trust the author.',
    'card.remote-media': 'Some pictures or sounds are on the web, not in the file. They are not loaded here.',
    'card.picture-type': 'A picture of a type that many apps cannot show.',
    'regex.run-away': 'A pattern in it can run away and freeze an app.',
    'preset.secret': 'Holds a key or password. Leave it out with "for sharing".',
  },
  zh: {
    'card.carries-code': '带有规则或脚本。会保留，但绝不在此运行。',
    'card.privileged': '要求特权访问（底层脚本）。信任作者时才允许。',
    'card.remote-media': '部分图片或音频在网络上，不在文件里，这里不会加载。',
    'card.picture-type': '含有许多应用无法显示的图片类型。',
    'regex.run-away': '其中的某个正则可能失控并卡住应用。',
    'preset.secret': '含有密钥或密码。用“用于分享”可将其去除。',
  },
});

/** Warnings that everybody should see, in words; repairs and remarks are not among them. */
export function cautionWords(codes: readonly string[]): string[] {
  const known = cautions() as Readonly<Record<string, string>>;
  return [...new Set(codes)].flatMap((code) => known[code] ?? []);
}
