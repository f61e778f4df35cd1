import type { QueueRow } from '@settee/protocol/model/conversation';
import type { Console } from '../console.ts';

/** Compares states of the queue and returns conversations with new visitor messages. */
export function newVisitorMessages(): (rows: readonly QueueRow[]) => QueueRow[] {
  // Includes conversations that left the queue: one that a handler reopens has nothing new.
  const heads = new Map<string, number>();
  let first = true;
  return (rows) => {
    const found: QueueRow[] = [];
    for (const row of rows) {
      const known = heads.get(row.conversationId);
      if (known === row.head) continue;
      heads.set(row.conversationId, row.head);
      if (first || row.lastSender !== 'visitor') continue;
      // A conversation that moved here or was reopened may have only old messages.
      if (known === undefined ? row.unread > 0 : row.head > known) found.push(row);
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
  let seen = console.get().queue;
  if (seen) found(seen);
  return console.subscribe(() => {
    const { queue } = console.get();
    if (!queue || queue === seen) return;
    seen = queue;
    const rows = found(queue);
    if (rows.length > 0) report(rows);
  });
}
