import type { QueueRow } from '@settee/protocol/conversation';

/** The conversations in which a visitor has written since. One that came to the desk unread counts as such. */
export function newFromVisitors(before: readonly QueueRow[], now: readonly QueueRow[]): QueueRow[] {
  const heads = new Map(before.map(({ conversationId, head }) => [conversationId, head]));
  return now.filter(
    (row) =>
      row.lastSender === 'visitor' && row.unread > 0 && row.head > (heads.get(row.conversationId) ?? 0),
  );
}
