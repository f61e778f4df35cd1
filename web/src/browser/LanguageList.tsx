import { directionOf, type Language, languageNames } from '@settee/protocol/texts/languages';
import { Icon } from '../ui/Icon.tsx';
import styles from './LanguageList.module.css';

type LanguageListProps = { languages: readonly Language[]; onChoose: (language: Language) => void };

export function LanguageList({ languages, onChoose }: LanguageListProps) {
  const current = document.documentElement.lang;
  return (
    <ul>
      {languages.map((each) => (
        <li key={each}>
          <button
            type="button"
            lang={each}
            dir={directionOf(each)}
            className={styles.language}
            aria-current={each === current || undefined}
            onClick={() => onChoose(each)}
          >
            <bdi>{languageNames[each]}</bdi>
            {each === current && <Icon name="check" size={18} />}
          </button>
        </li>
      ))}
    </ul>
  );
}
