/** The language of the page, and catalogues of words. */

export const LANGUAGES = { en: 'English', zh: '中文', ja: '日本語' } as const;
export type Language = keyof typeof LANGUAGES;

/** Words in every language; the English ones say which there are. A language may leave out what it lacks. */
export type Catalogue<W> = { readonly en: W } & { readonly [L in Exclude<Language, 'en'>]?: Partial<W> };

const KEPT = 'bunzai.language';
let language = $state<Language>(preferred());

function preferred(): Language {
  const wanted = [localStorage.getItem(KEPT) ?? '', ...navigator.languages].map((tag) => tag.slice(0, 2));
  return wanted.find((tag): tag is Language => Object.hasOwn(LANGUAGES, tag)) ?? 'en';
}

export const currentLanguage = (): Language => language;

export function useLanguage(next: Language): void {
  language = next;
  localStorage.setItem(KEPT, next);
  document.documentElement.lang = next;
}

/** The words of a catalogue in the language of the page. Call the result where it is shown, so that it follows. */
export const wordsFrom =
  <W extends object>(catalogue: Catalogue<W>): (() => W) =>
  () => {
    const own = catalogue[language];
    return own === catalogue.en || own === undefined ? catalogue.en : { ...catalogue.en, ...own };
  };

/** `1,234` as the language writes it. */
export const number = (value: number): string => new Intl.NumberFormat(language).format(value);

/** The form of a word that goes with a number: `one` or `other`. */
export const plural = (count: number, one: string, other: string): string =>
  (new Intl.PluralRules(language).select(count) === 'one' ? one : other).replace('#', number(count));
