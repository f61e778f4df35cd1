import { consoleTexts } from '@settee/protocol/consoleTexts';
import { useMemo } from 'react';
import { useLocation } from 'react-router';
import { ListFailed, ListLoading } from '../../staff/ListState.tsx';
import { useMinute } from '../../staff/useMinute.ts';
import { Button } from '../../ui/Button.tsx';
import { Shape } from '../../ui/Icon.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { PersonMenu } from '../account/PersonMenu.tsx';
import { useConsole, useSignedIn } from '../context.ts';
import { useCommandRegistry } from '../keys/commands.ts';
import { shapes } from '../shapes.ts';
import { ClosedQueue } from './ClosedQueue.tsx';
import { Filters } from './Filters.tsx';
import { OpenQueue } from './OpenQueue.tsx';
import styles from './QueuePane.module.css';
import { SearchButton } from './SearchButton.tsx';
import { countUnread, countWaiting, showIn } from './show.ts';
import { useQueue } from './useQueue.ts';

export function QueuePane({ openId }: { openId: string | undefined }) {
  const { session, staff } = useSignedIn();
  const commands = useCommandRegistry();
  const { rows, failed, tryAgain } = useQueue();
  const { settings } = useConsole();
  const now = useMinute();
  const location = useLocation();
  const show = showIn(location.search);
  const notice: unknown = (location.state as { notice?: unknown } | null)?.notice;
  const unread = useMemo(() => countUnread(rows ?? []), [rows]);
  const waiting = useMemo(() => countWaiting(rows ?? [], now, settings), [rows, now, settings]);

  return (
    <section className={styles.queue} aria-label={consoleTexts.queueTitle}>
      <header className={styles.header}>
        <div className={styles.top}>
          <h1>
            {consoleTexts.queueTitle}
            {rows && ` (${rows.length})`}
          </h1>
          <Button look="outline" onClick={session.signOut}>
            <Shape paths={shapes.out} size={17} />
            {consoleTexts.signOut}
          </Button>
          {/* On wider screens the rail has it. */}
          <PersonMenu className={styles.onPages} />
        </div>
        <p className={styles.alias}>
          {consoleTexts.queueHandler} {staff.alias ?? staff.name}
        </p>
        <SearchButton onOpen={() => commands.run('palette')} />
        <Filters show={show} unread={unread} waiting={waiting} />
      </header>
      {typeof notice === 'string' && (
        <Notice tone="danger" icon="alert">
          {notice}
        </Notice>
      )}
      {show === 'closed' ? (
        <ClosedQueue now={now} openId={openId} />
      ) : rows ? (
        <OpenQueue all={rows} show={show} now={now} openId={openId} settings={settings} />
      ) : failed ? (
        <ListFailed text={consoleTexts.couldNotLoad} onTryAgain={tryAgain} />
      ) : (
        <ListLoading text={consoleTexts.queueLoading} />
      )}
    </section>
  );
}
