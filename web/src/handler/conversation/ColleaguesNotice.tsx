import { initials } from '@settee/protocol/model/initials';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { tintOf } from '../../staff/tint.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Dots } from '../../ui/Dots.tsx';
import styles from './ColleaguesNotice.module.css';
import type { Colleague } from './colleagues.ts';

/**
 * Other staff in this chat, above the composer, where one looks before writing. Always mounted: screen readers announce
 * only changes in a known region.
 */
export function ColleaguesNotice({ colleagues }: { colleagues: readonly Colleague[] }) {
  return (
    <div role="status" className={styles.colleagues}>
      {colleagues.map(({ staffId, name, doing }) => (
        <p key={staffId} data-doing={doing}>
          <Avatar letters={initials(name)} size={20} tint={tintOf(staffId)} />
          <bdi>
            {fillText(doing === 'replying' ? consoleTexts.isReplying : consoleTexts.isViewing, { name })}
          </bdi>
          {doing === 'replying' && <Dots />}
        </p>
      ))}
    </div>
  );
}
