import { consoleTexts } from '@settee/protocol/consoleTexts';
import { Kbd } from '../keys/Kbd.tsx';
import styles from './DetailsContent.module.css';

/** Those that are worth learning first; the list of all is one of them. */
const shortcuts: { name: string; keys: string[] }[] = [
  { name: consoleTexts.keyNextPrevious, keys: ['j', 'k'] },
  { name: consoleTexts.keyReply, keys: ['r'] },
  { name: consoleTexts.keySavedReply, keys: ['/'] },
  { name: consoleTexts.keyClose, keys: ['e'] },
  { name: consoleTexts.allShortcuts, keys: ['?'] },
];

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
