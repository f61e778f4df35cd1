import type { QueueRow } from '@settee/protocol/model/conversation';
import { isWithin, type QueueCounts, type QueueShow, queueKey } from '@settee/protocol/model/queue';
import { useEffect, useMemo } from 'react';
import { waitingOf } from '../../staff/waiting.ts';
import { useConsole, useSignedIn } from '../context.ts';
import { rowsToShow, type Shown } from './queueFilter.ts';
import type { QueuePart } from './queuePages.ts';

type MoreRows = {
  /** Rows of the whole list; 0 if all are known. */
  size: number;
  /** Reads the next page: another function for each page and connection. Undefined if no row is missing. */
  more: (() => void) | undefined;
};

/** The rows of a list that were not read yet. `isEmpty`: none of the known rows is shown. */
export function useMoreRows(
  all: readonly QueueRow[],
  shown: Shown,
  part: QueuePart | null,
  isEmpty: boolean,
): MoreRows {
  const { console } = useSignedIn();
  const { deskReads } = useConsole();
  const { show, openId, to } = shown;
  const size = part ? sizeOf(part.counts, show) : 0;
  const isShort = useMemo(() => lacksRows(all, shown, size), [all, shown, size]);
  const open = to && show === 'all' ? all.find((row) => row.conversationId === openId) : undefined;

  // The list shows the open conversation, however far down it is.
  useEffect(() => {
    if (open && to && !isWithin(show, open, to)) console.readQueue(show, queueKey(show, open) ?? to);
  }, [console, open, show, to]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another function for each page and connection
  const more = useMemo(
    () => (isShort ? () => console.readQueue(show) : undefined),
    [console, isShort, show, to, deskReads],
  );
  // A list that was just chosen, or of which all rows so far are hidden: there is nothing to scroll.
  useEffect(() => {
    if (to === undefined || isEmpty) more?.();
  }, [isEmpty, more, to]);
  return { size, more };
}

function sizeOf({ open, snoozed, unread, waiting }: QueueCounts, show: QueueShow): number {
  return { all: open - snoozed, unread, waiting, snoozed }[show];
}

function lacksRows(all: readonly QueueRow[], shown: Shown, size: number): boolean {
  const { show, now, settings, to } = shown;
  if (size === 0 || to === null) return false;
  // The rows behind this one wait for an even shorter time.
  if (show === 'waiting' && to && waitingOf({ waitingSince: to.at }, now, settings) === null) return false;
  // Not by counting: the clocks of console and gateway may differ, and so may which rows are snoozed.
  return to !== undefined || rowsToShow(all, { ...shown, openId: undefined }).length < size;
}
