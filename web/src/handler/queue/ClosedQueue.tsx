import type { ClosedRow } from '@settee/protocol/model/conversation';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { useMemo } from 'react';
import { DeletedList } from '../../staff/DeletedList.tsx';
import { ListFailed, ListLoading, ListState } from '../../staff/ListState.tsx';
import { useChange } from '../../staff/useChange.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { SetteeDrawing } from '../../ui/SetteeDrawing.tsx';
import { usePublishedOrder } from '../context.ts';
import styles from './ClosedQueue.module.css';
import { QueueList } from './QueueList.tsx';
import { QueueRowLink } from './QueueRowLink.tsx';
import { useClosedConversations } from './useClosedConversations.ts';
import { useRowTabIndex } from './useRovingFocus.ts';

const none: readonly string[] = [];

export function ClosedQueue({ now, openId }: { now: number; openId: string | undefined }) {
  const { rows, deleted, failed, tryAgain, showMore, reopen } = useClosedConversations();
  const { error, run } = useChange();
  usePublishedOrder(useMemo(() => rows?.map(({ conversationId }) => conversationId) ?? none, [rows]));

  if (!rows) {
    return failed ? (
      <ListFailed text={consoleTexts.couldNotLoadClosed} onTryAgain={tryAgain} />
    ) : (
      <ListLoading text={consoleTexts.closedLoading} />
    );
  }
  if (rows.length === 0 && !showMore) {
    return (
      <>
        <DeletedList rows={deleted} now={now} />
        <ListState>
          <SetteeDrawing seats="empty" width={160} />
          <p>{consoleTexts.noneClosed}</p>
        </ListState>
      </>
    );
  }
  return (
    <>
      {error !== null && (
        <Notice tone="danger" icon="alert">
          {error}
        </Notice>
      )}
      <DeletedList rows={deleted} now={now} />
      <QueueList
        rows={rows}
        openId={openId}
        foot={
          failed ? (
            <ListFailed text={consoleTexts.couldNotLoadClosed} onTryAgain={tryAgain} />
          ) : (
            showMore && (
              <Button look="outline" className={styles.more} onClick={showMore}>
                {consoleTexts.more}
              </Button>
            )
          )
        }
      >
        {(row) => (
          <div key={row.conversationId} className={styles.row}>
            <QueueRowLink row={row} now={now} open={row.conversationId === openId} show="closed" />
            <TakeBack row={row} onClick={() => void run(() => reopen(row), { of: row.conversationId })} />
          </div>
        )}
      </QueueList>
    </>
  );
}

function TakeBack({ row, onClick }: { row: ClosedRow; onClick: () => void }) {
  return (
    <Button
      look="outline"
      size="sm"
      className={styles.reopen}
      tabIndex={useRowTabIndex(row.conversationId)}
      onClick={onClick}
    >
      {row.status === 'blocked' ? consoleTexts.unblock : consoleTexts.reopen}
    </Button>
  );
}
