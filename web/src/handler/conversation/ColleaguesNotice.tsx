import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { Shape } from '../../ui/Icon.tsx';
import styles from './ColleaguesNotice.module.css';
import type { Colleague } from './colleagues.ts';

const EYE = [
  'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z',
  'M12 9.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 1 0 0-5.6',
];

/** Who else is in this chat. Always there, if empty: a reader hears only what comes into a place it knows. */
export function ColleaguesNotice({ colleagues }: { colleagues: readonly Colleague[] }) {
  return (
    <div role="status" className={styles.colleagues}>
      {colleagues.map(({ staffId, name, doing }) => (
        <p key={staffId}>
          <Shape paths={EYE} size={17} />
          <bdi>
            {fillText(doing === 'replying' ? consoleTexts.isReplying : consoleTexts.isViewing, { name })}
          </bdi>
        </p>
      ))}
    </div>
  );
}
