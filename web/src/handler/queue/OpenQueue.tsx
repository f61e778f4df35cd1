import { consoleTexts } from '@settee/protocol/consoleTexts';
import type { QueueRow } from '@settee/protocol/conversation';
import type { StaffSettings } from '@settee/protocol/staffSettings';
import { useMemo } from 'react';
import { ListState } from '../../staff/ListState.tsx';
import { QueueList } from './QueueList.tsx';
import { QueueRowLink } from './QueueRowLink.tsx';
import { rowsToShow, type Show } from './show.ts';
import { useHeldRows } from './useHeldRows.ts';
import { usePublishedOrder } from './usePublishedOrder.ts';

type OpenQueueProps = {
  all: readonly QueueRow[];
  show: Exclude<Show, 'closed'>;
  now: number;
  openId: string | undefined;
  settings: StaffSettings;
};

/** The open conversations, or those of them that were asked for. */
export function OpenQueue({ all, show, now, openId, settings }: OpenQueueProps) {
  const toShow = useMemo(
    () => rowsToShow(all, { show, now, openId, settings }),
    [all, show, now, openId, settings],
  );
  const { rows, ids, handlers } = useHeldRows(toShow, all, show);
  usePublishedOrder(ids);

  if (all.length === 0) {
    return (
      <ListState>
        <h2>{consoleTexts.queueEmptyTitle}</h2>
        <p>{consoleTexts.queueEmptyNote}</p>
      </ListState>
    );
  }
  if (rows.length === 0) {
    return (
      <ListState>
        <p>{show === 'waiting' ? consoleTexts.noneWaiting : consoleTexts.noneUnread}</p>
      </ListState>
    );
  }
  return (
    // Another filter is another list: it starts at its top.
    <QueueList key={show} rows={rows} openId={openId} hold={handlers}>
      {(row) => (
        <QueueRowLink
          key={row.conversationId}
          row={row}
          now={now}
          open={row.conversationId === openId}
          show={show}
          settings={settings}
        />
      )}
    </QueueList>
  );
}
