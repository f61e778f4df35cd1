import type { QueueRow } from '@settee/protocol/model/conversation';
import { isWithin, type QueueKey } from '@settee/protocol/model/queue';
import type { Console } from '../console.ts';

/**
 * Compares states of the queue and returns conversations with new visitor messages. `to` is up to where the queue was
 * known before: a row behind it is not new, but was not read yet.
 */
export function newVisitorMessages(): (rows: readonly QueueRow[], to?: QueueKey | null) => QueueRow[] {
  // Includes conversations that left the queue: one that a handler reopens has nothing new.
  const heads = new Map<string, number>();
  let first = true;
  return (rows, to) => {
    const found: QueueRow[] = [];
    for (const row of rows) {
      const known = heads.get(row.conversationId);
      if (known === row.head) continue;
      heads.set(row.conversationId, row.head);
      if (first || row.lastSender !== 'visitor') continue;
      // A conversation that moved here or was reopened may have only old messages.
      const isNew = row.unread > 0 && (!to || isWithin('all', row, to));
      if (known === undefined ? isNew : row.head > known) found.push(row);
    }
    first = false;
    return found;
  };
}

/** Reports conversations of the desk in which a visitor has just written. */
export function onNewVisitorMessages(
  console: Pick<Console, 'get' | 'subscribe'>,
  report: (rows: QueueRow[]) => void,
): () => void {
  const found = newVisitorMessages();
  let seen = console.get();
  if (seen.queue) found(seen.queue);
  return console.subscribe(() => {
    const { queue, part } = seen;
    seen = console.get();
    if (!seen.queue || seen.queue === queue) return;
    const rows = found(seen.queue, part?.readTo.all);
    if (rows.length > 0) report(rows);
  });
}
