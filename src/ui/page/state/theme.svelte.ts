/** Dark, light, or as the system has it. */
export type Theme = 'system' | 'light' | 'dark';

const KEPT = 'bunzai.theme';
const ORDER: readonly Theme[] = ['system', 'light', 'dark'];

const kept = localStorage.getItem(KEPT);
let theme = $state<Theme>(ORDER.find((one) => one === kept) ?? 'system');

export const currentTheme = (): Theme => theme;

/** Puts the theme on the page; called once at the start. */
export function showTheme(): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function nextTheme(): void {
  theme = ORDER[(ORDER.indexOf(theme) + 1) % ORDER.length] ?? 'system';
  localStorage.setItem(KEPT, theme);
  showTheme();
}
