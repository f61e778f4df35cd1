import { wordsOf } from './fold.ts';

/**
 * Whether a name matches: each typed word starts a word of the name, or the text equals its initials ('cc' for
 * 'Close chat'). Other letter matches are excluded, so that typing a visitor's name never selects 'Close chat'.
 */
export function fits(name: string, typed: string): boolean {
  return fitsWords(
    wordsOf(name).map(({ folded }) => folded),
    typed,
  );
}

/** For names that are already split into words. */
export function fitsWords(words: readonly string[], typed: string): boolean {
  const wanted = wordsOf(typed).map(({ folded }) => folded);
  if (wanted.length === 0) return typed.trim() === '';
  if (wanted.every((begin) => words.some((word) => word.startsWith(begin)))) return true;
  const [only = ''] = wanted;
  const initials = words.map((word) => word.slice(0, 1)).join('');
  return wanted.length === 1 && only.length > 1 && initials.startsWith(only);
}
