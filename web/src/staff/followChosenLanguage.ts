import { chooseLanguage } from '../browser/language.ts';
import type { SessionStore } from './session.ts';

/** Reloads the page in the language of the person who signed in, once per browser. */
export function followChosenLanguage(session: Pick<SessionStore, 'get' | 'subscribe'>): void {
  session.subscribe(() => {
    const state = session.get();
    const language = state.phase === 'ready' ? state.staff.language : null;
    if (language === null || language === document.documentElement.lang) return;
    const stored = document.cookie.split('; ').includes(`language=${language}`);
    if (!stored) chooseLanguage(language);
  });
}
