import type { Up } from '@settee/protocol/frames/up';
import type { QueueRow } from '@settee/protocol/model/conversation';
import {
  compareQueueKeys,
  type QueueCounts,
  type QueueKey,
  type QueueShow,
  queueKey,
} from '@settee/protocol/model/queue';
import type { Frame } from '../../chat/model/conversationState.ts';
import { changeQueue, sortQueue } from './queue.ts';

/** What is known of a queue that was not read to its end. */
export type QueuePart = {
  counts: QueueCounts;
  /** Up to which row each list is known; null: to its end. */
  readTo: { readonly [Show in QueueShow]?: QueueKey | null };
};

export type KnownQueue = {
  /** The known rows. Some may be behind the end of a list, because every change in the queue is known. */
  queue: readonly QueueRow[] | null;
  /** Null if all rows are known. */
  part: QueuePart | null;
};

export type QueueParts = {
  get(): KnownQueue;
  update(change: Partial<KnownQueue>): void;
  send(frame: Up): void;
};

/** Reads the queue in pages. The gateway reports every change, so no row is lost if it moves between two pages. */
export function queuePages({ get, update, send }: QueueParts) {
  /** The lists that are being read, and to which row at least. */
  const reading = new Map<QueueShow, { until: QueueKey | undefined }>();
  /** Rows from before a reconnect. They stay until their pages were read again. */
  let stale = new Set<string>();

  function ask(show: QueueShow, after: QueueKey | undefined): void {
    send({ type: 'queuePage', show, ...(after && { after }) });
  }

  function apply(rows: readonly QueueRow[], gone: readonly string[], part: QueuePart | null): void {
    for (const { conversationId } of rows) stale.delete(conversationId);
    const queue = changeQueue(get().queue ?? [], { rows, gone });
    const finished = reading.size === 0 && stale.size > 0;
    update({ queue: finished ? queue.filter((row) => !stale.has(row.conversationId)) : queue, part });
    if (finished) stale.clear();
  }

  return {
    /** The first answer of a connection. Rows that were known before stay, and are read again. */
    begin({ rows, counts }: Frame<'queue'>): void {
      const { queue, part } = get();
      reading.clear();
      stale.clear();
      if (counts === undefined) {
        update({ queue: sortQueue(rows), part: null });
        return;
      }
      stale = new Set(queue?.map(({ conversationId }) => conversationId));
      const end = lastKey('all', rows);
      const readTo: { [Show in QueueShow]?: QueueKey | null } = { all: end };
      const shown = queue === null ? {} : (part?.readTo ?? { all: null });
      for (const [list, to] of Object.entries(shown)) {
        const show = list as QueueShow;
        const until = to ?? lastKey(show, queue ?? []);
        if (until === null || (show === 'all' && end && compareQueueKeys(show, until, end) <= 0)) continue;
        readTo[show] = until;
        reading.set(show, { until });
        ask(show, show === 'all' ? (end ?? undefined) : undefined);
      }
      apply(rows, [], { counts, readTo });
    },

    change({ rows, gone, counts }: Omit<Frame<'queueChange'>, 'type'>): void {
      const { queue, part } = get();
      if (queue) apply(rows, gone, part && { ...part, counts: counts ?? countsWithout(part.counts, gone) });
    },

    page({ show, rows, more }: Frame<'queuePage'>): void {
      const { part } = get();
      const read = reading.get(show);
      if (!part || !read) return;
      const end = more ? lastKey(show, rows) : null;
      if (end === null && show === 'all') {
        reading.clear();
        apply(rows, [], null);
        return;
      }
      if (end && read.until && compareQueueKeys(show, end, read.until) < 0) ask(show, end);
      else reading.delete(show);
      const before = part.readTo[show];
      // After a reconnect, the list does not become shorter.
      const to = end && before && compareQueueKeys(show, end, before) < 0 ? before : end;
      apply(rows, [], { ...part, readTo: { ...part.readTo, [show]: to } });
    },

    /** Reads the next page of a list, or all pages up to a row. */
    read(show: QueueShow, until?: QueueKey): void {
      const { part } = get();
      const to = part?.readTo[show];
      if (!part || to === null) return;
      const read = reading.get(show);
      if (read) {
        if (until && (!read.until || compareQueueKeys(show, until, read.until) > 0)) read.until = until;
        return;
      }
      reading.set(show, { until });
      ask(show, to);
      // Only the shown list stays known. The others are read again when they are shown.
      update({ part: { ...part, readTo: { all: part.readTo.all ?? null, [show]: to } } });
    },
  };
}

/** Until the gateway counts again: the next conversation must not be one that was just closed. */
function countsWithout(counts: QueueCounts, gone: readonly string[]): QueueCounts {
  const longest = counts.longest.filter(({ conversationId }) => !gone.includes(conversationId));
  return { ...counts, open: counts.open - gone.length, longest };
}

function lastKey(show: QueueShow, rows: readonly QueueRow[]): QueueKey | null {
  let last: QueueKey | null = null;
  for (const row of rows) {
    const key = queueKey(show, row);
    if (key && (!last || compareQueueKeys(show, key, last) > 0)) last = key;
  }
  return last;
}
