import { wordsOf } from '../../staff/search/fold.ts';

/**
 * Whether a name fits what was typed: each typed word begins one of its words, or all are its initials ('cc' is
 * 'Close chat'). No letters picked from anywhere: whoever types a visitor's name and presses Enter must not have
 * closed a chat because its letters happen to be in 'Close chat'.
 */
export function fits(name: string, typed: string): boolean {
  return fitsWords(
    wordsOf(name).map(({ folded }) => folded),
    typed,
  );
}

/** The same, for a name whose words are known: a queue of thousands is folded once. */
export function fitsWords(words: readonly string[], typed: string): boolean {
  const wanted = wordsOf(typed).map(({ folded }) => folded);
  if (wanted.length === 0) return typed.trim() === '';
  if (wanted.every((begin) => words.some((word) => word.startsWith(begin)))) return true;
  const [only = ''] = wanted;
  const initials = words.map((word) => word.slice(0, 1)).join('');
  return wanted.length === 1 && only.length > 1 && initials.startsWith(only);
}
