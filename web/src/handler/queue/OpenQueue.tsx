import type { QueueRow } from '@settee/protocol/model/conversation';
import type { QueueShow } from '@settee/protocol/model/queue';
import type { StaffSettings } from '@settee/protocol/model/staffSettings';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { useMemo } from 'react';
import { ListLoading, ListState } from '../../staff/ListState.tsx';
import { SetteeDrawing } from '../../ui/SetteeDrawing.tsx';
import { usePublishedOrder, useSignedIn, useVisitorsHere } from '../context.ts';
import { NoDesk } from '../conversation/NoConversation.tsx';
import { useOnePage } from '../useOnePage.ts';
import { QueueList } from './QueueList.tsx';
import { QueueRowCheck, QueueRowLink } from './QueueRowLink.tsx';
import { rowsToShow } from './queueFilter.ts';
import type { QueuePart } from './queuePages.ts';
import { SelectionBar } from './SelectionBar.tsx';
import { useHeldRows } from './useHeldRows.ts';
import { useMoreRows } from './useMoreRows.ts';
import type { Selection } from './useSelection.ts';
import { useToEnd } from './useToEnd.ts';

type OpenQueueProps = {
  all: readonly QueueRow[];
  part: QueuePart | null;
  show: QueueShow;
  now: number;
  openId: string | undefined;
  settings: StaffSettings;
  selection: Selection;
};

const empty = {
  all: { title: consoleTexts.queueEmptyTitle, note: consoleTexts.queueEmptyNote },
  unread: { title: consoleTexts.noneUnread, note: consoleTexts.noneUnreadNote },
  waiting: { title: consoleTexts.noneWaiting, note: consoleTexts.noneWaitingNote },
  snoozed: { title: consoleTexts.noneSnoozed, note: consoleTexts.snoozeNote },
};

export function OpenQueue({ all, part, show, now, openId, settings, selection }: OpenQueueProps) {
  const visitorsHere = useVisitorsHere();
  const { staff } = useSignedIn();
  const to = part?.readTo[show];
  const filter = useMemo(() => ({ show, now, openId, settings, to }), [show, now, openId, settings, to]);
  const toShow = useMemo(() => rowsToShow(all, filter), [all, filter]);
  const { size, more } = useMoreRows(all, filter, part, toShow.length === 0);
  const { rows, ids, handlers } = useHeldRows(toShow, all, show);
  usePublishedOrder(ids);
  const besidePane = !useOnePage();
  const { selected, toggle } = selection;
  const selectAll = useToEnd(more, () => selection.selectAll(ids), selected);

  if (rows.length === 0 && more) return <ListLoading text={consoleTexts.queueLoading} />;
  if (rows.length === 0) {
    const { title, note } = empty[all.length === 0 ? 'all' : show];
    return (
      <ListState>
        {/* Beside an empty pane there would be two drawings. */}
        {!besidePane && <SetteeDrawing seats={all.length === 0 ? 'empty' : 'two'} width={160} />}
        {staff.alias === null && !besidePane ? (
          <NoDesk />
        ) : (
          <>
            <h2>{title}</h2>
            <p>{note}</p>
          </>
        )}
      </ListState>
    );
  }
  return (
    <>
      {/* Another filter starts at the top. */}
      <QueueList
        key={show}
        rows={rows}
        size={Math.max(size, rows.length)}
        more={more}
        openId={openId}
        hold={handlers}
      >
        {(row) => {
          const id = row.conversationId;
          const props = { row, now, open: id === openId, present: visitorsHere?.has(id), settings };
          return selected ? (
            <QueueRowCheck key={id} {...props} checked={selected.has(id)} onCheck={toggle} />
          ) : (
            <QueueRowLink key={id} {...props} show={show} />
          );
        }}
      </QueueList>
      {selected && (
        <SelectionBar
          rows={rows.filter(({ conversationId }) => selected.has(conversationId))}
          onAll={selectAll}
          onDone={selection.stop}
        />
      )}
    </>
  );
}
