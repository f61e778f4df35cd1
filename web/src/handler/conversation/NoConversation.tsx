import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { SetteeDrawing } from '../../ui/SetteeDrawing.tsx';
import { useConsole, useQueueCounts, useSignedIn } from '../context.ts';
import styles from './NoConversation.module.css';

/** Shown beside the queue while no conversation is open. */
export function NoConversation() {
  const { staff } = useSignedIn();
  const { queue, alias = staff.alias } = useConsole();
  const { open, unread, longest } = useQueueCounts();
  if (alias === null) {
    return (
      <div className={styles.nothing}>
        <SetteeDrawing seats="empty" width={240} />
        <NoDesk />
      </div>
    );
  }
  if (queue === null) return null;
  const waiting = longest.length > 0;
  const done = !waiting && unread === 0;
  return (
    <div className={styles.nothing}>
      <SetteeDrawing seats={waiting ? 'one' : open > 0 ? 'two' : 'empty'} width={240} />
      <h2>{done ? consoleTexts.caughtUp : consoleTexts.selectConversation}</h2>
      {done && <p>{consoleTexts.caughtUpNote}</p>}
    </div>
  );
}

/** For an administrator without an alias. */
export function NoDesk() {
  return (
    <>
      <h2>{consoleTexts.noDesk}</h2>
      <p>{consoleTexts.noDeskNote}</p>
      <p>
        <a className={styles.link} href="/admin/conversations">
          {consoleTexts.toConversations}
        </a>
      </p>
    </>
  );
}
