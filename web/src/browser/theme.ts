import { attempt } from '../chat/model/attempt.ts';

/** The page's head reads the same key before the first paint. */
const KEY = 'theme';

export type Theme = 'system' | 'light' | 'dark';

export function chosenTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

export function chooseTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset.theme;
  else dataset.theme = theme;
  // Without storage the choice holds until the page is left.
  attempt(() => (theme === 'system' ? localStorage.removeItem(KEY) : localStorage.setItem(KEY, theme)));
}
