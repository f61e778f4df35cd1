import { texts } from '@settee/protocol/texts/texts';
import { useState } from 'react';
import { attempt } from '../chat/model/attempt.ts';
import { Shape } from '../ui/Icon.tsx';
import choice from './menuChoice.module.css';
import styles from './ThemeChoice.module.css';

const themes: { theme: Theme; text: string; paths: readonly string[] }[] = [
  {
    theme: 'system',
    text: texts.themeSystem,
    paths: [
      'M4.5 5h15A1.5 1.5 0 0 1 21 6.5v8a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 14.5v-8A1.5 1.5 0 0 1 4.5 5Z',
      'M9 20h6M12 16v4',
    ],
  },
  {
    theme: 'light',
    text: texts.themeLight,
    paths: [
      'M12 8a4 4 0 1 0 0 8 4 4 0 1 0 0-8',
      'M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4',
    ],
  },
  {
    theme: 'dark',
    text: texts.themeDark,
    paths: ['M20 14.5A8.5 8.5 0 1 1 9.5 4a6.8 6.8 0 0 0 10.5 10.5Z'],
  },
];

export function ThemeChoice() {
  const [chosen, setChosen] = useState(chosenTheme);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has no place in a menu
    <div role="group" aria-label={texts.theme} className={`${choice.group} ${styles.themes}`}>
      <span className={choice.label} aria-hidden="true">
        {texts.theme}
      </span>
      {themes.map(({ theme, text, paths }) => (
        <button
          key={theme}
          type="button"
          role="menuitemradio"
          aria-checked={chosen === theme}
          className={`${choice.option} ${styles.theme}`}
          onClick={() => {
            chooseTheme(theme);
            setChosen(theme);
          }}
        >
          <Shape paths={paths} size={18} />
          {text}
        </button>
      ))}
    </div>
  );
}

/** The inline script reads the same key before the first paint. */
const KEY = 'theme';

type Theme = 'system' | 'light' | 'dark';

function chosenTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

function chooseTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset.theme;
  else dataset.theme = theme;
  // Without storage, the choice lasts until the page closes.
  attempt(() => (theme === 'system' ? localStorage.removeItem(KEY) : localStorage.setItem(KEY, theme)));
}
