import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { Kbd } from '../keys/Kbd.tsx';
import { keyGroups } from '../keys/keyList.ts';
import styles from './DetailsContent.module.css';

const shortcuts = keyGroups.flatMap(({ lines }) => lines).filter(({ short }) => short);

/** Those that are worth learning first; the list of all is one of them. */
export function DetailsShortcuts() {
  return (
    <section className={styles.shortcuts}>
      <h2 className={styles.heading}>{consoleTexts.shortcuts}</h2>
      <dl className={styles.keys}>
        {shortcuts.map(({ name, keys }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Kbd keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
