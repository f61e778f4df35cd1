import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { staffShapes } from '../../staff/shapes.ts';
import { Shape } from '../../ui/Icon.tsx';
import styles from './ColleaguesNotice.module.css';
import type { Colleague } from './colleagues.ts';

/** Other staff in this chat. Always mounted: screen readers announce only changes in a known region. */
export function ColleaguesNotice({ colleagues }: { colleagues: readonly Colleague[] }) {
  return (
    <div role="status" className={styles.colleagues}>
      {colleagues.map(({ staffId, name, doing }) => (
        <p key={staffId}>
          <Shape paths={staffShapes.eye} size={17} />
          <bdi>
            {fillText(doing === 'replying' ? consoleTexts.isReplying : consoleTexts.isViewing, { name })}
          </bdi>
        </p>
      ))}
    </div>
  );
}
