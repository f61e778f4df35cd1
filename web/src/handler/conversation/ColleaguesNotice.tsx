import { initials } from '@settee/protocol/model/initials';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { systemClock } from '../../net/clock.ts';
import { tintOf } from '../../staff/tint.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Dots } from '../../ui/Dots.tsx';
import { useSignedIn } from '../context.ts';
import styles from './ColleaguesNotice.module.css';
import { type Colleague, startColleagues } from './colleagues.ts';

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

/** Reports that this person is in the conversation while the page is visible, and lists colleagues. */
export function useColleagues(conversationId: string, watching: boolean) {
  const { console } = useSignedIn();
  const visible = useSyncExternalStore(onVisibility, () => document.visibilityState === 'visible');
  const store = useMemo(
    () => startColleagues({ clock: systemClock, send: (doing) => console.attend(conversationId, doing) }),
    [console, conversationId],
  );

  useEffect(() => {
    const forget = console.onColleague((frame) => {
      if (frame.conversationId === conversationId) store.receive(frame);
    });
    return () => {
      forget();
      store.stop();
    };
  }, [console, conversationId, store]);

  useEffect(() => store.setPresent(watching && visible), [store, watching, visible]);

  return { colleagues: useSyncExternalStore(store.subscribe, store.get), replying: store.replying };
}

function onVisibility(changed: () => void): () => void {
  document.addEventListener('visibilitychange', changed);
  return () => document.removeEventListener('visibilitychange', changed);
}
