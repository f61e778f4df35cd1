import type { QueueRow } from '@settee/protocol/model/conversation';
import { isWithin, type QueueKey } from '@settee/protocol/model/queue';
import type { Console } from '../console.ts';
import type { KnownQueue } from '../queue/queuePages.ts';

/**
 * Compares states of the queue and returns conversations with new visitor messages. `to` is up to where the queue was
 * known before: a row behind it is not new, but was not read yet. `heads` includes conversations that left the queue: one
 * that a handler reopens has nothing new.
 */
export function newVisitorMessages(
  heads = new Map<string, number>(),
): (rows: readonly QueueRow[], to?: QueueKey | null) => QueueRow[] {
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

/** Reports conversations in which a visitor has just written, at the desks where this person is on duty. */
export function onNewVisitorMessages(
  console: Pick<Console, 'get' | 'subscribe'>,
  report: (rows: QueueRow[]) => void,
): () => void {
  // A conversation may move from one desk to another.
  const heads = new Map<string, number>();
  const found = new Map<string, ReturnType<typeof newVisitorMessages>>();
  let before = new Map<string, KnownQueue>();

  function take(): QueueRow[] {
    const { queues, desks } = console.get();
    const news = [...queues].flatMap(([alias, { queue }]) => {
      const known = before.get(alias);
      if (!queue || queue === known?.queue) return [];
      const findIn = found.get(alias) ?? newVisitorMessages(heads);
      found.set(alias, findIn);
      const rows = findIn(queue, known?.part?.readTo.all);
      return desks.some((desk) => desk.alias === alias && desk.off) ? [] : rows;
    });
    before = new Map(queues);
    // If it comes back, its chats are no news.
    for (const alias of found.keys()) if (!queues.has(alias)) found.delete(alias);
    return news;
  }

  take();
  return console.subscribe(() => {
    const rows = take();
    if (rows.length > 0) report(rows);
  });
}
