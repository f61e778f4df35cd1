import { directionOf, languageNames, staffLanguages } from '@settee/protocol/texts/languages';
import { texts } from '@settee/protocol/texts/texts';
import styles from './LanguageChoice.module.css';
import { chooseLanguage } from './language.ts';

/** The languages of the console and the admin area, in a menu. */
export function LanguageChoice() {
  const current = document.documentElement.lang;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has no place in a menu
    <div role="group" aria-label={texts.language} className={styles.languages}>
      <span className={styles.label} aria-hidden="true">
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
          className={styles.language}
          onClick={() => chooseLanguage(each)}
        >
          {languageNames[each]}
        </button>
      ))}
    </div>
  );
}
