import type { QueueRow } from '@settee/protocol/model/conversation';
import type { Console } from '../console.ts';

/** Finds, in one state of the queue after the other, the conversations in which a visitor has written since. */
export type FindNewMessages = (rows: readonly QueueRow[]) => QueueRow[];

export function newVisitorMessages(): FindNewMessages {
  // Also of those that left: one that comes back by a handler's own hand brings nothing new.
  const heads = new Map<string, number>();
  let first = true;
  return (rows) => {
    const news: QueueRow[] = [];
    for (const row of rows) {
      const known = heads.get(row.conversationId);
      if (known === row.head) continue;
      heads.set(row.conversationId, row.head);
      if (first || row.lastSender !== 'visitor') continue;
      // One never seen here may come with nothing but old words, from another desk or out of the closed ones.
      if (known === undefined ? row.unread > 0 : row.head > known) news.push(row);
    }
    first = false;
    return news;
  };
}

/** Tells, until it is called off, in which conversations of the desk a visitor has just written. */
export function onNewVisitorMessages(
  console: Pick<Console, 'get' | 'subscribe'>,
  report: (rows: QueueRow[]) => void,
): () => void {
  const news = newVisitorMessages();
  let seen = console.get().queue;
  if (seen) news(seen);
  return console.subscribe(() => {
    const { queue } = console.get();
    if (!queue || queue === seen) return;
    seen = queue;
    const rows = news(queue);
    if (rows.length > 0) report(rows);
  });
}
