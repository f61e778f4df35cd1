import { consoleTexts } from '@settee/protocol/consoleTexts';
import { texts } from '@settee/protocol/texts';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { Button } from '../../ui/Button.tsx';
import { Dots } from '../../ui/Dots.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { PersonMenu } from '../account/PersonMenu.tsx';
import { useConsole, useSignedIn } from '../context.ts';
import styles from './QueuePane.module.css';
import { QueueRowLink } from './QueueRowLink.tsx';
import { sortQueue } from './queue.ts';
import { useMinute } from './useMinute.ts';

export function QueuePane({ openId }: { openId: string | undefined }) {
  const { session, staff } = useSignedIn();
  const { queue } = useConsole();
  // The socket keeps the queue; this brings it when there is no socket yet, or none to be had.
  const read = useQuery({
    queryKey: ['queue'],
    enabled: queue === null,
    queryFn: async () => {
      const answer = await session.api('readQueue', {});
      if (!answer.ok) throw new Error(answer.text);
      return sortQueue(answer.answer.rows);
    },
  });
  const rows = queue ?? read.data;
  const now = useMinute();
  const notice: unknown = (useLocation().state as { notice?: unknown } | null)?.notice;

  return (
    <section className={styles.queue} aria-label={consoleTexts.queueTitle}>
      <header className={styles.header}>
        <div className={styles.top}>
          <h1>
            {consoleTexts.queueTitle}
            {rows && ` (${rows.length})`}
          </h1>
          <Button look="outline" onClick={session.signOut}>
            <Icon name="out" size={17} />
            {consoleTexts.signOut}
          </Button>
          {/* On wider screens the rail has it. */}
          <PersonMenu className={styles.onPages} />
        </div>
        <p className={styles.alias}>
          {consoleTexts.queueHandler} {staff.alias ?? staff.name}
        </p>
      </header>
      {typeof notice === 'string' && (
        <Notice tone="danger" icon="alert">
          {notice}
        </Notice>
      )}
      {rows ? (
        rows.length > 0 ? (
          <ul className={styles.list}>
            {rows.map((row) => (
              <li key={row.conversationId}>
                <QueueRowLink row={row} now={now} open={row.conversationId === openId} />
              </li>
            ))}
          </ul>
        ) : (
          <div className={styles.state}>
            <h2>{consoleTexts.queueEmptyTitle}</h2>
            <p>{consoleTexts.queueEmptyNote}</p>
          </div>
        )
      ) : read.isError ? (
        <div className={styles.state} role="alert">
          <p>{consoleTexts.couldNotLoad}</p>
          <Button look="outline" onClick={() => void read.refetch()}>
            {texts.tryAgain}
          </Button>
        </div>
      ) : (
        <div className={styles.state} role="status">
          <Dots />
          <p>{consoleTexts.queueLoading}</p>
        </div>
      )}
    </section>
  );
}
