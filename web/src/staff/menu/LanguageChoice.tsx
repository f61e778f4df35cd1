import {
  directionOf,
  languageNames,
  type StaffLanguage,
  staffLanguages,
} from '@settee/protocol/texts/languages';
import { texts } from '@settee/protocol/texts/texts';
import { chooseLanguage } from '../../browser/language.ts';
import choice from '../../browser/menuChoice.module.css';
import type { Api } from '../../net/api.ts';
import { useChange } from '../useChange.ts';
import styles from './LanguageChoice.module.css';

/** The languages of the console and the admin area, in a menu. Saved for every browser of this person. */
export function LanguageChoice({ api }: { api: Api }) {
  const current = document.documentElement.lang;
  const { run } = useChange('toast');

  async function save(language: StaffLanguage) {
    const saved = await api('saveLanguage', { body: { language } });
    // Also if the menu has closed.
    if (saved.ok) chooseLanguage(language);
    return saved;
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has no place in a menu
    <div role="group" aria-label={texts.language} className={`${choice.group} ${styles.languages}`}>
      <span className={choice.label} aria-hidden="true">
        {texts.language}
      </span>
      {staffLanguages.map((each) => (
        <button
          key={each}
          type="button"
          role="menuitemradio"
          aria-checked={each === current}
          lang={each}
          dir={directionOf(each)}
          className={`${choice.option} ${styles.language}`}
          onClick={() => void run(() => save(each))}
        >
          {languageNames[each]}
        </button>
      ))}
    </div>
  );
}
