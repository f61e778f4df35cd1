import type { QueueRow } from '@settee/protocol/model/conversation';
import { isWithin, type QueueShow, queueKey } from '@settee/protocol/model/queue';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { useEffect, useMemo } from 'react';
import { ListLoading, ListState } from '../../staff/ListState.tsx';
import { waitingOf } from '../../staff/waiting.ts';
import { SetteeDrawing } from '../../ui/SetteeDrawing.tsx';
import { useConsole, usePublishedOrder, useSettingsAt, useSignedIn, useVisitorsHere } from '../context.ts';
import { NoDesk } from '../conversation/NoConversation.tsx';
import { useOnePage } from '../useOnePage.ts';
import type { MergedQueue } from './deskQueues.ts';
import { type Scope, useRowDesk } from './ownDesks.ts';
import { QueueList } from './QueueList.tsx';
import { QueueRowCheck, QueueRowLink } from './QueueRowLink.tsx';
import { type Counts, listKey, rowsToShow, type Shown, searchFor } from './queueFilter.ts';
import { SelectionBar } from './SelectionBar.tsx';
import { useHeldRows } from './useHeldRows.ts';
import type { Selection } from './useSelection.ts';
import { useToEnd } from './useToEnd.ts';

type OpenQueueProps = {
  all: readonly QueueRow[];
  part: MergedQueue['part'];
  counts: Counts;
  show: QueueShow;
  scope: Scope;
  now: number;
  openId: string | undefined;
  selection: Selection;
};

const empty = {
  all: { title: consoleTexts.queueEmptyTitle, note: consoleTexts.queueEmptyNote },
  unread: { title: consoleTexts.noneUnread, note: consoleTexts.noneUnreadNote },
  waiting: { title: consoleTexts.noneWaiting, note: consoleTexts.noneWaitingNote },
  snoozed: { title: consoleTexts.noneSnoozed, note: consoleTexts.snoozeNote },
};

export function OpenQueue(props: OpenQueueProps) {
  const { all, part, counts, show, scope, now, openId, selection } = props;
  const deskOf = useRowDesk(scope);
  const settingsAt = useSettingsAt();
  const visitorsHere = useVisitorsHere();
  const { staff } = useSignedIn();
  const { alias = staff.alias } = useConsole();
  const to = part?.readTo[show];
  const filter = useMemo(() => ({ show, now, openId, settingsAt, to }), [show, now, openId, settingsAt, to]);
  const toShow = useMemo(() => rowsToShow(all, filter), [all, filter]);
  const size = part ? sizeOf(counts, show) : 0;
  const more = useMoreRows(all, filter, scope.desks, size, toShow.length === 0);
  const list = listKey(show, scope.search);
  const { rows, ids, handlers } = useHeldRows(toShow, all, list);
  usePublishedOrder(ids);
  const besidePane = !useOnePage();
  const search = searchFor(show, scope.search);

  const { selected, toggle } = selection;
  const selectAll = useToEnd(more, () => selection.selectAll(ids), selected);

  if (rows.length === 0 && more) return <ListLoading text={consoleTexts.queueLoading} />;
  if (rows.length === 0) {
    const { title, note } = empty[all.length === 0 ? 'all' : show];
    return (
      <ListState>
        {/* Beside an empty pane there would be two drawings. */}
        {!besidePane && <SetteeDrawing seats={all.length === 0 ? 'empty' : 'two'} width={160} />}
        {alias === null && !besidePane ? (
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
        key={list}
        rows={rows}
        size={Math.max(size, rows.length)}
        more={more}
        openId={openId}
        hold={handlers}
        desks={rows.slice(0, 1).some((row) => deskOf(row).desk)}
      >
        {(row) => {
          const id = row.conversationId;
          const present = row.noAccess === null ? visitorsHere?.has(id) : undefined;
          const settings = settingsAt(row.alias);
          const props = { row, now, open: id === openId, present, settings, ...deskOf(row) };
          return selected ? (
            <QueueRowCheck key={id} {...props} checked={selected.has(id)} onCheck={toggle} />
          ) : (
            <QueueRowLink key={id} {...props} search={search} />
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

/**
 * Reads the next page of a list: another function for each page and connection, and undefined if no row is missing.
 * `size`: rows of the whole list, 0 if all are known. `isEmpty`: none of the known rows is shown.
 */
function useMoreRows(
  all: readonly QueueRow[],
  shown: Shown,
  desks: readonly string[],
  size: number,
  isEmpty: boolean,
): (() => void) | undefined {
  const { console } = useSignedIn();
  const { deskReads } = useConsole();
  const { show, openId, to } = shown;
  const isShort = useMemo(() => lacksRows(all, shown, size), [all, shown, size]);
  const open = to && show === 'all' ? all.find((row) => row.conversationId === openId) : undefined;

  // The list shows the open conversation, however far down it is.
  useEffect(() => {
    if (open && to && !isWithin(show, open, to)) console.readQueue(show, queueKey(show, open) ?? to, desks);
  }, [console, desks, open, show, to]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another function for each page and connection
  const more = useMemo(
    () => (isShort ? () => console.readQueue(show, undefined, desks) : undefined),
    [console, desks, isShort, show, to, deskReads],
  );
  // A list that was just chosen, or of which all rows so far are hidden: there is nothing to scroll.
  useEffect(() => {
    if (to === undefined || isEmpty) more?.();
  }, [isEmpty, more, to]);
  return more;
}

function sizeOf({ open, snoozed, unread, waiting }: Counts, show: QueueShow): number {
  return { all: open - snoozed, unread, waiting, snoozed }[show];
}

function lacksRows(all: readonly QueueRow[], shown: Shown, size: number): boolean {
  const { show, now, settingsAt, to } = shown;
  if (size === 0 || to === null) return false;
  // The rows behind this one wait for an even shorter time.
  const isWaiting = (since: number, alias?: string) =>
    waitingOf({ waitingSince: since }, now, settingsAt?.(alias)) !== null;
  if (show === 'waiting' && to && !all.some(({ alias }) => isWaiting(to.at, alias))) return false;
  // Not by counting: the clocks of console and gateway may differ, and so may which rows are snoozed.
  return to !== undefined || rowsToShow(all, { ...shown, openId: undefined }).length < size;
}
